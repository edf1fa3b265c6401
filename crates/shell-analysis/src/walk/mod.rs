//! The walk over the tree: lists, compound commands, simple commands, and what they run in turn.

pub(crate) mod call;
pub(crate) mod carried;
pub(crate) mod compound;
pub(crate) mod disclosure;
pub(crate) mod files;
pub(crate) mod fork;
pub(crate) mod list;
pub(crate) mod loops;
pub(crate) mod names;
pub(crate) mod redirect;
pub(crate) mod runner;
pub(crate) mod scripts;
pub(crate) mod simple;
