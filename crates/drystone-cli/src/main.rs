//! The command `drystone`.
fn main() {}
