//! What makes a body deformable, as it is written. Builds no mesh.

use super::SignalSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a body deforms: its shape is filled with finite elements of its material, which needs `young` and
/// `poisson`. Shapes: disk, box, polygon, rounded_rectangle and capsule in 2D, box, cylinder, sphere, capsule
/// and polyhedron in 3D, elements of a file in both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeformSpec {
    /// Size of the elements \[m\], about, greater than 0; no default, and none at all for a shape of
    /// elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub size: Option<f64>,
    /// Kind of the elements: T3, T6, Q4, Q8 in 2D, TE4, TE10, H8, H20, PRI6, PRI15 in 3D; default: in 2D
    /// "T3", of a box "Q4", in 3D "H8", of a polyhedron "TE4".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<ElementName>,
    /// In 2D, whether the body is a slice of a long one, a thin plate, or the section of a body of
    /// revolution; default: "strain".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneName>,
    /// How the stiffness is integrated; default: "full".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integration: Option<IntegrationName>,
    /// How the mass of an element is shared by its nodes; default: "consistent".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<MassName>,
    /// How much warmer it is than where it has no stress \[K\], for the whole run; default: 0. Its material
    /// needs `expansion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Whether its deformation has no inertia, so that forces are in balance at the end of every step; a
    /// rigid motion keeps its inertia; default: false.
    #[serde(default, skip_serializing_if = "super::body::is_false")]
    pub quasi_static: bool,
    /// Whether its skin may touch itself, as the body folds; default: false, and its facets pass through each
    /// other.
    #[serde(default, skip_serializing_if = "super::body::is_false")]
    pub self_contact: bool,
    /// Groups of nodes that are held or driven; default: none, and the body is free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hold: Vec<HoldSpec>,
    /// Loads on groups of faces; default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load: Vec<FaceLoadSpec>,
}

/// Nodes that are held or driven.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoldSpec {
    /// Name of the group: left, right, bottom, top of a box in 2D, with front and back in 3D, rim of a disk,
    /// bottom, top, mantle of a cylinder, those of the file of elements, see the book for other shapes (no
    /// default).
    pub group: String,
    /// Axes of the world along which it is held, of "x", "y", "z"; default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<String>>,
    /// Velocity with which it is driven along them \[m/s\], a signal for each axis of the world, as every
    /// step ends; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<SignalSpec>>,
    /// Displacement with which it is driven along them \[m\], from where it begins, a signal for each axis
    /// of the world, instead of velocity; default: by velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displacement: Option<Vec<SignalSpec>>,
}

/// A load on faces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaceLoadSpec {
    /// Name of the group (no default).
    pub group: String,
    /// Pressure on its faces \[Pa\], a signal, positive inwards, turning with the body; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<SignalSpec>,
    /// Force that its faces share by their areas \[N\], a signal for each axis of the world; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<SignalSpec>>,
}

/// A signal of a deformable body, with the list it is in, its place there, its key and its component.
type Listed<T> = (&'static str, usize, &'static str, Option<usize>, T);

/// The same of a body that is not changed.
pub(crate) type ListedSignal<'a> = Listed<&'a SignalSpec>;

impl DeformSpec {
    /// All signals: of `hold` velocities and displacements, of `load` pressures and forces.
    pub(crate) fn signals(&self) -> impl Iterator<Item = Listed<&SignalSpec>> {
        let held =
            self.hold.iter().enumerate().flat_map(|(index, HoldSpec { velocity, displacement, .. })| {
                let velocity = velocity.iter().flatten().enumerate();
                let velocity =
                    velocity.map(move |(axis, signal)| ("hold", index, "velocity", Some(axis), signal));
                let way = displacement.iter().flatten().enumerate();
                velocity
                    .chain(way.map(move |(axis, signal)| ("hold", index, "displacement", Some(axis), signal)))
            });
        let loads = self.load.iter().enumerate().flat_map(|(index, load)| {
            let pressure = load.pressure.iter().map(move |signal| ("load", index, "pressure", None, signal));
            let force = load.force.iter().flatten().enumerate();
            pressure.chain(force.map(move |(axis, signal)| ("load", index, "force", Some(axis), signal)))
        });
        held.chain(loads)
    }

    /// The same, to change them.
    pub(crate) fn signals_mut(&mut self) -> impl Iterator<Item = Listed<&mut SignalSpec>> {
        let held =
            self.hold.iter_mut().enumerate().flat_map(|(index, HoldSpec { velocity, displacement, .. })| {
                let velocity = velocity.iter_mut().flatten().enumerate();
                let velocity =
                    velocity.map(move |(axis, signal)| ("hold", index, "velocity", Some(axis), signal));
                let way = displacement.iter_mut().flatten().enumerate();
                velocity
                    .chain(way.map(move |(axis, signal)| ("hold", index, "displacement", Some(axis), signal)))
            });
        let loads =
            self.load.iter_mut().enumerate().flat_map(|(index, FaceLoadSpec { pressure, force, .. })| {
                let pressure =
                    pressure.iter_mut().map(move |signal| ("load", index, "pressure", None, signal));
                let force = force.iter_mut().flatten().enumerate();
                pressure.chain(force.map(move |(axis, signal)| ("load", index, "force", Some(axis), signal)))
            });
        held.chain(loads)
    }
}

/// Kinds of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ElementName {
    /// Triangle of three nodes.
    T3,
    /// Triangle of six nodes.
    T6,
    /// Quadrangle of four nodes.
    Q4,
    /// Quadrangle of eight nodes.
    Q8,
    /// Tetrahedron of four nodes.
    Te4,
    /// Tetrahedron of ten nodes.
    Te10,
    /// Hexahedron of eight nodes.
    H8,
    /// Hexahedron of twenty nodes.
    H20,
    /// Prism of six nodes.
    Pri6,
    /// Prism of fifteen nodes.
    Pri15,
}

/// What a body of the plane is in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlaneName {
    /// A slice of 1 m of a long body: no strain across the plane.
    Strain,
    /// A plate of 1 m: no stress across the plane.
    Stress,
    /// The section of a body of revolution about x = 0: x is the radius, y the axis; masses, forces and
    /// areas are those of all the way around.
    Axisymmetric,
}

/// How the mass of an element is shared by its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MassName {
    /// By the shape functions, as displacements are.
    Consistent,
    /// All of it on the nodes themselves.
    Lumped,
}

/// How the stiffness is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegrationName {
    /// At all points.
    Full,
    /// At fewer points, of Q8 and H20.
    Reduced,
    /// At all points, the dilatation by its mean over the element: against locking of Q4, H8 and PRI6.
    BBar,
}
