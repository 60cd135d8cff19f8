//! The cases of the gallery: scenes of `scenes/gallery` with where they come from and what they are known to
//! give. The file beside the scenes says it all; nothing is run here.

use serde_json::Value;

/// The file beside the scenes: a list of objects with `name`, `about`, `source` (text and figure), `quick`
/// (the scene, which runs in seconds), `full` (the same with other values of its keys, as `drystone sweep`
/// takes them) and `expected`, a list of figures of the last frame of the quick scene, each with `measure`,
/// `value`, `tolerance` and `why`.
const TEXT: &str = include_str!("../../../../scenes/gallery/gallery.json");

/// All cases.
pub fn cases() -> Vec<Value> {
    // a test reads the file, so that it is right
    serde_json::from_str(TEXT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_gallery_is_right() {
        let all: Vec<Value> = serde_json::from_str(TEXT).unwrap();
        assert!(all.len() >= 10);
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).unwrap().to_owned();
        for case in &all {
            let name = text(&case["name"]);
            // a scene lives once: some are those of other folders
            let quick = text(&case["quick"]);
            assert!(quick == format!("scenes/gallery/{name}.toml") || !quick.starts_with("scenes/gallery/"));
            assert!(quick.starts_with("scenes/") && quick.ends_with(".toml"));
            assert!(!text(&case["about"]).is_empty() && !text(&case["source"]).is_empty());
            assert!(case["full"].as_array().unwrap().iter().all(|set| text(set).contains('=')));
            for expected in case["expected"].as_array().unwrap() {
                assert!(drystone_measure::Request::parse(&text(&expected["measure"])).is_ok());
                assert!(expected["value"].is_number() && expected["tolerance"].as_f64().unwrap() > 0.0);
                assert!(!text(&expected["why"]).is_empty());
            }
        }
    }
}
