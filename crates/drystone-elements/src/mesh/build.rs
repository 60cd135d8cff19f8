//! Built-in meshes: rectangle, disk, cuboid and cylinder, around the origin, of any element that fits.
//! Other forms have files of their own, or are read from files.

use super::Mesh;
use crate::element::ElementKind;
use crate::error::{MeshFault, ParameterError, require};
use drystone_math::{Vector, portable};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Most elements along a side.
const MOST_DIVISIONS: f64 = 1e4;

fn length(name: &'static str, value: f64) -> Result<(), ParameterError> {
    require(value > 0.0, name, value, "it must be above 0 m")
}

/// Divisions of a side for elements of about a size.
pub(super) fn divisions(length: f64, size: f64) -> Result<usize, ParameterError> {
    require(size > 0.0, "the size of an element", size, "it must be above 0 m")?;
    let count = (length / size).round().max(1.0);
    let allowed = "at most 10000 elements fit along a side; take larger elements";
    require(count <= MOST_DIVISIONS, "the number of elements along a side", count, allowed)?;
    Ok(count as usize)
}

pub(super) fn wrong_kind(kind: ElementKind, allowed: &'static str) -> MeshFault {
    MeshFault::Kind { element: 0, kind: kind.reference().name, allowed }
}

pub(super) fn middle<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    (a + b) * 0.5
}

/// A rectangle \[m\] with elements of about a size: T3, T6, Q4 or Q8. Groups `left`, `right`, `bottom`,
/// `top`.
pub fn rectangle_mesh(sides: [f64; 2], size: f64, kind: ElementKind) -> Result<Mesh<2>, MeshFault> {
    length("the width", sides[0])?;
    length("the height", sides[1])?;
    let [nx, ny] = [divisions(sides[0], size)?, divisions(sides[1], size)?];
    if kind.dimension() != 2 {
        return Err(wrong_kind(kind, "T3, T6, Q4 and Q8"));
    }
    let at = |i: usize, n: usize, side: f64| side * (i as f64 / n as f64 - 0.5);
    let mut nodes = Vec::new();
    for j in 0..=ny {
        for i in 0..=nx {
            nodes.push(Vector::from([at(i, nx, sides[0]), at(j, ny, sides[1])]));
        }
    }
    let node = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
    let mut quads = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            quads.push([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
        }
    }
    let mut mesh = finish(Mesh::new(nodes, quadrangles(&quads, kind))?, kind, middle);
    let half = [0.5 * sides[0], 0.5 * sides[1]];
    for (name, axis, sign) in [("left", 0, -1.0), ("right", 0, 1.0), ("bottom", 1, -1.0), ("top", 1, 1.0)] {
        let limit = half[axis] * (1.0 - 1e-9);
        mesh.group_faces(name, |x| sign * x[axis] > limit);
    }
    Ok(mesh)
}

/// Quadrangles, or each as two triangles, the cut turning from one to the next.
fn quadrangles(quads: &[[u32; 4]], kind: ElementKind) -> Vec<(ElementKind, Vec<u32>)> {
    let mut elements = Vec::new();
    for (number, &[a, b, c, d]) in quads.iter().enumerate() {
        match (kind.linear(), number % 2) {
            (ElementKind::T3, 0) => {
                elements.extend([[a, b, c], [a, c, d]].map(|t| (ElementKind::T3, t.to_vec())))
            }
            (ElementKind::T3, _) => {
                elements.extend([[a, b, d], [b, c, d]].map(|t| (ElementKind::T3, t.to_vec())))
            }
            _ => elements.push((ElementKind::Q4, vec![a, b, c, d])),
        }
    }
    elements
}

pub(super) fn finish<const D: usize>(
    mesh: Mesh<D>,
    kind: ElementKind,
    place: impl Fn(&Vector<D>, &Vector<D>) -> Vector<D>,
) -> Mesh<D> {
    if kind.is_quadratic() { mesh.into_quadratic(place) } else { mesh }
}

/// A disk of a radius \[m\] with elements of about a size: T3, T6, Q4 or Q8. Group `rim`.
///
/// Triangles stand in rings of 6, 12, 18 …; quadrangles in a square core with a mantle around it.
pub fn disk_mesh(radius: f64, size: f64, kind: ElementKind) -> Result<Mesh<2>, MeshFault> {
    if kind.dimension() != 2 {
        return Err(wrong_kind(kind, "T3, T6, Q4 and Q8"));
    }
    let (nodes, elements) = disk(radius, size, kind.linear())?;
    let mut mesh = finish(Mesh::new(nodes, elements)?, kind, |a, b| on_arc(radius, a, b));
    mesh.group_faces("rim", |x| x.norm() > radius * (1.0 - 1e-9));
    Ok(mesh)
}

/// Half way between two points, on the circle if both are.
fn on_arc(radius: f64, a: &Vector<2>, b: &Vector<2>) -> Vector<2> {
    let middle = (a + b) * 0.5;
    let outside = |x: &Vector<2>| x.norm() > radius * (1.0 - 1e-9);
    if outside(a) && outside(b) { middle * (radius / middle.norm()) } else { middle }
}

type Pieces<const D: usize> = (Vec<Vector<D>>, Vec<(ElementKind, Vec<u32>)>);

fn disk(radius: f64, size: f64, kind: ElementKind) -> Result<Pieces<2>, MeshFault> {
    length("the radius", radius)?;
    let rings = divisions(radius, size)?;
    let allowed = "at most 2000 elements fit along a radius; take larger elements";
    require(rings <= 2000, "the number of elements along a radius", rings as f64, allowed)?;
    Ok(if kind == ElementKind::T3 {
        rings_of_triangles(radius, rings)
    } else {
        core_and_mantle(radius, rings)
    })
}

fn rings_of_triangles(radius: f64, rings: usize) -> Pieces<2> {
    let mut nodes = vec![Vector::zeros()];
    for ring in 1..=rings {
        let distance = radius * ring as f64 / rings as f64;
        for k in 0..6 * ring {
            let (sine, cosine) = portable::sin_cos(TAU * k as f64 / (6 * ring) as f64);
            nodes.push(Vector::from([cosine, sine]) * distance);
        }
    }
    let first = |ring: usize| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    // node k of one of the six sectors of a ring; the ring closes
    let node = |ring: usize, sector: usize, k: usize| {
        if ring == 0 { 0 } else { (first(ring) + (sector * ring + k) % (6 * ring)) as u32 }
    };
    let mut elements = Vec::new();
    for ring in 1..=rings {
        for sector in 0..6 {
            for k in 0..ring {
                let (outer, next) = (node(ring, sector, k), node(ring, sector, k + 1));
                let inner = node(ring - 1, sector, k);
                elements.push((ElementKind::T3, vec![inner, outer, next]));
                if k + 1 < ring {
                    elements.push((ElementKind::T3, vec![inner, next, node(ring - 1, sector, k + 1)]));
                }
            }
        }
    }
    (nodes, elements)
}

/// Half the side of the square core over the radius: its corners lie at 0.5 √2 of it.
const CORE: f64 = 0.5;

fn core_and_mantle(radius: f64, rings: usize) -> Pieces<2> {
    let n = (rings + 1).div_euclid(2).max(1) * 2;
    let layers = rings.div_ceil(2).max(1);
    let half = CORE * radius;
    let at = |i: usize| 2.0 * i as f64 / n as f64 - 1.0;
    let mut nodes = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            // sides bulge a little, so that the elements at the corners are less pointed
            let (x, y) = (at(i), at(j));
            let bulge = |along: f64| 1.0 + 0.15 * (1.0 - along * along);
            nodes.push(Vector::from([half * x * bulge(y), half * y * bulge(x)]));
        }
    }
    let node = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let mut quads = Vec::new();
    for j in 0..n {
        for i in 0..n {
            quads.push([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
        }
    }
    // once around the core, counterclockwise from its corner at −135°
    let side = |k: usize| match k / n {
        0 => node(k, 0),
        1 => node(n, k - n),
        2 => node(3 * n - k, n),
        _ => node(0, 4 * n - k),
    };
    let around: Vec<u32> = (0..4 * n).map(side).collect();
    let mut below = around.clone();
    for layer in 1..=layers {
        let share = layer as f64 / layers as f64;
        let mut ring = Vec::new();
        for (k, &start) in around.iter().enumerate() {
            let angle = FRAC_PI_2 * (k as f64 / n as f64 - 1.5);
            let (sine, cosine) = portable::sin_cos(angle);
            let rim = Vector::from([cosine, sine]) * radius;
            ring.push(nodes.len() as u32);
            nodes.push(nodes[start as usize] * (1.0 - share) + rim * share);
        }
        for k in 0..ring.len() {
            let next = (k + 1) % ring.len();
            quads.push([below[next], below[k], ring[k], ring[next]]);
        }
        below = ring;
    }
    (nodes, quads.iter().map(|quad| (ElementKind::Q4, quad.to_vec())).collect())
}

/// A cuboid \[m\] with elements of about a size, of any kind in space. Groups `left` and `right` (x),
/// `front` and `back` (y), `bottom` and `top` (z).
pub fn cuboid_mesh(sides: [f64; 3], size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
    length("the height", sides[2])?;
    let base_kind = if kind.linear() == ElementKind::Pri6 { ElementKind::T3 } else { ElementKind::Q4 };
    let base = rectangle_mesh([sides[0], sides[1]], size, base_kind)?;
    let mut mesh = finish(extrude(&base, sides[2], size, kind)?, kind, middle);
    let names = [["left", "right"], ["front", "back"], ["bottom", "top"]];
    for (axis, pair) in names.iter().enumerate() {
        for (name, sign) in pair.iter().zip([-1.0, 1.0]) {
            let limit = 0.5 * sides[axis] * (1.0 - 1e-9);
            mesh.group_faces(name, |x| sign * x[axis] > limit);
        }
    }
    Ok(mesh)
}

/// A cylinder about z of a radius and height \[m\] with elements of about a size, of any kind in space.
/// Groups `bottom`, `top`, `mantle`.
pub fn cylinder_mesh(radius: f64, height: f64, size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
    length("the height", height)?;
    let base_kind = if kind.linear() == ElementKind::Pri6 { ElementKind::T3 } else { ElementKind::Q4 };
    let (nodes, elements) = disk(radius, size, base_kind)?;
    let base = Mesh::<2>::new(nodes, elements)?;
    let place = |a: &Vector<3>, b: &Vector<3>| {
        let flat = on_arc(radius, &a.fixed_rows::<2>(0).into_owned(), &b.fixed_rows::<2>(0).into_owned());
        Vector::from([flat[0], flat[1], 0.5 * (a[2] + b[2])])
    };
    let mut mesh = finish(extrude(&base, height, size, kind)?, kind, place);
    let limit = 0.5 * height * (1.0 - 1e-9);
    mesh.group_faces("bottom", |x| x[2] < -limit);
    mesh.group_faces("top", |x| x[2] > limit);
    mesh.group_faces("mantle", |x| x[0] * x[0] + x[1] * x[1] > radius * radius * (1.0 - 1e-9));
    Ok(mesh)
}

/// A plane mesh of T3 or Q4 drawn out along z, as prisms, hexahedra or tetrahedra.
fn extrude(base: &Mesh<2>, height: f64, size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
    if kind.dimension() != 3 {
        return Err(wrong_kind(kind, "TE4, TE10, H8, H20, PRI6 and PRI15"));
    }
    let layers = divisions(height, size)?;
    let count = base.nodes().len();
    let mut nodes = Vec::new();
    for layer in 0..=layers {
        let z = height * (layer as f64 / layers as f64 - 0.5);
        nodes.extend(base.nodes().iter().map(|x| Vector::from([x[0], x[1], z])));
    }
    let mut elements = Vec::new();
    for layer in 0..layers {
        for (_, list) in base.elements() {
            let level = |up: usize| list.iter().map(move |&node| node + ((layer + up) * count) as u32);
            let whole: Vec<u32> = level(0).chain(level(1)).collect();
            match kind.linear() {
                ElementKind::Te4 => elements.extend(tetrahedra(&whole)),
                linear => elements.push((linear, whole)),
            }
        }
    }
    Mesh::new(nodes, elements)
}

/// A hexahedron as six tetrahedra, a fan from its smallest node. Every face is cut from its
/// smallest node, so that neighbours agree.
pub(super) fn tetrahedra(hexahedron: &[u32]) -> Vec<(ElementKind, Vec<u32>)> {
    const FACES: [[usize; 4]; 6] =
        [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let top = (0..8).min_by_key(|&k| hexahedron[k]).unwrap_or(0);
    let mut found = Vec::new();
    // a fan from the smallest node over the faces that do not hold it
    for face in FACES.iter().filter(|face| !face.contains(&top)) {
        let low = (0..4).min_by_key(|&k| hexahedron[face[k]]).unwrap_or(0);
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| hexahedron[face[(low + k) % 4]]);
        for [p, q, r] in [[a, b, c], [a, c, d]] {
            // the face is seen from outside counterclockwise, so that the smallest node lies behind it
            found.push((ElementKind::Te4, vec![p, r, q, hexahedron[top]]));
        }
    }
    found
}
