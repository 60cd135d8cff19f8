//! Whether two bodies on their way meet, or only pass each other. It finds no contact and knows no velocity:
//! it is given places on the way.
//!
//! A plane between two convex bodies that stays between them on their whole way shows that they do not meet.
//! The depth to which they could meet is at most that to which they reach through the best of some planes:
//! those of faces, those along edges and the way, and one square to the way. A better plane may be missed, so
//! that bodies are taken to meet that pass, never the other way round.

use drystone_math::nalgebra::Vector3;
use drystone_math::{Pose, Vector};

use crate::ContactPoint;
use crate::narrow::core::{Core, Placement, core};
use drystone_geometry::aabb::Aabb;
use drystone_geometry::{Shape, Surface};

/// Places on the way of a body that are looked at: its beginning, its middle and its end. A body that does
/// not turn needs the two ends alone; the arc of one that turns by an angle α leaves the three by α²/32 of
/// its size at most.
pub const PLACES: usize = 3;

/// Directions shorter than this are none.
const NONE: f64 = 1e-6;

/// Two bodies on their way, candidate first.
pub struct Passing<'a, const D: usize> {
    sides: [PassingSide<'a, D>; 2],
}

/// One of them.
struct PassingSide<'a, const D: usize> {
    body: PassingBody<'a, D>,
    places: [Placement<D>; PLACES],
}

/// What is there of a shape to meet.
enum PassingBody<'a, const D: usize> {
    /// A core and what it is grown by.
    Convex(Core<'a, D>, f64),
    /// The pieces of a surface near the other body, by number.
    Pieces(&'a Surface<D>, Vec<u32>),
}

impl<'a, const D: usize> Passing<'a, D> {
    /// Two shapes and where they are on their way; none for half-spaces and hollow shapes, which nothing
    /// passes. Numbers are best if the bodies are near the origin. Surfaces take part as far as they are
    /// within `slack` \[m\] of the other body.
    pub fn new(shapes: [&'a Shape<D>; 2], poses: [[Pose<D>; PLACES]; 2], slack: f64) -> Option<Self> {
        let places = poses.map(|poses| poses.map(|pose| Placement::of(&pose)));
        let bare = |side: usize| match shapes[side] {
            Shape::Surface(surface) => Some(PassingBody::Pieces(surface, Vec::new())),
            shape => core(shape).map(|(core, radius)| PassingBody::Convex(core, radius)),
        };
        let [one, two] = [bare(0)?, bare(1)?];
        let mut sides =
            [PassingSide { body: one, places: places[0] }, PassingSide { body: two, places: places[1] }];
        let extents = [0, 1].map(|side| sides[side].seen_from(&places[1 - side], slack));
        for side in [0, 1] {
            if let PassingBody::Pieces(surface, near) = &mut sides[side].body {
                surface.tree().visit(&extents[1 - side], |piece| near.push(piece));
            }
        }
        Some(Self { sides })
    }

    /// The depth to which the bodies meet on their way at most \[m\], negative where they stay apart.
    /// `normal` points from the antagonist to the candidate, `way` is that of the candidate relative to the
    /// antagonist. Looks no further once it is found to be `enough` or less.
    pub fn depth(&self, normal: &Vector<D>, way: &Vector<D>, enough: f64) -> f64 {
        let mut least = f64::INFINITY;
        let mut is_enough = |direction: Vector<D>| {
            let mut depth = f64::NEG_INFINITY;
            for place in 0..PLACES {
                depth = f64::max(depth, -self.separation(place, &direction));
                if depth > least {
                    return false;
                }
            }
            least = depth;
            least <= enough
        };
        let along = way.try_normalize(0.0);
        let aside = along.and_then(|along| (normal - along * normal.dot(&along)).try_normalize(NONE));
        let known = aside.into_iter().chain([*normal]).any(&mut is_enough);
        if !known
            && !self.each_normal(&mut is_enough)
            && let Some(along) = along
        {
            self.each_edge(&mut |edge, _| {
                across(edge, &along).is_some_and(|m| is_enough(m) || is_enough(-m))
            });
        }
        least
    }

    /// How far the shadows that the bodies cast along the normal lie over each other where they begin \[m\],
    /// negative where they are apart; near the origin only, where they touch. Looks no further once it is
    /// found to be `enough` or less.
    pub fn shadow(&self, normal: &Vector<D>, enough: f64) -> f64 {
        let mut least = f64::INFINITY;
        let mut is_enough = |direction: Vector<D>| {
            least = least.min(-self.separation(0, &direction));
            least <= enough
        };
        if D == 2 {
            let aside = Vector::from_fn(|i, _| if i == 0 { -normal[1] } else { normal[0] });
            let _ = is_enough(aside) || is_enough(-aside);
            return least;
        }
        let cap = |side: &PassingSide<D>| match side.body {
            PassingBody::Convex(Core::Cylinder(..), _) => {
                let axis = side.places[0].rotation.column(D - 1).into_owned();
                (axis - normal * normal.dot(&axis)).try_normalize(NONE)
            }
            _ => None,
        };
        if self.sides.iter().filter_map(cap).any(|m| is_enough(m) || is_enough(-m)) {
            return least;
        }
        self.each_edge(&mut |edge, end| {
            let Some(m) = across(edge, normal) else { return false };
            // a line between the shadows passes the point where the bodies touch
            m.dot(end).abs() <= 2.0 * enough && (is_enough(m) || is_enough(-m))
        });
        least
    }

    /// How far the bodies are apart along a unit direction from the antagonist to the candidate.
    fn separation(&self, place: usize, direction: &Vector<D>) -> f64 {
        -self.sides[0].top(place, &-direction) - self.sides[1].top(place, direction)
    }

    /// Calls with the normals of faces and caps, from the antagonist to the candidate, until one is enough.
    fn each_normal(&self, is_enough: &mut impl FnMut(Vector<D>) -> bool) -> bool {
        [1, 0].into_iter().any(|side| {
            let PassingSide { body, places } = &self.sides[side];
            let sign = if side == 0 { -1.0 } else { 1.0 };
            let mut placed = |normal: &Vector<D>| is_enough(places[0].rotation * normal * sign);
            match body {
                PassingBody::Convex(Core::Polytope(form), _) => {
                    form.faces().iter().any(|face| placed(&face.normal))
                }
                PassingBody::Convex(Core::Cylinder(..), _) => {
                    let axis = Vector::<D>::from_fn(|i, _| if i + 1 == D { 1.0 } else { 0.0 });
                    placed(&axis) || placed(&-axis)
                }
                PassingBody::Convex(..) => false,
                PassingBody::Pieces(surface, near) => {
                    near.iter().any(|&piece| placed(&surface.elements()[piece as usize].normal))
                }
            }
        })
    }

    /// Calls with the edges of both bodies in space and an end of each, until one is enough.
    fn each_edge(&self, is_enough: &mut impl FnMut(&Vector<D>, &Vector<D>) -> bool) {
        let _ = self.sides.iter().any(|PassingSide { body, places }| {
            let mut placed = |from: &Vector<D>, to: &Vector<D>| {
                is_enough(&(places[0].rotation * (to - from)), &places[0].apply(from))
            };
            match body {
                PassingBody::Convex(Core::Polytope(form), _) => form.edges().iter().any(|edge| {
                    let [from, to] = edge.vertices.map(|vertex| form.vertices()[vertex as usize]);
                    placed(&from, &to)
                }),
                PassingBody::Convex(..) => false,
                PassingBody::Pieces(surface, near) => near.iter().any(|&piece| {
                    let corner = |rank: usize| surface.corner(&surface.elements()[piece as usize], rank % D);
                    (0..D).any(|rank| placed(corner(rank), corner(rank + 1)))
                }),
            }
        });
    }
}

impl<const D: usize> PassingSide<'_, D> {
    /// How far the body reaches along a unit direction.
    fn top(&self, place: usize, direction: &Vector<D>) -> f64 {
        let Placement { rotation, position } = &self.places[place];
        let local = rotation.transpose() * direction;
        let highest = |height: f64, vertex: &Vector<D>| height.max(local.dot(vertex));
        let last = local[D - 1];
        let reach = match &self.body {
            PassingBody::Convex(core, radius) => {
                radius
                    + match core {
                        Core::Point => 0.0,
                        Core::Segment(half) => half * last.abs(),
                        Core::Polytope(form) => form.vertices().iter().fold(f64::NEG_INFINITY, highest),
                        Core::Cylinder(radius, half) => {
                            half * last.abs() + radius * local.rows_range(..D - 1).norm()
                        }
                    }
            }
            PassingBody::Pieces(surface, near) => near.iter().fold(f64::NEG_INFINITY, |height, &piece| {
                let corners = &surface.elements()[piece as usize].vertices;
                corners.iter().map(|&corner| &surface.vertices()[corner as usize]).fold(height, highest)
            }),
        };
        direction.dot(position) + reach
    }

    /// The box around the body on its way, grown by `slack`, in the axes of the other body.
    fn seen_from(&self, other: &[Placement<D>; PLACES], slack: f64) -> Aabb<D> {
        let start = Aabb { low: Vector::repeat(f64::INFINITY), high: Vector::repeat(f64::NEG_INFINITY) };
        let whole = |place: usize, direction: &Vector<D>| match &self.body {
            PassingBody::Convex(..) => self.top(place, direction),
            PassingBody::Pieces(surface, _) => {
                let Placement { rotation, position } = &self.places[place];
                let local = rotation.transpose() * direction;
                let Aabb { low, high } = surface.tree().aabb();
                let corner = Vector::<D>::from_fn(|i, _| if local[i] > 0.0 { high[i] } else { low[i] });
                direction.dot(position) + local.dot(&corner)
            }
        };
        (0..PLACES).fold(start, |Aabb { mut low, mut high }, place| {
            let Placement { rotation, position } = &other[place];
            for axis in 0..D {
                let direction = rotation.column(axis).into_owned();
                let origin = direction.dot(position);
                high[axis] = high[axis].max(whole(place, &direction) - origin + slack);
                low[axis] = low[axis].min(-whole(place, &-direction) - origin - slack);
            }
            Aabb { low, high }
        })
    }
}

/// The unit direction square to an edge and to a way; none in the plane or where the two are parallel.
fn across<const D: usize>(edge: &Vector<D>, way: &Vector<D>) -> Option<Vector<D>> {
    if D != 3 {
        return None;
    }
    let [edge, way] = [edge, way].map(|v| Vector3::new(v[0], v[1], v[2]));
    let product = edge.try_normalize(0.0)?.cross(&way).try_normalize(NONE)?;
    Some(Vector::from_fn(|i, _| product[i]))
}

/// How far the points of touches with one normal lie apart \[m\], in space in the narrower of two directions;
/// none where the normals differ.
pub fn breadth<const D: usize>(group: &[ContactPoint<D>]) -> f64 {
    let Some(first) = group.first() else { return 0.0 };
    if group.len() < D || group.iter().any(|touch| touch.normal.dot(&first.normal) < 1.0 - 1e-9) {
        return 0.0;
    }
    let arms = || group.iter().map(|touch| touch.point - first.point);
    let far = arms().fold(
        Vector::zeros(),
        |far: Vector<D>, arm| {
            if arm.norm_squared() > far.norm_squared() { arm } else { far }
        },
    );
    let Some(along) = far.try_normalize(0.0) else { return 0.0 };
    let aside = |arm: Vector<D>| (arm - along * along.dot(&arm)).norm();
    if D == 2 { far.norm() } else { arms().map(aside).fold(0.0, f64::max).min(far.norm()) }
}
