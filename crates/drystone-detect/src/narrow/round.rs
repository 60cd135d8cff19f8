//! Contacts of capsules and cylinders with each other and with polyhedra, and of points with cylinders. It
//! puts together what `axes` and `region` find.

use drystone_math::{Matrix, Pose, Vector, portable};

use crate::narrow::region::Regions;
use crate::narrow::solid::{Solid, SolidForm};
use crate::narrow::{axes, ball, feature, region, segment};
use drystone_geometry::frame_from_normal;

/// One body of a pair: its core, what the core is grown by, and its place.
pub(crate) type Grown<'a> = (SolidForm<'a>, f64, &'a Pose<3>);

/// Contacts of two solids grown by their radii.
pub(crate) fn contacts(
    a: Grown,
    b: Grown,
    alert: f64,
    regions: &mut Regions,
    emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
) {
    // polyhedra come second
    if let (SolidForm::Polyhedron(_), false) = (&a.0, matches!(b.0, SolidForm::Polyhedron(_))) {
        let mut exchanged =
            |name, point, normal: Vector<3>, gap| emit(feature::exchanged(name), point, -normal, gap);
        return contacts(b, a, alert, regions, &mut exchanged);
    }
    let origin = a.2.position;
    // both about the first: no digits are lost far from the origin
    let one = Solid { form: a.0, rotation: a.2.rotation(), centre: Vector::zeros() };
    let two = Solid { form: b.0, rotation: b.2.rotation(), centre: b.2.position - origin };
    between((&one, a.1), (&two, b.1), alert, regions, &mut |name, point, normal, gap| {
        emit(name, origin + point, normal, gap);
    });
}

/// Contacts of a body with the segment from one point to another, as antagonist; without a form the body is a
/// ball.
pub(crate) fn on_segment(
    (form, radius, pose): (Option<SolidForm>, f64, &Pose<3>),
    ends: &[Vector<3>; 2],
    alert: f64,
    regions: &mut Regions,
    emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
) {
    let Some(form) = form else {
        let t = segment::parameter(&pose.position, &ends[0], &ends[1]);
        let foot = Pose::at(ends[0] + (ends[1] - ends[0]) * t);
        return ball::ball((radius, pose), (0.0, &foot), alert, &mut { emit });
    };
    let origin = pose.position;
    let along = ends[1] - ends[0];
    // a frame has its first axis along the segment, a segment its last
    let frame = frame_from_normal(&along.normalize());
    let rotation = Matrix::from_columns(&[frame.column(1), frame.column(2), frame.column(0)]);
    let edge = Solid {
        form: SolidForm::Segment { half_length: 0.5 * along.norm() },
        rotation,
        centre: (ends[0] + ends[1]) * 0.5 - origin,
    };
    let body = Solid { form, rotation: pose.rotation(), centre: Vector::zeros() };
    if matches!(form, SolidForm::Polyhedron(_)) {
        between((&edge, 0.0), (&body, radius), alert, regions, &mut |name, point, normal: Vector<3>, gap| {
            emit(feature::exchanged(name), origin + point, -normal, gap);
        });
    } else {
        between((&body, radius), (&edge, 0.0), alert, regions, &mut |name, point, normal, gap| {
            emit(name, origin + point, normal, gap);
        });
    }
}

/// Contacts of two solids whose places are known, both near the origin.
fn between(
    (one, ra): (&Solid, f64),
    (two, rb): (&Solid, f64),
    alert: f64,
    regions: &mut Regions,
    emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
) {
    let radii = ra + rb;
    let (least, most) = (one.size().min(two.size()), one.size().max(two.size()));
    let tolerance = 1e-10 * least + 1e-14 * most;
    let Some((normal, separation)) = axes::best(one, two, alert + radii, tolerance) else {
        return;
    };
    // from the middle of the cores to the middle of the surfaces
    let shift = normal * (0.5 * (ra - rb));
    let mut least = f64::INFINITY;
    one.look(&normal, 0, &mut regions.front);
    two.look(&-normal, 1, &mut regions.back);
    region::overlap(regions, 10.0 * tolerance, &mut |name, point, gap| {
        // seen along the normal a tilted cap is not quite a circle: no point of it is nearer than the nearest
        let gap = gap.max(separation);
        least = least.min(gap);
        if gap - radii <= alert {
            emit(name, point + shift, -normal, gap - radii);
        }
    });
    if least > separation + tolerance {
        // the point of closest approach itself
        let (point, gap) = region::closest(regions, 10.0 * tolerance);
        let gap = gap.max(separation);
        if gap < least && gap - radii <= alert {
            emit(feature::edges(0, 0), point + shift, -normal, gap - radii);
        }
    }
}

/// A point grown by a radius against a cylinder: the nearest point of the solid, the nearest of its surface
/// from within.
pub(crate) fn point_on_cylinder(
    (radius, place): (f64, &Pose<3>),
    (cylinder, half_height, pose): (f64, f64, &Pose<3>),
    alert: f64,
    emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
) {
    let rotation = pose.rotation();
    let centre = rotation.transpose() * (place.position - pose.position);
    let between = crate::narrow::solid::past_cylinder(&centre, cylinder, half_height);
    let distance = between.norm();
    let (normal, distance) = if distance > 0.0 {
        (between / distance, distance)
    } else {
        let across = portable::hypot(centre[0], centre[1]);
        let (past_side, past_cap) = (across - cylinder, centre[2].abs() - half_height);
        if past_cap >= past_side {
            (Vector::<3>::z() * 1f64.copysign(centre[2]), past_cap)
        } else if across == 0.0 {
            // on the axis all ways out are as good
            (Vector::<3>::x(), past_side)
        } else {
            (Vector::<3>::new(centre[0], centre[1], 0.0) / across, past_side)
        }
    };
    let gap = distance - radius;
    if gap <= alert {
        let normal = rotation * normal;
        emit(0, place.position - normal * (radius + 0.5 * gap), normal, gap);
    }
}
