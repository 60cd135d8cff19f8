//! Performance profiles (Dolan, Moré 2002): for each solver the share of the problems it solves within τ
//! times the time of the fastest solver, over τ. A solver that fails on a problem never gets that share.

use drystone_view::{Plot, PlotAxis, Scale, Series};

/// Times of one solver on the problems, in the same order for all \[s\]; none where it failed.
pub struct Times {
    /// The solver.
    pub name: String,
    /// Its times.
    pub seconds: Vec<Option<f64>>,
}

/// Ratios to the fastest solver of each problem; none where the solver failed.
pub fn ratios(all: &[Times]) -> Vec<Vec<Option<f64>>> {
    let problems = all.first().map_or(0, |times| times.seconds.len());
    let fastest = |problem: usize| {
        all.iter().filter_map(|times| times.seconds[problem]).fold(f64::INFINITY, f64::min).max(1e-9)
    };
    let fastest: Vec<f64> = (0..problems).map(fastest).collect();
    let ratio = |(seconds, fastest): (&Option<f64>, &f64)| seconds.map(|seconds| seconds.max(1e-9) / fastest);
    all.iter().map(|times| times.seconds.iter().zip(&fastest).map(ratio).collect()).collect()
}

/// The profile as a plot.
pub fn plot(title: &str, all: &[Times]) -> Plot {
    let ratios = ratios(all);
    let largest = ratios.iter().flatten().flatten().fold(2.0_f64, |largest, &ratio| largest.max(ratio)) * 1.2;
    let series = all.iter().zip(&ratios).map(|(times, ratios)| {
        let mut reached: Vec<f64> = ratios.iter().flatten().copied().collect();
        reached.sort_by(f64::total_cmp);
        let share = |solved: usize| solved as f64 / ratios.len().max(1) as f64;
        let mut points = vec![[1.0, 0.0]];
        // a stair: up at the ratio of each problem
        for (before, &ratio) in reached.iter().enumerate() {
            points.extend([[ratio, share(before)], [ratio, share(before + 1)]]);
        }
        points.push([largest, share(reached.len())]);
        Series { name: times.name.clone(), points }
    });
    Plot {
        title: title.to_owned(),
        x: PlotAxis { label: "time over that of the fastest solver [-]".into(), scale: Scale::Log },
        y: PlotAxis { label: "share of problems solved [-]".into(), scale: Scale::Linear },
        series: series.collect(),
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Times> {
        let times =
            |name: &str, seconds: [Option<f64>; 3]| Times { name: name.into(), seconds: seconds.to_vec() };
        vec![times("a", [Some(1.0), Some(4.0), None]), times("b", [Some(2.0), Some(1.0), None])]
    }

    #[test]
    fn ratios_are_to_the_fastest_and_failures_have_none() {
        let found = ratios(&two());
        assert_eq!(found[0], [Some(1.0), Some(4.0), None]);
        assert_eq!(found[1], [Some(2.0), Some(1.0), None]);
    }

    #[test]
    fn a_profile_rises_to_the_share_solved_and_no_further() {
        for series in plot("", &two()).series {
            assert!(
                series.points.windows(2).all(|pair| pair[0][0] <= pair[1][0] && pair[0][1] <= pair[1][1])
            );
            assert!((series.points.last().unwrap()[1] - 2.0 / 3.0).abs() < 1e-15);
            assert!(
                series.points.iter().any(|point| point[0] == 1.0 && (point[1] - 1.0 / 3.0).abs() < 1e-15)
            );
        }
    }
}
