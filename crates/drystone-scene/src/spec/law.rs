//! Contact laws as they are written. Decides nothing about which pairs need one.

use super::bonds::{BilinearSpec, ExponentialSpec, MacSpec, TrapezoidalSpec};
use super::contacts::{NoneSpec, PercussionSpec, UnilateralSpec, ViscoelasticSpec};
use crate::laws::LawTable;
use crate::place::{Place, Problems};
use drystone::{Capillary, Inelastic, Law, MohrCoulomb, Orowan, Poisson, Restitution, Rolling, Tresca};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tables of a law, a line each.
macro_rules! laws {
    ($($(#[doc = $doc:literal])+ $name:ident: $table:ty,)+) => {
        /// The law between two groups: exactly one of its tables must be given.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct LawSpec {
            /// The two groups (no default); "*" stands for any group, and a pair without it wins over a pair
            /// with it.
            pub between: Vec<String>,
            $(
                $(#[doc = $doc])+
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $name: Option<$table>,
            )+
        }

        impl LawSpec {
            /// Keys of the laws there are.
            pub(crate) const KINDS: &'static [&'static str] = &[$(stringify!($name)),+];

            /// How many laws are given.
            pub(crate) fn given(&self) -> usize {
                0 $(+ usize::from(self.$name.is_some()))+
            }

            /// Checks the numbers of the laws that are given.
            pub(crate) fn check(&self, problems: &mut Problems, place: &Place) {
                $(if let Some(table) = &self.$name {
                    table.check(problems, &place.key(stringify!($name)));
                })+
            }

            /// The law that is given.
            pub(crate) fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
                $(if let Some(table) = &self.$name {
                    return table.law();
                })+
                None
            }
        }
    };
}

laws! {
    /// They pass through each other; default: not this.
    none: NoneSpec,
    /// No rebound, with Coulomb friction; default: not this law.
    inelastic: Inelastic,
    /// Moreau's restitution, with Coulomb friction; default: not this law.
    restitution: Restitution,
    /// Poisson's restitution in two phases, which never gains energy, with Coulomb friction; default: not
    /// this law.
    poisson: Poisson,
    /// No rebound, with a gap to count from, at the level of velocities or positions, and friction that may
    /// vary; default: not this law.
    unilateral: UnilateralSpec,
    /// No rebound, with friction that grows no more beyond a normal force; default: not this law.
    orowan: Orowan,
    /// No rebound, with friction of a given threshold; default: not this law.
    tresca: Tresca,
    /// Percussions from pseudopotentials of dissipation, the laws of A-CD²; default: not this law.
    percussion: PercussionSpec,
    /// Springs and dashpots, with Coulomb friction; default: not this law.
    viscoelastic: ViscoelasticSpec,
    /// Resistance to sliding, rolling and twisting; default: not this law.
    rolling: Rolling,
    /// Liquid bridges; default: not this law.
    capillary: Capillary,
    /// Rigid bonds with a strength, lost for good; default: not this law.
    mohr_coulomb: MohrCoulomb,
    /// Cohesive zone with the adhesion of Monerie, Acary and Cangémi; default: not this law.
    mac: MacSpec,
    /// Cohesive zone with a rise and a fall along straight lines; default: not this law.
    bilinear: BilinearSpec,
    /// Cohesive zone with a rise, a level and a fall along straight lines; default: not this law.
    trapezoidal: TrapezoidalSpec,
    /// Cohesive zone with a smooth curve; default: not this law.
    exponential: ExponentialSpec,
}

impl LawSpec {
    /// No law yet between two groups.
    pub fn between(a: &str, b: &str) -> Self {
        Self { between: vec![a.into(), b.into()], ..Self::default() }
    }

    /// A law without rebound between two groups, with its coefficient of friction \[-\].
    pub fn inelastic(a: &str, b: &str, friction: f64) -> Self {
        Self { inelastic: Some(Inelastic { friction }), ..Self::between(a, b) }
    }

    /// A law with rebound between two groups.
    pub fn restitution(a: &str, b: &str, restitution: Restitution) -> Self {
        Self { restitution: Some(restitution), ..Self::between(a, b) }
    }

    /// Whether two entries give the same law, whatever the groups.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        Self { between: other.between.clone(), ..self.clone() } == *other
    }
}
