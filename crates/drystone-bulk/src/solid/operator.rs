//! What congruent deformable bodies share: factors for a step, the floating frame, the skin, the columns of
//! the compliance that contacts have asked for.

use super::{Port, SolidFrame};
use drystone_elements::SolidError;
use drystone_elements::element::{ElementKind, FaceKind};
use drystone_elements::mesh::Skin;
use drystone_elements::model::SolidModel;
use drystone_elements::scheme::{
    CoupledBody, FloatingFrame, Grip, NewtonParams, PortCompliance, SolidInertia, Supports, ThetaOperator,
};
use drystone_math::{Matrix, Vector};
use drystone_sparse::SymmetricBlocks;
use std::sync::{Arc, PoisonError, RwLock};

/// How a body answers.
#[derive(Debug)]
pub(super) enum SolidScheme<const D: usize> {
    /// By one matrix for the whole run, which congruent bodies share.
    Linear(Box<ThetaOperator<D>>),
    /// By a matrix of its own that Newton's method makes anew where it must.
    Newton(Box<CoupledBody<D>>),
}

/// The operators of all bodies for a step of one length, while a step of another length is made.
#[derive(Debug)]
pub struct SolidOperators<const D: usize>(pub(super) Vec<SolidOperator<D>>);

/// One for all congruent bodies.
#[derive(Debug)]
pub(super) struct SolidOperator<const D: usize> {
    model: Arc<SolidModel<D>>,
    scheme: SolidScheme<D>,
    /// The first body it serves, as a place in the list.
    owner: usize,
    /// None in the world frame.
    frame: Option<FloatingFrame<D>>,
    skin: Skin,
    /// Whether facets are faces of the mesh as they are: weights of their corners are then shape functions.
    linear_skin: bool,
    /// Columns are made as contacts need them, by one thread and node by node: who asks first decides no bit.
    columns: RwLock<PortCompliance<D>>,
}

impl<const D: usize> SolidOperator<D> {
    pub fn new(
        (model, inertia): (&Arc<SolidModel<D>>, SolidInertia),
        frame: &SolidFrame,
        h: f64,
        theta: f64,
        newton: NewtonParams,
        owner: usize,
    ) -> Result<Self, SolidError> {
        let supports = match (frame, inertia) {
            (SolidFrame::World { supports, .. }, _) => supports.clone(),
            (SolidFrame::Floating, SolidInertia::Full) => Supports::none(model.dofs()),
            // forces that only deform are in balance: what is held gives nothing, and the rigid motion that
            // it leaves is taken out
            (SolidFrame::Floating, SolidInertia::None) => Supports::rigid(model),
        };
        let scheme = match (model.is_linear(), frame) {
            (true, _) => SolidScheme::Linear(Box::new(ThetaOperator::with_inertia(
                model, supports, h, theta, inertia,
            )?)),
            (false, SolidFrame::World { .. }) => {
                SolidScheme::Newton(Box::new(CoupledBody::new(model, supports, h, theta, newton, inertia)?))
            }
            (false, SolidFrame::Floating) => {
                let why = "this material is not linear, and only linear bodies go in a floating frame; take the world \
                           frame";
                return Err(SolidError::Unsupported(why));
            }
        };
        let frame = match (frame, &scheme) {
            (SolidFrame::Floating, SolidScheme::Linear(operator)) => {
                Some(FloatingFrame::new(model, operator.mass())?)
            }
            _ => None,
        };
        let skin = model.mesh().skin();
        let columns = RwLock::new(PortCompliance::new(model.mesh().nodes().len(), &skin.nodes));
        let linear_skin = skin.facets.iter().all(|facet| {
            let table = model.mesh().kind(facet.face.element as usize).reference();
            matches!(table.face_kind(facet.face.face as usize), FaceKind::L2 | FaceKind::T3)
        });
        Ok(Self { model: Arc::clone(model), scheme, owner, frame, skin, linear_skin, columns })
    }

    /// The same for another step \[s\] and θ, with nothing made yet for contacts.
    pub fn for_step(&self, h: f64, theta: f64, newton: NewtonParams) -> Result<Self, SolidError> {
        let model = &self.model;
        let scheme = match &self.scheme {
            SolidScheme::Linear(own) => {
                let (supports, inertia) = (own.supports().clone(), own.inertia());
                SolidScheme::Linear(Box::new(ThetaOperator::with_inertia(
                    model, supports, h, theta, inertia,
                )?))
            }
            SolidScheme::Newton(own) => {
                let (supports, inertia) = (own.supports().clone(), own.inertia());
                SolidScheme::Newton(Box::new(CoupledBody::new(model, supports, h, theta, newton, inertia)?))
            }
        };
        let held = self.columns.read().unwrap_or_else(PoisonError::into_inner).nodes().to_vec();
        let columns = RwLock::new(PortCompliance::new(model.mesh().nodes().len(), &held));
        let (model, frame, skin) = (Arc::clone(model), self.frame.clone(), self.skin.clone());
        Ok(Self { model, scheme, owner: self.owner, frame, skin, linear_skin: self.linear_skin, columns })
    }

    /// Whether another body can share it.
    pub fn serves(&self, model: &Arc<SolidModel<D>>, frame: &SolidFrame, inertia: SolidInertia) -> bool {
        let SolidScheme::Linear(theta) = &self.scheme else { return false };
        if theta.inertia() != inertia {
            return false;
        }
        let alike = match frame {
            SolidFrame::Floating => self.frame.is_some(),
            SolidFrame::World { supports, .. } => self.frame.is_none() && theta.supports() == supports,
        };
        alike && Arc::ptr_eq(model, &self.model)
    }

    pub fn model(&self) -> &Arc<SolidModel<D>> {
        &self.model
    }

    pub fn scheme(&self) -> &SolidScheme<D> {
        &self.scheme
    }

    /// The first body it serves, and the only one of Newton's method.
    pub fn owner(&self) -> usize {
        self.owner
    }

    /// The body alone that Newton's method solves.
    pub fn newton(&self) -> Option<&CoupledBody<D>> {
        match &self.scheme {
            SolidScheme::Linear(_) => None,
            SolidScheme::Newton(body) => Some(body),
        }
    }

    /// The same to go on with it. Who makes another matrix forgets the columns.
    pub fn newton_mut(&mut self) -> Option<&mut CoupledBody<D>> {
        match &mut self.scheme {
            SolidScheme::Linear(_) => None,
            SolidScheme::Newton(body) => Some(body),
        }
    }

    /// Nodes of the element around a point of the mesh, not deformed, which are held from now on; none for a
    /// point outside.
    pub fn hold_inside(&mut self, place: &Vector<D>) -> Option<Port<D>> {
        let grip = Grip::new(self.model.mesh().locate(place)?);
        let nodes: Vec<u32> = grip.parts().map(|(node, _)| node).collect();
        self.columns.get_mut().unwrap_or_else(PoisonError::into_inner).hold(&nodes);
        Some(Port { grip, place: *place })
    }

    /// Forgets the columns of a matrix that is there no more.
    pub fn forget_columns(&mut self) {
        self.columns.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Whether its bodies have inertia.
    pub fn inertia(&self) -> SolidInertia {
        match &self.scheme {
            SolidScheme::Linear(theta) => theta.inertia(),
            SolidScheme::Newton(body) => body.inertia(),
        }
    }

    /// What is held of its bodies.
    pub fn supports(&self) -> &Supports {
        match &self.scheme {
            SolidScheme::Linear(theta) => theta.supports(),
            SolidScheme::Newton(body) => body.supports(),
        }
    }

    /// Mass matrix \[kg\].
    pub fn mass(&self) -> &SymmetricBlocks<D> {
        match &self.scheme {
            SolidScheme::Linear(theta) => theta.mass(),
            SolidScheme::Newton(body) => body.mass(),
        }
    }

    /// Forces of gravity on the nodes of a body in the world frame \[N\]; a rigid line has its own.
    pub fn weight(&self, gravity: &Vector<D>) -> Option<Vec<f64>> {
        self.frame.is_none().then(|| self.model.gravity_load(self.mass(), gravity))
    }

    pub fn frame(&self) -> Option<&FloatingFrame<D>> {
        self.frame.as_ref()
    }

    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// Whether facets are faces of the mesh as they are, see [`Self::port_over_corners`].
    pub fn has_linear_skin(&self) -> bool {
        self.linear_skin
    }

    /// The port over many points of a linear skin, each by a facet, the weights of its corners, and a share:
    /// these weights are the shape functions.
    pub fn port_over_corners(&self, points: impl Iterator<Item = (usize, [f64; 3], f64)>) -> Option<Port<D>> {
        let mut known = true;
        let held = points.flat_map(|(facet, weights, share)| {
            let corners = self.skin.facets.get(facet).map(|facet| facet.corners);
            known &= corners.is_some();
            (0..D).filter_map(move |rank| Some((corners?[rank], weights[rank] * share)))
        });
        let grip = Grip::new(held);
        let at = |node: u32| self.model.mesh().nodes()[node as usize];
        let place = grip.parts().fold(Vector::zeros(), |sum, (node, weight)| sum + at(node) * weight);
        known.then_some(Port { grip, place })
    }

    /// Shape functions of the face that a facet is cut from, at the point with these weights of its corners.
    pub fn port_on_facet(&self, facet: usize, weights: [f64; 3]) -> Option<Port<D>> {
        let mut parts = Vec::new();
        let place = self.hold_facet(facet, weights, 1.0, &mut parts)?;
        Some(Port { grip: Grip::new(parts), place })
    }

    /// Adds the nodes that hold a point of a facet, by their shape functions times a share, to `parts`; gives
    /// the place of the point.
    pub fn hold_facet(
        &self,
        facet: usize,
        weights: [f64; 3],
        share: f64,
        parts: &mut Vec<(u32, f64)>,
    ) -> Option<Vector<D>> {
        let facet = self.skin.facets.get(facet)?;
        let mesh = self.model.mesh();
        let kind = mesh.kind(facet.face.element as usize).reference().face_kind(facet.face.face as usize);
        let mut at = [0.0; 3];
        for (rank, weight) in weights.iter().enumerate().take(D) {
            let corner = own_place(kind, facet.local[rank] as usize);
            (0..3).for_each(|axis| at[axis] += weight * corner[axis]);
        }
        let values = kind.values(&at);
        let first = parts.len();
        parts.extend(mesh.face_nodes(facet.face).zip(values));
        parts[first..].sort_unstable_by_key(|(node, _)| *node);
        let mut place = Vector::zeros();
        for (node, weight) in &mut parts[first..] {
            place += mesh.nodes()[*node as usize] * *weight;
            *weight *= share;
        }
        Some(place)
    }

    /// Makes the columns that ports need.
    fn prepare(&self, ports: &[(Port<D>, Matrix<D, D>)]) {
        let grips: Vec<&Grip> = ports.iter().map(|(port, _)| &port.grip).collect();
        let known = self.columns.read().unwrap_or_else(PoisonError::into_inner);
        let all = known.missing(grips.iter().copied()).next().is_none();
        drop(known);
        if all {
            return;
        }
        let mut columns = self.columns.write().unwrap_or_else(PoisonError::into_inner);
        match &self.scheme {
            SolidScheme::Linear(theta) => columns.prepare(theta, self.frame.as_ref(), &grips),
            SolidScheme::Newton(body) => columns.prepare_by(&grips, |impulses| body.answer(impulses)),
        }
    }

    /// Compliance over ports, each in the frame of its contact.
    pub fn block(&self, ports: &[(Port<D>, Matrix<D, D>)]) -> Vec<f64> {
        self.prepare(ports);
        let turned: Vec<(&Grip, Matrix<D, D>)> =
            ports.iter().map(|(port, frame)| (&port.grip, frame.transpose())).collect();
        let columns = self.columns.read().unwrap_or_else(PoisonError::into_inner);
        // all columns are there
        columns.block(&turned).unwrap_or_else(|| vec![0.0; (ports.len() * D).pow(2)])
    }
}

/// Where a node of a face lies in the face's own coordinates.
fn own_place(kind: FaceKind, node: usize) -> [f64; 3] {
    let table = match kind {
        FaceKind::L2 | FaceKind::L3 => return [[-1.0, 1.0, 0.0][node], 0.0, 0.0],
        FaceKind::T3 => ElementKind::T3,
        FaceKind::T6 => ElementKind::T6,
        FaceKind::Q4 => ElementKind::Q4,
        FaceKind::Q8 => ElementKind::Q8,
    };
    table.reference().nodes[node]
}
