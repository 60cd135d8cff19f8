//! Regions of the plane filled with triangles: any polygon that does not cross itself, rectangles with round
//! corners, capsules. Arcs become chords of about the size of the elements.

use super::build::{divisions, finish, middle, wrong_kind};
use super::triangulation::Triangulation;
use super::{Mesh, MeshGroup};
use crate::element::ElementKind;
use crate::error::{MeshFault, ParameterError, require};
use drystone_math::{Vector, portable};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

/// Points within keep this distance from the outline, relative to the size of the elements: nearer ones would
/// make flat triangles.
const CLEAR: f64 = 0.6;

/// A corner of an outline and the name of the side that begins there.
type Corner = (Vector<2>, String);

/// A polygon, by its corners \[m\] in either sense, with elements of about a size: T3 or T6. Groups `rim`,
/// and for each side from one corner to the next `side-0`, `side-1` and so on.
pub fn polygon_mesh(corners: &[Vector<2>], size: f64, kind: ElementKind) -> Result<Mesh<2>, MeshFault> {
    let named = corners.iter().enumerate().map(|(side, &corner)| (corner, format!("side-{side}")));
    region(named.collect(), size, kind)
}

/// A rectangle about the origin with round corners, by its outer lengths and the radius of the corners \[m\]:
/// T3 or T6. Groups `rim` and, of the straight sides, `left`, `right`, `bottom`, `top`.
pub fn rounded_rectangle_mesh(
    sides: [f64; 2],
    radius: f64,
    size: f64,
    kind: ElementKind,
) -> Result<Mesh<2>, MeshFault> {
    let [x, y] = sides.map(|side| 0.5 * side - radius);
    let allowed = "it must be above 0 m and at most half of the shorter side";
    let holds = radius > 0.0 && x.min(y) >= -1e-12 * radius;
    require(holds, "the radius of the corners", radius, allowed)?;
    let mut corners = Vec::new();
    for (centre, begin, name) in [
        ([x, -y], -FRAC_PI_2, "right"),
        ([x, y], 0.0, "top"),
        ([-x, y], FRAC_PI_2, "left"),
        ([-x, -y], PI, "bottom"),
    ] {
        arc(&mut corners, (centre.into(), radius), (begin, FRAC_PI_2), size, name)?;
    }
    region(without_twins(corners, radius), size, kind)
}

/// All points within a radius of a segment of some length about the origin along y \[m\]: T3 or T6. Groups
/// `rim`, the straight sides `left` and `right`.
pub fn stadium_mesh(length: f64, radius: f64, size: f64, kind: ElementKind) -> Result<Mesh<2>, MeshFault> {
    require(length > 0.0, "the length", length, "it must be above 0 m")?;
    require(radius > 0.0, "the radius", radius, "it must be above 0 m")?;
    let mut corners = Vec::new();
    for (y, begin, name) in [(0.5 * length, 0.0, "left"), (-0.5 * length, PI, "right")] {
        arc(&mut corners, (Vector::<2>::new(0.0, y), radius), (begin, PI), size, name)?;
    }
    region(corners, size, kind)
}

/// Corners along an arc, from its beginning on and through its angle; the side after its end has a name.
fn arc(
    corners: &mut Vec<Corner>,
    (centre, radius): (Vector<2>, f64),
    (begin, angle): (f64, f64),
    size: f64,
    after: &str,
) -> Result<(), ParameterError> {
    // a quarter has three chords at least
    let least = (3.0 * angle / FRAC_PI_2).round() as usize;
    let count = divisions(radius * angle, size)?.max(least);
    for k in 0..=count {
        let (sine, cosine) = portable::sin_cos(begin + angle * k as f64 / count as f64);
        let name = if k == count { after } else { "" };
        corners.push((centre + Vector::<2>::new(cosine, sine) * radius, name.to_owned()));
    }
    Ok(())
}

/// Without corners that stand where the next one does: sides that round corners leave nothing of.
fn without_twins(corners: Vec<Corner>, radius: f64) -> Vec<Corner> {
    let next = |k: usize| corners[(k + 1) % corners.len()].0;
    let apart = |k: &usize| (corners[*k].0 - next(*k)).norm() > 1e-9 * radius;
    (0..corners.len()).filter(apart).map(|k| corners[k].clone()).collect()
}

/// The region within an outline, filled.
fn region(mut corners: Vec<Corner>, size: f64, kind: ElementKind) -> Result<Mesh<2>, MeshFault> {
    if !matches!(kind, ElementKind::T3 | ElementKind::T6) {
        return Err(wrong_kind(kind, "T3 and T6"));
    }
    let around = |corners: &[Corner]| -> f64 {
        let next = corners.iter().cycle().skip(1);
        let origin = corners.first().map_or_else(Vector::zeros, |corner| corner.0);
        corners.iter().zip(next).map(|(a, b)| (a.0 - origin).perp(&(b.0 - origin))).sum()
    };
    if around(&corners) < 0.0 {
        // counterclockwise; the side before a corner is then the one after it
        corners.reverse();
        let names: Vec<String> = corners.iter().map(|corner| corner.1.clone()).collect();
        let count = corners.len();
        (0..count).for_each(|k| corners[k].1 = names[(k + 1) % count].clone());
    }
    let (mut outline, mut sides) = (Vec::new(), Vec::new());
    for (k, (from, name)) in corners.iter().enumerate() {
        let to = corners[(k + 1) % corners.len()].0;
        let count = divisions((to - from).norm(), size)?;
        for part in 0..count {
            outline.push(from + (to - from) * (part as f64 / count as f64));
            sides.push(name.as_str());
        }
    }
    let lattice = points_within(&outline, size);
    let mut triangulation = Triangulation::within(outline.clone()).ok_or(MeshFault::Outline)?;
    let mut near = 0;
    for point in lattice {
        near = triangulation.insert(point, near);
    }
    let (nodes, triangles) = triangulation.into_parts();
    let elements = triangles.into_iter().map(|corners| (ElementKind::T3, corners.to_vec()));
    let mut mesh = finish(Mesh::new(nodes, elements)?, kind, middle);
    name_sides(&mut mesh, &sides);
    mesh.group_faces("rim", |_| true);
    Ok(mesh)
}

/// Groups of faces by the names of the sides; the outline's nodes come first, one for each of its edges.
fn name_sides(mesh: &mut Mesh<2>, sides: &[&str]) {
    let count = sides.len() as u32;
    let mut groups: BTreeMap<&str, MeshGroup> = BTreeMap::new();
    for face in mesh.skin_faces() {
        let ends: Vec<u32> = mesh.face_nodes(face).take(2).collect();
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        // the last edge leads back to the first node
        let edge = if low == 0 && high == count - 1 { high } else { low };
        let name = sides.get(edge as usize).copied().unwrap_or("");
        if !name.is_empty() {
            groups.entry(name).or_default().faces.push(face);
        }
    }
    groups.iter().for_each(|(name, group)| mesh.add_to_group(name, group));
}

/// Points of a lattice of equilateral triangles within an outline, clear of it.
fn points_within(outline: &[Vector<2>], size: f64) -> Vec<Vector<2>> {
    let edges = || outline.iter().zip(outline.iter().cycle().skip(1));
    let cell = |x: f64| (x / size).floor() as i64;
    let mut near: BTreeMap<[i64; 2], Vec<[Vector<2>; 2]>> = BTreeMap::new();
    for (a, b) in edges() {
        for i in cell(a[0].min(b[0])) - 1..=cell(a[0].max(b[0])) + 1 {
            for j in cell(a[1].min(b[1])) - 1..=cell(a[1].max(b[1])) + 1 {
                near.entry([i, j]).or_default().push([*a, *b]);
            }
        }
    }
    let clear = |point: &Vector<2>| {
        let around = near.get(&[cell(point[0]), cell(point[1])]);
        around.is_none_or(|edges| edges.iter().all(|edge| distance(point, edge) >= CLEAR * size))
    };
    let low = outline.iter().fold(f64::INFINITY, |low, point| low.min(point[1]));
    let high = outline.iter().fold(f64::NEG_INFINITY, |high, point| high.max(point[1]));
    let row = size * 0.75f64.sqrt();
    let mut found = Vec::new();
    for number in 0.. {
        let y = low + (f64::from(number) + 0.5) * row;
        if y >= high {
            break;
        }
        let mut crossings: Vec<f64> = edges()
            .filter(|(a, b)| (a[1] <= y) != (b[1] <= y))
            .map(|(a, b)| a[0] + (b[0] - a[0]) * ((y - a[1]) / (b[1] - a[1])))
            .collect();
        crossings.sort_by(f64::total_cmp);
        let shift = if number % 2 == 0 { 0.25 } else { 0.75 };
        for span in crossings.chunks_exact(2) {
            let first = (span[0] / size - shift).ceil() as i64;
            let last = (span[1] / size - shift).floor() as i64;
            let points = (first..=last).map(|k| Vector::<2>::new((k as f64 + shift) * size, y));
            found.extend(points.filter(clear));
        }
    }
    found
}

/// Distance of a point from a segment.
fn distance(point: &Vector<2>, [a, b]: &[Vector<2>; 2]) -> f64 {
    let along = b - a;
    let share = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (point - a - along * share).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshLimits;

    fn area(mesh: &Mesh<2>) -> f64 {
        let at = |node: u32| mesh.nodes()[node as usize];
        let of = |nodes: &[u32]| 0.5 * (at(nodes[1]) - at(nodes[0])).perp(&(at(nodes[2]) - at(nodes[0])));
        mesh.elements().map(|(_, nodes)| of(nodes)).sum()
    }

    fn doubled(corners: &[Vector<2>]) -> f64 {
        corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| a.perp(b)).sum()
    }

    /// Smallest angle of any triangle.
    fn least_angle(mesh: &Mesh<2>) -> f64 {
        let mut least = f64::INFINITY;
        for (_, nodes) in mesh.elements() {
            for k in 0..3 {
                let [p, a, b] = [0, 1, 2].map(|turn| mesh.nodes()[nodes[(k + turn) % 3] as usize]);
                least = least.min((a - p).angle(&(b - p)));
            }
        }
        least.to_degrees()
    }

    fn points(list: &[[f64; 2]]) -> Vec<Vector<2>> {
        list.iter().map(|&at| at.into()).collect()
    }

    #[test]
    fn polygons_are_filled_without_overlap_and_with_fair_triangles() {
        let forms: [&[[f64; 2]]; 4] = [
            &[[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]],
            // an L, a comb, and one given clockwise
            &[[0.0, 0.0], [2.0, 0.0], [2.0, 0.4], [0.5, 0.4], [0.5, 1.7], [0.0, 1.7]],
            &[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.2, 2.0], [2.2, 0.7], [1.1, 0.7], [1.1, 2.0], [0.0, 2.0]],
            &[[0.1, 0.0], [0.0, 1.0], [1.0, 1.2], [1.3, 0.2]],
        ];
        for form in forms {
            let corners = points(form);
            for size in [0.5, 0.2, 0.07, 0.031] {
                for kind in [ElementKind::T3, ElementKind::T6] {
                    let mesh = polygon_mesh(&corners, size, kind).unwrap();
                    mesh.check(&MeshLimits::default()).unwrap();
                    let whole = 0.5 * doubled(&corners).abs();
                    assert!((area(&mesh) / whole - 1.0).abs() < 1e-12, "{}", area(&mesh));
                }
                let mesh = polygon_mesh(&corners, size, ElementKind::T3).unwrap();
                if size < 0.1 {
                    assert!(least_angle(&mesh) > 22.0, "{} {size}", least_angle(&mesh));
                    let fair = 2.0 * area(&mesh) / (0.866 * size * size);
                    let count = mesh.element_count() as f64;
                    assert!(count > 0.7 * fair && count < 1.4 * fair, "{count} {fair}");
                }
                let model = |name: &str| mesh.group(name).unwrap().faces.len();
                let sides: usize = (0..corners.len()).map(|side| model(&format!("side-{side}"))).sum();
                assert_eq!(sides, model("rim"));
                for (side, from) in corners.iter().enumerate() {
                    let to = corners[(side + 1) % corners.len()];
                    let group = mesh.group(&format!("side-{side}")).unwrap();
                    let on = |&node: &u32| distance(&mesh.nodes()[node as usize], &[*from, to]) < 1e-12;
                    assert!(group.nodes.len() > 1 && group.nodes.iter().all(on), "{side}");
                }
            }
        }
    }

    #[test]
    fn round_forms_have_their_area_and_their_sides() {
        let mesh = rounded_rectangle_mesh([1.0, 0.6], 0.2, 0.05, ElementKind::T3).unwrap();
        mesh.check(&MeshLimits::default()).unwrap();
        let exact = 1.0 * 0.6 - (4.0 - PI) * 0.04;
        assert!((area(&mesh) / exact - 1.0).abs() < 3e-3, "{}", area(&mesh));
        assert!(
            mesh.group("top").unwrap().nodes.iter().all(|&node| mesh.nodes()[node as usize][1] > 0.3 - 1e-12)
        );
        assert_eq!(mesh.group("left").unwrap().faces.len(), 4);
        // corners as round as can be leave nothing of two sides
        let round = rounded_rectangle_mesh([1.0, 0.4], 0.2, 0.05, ElementKind::T6).unwrap();
        round.check(&MeshLimits::default()).unwrap();
        assert!(round.group("left").is_err() && round.group("top").is_ok());
        let stadium = stadium_mesh(0.6, 0.2, 0.04, ElementKind::T3).unwrap();
        stadium.check(&MeshLimits::default()).unwrap();
        let exact = 0.24 + PI * 0.04;
        assert!((area(&stadium) / exact - 1.0).abs() < 3e-3 && least_angle(&stadium) > 22.0);
        assert!(
            stadium
                .group("right")
                .unwrap()
                .nodes
                .iter()
                .all(|&k| stadium.nodes()[k as usize][0] > 0.2 - 1e-12)
        );
    }

    #[test]
    fn outlines_that_cross_themselves_are_refused() {
        let bow = points(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.9]]);
        assert_eq!(polygon_mesh(&bow, 0.3, ElementKind::T3), Err(MeshFault::Outline));
        let flat = points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
        assert_eq!(polygon_mesh(&flat, 0.3, ElementKind::T3), Err(MeshFault::Outline));
        let square = points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert!(matches!(polygon_mesh(&square, 0.3, ElementKind::Q4), Err(MeshFault::Kind { .. })));
    }
}
