//! Vertices at the same place made one. Moves no vertex: the first of each place stays where it is.

use drystone_math::Vector;
use std::collections::HashMap;

/// Vertices closer than this, relative to the largest extent of the mesh, are one: seven digits suffice for
/// neighbours to meet.
pub(crate) const WELD: f64 = 1e-7;

/// The distinct vertices, and for each given one its number among them.
pub(crate) fn weld(vertices: &[Vector<3>], tolerance: f64) -> (Vec<Vector<3>>, Vec<u32>) {
    let low = vertices.iter().fold(Vector::<3>::repeat(f64::INFINITY), |low, v| low.inf(v));
    let cell = |x: f64, axis: usize| ((x - low[axis]) / tolerance).floor() as i64;
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut kept: Vec<Vector<3>> = Vec::new();
    let mut numbers = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        let home = [0, 1, 2].map(|axis| cell(vertex[axis], axis));
        let near = neighbours(home).filter_map(|key| cells.get(&key)).flatten();
        let same = near.copied().filter(|&other| (kept[other as usize] - vertex).norm() <= tolerance).min();
        let number = same.unwrap_or_else(|| {
            let number = kept.len() as u32;
            kept.push(*vertex);
            cells.entry(home).or_default().push(number);
            number
        });
        numbers.push(number);
    }
    (kept, numbers)
}

fn neighbours([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |k| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1])
}
