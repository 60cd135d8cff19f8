//! Pairs of triangles whose boxes overlap, by a sweep along the longest axis. Tests no triangles.

use crate::Surface;
use drystone_math::Vector;

/// Calls `visit` with each pair of triangles whose boxes overlap, until it says to stop.
pub(crate) fn for_each_pair(surface: &Surface, mut visit: impl FnMut(u32, u32) -> bool) {
    let boxes: Vec<[Vector<3>; 2]> = (0..surface.triangles.len())
        .map(|triangle| {
            let [a, b, c] = surface.corners(triangle);
            [a.inf(&b).inf(&c), a.sup(&b).sup(&c)]
        })
        .collect();
    let axis = sweep_axis(&boxes);
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|&i, &j| boxes[i as usize][0][axis].total_cmp(&boxes[j as usize][0][axis]).then(i.cmp(&j)));
    for (rank, &i) in order.iter().enumerate() {
        let [low, high] = &boxes[i as usize];
        for &j in &order[rank + 1..] {
            let [other_low, other_high] = &boxes[j as usize];
            if other_low[axis] > high[axis] {
                break;
            }
            let apart = (0..3).any(|k| other_low[k] > high[k] || low[k] > other_high[k]);
            if !apart && !visit(i.min(j), i.max(j)) {
                return;
            }
        }
    }
}

/// The axis along which boxes are shortest compared with the whole.
fn sweep_axis(boxes: &[[Vector<3>; 2]]) -> usize {
    let low = boxes.iter().fold(Vector::<3>::repeat(f64::INFINITY), |low, b| low.inf(&b[0]));
    let high = boxes.iter().fold(Vector::<3>::repeat(f64::NEG_INFINITY), |high, b| high.sup(&b[1]));
    let lengths: Vector<3> = boxes.iter().map(|[low, high]| high - low).sum();
    let share = |axis: usize| lengths[axis] / (high[axis] - low[axis]).max(f64::MIN_POSITIVE);
    [0, 1, 2].into_iter().min_by(|&a, &b| share(a).total_cmp(&share(b))).unwrap_or(0)
}
