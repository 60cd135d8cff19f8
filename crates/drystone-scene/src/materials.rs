//! The law of a material as it is written. Knows no body and no mesh.

use crate::spec::{Material, MaterialLawName, StrainName};
use drystone::Orientation;
use drystone_elements::ParameterError;
use drystone_elements::law::{
    Dilatation, ElasticIsotropic, J2Plasticity, KelvinVoigt, Logarithmic, MooneyRivlin, NeoHookean,
    Orthotropic, OrthotropicModuli, SaintVenantKirchhoff, SmallLaw,
};
use drystone_elements::model::Constitutive;
use drystone_math::nalgebra::Vector3;
use std::sync::Arc;

/// A law of small strains, with expansion by heat where the material has some.
fn small(law: impl SmallLaw + 'static, expansion: Option<f64>) -> Result<Constitutive, ParameterError> {
    Ok(match expansion.filter(|&alpha| alpha != 0.0) {
        Some(alpha) => Constitutive::Small(Arc::new(Dilatation::new(law, [alpha; 3])?)),
        None => Constitutive::Small(Arc::new(law)),
    })
}

/// Hooke's law of a material with three axes, which lie in the axes of the body as those of the shape do.
pub(crate) fn orthotropic(
    material: &Material,
    shape_axes: &Orientation,
) -> Result<Orthotropic, ParameterError> {
    let given = material.axes.unwrap_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    Orthotropic::new(&OrthotropicModuli {
        young: material.young_moduli.unwrap_or_default(),
        poisson: material.poisson_ratios.unwrap_or_default(),
        shear: material.shear_moduli.unwrap_or_default(),
        axes: given.map(|axis| (shape_axes * Vector3::from(axis)).into()),
    })
}

/// The law of a material, given how the axes of the shape lie in those of the body.
pub(crate) fn law_of(material: &Material, shape_axes: &Orientation) -> Result<Constitutive, ParameterError> {
    let or_zero = |value: Option<f64>| value.unwrap_or(0.0);
    let (young, poisson) = (or_zero(material.young), or_zero(material.poisson));
    Ok(match material.material_law() {
        MaterialLawName::Elastic => {
            let elastic = ElasticIsotropic::new(young, poisson)?;
            match or_zero(material.retardation) {
                time if time > 0.0 => small(KelvinVoigt::new(elastic, time)?, material.expansion)?,
                _ => small(elastic, material.expansion)?,
            }
        }
        MaterialLawName::Orthotropic => small(orthotropic(material, shape_axes)?, material.expansion)?,
        MaterialLawName::NeoHookean => Constitutive::Finite(Arc::new(NeoHookean::new(young, poisson)?)),
        MaterialLawName::SaintVenant => {
            Constitutive::Finite(Arc::new(SaintVenantKirchhoff::new(young, poisson)?))
        }
        MaterialLawName::MooneyRivlin => {
            let [c10, c01, bulk] = [material.c10, material.c01, material.bulk].map(or_zero);
            Constitutive::Finite(Arc::new(MooneyRivlin::new(c10, c01, bulk)?))
        }
        MaterialLawName::Plastic => {
            let elastic = ElasticIsotropic::new(young, poisson)?;
            let [start, isotropic, kinematic] =
                [material.yield_stress, material.hardening, material.kinematic_hardening].map(or_zero);
            let law = J2Plasticity::new(elastic, start, isotropic, kinematic)?;
            match material.strain {
                Some(StrainName::Small) => Constitutive::Small(Arc::new(law)),
                _ => Constitutive::Finite(Arc::new(Logarithmic(law))),
            }
        }
    })
}
