//! A linear body in a floating frame, as contacts will see it: rigid velocities beside those of ports. Knows
//! neither where its frame stands nor which contacts hold it.

use super::{
    FloatingFrame, Grip, ImpulsesOnBody, PortCompliance, SolidLedger, SolidState, Supports, ThetaOperator,
};
use crate::error::SolidError;
use crate::mesh::Skin;
use crate::model::SolidModel;
use drystone_math::{Matrix, Vector};
use std::sync::Arc;

/// What congruent bodies share: mesh, material, factors for a step and a θ, frame, skin, columns of `A⁻¹`.
#[derive(Clone, Debug)]
pub struct SolidTemplate<const D: usize> {
    model: SolidModel<D>,
    operator: ThetaOperator<D>,
    frame: FloatingFrame<D>,
    skin: Skin,
    columns: PortCompliance<D>,
}

impl<const D: usize> SolidTemplate<D> {
    /// Assembles and factors a linear body for a step \[s\] and a θ.
    pub fn new(model: SolidModel<D>, h: f64, theta: f64) -> Result<Self, SolidError> {
        let operator = ThetaOperator::new(&model, Supports::none(model.dofs()), h, theta)?;
        let frame = FloatingFrame::new(&model, operator.mass())?;
        let skin = model.mesh().skin();
        let columns = PortCompliance::new(model.mesh().nodes().len(), &skin.nodes);
        Ok(Self { model, operator, frame, skin, columns })
    }

    /// Another step or θ: new factors, and all columns are forgotten.
    pub fn set_step(&mut self, h: f64, theta: f64) -> Result<(), SolidError> {
        self.columns.clear();
        self.operator.set_step(h, theta)
    }

    /// Makes the columns that grips need, between steps.
    pub fn prepare(&mut self, grips: &[Grip]) {
        self.columns.prepare(&self.operator, Some(&self.frame), grips);
    }

    /// Mesh and material.
    pub fn model(&self) -> &SolidModel<D> {
        &self.model
    }

    /// The operator of a step.
    pub fn operator(&self) -> &ThetaOperator<D> {
        &self.operator
    }

    /// The frame.
    pub fn frame(&self) -> &FloatingFrame<D> {
        &self.frame
    }

    /// The boundary.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }
}

/// A body in a floating frame: the deformation of its nodes in the axes of the body, without rigid part.
///
/// The rigid motion itself is that of any rigid body of the same mass and inertia, and is kept elsewhere.
#[derive(Clone, Debug)]
pub struct FloatingBody<const D: usize> {
    template: Arc<SolidTemplate<D>>,
    state: SolidState,
}

impl<const D: usize> FloatingBody<D> {
    /// Not deformed, at rest in its frame.
    pub fn new(template: Arc<SolidTemplate<D>>) -> Self {
        let state = SolidState::at_rest(&template.model);
        Self { template, state }
    }

    /// What it shares with others.
    pub fn template(&self) -> &Arc<SolidTemplate<D>> {
        &self.template
    }

    /// Deformation and its velocity, in the axes of the body.
    pub fn state(&self) -> &SolidState {
        &self.state
    }

    /// Sets them; rigid parts are taken out.
    pub fn set_state(&mut self, mut state: SolidState) {
        self.template.frame.remove_rigid(&mut state.displacement);
        self.template.frame.remove_rigid(&mut state.velocity);
        self.state = state;
    }

    /// The nodes' velocities of deformation at the end of the step without contacts, for loads \[N\] in the
    /// axes of the body; of loads only what deforms counts here.
    pub fn free_velocity(&self, load: Option<&[f64]>) -> Vec<f64> {
        let own = load.map(|load| self.deforming_load(load));
        let on_body = ImpulsesOnBody { load: own.as_deref(), ..ImpulsesOnBody::default() };
        let mut free = self.template.operator.free_velocity(&self.state, &on_body);
        self.template.frame.remove_rigid(&mut free);
        free
    }

    fn deforming_load(&self, load: &[f64]) -> Vec<f64> {
        let mut own = load.to_vec();
        self.template.frame.remove_resultant(&mut own);
        own
    }

    /// How rigid velocities and those of ports answer impulses, row after row: `J⁻¹`, then `C_b` over ports
    /// in the frames of their contacts (rows are the axes of a contact in those of the body). `None` where a
    /// column is not prepared.
    pub fn compliance(&self, ports: &[(Grip, Matrix<D, D>)]) -> Option<Vec<f64>> {
        let block = self.template.columns.block(ports)?;
        let rigid = self.template.frame.inverse_inertia();
        let (few, many) = (drystone_math::rigid_dofs(D), ports.len() * D);
        let size = few + many;
        let mut all = vec![0.0; size * size];
        for (row, values) in rigid.chunks_exact(few).enumerate() {
            all[row * size..][..few].copy_from_slice(values);
        }
        for (row, values) in block.chunks_exact(many.max(1)).enumerate() {
            all[(few + row) * size + few..][..many].copy_from_slice(values);
        }
        Some(all)
    }

    /// Ends a step with impulses \[N s\] on grips and loads \[N\], in the axes of the body; returns the
    /// change of the rigid velocity by the impulses, and where the energy of the deformation went.
    pub fn advance(
        &mut self,
        load: Option<&[f64]>,
        impulses: &[(Grip, Vector<D>)],
    ) -> (Vec<f64>, SolidLedger) {
        let template = &self.template;
        let mut impulse = vec![0.0; template.model.dofs()];
        impulses.iter().for_each(|(grip, p)| grip.push(p, &mut impulse));
        let rigid = template.frame.rigid_answer(&impulse);
        template.frame.remove_resultant(&mut impulse);
        let own = load.map(|load| self.deforming_load(load));
        let on_body =
            ImpulsesOnBody { load: own.as_deref(), impulse: Some(&impulse), ..ImpulsesOnBody::default() };
        let ledger = template.operator.advance(&mut self.state, &on_body);
        // rounding must not become a rigid motion
        template.frame.remove_rigid(&mut self.state.velocity);
        template.frame.remove_rigid(&mut self.state.displacement);
        (rigid, ledger)
    }
}
