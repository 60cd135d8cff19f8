//! Ranges and ticks of the axes of a plot. Knows no pixels beyond how many ticks fit.

use crate::number::{label, round_below};

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm; values that are not positive are left out.
    Log,
}

/// The range of an axis, in the variable that is laid out evenly: the value, or its decimal logarithm.
pub(crate) struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

/// A mark on an axis: its place from 0 to 1 and its label, empty on minor marks.
pub(crate) struct Tick {
    pub place: f64,
    pub label: String,
}

impl Range {
    /// The range of the values that the scale can show, widened a little; from 0 to 1 where there are none.
    pub fn of(values: impl Iterator<Item = f64>, scale: Scale, slack: f64) -> Range {
        let even = values.filter_map(|value| evened(value, scale));
        let (mut low, mut high) =
            even.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // one value, or values that differ by rounding alone, still need a width
        let least = if scale == Scale::Log { 0.5 } else { (1e-9 * low.abs().max(high.abs())).max(1e-290) };
        if high - low < least {
            let half = match (scale, low.abs().max(high.abs())) {
                (Scale::Log, _) => 0.5,
                // nothing but zeros: any width serves
                (Scale::Linear, 0.0) => 1.0,
                (Scale::Linear, largest) => (0.1 * largest).max(1e-280),
            };
            (low, high) = (low - half, high + half);
        }
        let slack = slack * (high - low);
        Range { scale, low: low - slack, high: high + slack }
    }

    /// Where a value lies, from 0 to 1; none where the scale cannot show it.
    pub fn place(&self, value: f64) -> Option<f64> {
        evened(value, self.scale).map(|even| (even - self.low) / (self.high - self.low))
    }

    /// About `count` ticks with labels, and minor ones between decades.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => self.even_ticks(count),
            Scale::Log => self.decade_ticks(count),
        }
    }

    fn even_ticks(&self, count: usize) -> Vec<Tick> {
        let step = round_below((self.high - self.low) / count.max(1) as f64 * 1.6);
        let first = (self.low / step).ceil();
        let tick = |k: usize| {
            let value = (first + k as f64) * step;
            // what is left of zero after rounding is zero
            let value = if value.abs() < 1e-6 * step { 0.0 } else { value };
            Tick { place: (value - self.low) / (self.high - self.low), label: label(value) }
        };
        (0..64).map(tick).take_while(|tick| tick.place <= 1.0 + 1e-9).collect()
    }

    fn decade_ticks(&self, count: usize) -> Vec<Tick> {
        let decades = self.high - self.low;
        let every = (decades / count.max(1) as f64).ceil().max(1.0);
        let place = |even: f64| (even - self.low) / decades;
        let mut ticks = Vec::new();
        let mut decade = self.low.floor();
        for _ in 0..1000 {
            if decade > self.high {
                break;
            }
            let text =
                if decade.rem_euclid(every) == 0.0 { label(10f64.powf(decade)) } else { String::new() };
            ticks.push(Tick { place: place(decade), label: text });
            if every == 1.0 {
                // over few decades the powers of ten alone would tell too little
                let labelled = |k: i32| decades < 1.7 && (k == 2 || k == 5);
                ticks.extend((2..10).map(|k| {
                    let even = decade + f64::from(k).log10();
                    let text = if labelled(k) { label(10f64.powf(even)) } else { String::new() };
                    Tick { place: place(even), label: text }
                }));
            }
            decade += 1.0;
        }
        ticks.retain(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.place));
        ticks
    }
}

fn evened(value: f64, scale: Scale) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() < 1e280).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| value.log10()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_inside() {
        let range = Range::of([0.0, 9.7].into_iter(), Scale::Linear, 0.0);
        let labels: Vec<String> = range.ticks(5).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["0", "2", "4", "6", "8"]);
    }

    #[test]
    fn zeros_have_an_axis_of_numbers_that_can_be_read() {
        let range = Range::of([0.0, 0.0].into_iter(), Scale::Linear, 0.0);
        let labels: Vec<String> = range.ticks(4).into_iter().map(|tick| tick.label).collect();
        assert!(
            labels.contains(&"0".to_owned()) && labels.iter().all(|label| label.chars().count() < 5),
            "{labels:?}"
        );
        assert_eq!(range.place(0.0), Some(0.5));
    }

    #[test]
    fn decades_are_labelled() {
        let range = Range::of([1e-8, 1.0, 0.0, f64::NAN].into_iter(), Scale::Log, 0.0);
        let ticks = range.ticks(4);
        assert!(ticks.iter().any(|tick| tick.label == "10⁻⁸"));
        assert!(ticks.iter().all(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.place)));
        assert_eq!(range.place(0.0), None);
        assert!((range.place(1e-4).unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn every_range_ends() {
        for values in [
            vec![],
            vec![1.0],
            vec![f64::NAN],
            vec![1e300, -1e300],
            vec![1e-300, 2e-300],
            vec![1e15, 1e15 + 1.0],
        ] {
            for scale in [Scale::Linear, Scale::Log] {
                assert!(Range::of(values.iter().copied(), scale, 0.02).ticks(6).len() < 1000);
            }
        }
    }
}
