//! `drystone list`.

use crate::failure::{DONE, Failure, say};
use crate::gallery::{TEMPLATES, Template, cases, last_figures};
use serde_json::json;

/// Show the templates that `new` can write, and the gallery: scenes of the project, many of them from texts.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if arguments.json {
        let entry = |template: &Template| json!({ "name": template.name, "dimension": template.dimension, "about": template.about });
        let templates: Vec<_> = TEMPLATES.iter().map(entry).collect();
        say(json!({ "templates": templates, "gallery": cases() }));
        return Ok(DONE);
    }
    say("templates, written by `drystone new NAME`:");
    for template in TEMPLATES {
        say(format_args!("  {:<20}{}D  {}", template.name, template.dimension, template.about));
    }
    say("gallery, scenes of the project:");
    for case in cases() {
        let word = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        say(format_args!("  {:<20}{}", word("name"), word("about")));
        say(format_args!("  {:<20}{}; {}", "", word("source"), word("quick")));
        for line in last_figures(&case) {
            say(format_args!("  {:<20}{line}", ""));
        }
    }
    Ok(DONE)
}
