//! A world made of data.
