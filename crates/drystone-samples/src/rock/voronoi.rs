//! Voronoi tessellations of a convex region: to every point the part that is nearer to it than to any other.
//! Neighbours share their corners to the last bit.

use super::{ConvexCell, CutPlane};
use crate::near::NearGrains;
use crate::{Grain, Random, SampleError};
use drystone_math::Vector;
use std::collections::BTreeMap;

/// The cells of points inside a region, in the order of the points. Points outside of it and points that
/// coincide have none.
pub fn voronoi<const D: usize>(region: &ConvexCell<D>, points: &[Vector<D>]) -> Vec<Option<ConvexCell<D>>> {
    let [low, high] = region.bounds();
    let count = points.len().max(1) as f64;
    // a length such that a ball of it holds about one point
    let spacing =
        (high - low).max() / if D == 2 { count.sqrt() } else { drystone_math::portable::cbrt(count) };
    let mut near = NearGrains::new(points.len(), 0.25 * spacing);
    points.iter().for_each(|&position| near.push(Grain { radius: 0.0, position }));
    let cells: Vec<Option<Traced<D>>> =
        (0..points.len()).map(|point| traced(region, points, point, &near, spacing)).collect();
    weld(cells)
}

/// `count` random points in a region and their cells, the points moved `rounds` times to the centres of their
/// cells, which makes cells rounder and more alike (Lloyd 1982).
pub fn voronoi_cells<const D: usize>(
    region: &ConvexCell<D>,
    count: usize,
    rounds: usize,
    seed: u64,
) -> Result<Vec<ConvexCell<D>>, SampleError> {
    let mut random = Random::new(seed);
    let [low, high] = region.bounds();
    let mut points = Vec::with_capacity(count);
    let mut tries = 0;
    while points.len() < count {
        let point = Vector::from_fn(|axis, _| random.between(low[axis], high[axis]));
        if contains(region, &point) {
            points.push(point);
        }
        tries += 1;
        if tries > 1000 * (count + 10) {
            return Err(SampleError::RegionTooSmall { radius: 0.0, room: 0.0 });
        }
    }
    for _ in 0..rounds {
        let cells = voronoi(region, &points);
        for (point, cell) in points.iter_mut().zip(cells) {
            if let Some(cell) = cell {
                *point = cell.centroid();
            }
        }
    }
    Ok(voronoi(region, &points).into_iter().flatten().collect())
}

/// Whether a point lies in a convex cell: adding it does not change the volumes seen from it.
fn contains<const D: usize>(cell: &ConvexCell<D>, point: &Vector<D>) -> bool {
    cell.loops().iter().all(|face| match D {
        2 => (0..face.len()).all(|k| {
            let (edge, arm) = (face[(k + 1) % face.len()] - face[k], point - face[k]);
            edge[0] * arm[1] - edge[1] * arm[0] >= 0.0
        }),
        _ => {
            let (a, b, arm) = (face[1] - face[0], face[2] - face[0], point - face[0]);
            let normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            (0..3).map(|k| normal[k] * arm[k]).sum::<f64>() <= 0.0
        }
    })
}

/// A cell, and with every corner the points it is equally far from: its name in all cells around it.
struct Traced<const D: usize> {
    cell: ConvexCell<D>,
    names: Vec<(Vector<D>, Vec<u32>)>,
}

fn traced<const D: usize>(
    region: &ConvexCell<D>,
    points: &[Vector<D>],
    point: usize,
    near: &NearGrains<D>,
    spacing: f64,
) -> Option<Traced<D>> {
    let here = points[point];
    if !contains(region, &here) {
        return None;
    }
    let mut cell = region.clone();
    let mut planes: Vec<(u32, CutPlane<D>)> = Vec::new();
    let [mut inner, mut reach] = [0.0, 1.5 * spacing];
    loop {
        let mut ring: Vec<(f64, usize)> = Vec::new();
        near.each(&here, reach, |other, grain| {
            let distance = (grain.position - here).norm();
            if other != point && distance >= inner {
                ring.push((distance, other));
            }
        });
        ring.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (distance, other) in ring {
            if distance <= 0.0 {
                return None;
            }
            // the same plane from either side but for the sign
            let (a, b) = (points[point.min(other)], points[point.max(other)]);
            let normal = (b - a) / distance;
            let offset = normal.dot(&((a + b) * 0.5));
            let sign = if point < other { 1.0 } else { -1.0 };
            let plane = CutPlane { normal: normal * sign, offset: offset * sign };
            if cell.reach(&plane)[1] > 0.0 {
                cell = cell.cut(&plane)[0].take()?;
                planes.push((other as u32, plane));
            }
        }
        let far = cell.loops().iter().flatten().map(|corner| (corner - here).norm()).fold(0.0, f64::max);
        if reach >= 2.0 * far {
            break;
        }
        inner = reach;
        reach = (1.5 * reach).min(2.0 * far * (1.0 + 1e-9)).max(reach * 1.01);
    }
    let on = |corner: &Vector<D>| {
        let mut names = vec![point as u32];
        let close = 1e-9 * spacing;
        let touching = planes
            .iter()
            .filter(|(_, plane)| (plane.normal.dot(corner) - plane.offset).abs() < close)
            .map(|(other, _)| *other);
        names.extend(touching);
        names.sort_unstable();
        names
    };
    let names = cell.corners().into_iter().map(|corner| (corner, on(&corner))).collect();
    Some(Traced { cell, names })
}

/// Gives corners that are one the bits of the first of them.
fn weld<const D: usize>(cells: Vec<Option<Traced<D>>>) -> Vec<Option<ConvexCell<D>>> {
    // corners on the boundary have fewer points in their names than inner ones, and several may share them
    let mut known: BTreeMap<Vec<u32>, Vec<Vector<D>>> = BTreeMap::new();
    let mut weld_one = |traced: Traced<D>| {
        let [low, high] = traced.cell.bounds();
        let close = 1e-9 * (high - low).norm();
        let mut moved: Vec<(Vector<D>, Vector<D>)> = Vec::new();
        for (corner, names) in traced.names {
            let list = known.entry(names).or_default();
            let first = list.iter().find(|other| (*other - corner).norm() < close).copied();
            match first {
                Some(first) => moved.push((corner, first)),
                None => list.push(corner),
            }
        }
        traced.cell.moved(&moved)
    };
    cells.into_iter().map(|cell| cell.map(&mut weld_one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const D: usize>(count: usize, rounds: usize) {
        let region = ConvexCell::<D>::cuboid(&Vector::zeros(), &Vector::repeat(2.0));
        let cells = voronoi_cells(&region, count, rounds, 3).unwrap();
        assert_eq!(cells, voronoi_cells(&region, count, rounds, 3).unwrap());
        assert_eq!(cells.len(), count);
        let volume: f64 = cells.iter().map(ConvexCell::volume).sum();
        assert!((volume / 2.0f64.powi(D as i32) - 1.0).abs() < 1e-10, "{volume}");
        // every inner corner has its bits in D + 1 cells
        let mut seen: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
        for corner in cells.iter().flat_map(ConvexCell::corners) {
            if corner.iter().all(|&x| x > 1e-6 && x < 2.0 - 1e-6) {
                *seen.entry(corner.iter().map(|x| x.to_bits()).collect()).or_default() += 1;
            }
        }
        assert!(!seen.is_empty() && seen.values().all(|&cells| cells == D + 1), "{seen:?}");
    }

    #[test]
    fn cells_fill_the_region_and_share_their_corners() {
        check::<2>(200, 0);
        check::<2>(60, 5);
        check::<3>(80, 0);
        check::<3>(40, 2);
    }

    #[test]
    fn every_place_belongs_to_its_nearest_point() {
        let region = ConvexCell::<3>::cuboid(&Vector::zeros(), &Vector::repeat(1.0));
        let mut random = Random::new(7);
        let points: Vec<Vector<3>> = (0..60).map(|_| Vector::<3>::from_fn(|_, _| random.unit())).collect();
        let cells = voronoi(&region, &points);
        for _ in 0..300 {
            let place = Vector::<3>::from_fn(|_, _| random.unit());
            let distance = |point: &Vector<3>| (point - place).norm();
            let nearest = (0..60).min_by(|&a, &b| distance(&points[a]).total_cmp(&distance(&points[b])));
            let inside: Vec<usize> =
                (0..60).filter(|&k| cells[k].as_ref().is_some_and(|cell| contains(cell, &place))).collect();
            assert!(inside.contains(&nearest.unwrap()) && inside.len() == 1, "{inside:?} {nearest:?}");
        }
        let outside = voronoi(&region, &[Vector::<3>::repeat(0.5), Vector::<3>::repeat(2.0)]);
        assert!(outside[0].is_some() && outside[1].is_none());
    }
}
