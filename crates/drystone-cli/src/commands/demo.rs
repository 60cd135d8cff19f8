//! `drystone demo`.

use crate::commands::render::draw;
use crate::driver::{self, Destination, Goal, Manner};
use crate::failure::{Failure, say};
use crate::gallery;
use drystone_scene::Scene;
use drystone_view::{Show, Style};
use std::path::PathBuf;

/// Run the demo: a column of disks and a column of boxes collapse, and a picture of the end with its force
/// chains.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder; an older demo there is overwritten.
    #[arg(short, long, value_name = "DIR", default_value = "runs/demo")]
    output: PathBuf,
    #[command(flatten)]
    goal: Goal,
    #[command(flatten)]
    manner: Manner,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let scene = Scene::parse(&gallery::find("collapse")?.text(), "collapse.toml")?;
    let place = Destination { folder: &arguments.output, force: true, dump_every: None };
    let code = driver::start(&scene, &place, &arguments.goal, &arguments.manner)?;
    let picture = arguments.output.join("picture.png");
    let style = Style { width: 1400, show: Show::Forces, ..Style::default() };
    draw(&arguments.output, None, &style, &picture)?;
    if !arguments.manner.is_silent() {
        say(format_args!("{:<14}{}", "picture", picture.display()));
    }
    Ok(code)
}
