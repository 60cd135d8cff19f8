//! Closed surfaces of any form filled with tetrahedra (isosurface stuffing, Labelle, Shewchuk 2007): a
//! lattice of equal tetrahedra, moved onto the surface where it is near and cut by it elsewhere. All angles
//! stay between bounds that do not depend on the form; edges sharper than the lattice are cut off by a part
//! of an element. Repairs no surface and knows no material.

mod inside;
mod stencil;
#[cfg(test)]
mod tests;

use crate::Surface;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{Mesh, MeshGroup};
use drystone_elements::{MeshFault, ParameterError};
use drystone_geometry::aabb::Aabb;
use drystone_geometry::tree::Tree;
use drystone_math::Vector;
use inside::LineCrossings;
use std::collections::BTreeMap;
use stencil::{LatticePoint, Side, tetrahedra};

/// Most points of the lattice.
const MOST_POINTS: f64 = 4e6;

/// A point of the lattice goes to a cut nearer than this part of the edge: the values that Labelle and
/// Shewchuk find best, for edges along an axis and for the others.
const NEAR_ALONG: f64 = 0.24999;
const NEAR_ACROSS: f64 = 0.41189;

/// Elements that fill less or more than the surface holds by this part are too large for it.
const VOLUME_OFF: f64 = 0.2;

/// A point of the lattice: three even numbers or three odd ones, in halves of its spacing.
type Key = [i32; 3];

impl Surface {
    /// Tetrahedra of about a size \[m\] that fill a closed surface without flaws: TE4 or TE10. Groups `skin`,
    /// and on the six sides of the box around it `left`, `right` (x), `front`, `back` (y), `bottom` and `top`
    /// (z), where flat parts of the surface lie.
    pub fn fill_with_tetrahedra(&self, size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
        if kind.linear() != ElementKind::Te4 {
            let kind = kind.reference().name;
            return Err(MeshFault::Kind { element: 0, kind, allowed: "TE4 and TE10" });
        }
        let lattice = Lattice::around(self, size)?;
        let (nodes, elements) = Filling::of(self, &lattice).tetrahedra();
        let filled: f64 = elements.iter().map(|element| volume(&nodes, element)).sum();
        let whole = self.mass_properties().volume;
        let off = (filled / whole - 1.0).abs();
        let allowed = "at most 0.2 is allowed; take smaller ones";
        require(off <= VOLUME_OFF, "the part of the volume that elements of this size miss", off, allowed)?;
        let whole = elements.into_iter().map(|element| (ElementKind::Te4, element.to_vec()));
        let mut mesh = Mesh::new(nodes, whole)?;
        if kind.is_quadratic() {
            mesh = mesh.into_quadratic(|a, b| (a + b) * 0.5);
        }
        let faces = mesh.skin_faces();
        mesh.add_to_group("skin", &MeshGroup { faces, ..MeshGroup::default() });
        self.group_sides(&mut mesh);
        Ok(mesh)
    }

    fn group_sides(&self, mesh: &mut Mesh<3>) {
        let (low, high) = bounds(self);
        let near = 1e-9 * self.size();
        let names = [["left", "right"], ["front", "back"], ["bottom", "top"]];
        for (axis, [lower, upper]) in names.into_iter().enumerate() {
            mesh.group_faces(lower, |x| x[axis] <= low[axis] + near);
            mesh.group_faces(upper, |x| x[axis] >= high[axis] - near);
        }
    }
}

fn require(holds: bool, name: &'static str, found: f64, allowed: &'static str) -> Result<(), ParameterError> {
    if holds { Ok(()) } else { Err(ParameterError { name, found, allowed }) }
}

fn bounds(surface: &Surface) -> (Vector<3>, Vector<3>) {
    let first = (Vector::<3>::repeat(f64::INFINITY), Vector::<3>::repeat(f64::NEG_INFINITY));
    surface.vertices.iter().fold(first, |(low, high), vertex| (low.inf(vertex), high.sup(vertex)))
}

fn volume(nodes: &[Vector<3>], element: &[u32; 4]) -> f64 {
    let [a, b, c, d] = element.map(|node| nodes[node as usize]);
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

/// A body-centred cubic lattice around a surface.
struct Lattice {
    centre: Vector<3>,
    /// Half the spacing \[m\].
    half: f64,
    /// Even numbers run from `-2 m` to `2 m`.
    reach: [i32; 3],
}

impl Lattice {
    fn around(surface: &Surface, size: f64) -> Result<Self, ParameterError> {
        require(size > 0.0, "the size of an element", size, "it must be above 0 m")?;
        let (low, high) = bounds(surface);
        let sides: [f64; 3] = (high - low).into();
        let count = sides.map(|side| (0.5 * side / size).ceil() + 1.0);
        let points = count.iter().map(|count| 2.0 * count + 1.0).product::<f64>();
        let allowed = "at most 4e6 are allowed; take larger elements";
        require(points <= MOST_POINTS, "the number of cells", points, allowed)?;
        Ok(Self { centre: (low + high) * 0.5, half: 0.5 * size, reach: count.map(|count| count as i32) })
    }

    fn place(&self, key: &Key) -> Vector<3> {
        self.centre + Vector::from(key.map(f64::from)) * self.half
    }

    /// Tetrahedra of the lattice: the edge between the middles of two cells, and an edge of the square
    /// between the cells.
    fn tetrahedra(&self) -> impl Iterator<Item = [Key; 4]> + '_ {
        let odd = |axis: usize| (-self.reach[axis]..self.reach[axis]).map(|k| 2 * k + 1);
        let middles = odd(2).flat_map(move |z| odd(1).flat_map(move |y| odd(0).map(move |x| [x, y, z])));
        middles.flat_map(|middle| {
            (0..3).flat_map(move |axis| {
                let by = |along: i32, u: i32, v: i32| {
                    let mut key = middle;
                    key[axis] += along;
                    key[(axis + 1) % 3] += u;
                    key[(axis + 2) % 3] += v;
                    key
                };
                let square = [by(1, -1, -1), by(1, 1, -1), by(1, 1, 1), by(1, -1, 1)];
                let next = by(2, 0, 0);
                (0..4).map(move |k| [middle, next, square[k], square[(k + 1) % 4]])
            })
        })
    }
}

/// Whether an edge runs along an axis; the others are shorter.
fn is_along(a: &Key, b: &Key) -> bool {
    (a[0] - b[0]) % 2 == 0
}

/// The lattice as the surface cuts it.
struct Filling<'a> {
    lattice: &'a Lattice,
    /// Points of tetrahedra that the surface holds or cuts: where they are, and on which side.
    points: BTreeMap<Key, (Vector<3>, Side)>,
    /// Where edges from within to without are cut.
    cuts: BTreeMap<[Key; 2], Vector<3>>,
    wanted: Vec<[Key; 4]>,
}

impl<'a> Filling<'a> {
    fn of(surface: &Surface, lattice: &'a Lattice) -> Self {
        let inside = LineCrossings::new(surface, lattice);
        let holds = |tetrahedron: &[Key; 4]| tetrahedron.iter().any(|key| inside.holds(key));
        let wanted: Vec<[Key; 4]> = lattice.tetrahedra().filter(holds).collect();
        let side = |key: &Key| if inside.holds(key) { Side::Inside } else { Side::Outside };
        let points: BTreeMap<_, _> =
            wanted.iter().flatten().map(|key| (*key, (lattice.place(key), side(key)))).collect();
        let crossing = Crossing::new(surface);
        let mut cuts = BTreeMap::new();
        for tetrahedron in &wanted {
            for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                let ends = [tetrahedron[a], tetrahedron[b]];
                if [points[&ends[0]].1, points[&ends[1]].1] == [Side::Inside, Side::Outside] {
                    let places = ends.map(|end| points[&end].0);
                    cuts.entry(ends).or_insert_with(|| crossing.first(places));
                }
            }
        }
        let mut filling = Self { lattice, points, cuts, wanted };
        filling.move_points();
        filling
    }

    /// Moves points onto the surface that are near a cut; what was cut at their edges is no longer.
    fn move_points(&mut self) {
        let mut at: BTreeMap<Key, Vec<[Key; 2]>> = BTreeMap::new();
        for ends in self.cuts.keys() {
            ends.iter().for_each(|end| at.entry(*end).or_default().push(*ends));
        }
        for (key, edges) in &at {
            let place = self.lattice.place(key);
            let distance = |ends: &[Key; 2]| {
                let (share, length) = match is_along(&ends[0], &ends[1]) {
                    true => (NEAR_ALONG, 2.0),
                    false => (NEAR_ACROSS, 3.0_f64.sqrt()),
                };
                let cut = self.cuts.get(ends)?;
                let distance = (cut - place).norm();
                (distance < share * length * self.lattice.half).then_some((distance, *cut))
            };
            let nearest = edges.iter().filter_map(distance).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, cut)) = nearest {
                self.points.insert(*key, (cut, Side::Upon));
                edges.iter().for_each(|ends| {
                    self.cuts.remove(ends);
                });
            }
        }
    }

    fn tetrahedra(self) -> (Vec<Vector<3>>, Vec<[u32; 4]>) {
        let mut numbers: BTreeMap<[Key; 2], u32> = BTreeMap::new();
        let (mut nodes, mut elements) = (Vec::new(), Vec::new());
        for tetrahedron in &self.wanted {
            let corners = tetrahedron.map(|key| {
                let (place, side) = self.points[&key];
                LatticePoint { key, place, side }
            });
            let cut = |inner: &LatticePoint, outer: &LatticePoint| match inner.side {
                Side::Upon => ([inner.key; 2], inner.place),
                _ => ([inner.key, outer.key], self.cuts[&[inner.key, outer.key]]),
            };
            for element in tetrahedra(&corners, &cut) {
                let places = element.map(|(_, place)| place);
                let mut element = element.map(|(name, place)| {
                    *numbers.entry(name).or_insert_with(|| {
                        nodes.push(place);
                        nodes.len() as u32 - 1
                    })
                });
                if volume(&places, &[0, 1, 2, 3]) < 0.0 {
                    element.swap(2, 3);
                }
                elements.push(element);
            }
        }
        (nodes, elements)
    }
}

/// Where the edges of the lattice cross a surface.
struct Crossing<'a> {
    surface: &'a Surface,
    tree: Tree<3>,
}

impl<'a> Crossing<'a> {
    fn new(surface: &'a Surface) -> Self {
        let around = |triangle: usize| {
            let [a, b, c] = surface.corners(triangle);
            Aabb { low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c) }
        };
        let boxes: Vec<_> = (0..surface.triangles.len()).map(around).collect();
        Self { surface, tree: Tree::new(&boxes) }
    }

    /// The first crossing from the inner end on; half way where rounding hides it.
    fn first(&self, [inner, outer]: [Vector<3>; 2]) -> Vector<3> {
        let way = outer - inner;
        let slack = Vector::<3>::repeat(1e-9 * way.norm());
        let aabb = Aabb { low: inner.inf(&outer) - slack, high: inner.sup(&outer) + slack };
        let mut first = f64::INFINITY;
        self.tree.visit(&aabb, |triangle| {
            if let Some(share) = share_of(&inner, &way, self.surface.corners(triangle as usize)) {
                first = first.min(share);
            }
        });
        inner + way * if first.is_finite() { first } else { 0.5 }
    }
}

/// How much of its way a point has gone where it crosses a triangle (Möller, Trumbore 1997).
fn share_of(from: &Vector<3>, way: &Vector<3>, [a, b, c]: [Vector<3>; 3]) -> Option<f64> {
    const SLACK: f64 = 1e-9;
    let (p, q) = (b - a, c - a);
    let across = way.cross(&q);
    let volume = p.dot(&across);
    if volume == 0.0 {
        return None;
    }
    let to = from - a;
    let along = to.cross(&p);
    let (u, v, share) = (to.dot(&across) / volume, way.dot(&along) / volume, q.dot(&along) / volume);
    let crosses = u >= -SLACK && v >= -SLACK && u + v <= 1.0 + SLACK;
    (crosses && (-SLACK..=1.0 + SLACK).contains(&share)).then(|| share.clamp(0.0, 1.0))
}
