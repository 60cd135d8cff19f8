//! One function for each kind of file that a stranger may hand over: it may answer or refuse, never panic.

pub mod folders;
pub mod texts;
