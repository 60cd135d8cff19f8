//! Measures that cannot be taken are refused at their line.

use super::{PLANE, refused};

/// The scene with a measure at its end, whose first line is 59.
fn wrong(measure: &str, line: usize, words: &[&str]) {
    let last = "quantities = [\"position\", \"angle\"]\n";
    refused(PLANE, last, &format!("{last}[[measure]]\n{measure}\n"), line, words);
}

#[test]
fn measures_are_refused_at_their_line() {
    wrong("name = \"stres\"", 60, &["no measure \"stres\"", "Did you mean \"stress\"?"]);
    wrong("name = \"stress\"\ngroup = \"stone\"", 61, &["no group \"stone\"", "Did you mean \"stones\"?"]);
    wrong("name = \"stress\"\nbins = 3", 61, &["takes no \"bins\"", "allowed is group, box"]);
    wrong("name = \"stress\"\nbin = 3", 61, &["unknown key \"bin\""]);
    wrong("name = \"stress\"\nbox = [0, 0, 1]", 61, &["box is [0.0, 0.0, 1.0]", "4 finite numbers"]);
    wrong("name = \"cut\"", 59, &["needs \"point\""]);
    wrong("name = \"profile\"\nbins = 0", 61, &["bins is 0", "from 1 to 1000000"]);
    wrong("name = \"profile\"\naxis = \"z\"", 61, &["axis is \"z\", allowed is x, y"]);
    wrong("name = \"reaction\"\nbody = \"blok\"", 61, &["names no body: \"blok\"", "\"block\""]);
    wrong("name = \"energy\"\nevery = 0", 61, &["every of measure \"energy\""]);
    wrong("name = \"energy\"\nevery = 1e-6", 61, &["shorter than the time step"]);
    wrong("name = \"energy\"\nfile = \"a/b\"", 61, &["names a file"]);
    wrong(
        "name = \"energy\"\n[[measure]]\nname = \"energy\"",
        61,
        &["measure number 1", "`file` of its own"],
    );
}
