//! A mesh with a material: forces, stiffness, mass and loads, element by element. Knows no time and solves
//! nothing.

mod evaluate;
mod finite;
mod loads;
mod mass;
mod point;
mod recover;
mod small;

pub use evaluate::Evaluation;
pub use mass::MassKind;
pub use recover::{PointField, PointResult, Recovered};

use crate::error::{MeshFault, SolidError, require};
use crate::law::{FiniteLaw, PointHistory, SmallLaw};
use crate::mesh::{Mesh, MeshLimits, shown};
use drystone_sparse::Pattern;
use std::sync::Arc;

/// How a law of space is embedded in the dimension of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kinematics {
    /// ε_zz = 0, a slice of a long body; per depth \[m\].
    PlaneStrain {
        /// Depth across the plane \[m\]; masses and forces are proportional to it.
        depth: f64,
    },
    /// σ_zz = 0, a thin plate of a depth \[m\].
    PlaneStress {
        /// Depth across the plane \[m\]; masses and forces are proportional to it.
        depth: f64,
    },
    /// x is the radius, y the axis: ε_zz = u_r / r, and everything counts once around (2πr).
    Axisymmetric,
    /// Three dimensions.
    Space,
}

impl Kinematics {
    /// The dimension of its meshes.
    pub fn dimension(self) -> usize {
        if self == Self::Space { 3 } else { 2 }
    }
}

/// How the stiffness is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// At the points of the element's table.
    #[default]
    Full,
    /// With fewer points where the table has them: Q8 and H20.
    Reduced,
    /// At all points, the dilatation replaced by its mean over the element (B-bar; Hughes 1980, for finite
    /// strains Simo, Taylor, Pister 1985): Q4, H8 and PRI6 do not lock where the volume can hardly change.
    BBar,
}

/// The material of a body.
#[derive(Clone, Debug)]
pub enum Constitutive {
    /// Small strains.
    Small(Arc<dyn SmallLaw>),
    /// Finite strains.
    Finite(Arc<dyn FiniteLaw>),
}

/// Choices that have defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidOptions {
    /// How the stiffness is integrated; full by default.
    pub integration: Integration,
    /// How the mass is distributed; consistent by default.
    pub mass: MassKind,
    /// Temperature everywhere above that of the reference, where those of the nodes are not told \[K\]; 0 by
    /// default.
    pub temperature: f64,
    /// What is asked of the mesh.
    pub limits: MeshLimits,
}

/// A mesh with a material.
#[derive(Clone, Debug)]
pub struct SolidModel<const D: usize> {
    mesh: Arc<Mesh<D>>,
    kinematics: Kinematics,
    law: Constitutive,
    density: f64,
    options: SolidOptions,
    pattern: Arc<Pattern>,
    /// First integration point of each element, and their number at the end.
    first_point: Vec<u32>,
}

impl<const D: usize> SolidModel<D> {
    /// Looks the mesh over and puts it together with a material of a density \[kg/m³\].
    pub fn new(
        mesh: Arc<Mesh<D>>,
        kinematics: Kinematics,
        law: Constitutive,
        density: f64,
        options: SolidOptions,
    ) -> Result<Self, SolidError> {
        require(density > 0.0, "the density", density, "it must be above 0 kg/m³")?;
        if kinematics.dimension() != D {
            let wanted = "plane strain, plane stress and axisymmetric bodies need a mesh of the plane, others one of \
                          space";
            return Err(SolidError::Unsupported(wanted));
        }
        if let Kinematics::PlaneStrain { depth } | Kinematics::PlaneStress { depth } = kinematics {
            require(depth > 0.0, "the depth", depth, "it must be above 0 m")?;
        }
        if options.integration == Integration::BBar && matches!(kinematics, Kinematics::PlaneStress { .. }) {
            let why = "plane stress does not lock, and B-bar would change its answer; integrate fully";
            return Err(SolidError::Unsupported(why));
        }
        mesh.check(&options.limits)?;
        if kinematics == Kinematics::Axisymmetric
            && let Some(node) = mesh.nodes().iter().position(|x| x[0] < 0.0)
        {
            return Err(MeshFault::NegativeRadius { node, place: shown(&mesh.nodes()[node]) }.into());
        }
        let pattern = Pattern::of_cliques(mesh.nodes().len(), mesh.elements().map(|(_, nodes)| nodes));
        let mut model = Self {
            mesh,
            kinematics,
            law,
            density,
            options,
            pattern: Arc::new(pattern),
            first_point: vec![0],
        };
        let mut points = 0;
        for element in 0..model.mesh.element_count() {
            points += model.rule(element).len() as u32;
            model.first_point.push(points);
        }
        Ok(model)
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh<D>> {
        &self.mesh
    }

    /// How the material is embedded.
    pub fn kinematics(&self) -> Kinematics {
        self.kinematics
    }

    /// The material.
    pub fn law(&self) -> &Constitutive {
        &self.law
    }

    /// Density \[kg/m³\].
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Which nodes share an element.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Number of degrees of freedom: `D` for each node, node after node.
    pub fn dofs(&self) -> usize {
        self.mesh.nodes().len() * D
    }

    /// Number of points with internal variables.
    pub fn points(&self) -> usize {
        self.first_point[self.first_point.len() - 1] as usize
    }

    /// Whether forces are linear in displacements, so that the stiffness is constant.
    pub fn is_linear(&self) -> bool {
        match &self.law {
            Constitutive::Small(law) => law.is_linear(),
            Constitutive::Finite(_) => false,
        }
    }

    /// Internal variables at the beginning, a value for each point.
    pub fn start(&self) -> Vec<PointHistory> {
        let start = match &self.law {
            Constitutive::Small(law) => law.start(),
            Constitutive::Finite(law) => law.start(),
        };
        vec![start; self.points()]
    }

    /// Places of the nodes with three coordinates.
    pub(crate) fn places(&self) -> Vec<[f64; 3]> {
        let place = |x: &drystone_math::Vector<D>| std::array::from_fn(|k| if k < D { x[k] } else { 0.0 });
        self.mesh.nodes().iter().map(place).collect()
    }
}
