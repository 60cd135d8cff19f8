//! Moments of a polytope grown by a radius: the core, a slab on each face, a wedge along each edge and a
//! sector of a ball at each vertex (Steiner 1840). It holds no other shape.

use drystone_math::{Matrix, Vector, portable};

use crate::moments::Moments;
use crate::{MassProperties, Polytope};

/// Volume, centroid and inertia of all points within `radius` of `core`.
pub fn properties<const D: usize>(core: &Polytope<D>, radius: f64) -> MassProperties<D> {
    let middle = core.middle();
    let mut moments = core.moments(&middle);
    for face in &core.faces {
        let corners: Vec<Vector<D>> =
            (0..face.vertices.len()).map(|k| core.corner(face, k) - middle).collect();
        add_slab(&mut moments, &corners, &(face.normal * radius));
    }
    if D == 2 {
        // the faces before and after each corner of a polygon
        for k in 0..core.faces.len() {
            let after = (k + 1) % core.faces.len();
            let place = core.corner(&core.faces[after], 0) - middle;
            let wedge = sector(&core.faces[k].normal, &core.faces[after].normal, radius);
            moments.add_at(&place, &wedge);
        }
    } else {
        add_edges_and_vertices(&mut moments, core, &middle, radius);
    }
    moments.properties(&middle)
}

/// A face swept along `by`: simplices, one more than the dimension of the face for each of its own.
fn add_slab<const D: usize>(moments: &mut Moments<D>, corners: &[Vector<D>], by: &Vector<D>) {
    let mut add = |points: [Vector<D>; 4]| {
        // a simplex from its first point
        let mut part = Moments::none();
        part.add_cone(&Matrix::from_fn(|row, column| (points[column + 1] - points[0])[row]));
        if part.volume < 0.0 {
            part = Moments { volume: -part.volume, first: -part.first, second: -part.second };
        }
        moments.add_at(&points[0], &part);
    };
    if D == 2 {
        let [p, q] = [corners[0], corners[1]];
        add([p, q, q + by, p]);
        add([p, q + by, p + by, p]);
    } else {
        for k in 1..corners.len() - 1 {
            let [p, q, r] = [corners[0], corners[k], corners[k + 1]];
            add([p, q, r, p + by]);
            add([q, r, p + by, q + by]);
            add([r, p + by, q + by, r + by]);
        }
    }
}

/// The angle from one unit vector to another.
fn angle<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> f64 {
    2.0 * portable::atan2((a - b).norm(), (a + b).norm())
}

/// `∫ n dφ` and `∫ n nᵀ dφ` over the arc of unit vectors from `a` to `b`. At a half turn, only met at the
/// ends of a flat core in the plane, the middle of the arc is a quarter turn before `b`.
fn arc<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> (Vector<D>, Matrix<D, D>, f64) {
    let angle = angle(a, b);
    let half_turn = (a + b).norm() < 1e-12;
    let turned = || {
        Vector::<D>::from_fn(|row, _| {
            if row == 0 {
                -a[1]
            } else if row == 1 {
                a[0]
            } else {
                0.0
            }
        })
    };
    let middle = if half_turn { turned() } else { (a + b).normalize() };
    let across = if angle > 0.0 { (b - a).normalize() } else { Vector::zeros() };
    let first = middle * (2.0 * portable::sin(0.5 * angle));
    let second = middle * middle.transpose() * (0.5 * (angle + portable::sin(angle)))
        + across * across.transpose() * (0.5 * (angle - portable::sin(angle)));
    (first, second, angle)
}

/// The sector of a disk between two unit vectors, about its apex; a unit length of it, in space.
fn sector<const D: usize>(a: &Vector<D>, b: &Vector<D>, radius: f64) -> Moments<D> {
    let (first, second, angle) = arc(a, b);
    Moments {
        volume: 0.5 * angle * radius * radius,
        first: first * (radius.powi(3) / 3.0),
        second: second * (0.25 * radius.powi(4)),
    }
}

/// Wedges, and the sectors of a ball between the normals of the faces around each vertex.
///
/// On the unit sphere `Δ(n nᵀ) = 2 I − 6 n nᵀ`, hence over a polygon of solid angle `Ω` with outward
/// conormals `g` on its arcs `∫ n nᵀ = Ω I / 3 − Σ (g sᵀ + s gᵀ) / 6` with `s = ∫ n dφ` along the arc; and
/// `∫ n = −½ Σ φ g`.
fn add_edges_and_vertices<const D: usize>(
    moments: &mut Moments<D>,
    core: &Polytope<D>,
    middle: &Vector<D>,
    radius: f64,
) {
    let mut balls = vec![Moments::<D>::none(); core.vertices.len()];
    for edge in &core.edges {
        let [p, q] = edge.vertices.map(|vertex| core.vertices[vertex as usize] - middle);
        let [a, b] = edge.faces.map(|face| core.faces[face as usize].normal);
        let (length, along) = ((q - p).norm(), (q - p).normalize());
        let wedge = sector(&a, &b, radius);
        let thin = Moments {
            volume: wedge.volume * length,
            first: wedge.first * length,
            second: wedge.second * length
                + along * along.transpose() * (wedge.volume * length.powi(3) / 12.0),
        };
        moments.add_at(&((p + q) * 0.5), &thin);
        let (first, _, angle) = arc(&a, &b);
        // normals at an end of the edge lean back along it: the arc bounds them, its conormal points into the
        // edge
        for (vertex, conormal) in [(edge.vertices[0], along), (edge.vertices[1], -along)] {
            let ball = &mut balls[vertex as usize];
            let cross = conormal * first.transpose();
            ball.first -= conormal * (0.5 * angle * 0.25 * radius.powi(4));
            ball.second -= (cross + cross.transpose()) * (radius.powi(5) / 30.0);
        }
    }
    for (vertex, ball) in balls.iter_mut().enumerate() {
        let solid = solid_angle(core, vertex as u32);
        ball.volume = solid * radius.powi(3) / 3.0;
        ball.second += Matrix::identity() * (solid / 3.0 * radius.powi(5) / 5.0);
        moments.add_at(&(core.vertices[vertex] - middle), ball);
    }
}

/// Solid angle of the normals at a vertex: what its faces' angles lack to a full turn (Descartes).
fn solid_angle<const D: usize>(core: &Polytope<D>, vertex: u32) -> f64 {
    let mut rest = std::f64::consts::TAU;
    for face in &core.faces {
        let count = face.vertices.len();
        if let Some(k) = face.vertices.iter().position(|&other| other == vertex) {
            let here = core.corner(face, k);
            let [before, after] =
                [(k + count - 1) % count, (k + 1) % count].map(|k| (core.corner(face, k) - here).normalize());
            rest -= angle(&before, &after);
        }
    }
    rest
}
