//! Columns of disks that collapse: how far they run, and how that grows with their height.

use super::{Comparison, scene};
use crate::failure::Failure;
use drystone_measure::{FrameView, Reference};
use std::collections::BTreeMap;

/// Area of every column before it settles \[m²\], that of the scene.
const AREA: f64 = 2.1 * 6.3;

/// Heights over widths, evenly spread on a scale of logarithms.
const RATIOS: [f64; 5] = [3.0, 4.5, 6.7, 10.0, 15.0];

/// Grains nearer than this share of the sum of their radii are of one heap: those at its front hardly push
/// each other.
const NEAR: f64 = 0.1;

/// Staron and Hinch 2005: what columns between 3 and 15 times as high as wide run out by, in widths, grows
/// with the ratio a as `a^0.7`.
pub fn runout() -> Result<Vec<Comparison>, Failure> {
    let mut points = Vec::new();
    let mut fewest = usize::MAX;
    for ratio in RATIOS {
        let (runout, grains) = run(ratio)?;
        points.push((ratio.ln(), runout.ln()));
        fewest = fewest.min(grains);
    }
    Ok(vec![
        Comparison::fact("at least 5,000 disks in each of five columns", fewest >= 5000),
        Comparison::absolute("exponent of the run-out", 0.7, slope(&points), 0.07),
    ])
}

/// How far a column of this height over its width runs, in widths, and of how many grains it is.
fn run(ratio: f64) -> Result<(f64, usize), Failure> {
    let width = (AREA / ratio).sqrt();
    let height = ratio * width;
    // it falls for √(2H/g), spreads for about as long again, and comes to rest
    let duration = 0.4 + 5.5 * (height / 9.81).sqrt();
    let text = include_str!("../../../../scenes/validation/collapse.toml")
        .replace("tolerance = 1e-3", "tolerance = 1e-2")
        .replace("high = [2.1, 6.3]", &format!("high = [{width:?}, {height:?}]"))
        .replace("position = [2.1, 0.0]", &format!("position = [{width:?}, 0.0]"))
        .replace("duration = 4.8", &format!("duration = {duration:?}"));
    let scene = scene(&text)?;
    let mut simulation = scene.build()?;
    let reference = Reference::of_any(&simulation);
    for _ in 0..scene.steps() {
        simulation.step().map_err(Failure::other)?;
    }
    let view = FrameView::of_any(&simulation, &reference);
    let group = view.groups.iter().position(|name| name == "grains");
    let grains: Vec<[f64; 3]> = view
        .bodies
        .iter()
        .filter(|body| Some(body.group as usize) == group)
        .map(|body| [body.position[0], body.position[1], body.radius])
        .collect();
    Ok((front(&grains) / width - 1.0, grains.len()))
}

/// How far to the right the heap reaches that the leftmost of the grains (x, y, radius) belongs to: grains
/// that rolled away from it do not count.
fn front(grains: &[[f64; 3]]) -> f64 {
    let side = 2.0 * (1.0 + NEAR) * grains.iter().map(|grain| grain[2]).fold(0.0, f64::max);
    let cell = |grain: &[f64; 3]| [grain[0], grain[1]].map(|x| (x / side).floor() as i64);
    let mut cells: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (index, grain) in grains.iter().enumerate() {
        cells.entry(cell(grain)).or_default().push(index);
    }
    let Some(first) = (0..grains.len()).min_by(|&a, &b| grains[a][0].total_cmp(&grains[b][0])) else {
        return f64::NAN;
    };
    let mut belongs = vec![false; grains.len()];
    belongs[first] = true;
    let (mut open, mut reach) = (vec![first], f64::NEG_INFINITY);
    while let Some(index) = open.pop() {
        let [x, y, radius] = grains[index];
        reach = reach.max(x + radius);
        let [column, row] = cell(&grains[index]);
        let around = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [column + i, row + j]));
        for &other in around.filter_map(|place| cells.get(&place)).flatten() {
            let [x2, y2, radius2] = grains[other];
            if !belongs[other] && (x - x2).hypot(y - y2) < (1.0 + NEAR) * (radius + radius2) {
                belongs[other] = true;
                open.push(other);
            }
        }
    }
    reach
}

/// Slope of the straight line that fits points best.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x0, y0) = (mean(|point| point.0), mean(|point| point.1));
    let across: f64 = points.iter().map(|(x, y)| (x - x0) * (y - y0)).sum();
    across / points.iter().map(|(x, _)| (x - x0).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grains_that_rolled_away_are_not_of_the_heap() {
        let row = |n: i32, from: f64| (0..n).map(move |k| [from + 2.1 * f64::from(k), 0.0, 1.0]);
        let heap: Vec<[f64; 3]> = row(5, 1.0).collect();
        assert!((front(&heap) - 10.4).abs() < 1e-12);
        let with_stray: Vec<[f64; 3]> = heap.iter().copied().chain(row(3, 12.0)).collect();
        assert!((front(&with_stray) - 10.4).abs() < 1e-12);
        assert!(front(&[]).is_nan());
    }

    #[test]
    fn a_power_is_the_slope_of_its_logarithms() {
        let points: Vec<(f64, f64)> = RATIOS.iter().map(|a| (a.ln(), (3.25 * a.powf(0.7)).ln())).collect();
        assert!((slope(&points) - 0.7).abs() < 1e-12);
    }
}
