//! What is known of a deformable body at its nodes: places, displacements, strains, stresses, internal
//! variables, forces of supports. Changes nothing.

use crate::Simulation;
use drystone_elements::law::PointHistory;
use drystone_elements::model::PointField;
use drystone_elements::tensor::{
    Tensor, Voigt, principal, product, strain_tensor, stress_tensor, to_stress, transpose, von_mises,
};
use drystone_math::Vector;
use drystone_state::BodyId;

/// Fields at all nodes of a deformable body, in world axes. Tensors are xx, yy, zz, xy, yz, xz, strains with
/// half of the engineering shears, smoothed to nodes.
#[derive(Clone, Debug, Default)]
pub struct SolidFields<const D: usize> {
    /// Places \[m\].
    pub place: Vec<Vector<D>>,
    /// Displacement by deformation \[m\]; in the world frame the whole displacement.
    pub displacement: Vec<Vector<D>>,
    /// Velocity \[m/s\].
    pub velocity: Vec<Vector<D>>,
    /// Cauchy's stress \[Pa\].
    pub stress: Vec<Voigt>,
    /// Strain; Green's at finite strains.
    pub strain: Vec<Voigt>,
    /// Von Mises' stress \[Pa\].
    pub von_mises: Vec<f64>,
    /// Principal stresses, largest first \[Pa\].
    pub principal: Vec<[f64; 3]>,
    /// Plastic strain, in the axes of the material where strains are finite; empty where the law has none.
    pub plastic_strain: Vec<Voigt>,
    /// Accumulated plastic strain; empty where the law has none.
    pub accumulated: Vec<f64>,
}

impl<const D: usize> Simulation<D> {
    /// Fields at all nodes of a deformable body; none for others.
    pub fn solid_fields(&self, BodyId(body): BodyId) -> Option<SolidFields<D>> {
        let body = body as usize;
        let (model, state) = (self.solids.model(body)?, self.solids.state(body)?);
        let recovered = model.recover(&state.displacement, None, &state.history).ok()?;
        let turn = whole(&self.bodies.pose[body].rotation());
        let turned = |tensor: Tensor| to_stress(&product(&product(&turn, &tensor), &transpose(&turn)));
        let stress = model.smooth(&recovered, PointField::Stress);
        let strain = model.smooth(&recovered, PointField::Strain);
        let nodes = 0..model.mesh().nodes().len();
        let mut fields = SolidFields {
            von_mises: stress.iter().map(von_mises).collect(),
            principal: stress.iter().map(|stress| principal(&stress_tensor(stress)).0).collect(),
            stress: stress.iter().map(|stress| turned(stress_tensor(stress))).collect(),
            strain: strain.iter().map(|strain| turned(strain_tensor(strain))).collect(),
            ..SolidFields::default()
        };
        for node in nodes {
            let [place, displacement, velocity] = self.node_motion(body, node)?;
            fields.place.push(place);
            fields.displacement.push(displacement);
            fields.velocity.push(velocity);
        }
        if state.history.iter().any(|history| matches!(history, PointHistory::Plastic(_))) {
            let plastic = model.smooth(&recovered, PointField::PlasticStrain);
            fields.plastic_strain = plastic.iter().map(|strain| turned(strain_tensor(strain))).collect();
            let accumulated = model.smooth(&recovered, PointField::Accumulated);
            fields.accumulated = accumulated.iter().map(|sum| sum[0]).collect();
        }
        Some(fields)
    }

    /// Place \[m\], displacement by deformation \[m\] and velocity \[m/s\] of a node of a deformable body, in
    /// world axes; none where there is no such node.
    pub fn node_motion(&self, body: usize, node: usize) -> Option<[Vector<D>; 3]> {
        let (model, state) = (self.solids.model(body)?, self.solids.state(body)?);
        let reference = model.mesh().nodes().get(node)?;
        let own = |list: &[f64]| Vector::<D>::from_fn(|axis, _| list[node * D + axis]);
        let (pose, line) = (&self.bodies.pose[body], &self.bodies.velocity[body]);
        let rotation = pose.rotation();
        let [u, v] = [own(&state.displacement), own(&state.velocity)];
        // rigid motion about the reference place, as contacts see it
        let rigid = Vector::<D>::from_fn(|axis, _| line[axis]);
        let turning = rotation * spun(&line[D..], reference);
        Some([pose.to_world(&(reference + u)), rotation * u, rigid + turning + rotation * v])
    }

    /// The force of the supports on nodes of a deformable body in the last step \[N\], in world axes.
    pub fn reaction(&self, body: usize, nodes: &[u32]) -> Vector<D> {
        let forces = self.solids.reaction(body);
        let on = |node: &u32| {
            let at = *node as usize * D;
            Vector::<D>::from_fn(|axis, _| forces.get(at + axis).copied().unwrap_or(0.0))
        };
        let sum = nodes.iter().map(on).fold(Vector::zeros(), |sum, force| sum + force);
        self.bodies.pose.get(body).map_or(sum, |pose| pose.rotation() * sum)
    }
}

/// `ω × x` in the axes of the body; in the plane ω is one number.
fn spun<const D: usize>(spin: &[f64], x: &Vector<D>) -> Vector<D> {
    Vector::from_fn(|axis, _| match (spin.len(), axis) {
        (1, 0) => -spin[0] * x[1],
        (1, _) => spin[0] * x[0],
        _ => {
            let (p, q) = ((axis + 1) % D, (axis + 2) % D);
            spin[p] * x[q] - spin[q] * x[p]
        }
    })
}

/// A turn of the plane as one of space.
fn whole<const D: usize>(rotation: &drystone_math::Matrix<D, D>) -> Tensor {
    let entry = |i: usize, j: usize| match i < D && j < D {
        true => rotation[(i, j)],
        false => f64::from(u8::from(i == j)),
    };
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}
