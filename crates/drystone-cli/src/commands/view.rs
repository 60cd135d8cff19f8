//! `drystone view`.

use crate::failure::{DONE, Failure, say};
use crate::files::SceneFiles;
use drystone_serve::Server;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Look at a run, or at a scene, in the browser.
///
/// Serves a page on this machine alone, until Ctrl-C. A run in progress is followed as it goes. Over SSH,
/// forward the port (`ssh -L 8737:127.0.0.1:8737 host`) and open the same address at home.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder, or a scene file to see how it begins.
    what: PathBuf,
    /// The port on 127.0.0.1; the first free one from 8737 on unless told otherwise, any for 0.
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    files: SceneFiles,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let show = if arguments.files.trusted() { Server::open_trusted } else { Server::open };
    let server = show(&arguments.what, arguments.port)?;
    let address = format!("http://{}", server.address());
    say(format_args!("showing {} at {address} (Ctrl-C ends)", arguments.what.display()));
    if arguments.open {
        open(&address);
    }
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop()).map_err(Failure::other)?;
    server.serve();
    Ok(DONE)
}

/// Opens an address in the browser, by the program that the system has for it.
pub fn open(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    };
    if !quiet(Command::new(program).args(before).arg(address)) {
        eprintln!("note: no browser could be started; open {address} yourself");
    }
}
