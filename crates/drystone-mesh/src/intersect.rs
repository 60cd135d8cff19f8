//! Whether two triangles of a surface meet where they should not. Exact for the coordinates as they are
//! (predicates of Shewchuk 1997); knows no tolerance.

use crate::Surface;
use drystone_math::Vector;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Whether the triangles have a point in common besides the corner or the edge they share.
pub(crate) fn meet(surface: &Surface, first: u32, second: u32) -> bool {
    let (a, b) = (surface.triangles[first as usize], surface.triangles[second as usize]);
    let at = |corner: u32| surface.vertices[corner as usize];
    let shared: Vec<u32> = a.iter().copied().filter(|corner| b.contains(corner)).collect();
    let others = |triangle: [u32; 3]| -> Vec<u32> {
        triangle.into_iter().filter(|corner| !shared.contains(corner)).collect()
    };
    match (shared.as_slice(), others(a).as_slice(), others(b).as_slice()) {
        (&[p, q], &[c], &[d]) => folded(at(p), at(q), at(c), at(d)),
        (&[_], &[p, q], &[r, s]) => crosses([at(p), at(q)], b.map(at)) || crosses([at(r), at(s)], a.map(at)),
        (&[], ..) => {
            let (a, b) = (a.map(at), b.map(at));
            (0..3).any(|k| crosses([a[k], a[(k + 1) % 3]], b) || crosses([b[k], b[(k + 1) % 3]], a))
        }
        // the same three corners: a duplicate, reported as such
        _ => false,
    }
}

/// Whether two triangles on the edge `p q` lie one on the other.
fn folded(p: Vector<3>, q: Vector<3>, c: Vector<3>, d: Vector<3>) -> bool {
    if side(&p, &q, &c, &d) != 0.0 {
        return false;
    }
    let axis = drop_axis(&(q - p).cross(&(c - p)));
    let turn = |r: &Vector<3>| orient2d(flat(&p, axis), flat(&q, axis), flat(r, axis));
    turn(&c) * turn(&d) > 0.0
}

/// Whether a segment meets a triangle, borders included.
fn crosses([p, q]: [Vector<3>; 2], triangle: [Vector<3>; 3]) -> bool {
    let [a, b, c] = triangle;
    let (over, under) = (side(&a, &b, &c, &p), side(&a, &b, &c, &q));
    if over == 0.0 && under == 0.0 {
        return crosses_flat([p, q], triangle);
    }
    if (over > 0.0 && under > 0.0) || (over < 0.0 && under < 0.0) {
        return false;
    }
    let turns = [side(&p, &q, &a, &b), side(&p, &q, &b, &c), side(&p, &q, &c, &a)];
    turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
}

/// The same in one plane.
fn crosses_flat([p, q]: [Vector<3>; 2], triangle: [Vector<3>; 3]) -> bool {
    let [a, b, c] = triangle;
    let axis = drop_axis(&(b - a).cross(&(c - a)));
    let [a, b, c, p, q] = [a, b, c, p, q].map(|point| flat(&point, axis));
    let inside = |r| {
        let turns = [orient2d(a, b, r), orient2d(b, c, r), orient2d(c, a, r)];
        turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
    };
    inside(p)
        || inside(q)
        || [[a, b], [b, c], [c, a]].into_iter().any(|[r, s]| {
            let apart = |x: f64, y: f64| (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
            let along = [orient2d(p, q, r), orient2d(p, q, s)];
            // on one line the ends decide, and those were looked at above or lie outside
            !(along == [0.0, 0.0])
                && !apart(along[0], along[1])
                && !apart(orient2d(r, s, p), orient2d(r, s, q))
        })
}

fn side(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>, d: &Vector<3>) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    orient3d(a, b, c, d)
}

/// The axis to leave out so that a plane of this normal keeps its areas best.
fn drop_axis(normal: &Vector<3>) -> usize {
    normal.iamax()
}

fn flat(point: &Vector<3>, axis: usize) -> Coord<f64> {
    Coord { x: point[(axis + 1) % 3], y: point[(axis + 2) % 3] }
}
