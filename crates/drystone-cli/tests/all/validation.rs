//! The figures the field agrees on hold, through the command that users would ask.

use crate::common::drystone;

#[test]
fn every_case_is_within_its_tolerance() {
    are_within(&["validate", "--json"], 13);
}

#[test]
fn slow_cases_are_as_well() {
    if std::env::var_os("DRYSTONE_SLOW").is_some() {
        are_within(&["validate", "--slow", "--json"], 9);
    }
}

/// Runs cases, at least as many figures, and looks at every one of them.
fn are_within(words: &[&str], least: usize) {
    let told = drystone(words);
    let json = told.json();
    let cases = json["cases"].as_array().unwrap();
    assert!(cases.len() >= least, "{} figures", cases.len());
    let mut failed = Vec::new();
    for entry in cases {
        let name = entry["case"].as_str().unwrap_or_else(|| panic!("no name in {entry}"));
        let number = |key: &str| entry[key].as_f64().unwrap_or_else(|| panic!("no {key} in {entry}"));
        assert!(number("reference").is_finite() && number("seconds") >= 0.0);
        let within = number("error") <= number("tolerance");
        assert_eq!(entry["pass"], within, "{name}: the verdict is not that of the numbers");
        // the error is that of the numbers shown, absolute or relative
        let (value, reference) = (number("value"), number("reference"));
        let difference = (value - reference).abs();
        let same = |x: f64| (x - number("error")).abs() <= 1e-12 + 1e-9 * x.abs();
        assert!(same(difference) || same((difference / reference).abs()), "{entry}");
        if !within {
            failed.push(format!("{name}: {value} instead of {reference}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(json["failed"], 0);
    assert_eq!(json["passed"], cases.len());
    told.ends_with(0);
}
