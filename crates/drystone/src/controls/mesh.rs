//! What drives nodes and loads faces of deformable bodies while a run goes on. When signals are evaluated is
//! said where all of them are.

use super::{Target, check_component};
use crate::{ChangeError, Signal, Simulation};
use drystone_bulk::FaceLoadPart;
use drystone_state::{BodyHandle, BodyId};

impl<const D: usize> Simulation<D> {
    /// Lets the velocity of nodes of a deformable body that are driven together follow a signal \[m/s\]:
    /// those of a list of its [`Deformable::driven`](crate::Deformable) along an axis. Each step ends with
    /// the velocity of that moment.
    pub fn drive_nodes(
        &mut self,
        body: BodyHandle,
        list: usize,
        axis: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.control_nodes(Target::Nodes, (body, [list, axis]), signal.into())
    }

    /// Lets the displacement of such nodes from where they are follow a signal \[m\]: their velocity is its
    /// rate, which they take at once.
    pub fn move_nodes(
        &mut self,
        body: BodyHandle,
        list: usize,
        axis: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.control_nodes(Target::NodesWay, (body, [list, axis]), signal.into())
    }

    /// Lets a number of a load on faces of a deformable body, counted as in its
    /// [`Deformable::load`](crate::Deformable), follow a signal \[Pa\], \[N\].
    pub fn load_faces(
        &mut self,
        body: BodyHandle,
        number: usize,
        part: FaceLoadPart,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let BodyId(index) = self.body_id(body)?;
        if let FaceLoadPart::Force(axis) = part {
            check_component(axis, D, D)?;
        }
        if !self.solids.has_face_load(index as usize, number) {
            return Err(self.not_in_mesh(index, "load on faces", number));
        }
        self.control(Target::Faces(body, number, part), signal.into())
    }

    fn control_nodes(
        &mut self,
        target: impl Fn(BodyHandle, [usize; 2]) -> Target,
        (body, [list, axis]): (BodyHandle, [usize; 2]),
        signal: Signal,
    ) -> Result<(), ChangeError> {
        let BodyId(index) = self.body_id(body)?;
        check_component(axis, D, D)?;
        if !self.solids.has_driven(index as usize, list, axis) {
            return Err(self.not_in_mesh(index, "list of driven nodes", list));
        }
        self.control(target(body, [list, axis]), signal)
    }

    fn not_in_mesh(&self, body: u32, what: &'static str, number: usize) -> ChangeError {
        ChangeError::NotInMesh { body: self.bodies.name[body as usize].clone(), what, number }
    }

    /// The θ of the deformation of a body.
    pub(super) fn theta_of(&self, body: BodyHandle) -> f64 {
        let body = self.handles.body(body).map_or(usize::MAX, |BodyId(body)| body as usize);
        self.solids.theta(body, self.settings.theta)
    }
}
