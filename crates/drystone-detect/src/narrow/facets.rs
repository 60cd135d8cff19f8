//! What the search of contacts between polytopes does in one way in the plane and in another in space, and
//! the words both use. It searches nothing itself: see `convex`.

use drystone_geometry::Polytope;
use drystone_math::{Pose, Vector};
use fearless_simd::Simd;

use crate::narrow::core::{Grown, Placement};
use crate::narrow::patch::{Cut, Patch};
use crate::narrow::scratch::{Axis, Scratch};

/// What the plane and space do in their own ways.
pub(crate) trait Facets<const D: usize> {
    /// Cuts a face of the incident polytope by the sides of a face of the reference, in the axes of the
    /// reference.
    fn cut(cut: &Cut<D>, patch: &mut Patch<D>);

    /// The best axis among products of edges of two bodies, the second where it is in the axes of the first;
    /// none in the plane. Separations below the first of `range` are not sought,
    /// beyond the second the bodies are apart. Needs the heights over the faces.
    fn edge_axis<S: Simd>(
        simd: S,
        bodies: (&Polytope<D>, &Polytope<D>, &Placement<D>),
        range: (f64, f64),
        scratch: &mut Scratch<D>,
    ) -> Axis<D>;

    /// Contacts of two cores of which one at least is a segment or a cylinder, and neither a point.
    fn round(
        a: Grown<D>,
        b: Grown<D>,
        alert: f64,
        scratch: &mut Scratch<D>,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );

    /// Contacts of a core with the segment between two points, as antagonist; none in the plane.
    fn on_segment(
        core: Grown<D>,
        ends: &[Vector<D>; 2],
        alert: f64,
        scratch: &mut Scratch<D>,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );

    /// Contact of a ball with a cylinder, given by radius and half its height.
    fn point_on_cylinder(
        ball: (f64, &Pose<D>),
        cylinder: (f64, f64, &Pose<D>),
        alert: f64,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );
}
