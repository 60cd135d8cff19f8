//! The cases of the gallery: scenes of `scenes/gallery` with where they come from and what they are known to
//! give. The file beside the scenes says it all; nothing is run here.

use serde_json::Value;

/// The file beside the scenes: a list of objects with `name`, `about`, `source` (text and figure), `quick`
/// (the scene, which runs in seconds), `full` (the same with other values of its keys, as `drystone sweep`
/// takes them), `ends` (the exit code of the quick scene where it is not 0: 3 where steps have no solution)
/// and `expected`, a list of figures of the last frame of the quick scene, each with `measure`,
/// `value`, `tolerance` and `why`; `full_expected` is such a list of the full scene, where there is one.
const TEXT: &str = include_str!("../../../../scenes/gallery/gallery.json");

/// What the scenes gave when they were run last, by name and `quick` or `full`: `bodies`, `steps`,
/// `outcome`, `seconds` and `figures` by measure. Written by `scripts/python/gallery_figures.py`.
const FIGURES: &str = include_str!("../../../../scenes/gallery/figures.json");

/// All cases, each with what it gave `last`.
pub fn cases() -> Vec<Value> {
    // a test reads the files, so that they are right
    let figures: Value = serde_json::from_str(FIGURES).unwrap_or_default();
    let mut cases: Vec<Value> = serde_json::from_str(TEXT).unwrap_or_default();
    for case in &mut cases {
        case["last"] = case["name"].as_str().map_or(Value::Null, |name| figures[name].clone());
    }
    cases
}

/// What a case gave last, a line for its quick and its full scene.
pub fn last_figures(case: &Value) -> Vec<String> {
    let line = |kind: &str| {
        let told = &case["last"][kind];
        let figures = told["figures"].as_object()?;
        let figure = |(name, value): (&String, &Value)| match value.as_f64() {
            Some(value) => format!("{name} = {value:.4}"),
            None => format!("{name} = –"),
        };
        let figures: Vec<String> = figures.iter().map(figure).collect();
        let (bodies, seconds) = (&told["bodies"], &told["seconds"]);
        Some(format!("{kind}, {bodies} bodies, {seconds} s: {}", figures.join(", ")))
    };
    ["quick", "full"].into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_gallery_is_right() {
        let all: Vec<Value> = serde_json::from_str(TEXT).unwrap();
        let figures: Value = serde_json::from_str(FIGURES).unwrap();
        for name in figures.as_object().unwrap().keys() {
            assert!(all.iter().any(|case| case["name"] == *name), "figures of {name}, which is no case");
        }
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
            let full = case["full_expected"].as_array().into_iter().flatten();
            for expected in case["expected"].as_array().unwrap().iter().chain(full) {
                assert!(drystone_measure::Request::parse(&text(&expected["measure"])).is_ok());
                assert!(expected["value"].is_number() && expected["tolerance"].as_f64().unwrap() > 0.0);
                assert!(!text(&expected["why"]).is_empty());
            }
        }
    }

    /// What the full scenes gave when they were run last is what they are held to.
    #[test]
    fn full_scenes_gave_what_they_are_held_to() {
        let all: Vec<Value> = serde_json::from_str(TEXT).unwrap();
        let figures: Value = serde_json::from_str(FIGURES).unwrap();
        let held: Vec<&Value> = all.iter().filter(|case| case["full_expected"].is_array()).collect();
        assert!(held.len() >= 2);
        for case in held {
            let name = case["name"].as_str().unwrap();
            for expected in case["full_expected"].as_array().unwrap() {
                let measure = expected["measure"].as_str().unwrap();
                let found = figures[name]["full"]["figures"][measure].as_f64();
                let found = found.unwrap_or_else(|| panic!("{name} has no {measure}"));
                let [value, tolerance] = ["value", "tolerance"].map(|key| expected[key].as_f64().unwrap());
                assert!((found - value).abs() <= tolerance, "{name}: {measure} is {found}");
            }
        }
    }
}
