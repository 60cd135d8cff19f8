//! `drystone list`.

use crate::failure::{DONE, Failure, say};
use crate::gallery::TEMPLATES;
use serde_json::json;

/// Show the templates that `new` can write.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if arguments.json {
        let entry = |template: &crate::gallery::Template| json!({ "name": template.name, "dimension": template.dimension, "about": template.about });
        say(json!({ "templates": TEMPLATES.iter().map(entry).collect::<Vec<_>>() }));
        return Ok(DONE);
    }
    for template in TEMPLATES {
        say(format_args!("{:<16}{}D  {}", template.name, template.dimension, template.about));
    }
    Ok(DONE)
}
