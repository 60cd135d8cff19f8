//! What the ties of a scene look like and which axes they have, kept in the axes of their bodies so that any
//! frame can be drawn. Draws nothing.

use crate::geometry::V3;
use crate::picture::{TieForm, TieSegment};
use drystone::{BodyId, Joint, Kind, Orientation, Pose, Simulation, Tie, Vector};
use drystone_io::{BodyRecord, TieRecord};

/// A tie of a scene: its kind, and its axes in the axes of the bodies that records speak of.
#[derive(Clone, Copy, Debug)]
pub struct TieShape {
    /// What it looks like.
    pub form: TieForm,
    /// Its two axes, each with the body it is fixed to, none being the world.
    pub axes: [Option<(Option<u32>, V3)>; 2],
}

impl TieShape {
    /// The tie where it stands in a frame; `record` finds the body of a number, if it is still there.
    pub(crate) fn placed<'a>(
        &self,
        tie: &TieRecord,
        record: impl Fn(u32) -> Option<&'a BodyRecord>,
    ) -> TieSegment {
        let turned = |axis: Option<(Option<u32>, V3)>| {
            let (body, direction) = axis?;
            let Some(body) = body else { return Some(direction) };
            let own = Pose::<3>::orientation_from_wxyz(record(body)?.orientation_wxyz);
            Some((own * Vector::<3>::from(direction)).into())
        };
        TieSegment { ends: tie.ends, form: self.form, axes: self.axes.map(turned) }
    }
}

/// What each tie looks like; nothing for coupled motions.
pub fn tie_shapes<const D: usize>(simulation: &Simulation<D>) -> Vec<Option<TieShape>> {
    simulation.ties().map(|view| shape(view.tie, &simulation.bodies().own_axes)).collect()
}

fn shape<const D: usize>(tie: &Tie<D>, own_axes: &[Orientation]) -> Option<TieShape> {
    // the axis of a joint moves with its second body
    let last = D - 1;
    // in the plane what turns turns about z, which points at the viewer
    let turning = if D == 2 { None } else { Some((1, last)) };
    let (form, axes) = match tie.kind {
        Kind::Joint(Joint::Fixed) => (TieForm::Weld, [None; 2]),
        Kind::Joint(Joint::Pin) => (TieForm::Ball, [None; 2]),
        Kind::Joint(Joint::Hinge) => (TieForm::Hinge, [turning, None]),
        Kind::Joint(Joint::Slider) => (TieForm::Slider, [Some((1, last)), None]),
        Kind::Joint(Joint::Cylindrical) => (TieForm::Cylindrical, [Some((1, last)), None]),
        Kind::Joint(Joint::Universal) if D == 3 => (TieForm::Universal, [Some((0, 0)), Some((1, 1))]),
        Kind::Joint(Joint::Universal) => (TieForm::Ball, [None; 2]),
        Kind::Screw { .. } => (TieForm::Screw, [Some((1, last)), None]),
        Kind::Rack { .. } => (TieForm::Rack, [Some((1, 0)), None]),
        Kind::Torsion { .. } => (TieForm::Torsion, [turning.map(|_| (1, 0)), None]),
        Kind::Rod { .. } => (TieForm::Rod, [None; 2]),
        Kind::Wire { .. } => (TieForm::Wire, [None; 2]),
        Kind::Spring { .. } => (TieForm::Spring, [None; 2]),
        Kind::Coupled { .. } => return None,
    };
    let fixed_to = |(side, axis): (usize, usize)| {
        let local: Vector<3> =
            tie.local[side].orientation * Vector::<3>::from_fn(|row, _| f64::from(u8::from(row == axis)));
        let Some(BodyId(body)) = tie.bodies[side] else { return (None, local.into()) };
        // records speak of the body's own axes, ties sit in its principal ones
        let own = own_axes.get(body as usize).copied().unwrap_or_else(Orientation::identity);
        (Some(body), (own * local).into())
    };
    Some(TieShape { form, axes: axes.map(|axis| axis.map(fixed_to)) })
}
