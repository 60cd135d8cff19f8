//! A mesh brought into the frame of its body: its centre of mass at the origin, its principal axes those of
//! the body. Moves no body.

use drystone_elements::SolidError;
use drystone_elements::mesh::Mesh;
use drystone_elements::model::{Kinematics, SolidModel};
use drystone_elements::scheme::FloatingFrame;
use drystone_math::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use drystone_math::{Orientation, PerDof, Pose, Vector, rigid_dofs};
use std::sync::Arc;

/// Products of inertia below this, relative to the largest moment, are none.
const PRINCIPAL: f64 = 1e-10;

/// A deformable body in its own frame.
#[derive(Clone, Debug)]
pub struct CentredSolid<const D: usize> {
    /// Mesh and material, the mesh in the frame of the body.
    pub model: Arc<SolidModel<D>>,
    /// That frame in the axes of the mesh as it was given.
    pub local: Pose<D>,
    /// Mass \[kg\] for each translation, then principal moments of inertia \[kg m²\], of the elements.
    pub mass: PerDof<D>,
    /// Radius about the centre of mass \[m\].
    pub radius: f64,
}

/// Brings a mesh into the frame of its body; `model` puts a mesh together with its material, given how the
/// axes of the body lie in those of the mesh. Axes stay those of the mesh where `turn` is false, as for a
/// body in the world frame.
pub fn centred<const D: usize>(
    mesh: Mesh<D>,
    turn: bool,
    model: impl Fn(Arc<Mesh<D>>, &Orientation) -> Result<SolidModel<D>, SolidError>,
) -> Result<CentredSolid<D>, SolidError> {
    let given = model(Arc::new(mesh.clone()), &Orientation::identity())?;
    if given.kinematics() == Kinematics::Axisymmetric {
        return on_axis(mesh, &given, model);
    }
    let frame = FloatingFrame::new(&given, &given.mass_matrix())?;
    let orientation = match turn {
        true => principal(frame.inertia(), D),
        false => Orientation::identity(),
    };
    let local = Pose { position: *frame.centre(), orientation };
    let own = mesh.map_nodes(|node| local.to_local(node));
    let model = Arc::new(model(Arc::new(own), &orientation)?);
    let frame = FloatingFrame::new(&model, &model.mass_matrix())?;
    let count = rigid_dofs(D);
    let mass = PerDof::from_fn(|dof| frame.inertia()[dof * count + dof]);
    let radius = model.mesh().nodes().iter().map(Vector::norm).fold(0.0, f64::max);
    Ok(CentredSolid { model, local, mass, radius })
}

/// A section of a body of revolution: its frame stays on the axis.
fn on_axis<const D: usize>(
    mesh: Mesh<D>,
    given: &SolidModel<D>,
    model: impl Fn(Arc<Mesh<D>>, &Orientation) -> Result<SolidModel<D>, SolidError>,
) -> Result<CentredSolid<D>, SolidError> {
    let along: Vec<f64> = (0..given.dofs()).map(|dof| if dof % D == 1 { 1.0 } else { 0.0 }).collect();
    let shares = given.mass_matrix().times(&along);
    let (mut mass, mut moment) = (0.0, 0.0);
    for (node, share) in mesh.nodes().iter().zip(shares.iter().skip(1).step_by(D)) {
        mass += share;
        moment += share * node[1];
    }
    let local = Pose::at(Vector::from_fn(|axis, _| if axis == 1 { moment / mass } else { 0.0 }));
    let own = mesh.map_nodes(|node| local.to_local(node));
    let model = Arc::new(model(Arc::new(own), &Orientation::identity())?);
    let radius = model.mesh().nodes().iter().map(Vector::norm).fold(0.0, f64::max);
    // it neither moves across nor turns
    Ok(CentredSolid { model, local, mass: PerDof::from_fn(|_| mass), radius })
}

/// Principal axes of an inertia, row after row with the masses; those it has where they are principal.
fn principal(inertia: &[f64], dimension: usize) -> Orientation {
    if dimension == 2 {
        return Orientation::identity();
    }
    let count = rigid_dofs(dimension);
    let moments = Matrix3::from_fn(|i, j| {
        let at = |i: usize, j: usize| inertia[(dimension + i) * count + dimension + j];
        0.5 * (at(i, j) + at(j, i))
    });
    let largest = moments.diagonal().amax();
    let products = [(0, 1), (0, 2), (1, 2)].map(|at| moments[at].abs());
    if products.iter().all(|&product| product <= PRINCIPAL * largest) {
        return Orientation::identity();
    }
    let mut axes = moments.symmetric_eigen().eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}
