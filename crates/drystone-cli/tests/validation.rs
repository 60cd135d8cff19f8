//! The figures the field agrees on hold, through the command that users would ask.

mod common;

use common::drystone;

#[test]
fn every_case_is_within_its_tolerance() {
    let told = drystone(&["validate", "--json"]);
    let json = told.json();
    let cases = json["cases"].as_array().unwrap();
    assert!(cases.len() >= 13, "{} figures", cases.len());
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
