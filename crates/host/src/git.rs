//! Git repositories, read without running git.
