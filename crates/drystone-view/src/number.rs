//! Numbers for people: short labels and round steps. Not for files that are read again.

/// A short label with four digits at most; powers of ten outside of a readable range.
pub(crate) fn label(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { format!("{value}") };
    }
    let magnitude = value.abs();
    if !(0.99e-3..1e5).contains(&magnitude) {
        let mut exponent = magnitude.log10().floor() as i32;
        let mut mantissa = trimmed(value / 10f64.powi(exponent), 2);
        if mantissa.trim_start_matches('\u{2212}') == "10" {
            exponent += 1;
            mantissa = mantissa.replace("10", "1");
        }
        let power = format!("10{}", superscript(exponent));
        return match mantissa.as_str() {
            "1" => power,
            "\u{2212}1" => format!("\u{2212}{power}"),
            _ => format!("{mantissa}\u{d7}{power}"),
        };
    }
    let decimals = (3 - magnitude.log10().floor() as i32).clamp(0, 6);
    trimmed(value, decimals as usize)
}

/// Fixed decimals without trailing zeros, with a true minus sign.
fn trimmed(value: f64, decimals: usize) -> String {
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text.replace('-', "\u{2212}")
}

fn superscript(exponent: i32) -> String {
    exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '\u{207b}',
            '1' => '\u{b9}',
            '2' => '\u{b2}',
            '3' => '\u{b3}',
            '0' => '\u{2070}',
            digit => char::from_u32(digit as u32 - '0' as u32 + 0x2070).unwrap_or(digit),
        })
        .collect()
}

/// The largest of 1, 2, 5 times a power of ten that does not exceed a positive value; 1 for anything else.
pub(crate) fn round_below(value: f64) -> f64 {
    if !(value > 1e-300 && value < 1e300) {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    // the tolerance keeps 5 a round number when it comes as 4.999…
    [5.0, 2.0, 1.0].into_iter().find(|step| step * power <= value * (1.0 + 1e-9)).unwrap_or(0.5) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        let cases = [
            (0.0, "0"),
            (0.5, "0.5"),
            (1.0 / 3.0, "0.3333"),
            (12.0, "12"),
            (-2.5, "−2.5"),
            (98765.0, "98765"),
            (1e-6, "10⁻⁶"),
            (2.5e12, "2.5×10¹²"),
            (-1e7, "−10⁷"),
            (9.9999e8, "10⁹"),
        ];
        for (value, expected) in cases {
            assert_eq!(label(value), expected);
        }
    }

    #[test]
    fn round_numbers_stay_below() {
        for (value, expected) in [(7.3, 5.0), (5.0, 5.0), (0.0199, 0.01), (2e5, 2e5), (1.0, 1.0)] {
            assert!((round_below(value) / expected - 1.0).abs() < 1e-9, "{value}");
        }
        assert_eq!(round_below(f64::NAN), 1.0);
    }
}
