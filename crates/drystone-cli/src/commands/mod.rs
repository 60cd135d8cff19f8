//! The commands, a file each.

pub mod bench;
pub mod check;
pub mod demo;
pub mod diagnose;
pub mod export;
pub mod info;
pub mod list;
pub mod measure;
pub mod new;
pub mod plot;
pub mod render;
pub mod report;
pub mod resume;
pub mod run;
pub mod runs;
pub mod shell;
pub mod solve;
pub mod stability;
pub mod stress;
pub mod sweep;
pub mod view;
