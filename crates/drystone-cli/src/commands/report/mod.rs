//! `drystone report`: one page that tells of a run. What its parts say is `sections`', how they look
//! `page`'s.

mod contacts;
mod page;
mod sections;

use crate::commands::plot::RunColumns;
use crate::failure::{DONE, Failure, say};
use page::HtmlPage;
use sections::RunReport;
use std::path::PathBuf;

/// Write one self-contained page on a run: scene, outcome, gauges, energies, convergence, contacts, pictures.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// The page to write.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let columns = RunColumns::open(&arguments.folder)?;
    let scene = columns.run.scene()?;
    let summary = columns.run.summary()?;
    let name = arguments.folder.display().to_string();
    let mut page = HtmlPage::new(if scene.title.is_empty() { &name } else { &scene.title });
    let report = RunReport { columns, scene, summary, name };
    report.write(&mut page)?;
    let text = page.text();
    std::fs::write(&arguments.output, &text)
        .map_err(|error| Failure::other(format!("{}: {error}", arguments.output.display())))?;
    let size = text.len() as f64 / 1e6;
    say(format_args!("wrote {} ({size:.1} MB)", arguments.output.display()));
    Ok(DONE)
}
