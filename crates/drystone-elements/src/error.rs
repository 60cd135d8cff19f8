//! Why something was refused or did not come to an end. Each message is one sentence or two: what was found,
//! what is allowed, what to do.

/// A number that a material, an element or a step cannot work with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {found}, but {allowed}")]
pub struct ParameterError {
    /// The parameter, in words.
    pub name: &'static str,
    /// What was given.
    pub found: f64,
    /// What may be given, and what to do.
    pub allowed: &'static str,
}

/// Checks a parameter.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    found: f64,
    allowed: &'static str,
) -> Result<(), ParameterError> {
    // a comparison with NaN does not hold, so that it is refused as well
    if holds && found.is_finite() { Ok(()) } else { Err(ParameterError { name, found, allowed }) }
}

/// Checks the length of a list.
pub(crate) fn require_length(what: &'static str, found: usize, needed: usize) -> Result<(), SolidError> {
    if found == needed { Ok(()) } else { Err(SolidError::Length { what, found, needed }) }
}

/// Why a mesh is none that a body could be made of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFault {
    /// No elements.
    #[error("the mesh has no elements; give one with elements of the dimension of the scene")]
    Empty,
    /// An element of the wrong dimension.
    #[error("element {element} is a {kind}, but {allowed} are allowed here")]
    Kind {
        /// Number of the element, from 0.
        element: usize,
        /// Its kind.
        kind: &'static str,
        /// Which ones may stand there.
        allowed: &'static str,
    },
    /// A list of nodes that is too long or too short.
    #[error("element {element}, a {kind}, names {found} nodes, but it has {allowed}")]
    NodeCount {
        /// Number of the element, from 0.
        element: usize,
        /// Its kind.
        kind: &'static str,
        /// How many were given.
        found: usize,
        /// How many it has.
        allowed: usize,
    },
    /// A node that is not there.
    #[error("element {element} names node {node}, but the mesh has {nodes}, numbered from 0")]
    NoSuchNode {
        /// Number of the element, from 0.
        element: usize,
        /// The node it names.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A node named twice by one element.
    #[error("element {element} names node {node} twice; every node of an element must be another one")]
    RepeatedNode {
        /// Number of the element, from 0.
        element: usize,
        /// The node.
        node: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("node {node} has a coordinate that is not finite; every coordinate must be a finite number")]
    NotFinite {
        /// Number of the node, from 0.
        node: usize,
    },
    /// An element turned inside out.
    #[error(
        "element {element}, a {kind} around {place}, is inverted (Jacobian {jacobian:e}): number its nodes \
         counterclockwise, as VTK does"
    )]
    Inverted {
        /// Number of the element, from 0.
        element: usize,
        /// Its kind.
        kind: &'static str,
        /// The mean of its nodes.
        place: String,
        /// Determinant of its map.
        jacobian: f64,
    },
    /// An element whose map folds over.
    #[error(
        "element {element}, a {kind} around {place}, is tangled: its Jacobian is {lowest:e} at one point and \
         {highest:e} at another; move its nodes so that it is convex"
    )]
    Tangled {
        /// Number of the element, from 0.
        element: usize,
        /// Its kind.
        kind: &'static str,
        /// The mean of its nodes.
        place: String,
        /// Smallest determinant of its map.
        lowest: f64,
        /// Largest one.
        highest: f64,
    },
    /// An element without volume.
    #[error(
        "element {element}, a {kind} around {place}, is degenerate: its Jacobian is {quality:e} of that of a \
         well-formed one of its size, but at least {allowed:e} is needed; remesh there"
    )]
    Degenerate {
        /// Number of the element, from 0.
        element: usize,
        /// Its kind.
        kind: &'static str,
        /// The mean of its nodes.
        place: String,
        /// Smallest determinant over the largest edge to the power of the dimension.
        quality: f64,
        /// How much is needed.
        allowed: f64,
    },
    /// A node that no element holds.
    #[error("node {node} at {place} belongs to no element; leave it out or connect it")]
    Unconnected {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is.
        place: String,
    },
    /// A face of three elements.
    #[error(
        "elements {elements:?} share one face (nodes {nodes:?}), but at most two may; elements lie over each \
         other there"
    )]
    CrowdedFace {
        /// Numbers of the elements, from 0.
        elements: [usize; 3],
        /// The corners of the face.
        nodes: Vec<u32>,
    },
    /// Two elements on the same side of a face.
    #[error(
        "elements {elements:?} lie on the same side of the face they share (nodes {nodes:?}); one of them is \
         folded over the other"
    )]
    Folded {
        /// Numbers of the elements, from 0.
        elements: [usize; 2],
        /// The corners of the face.
        nodes: Vec<u32>,
    },
    /// A mesh in another unit than metres, most likely.
    #[error(
        "the mesh measures {size} m, but {lowest} to {highest} m are expected; if its unit is another one, \
         scale it, else widen the limits"
    )]
    Unit {
        /// Largest extent \[m\].
        size: f64,
        /// Least that is expected \[m\].
        lowest: f64,
        /// Most that is expected \[m\].
        highest: f64,
    },
    /// A group that the mesh does not have.
    #[error("the mesh has no group {name:?}; it has {known}")]
    NoSuchGroup {
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A node left of the axis of an axisymmetric body.
    #[error("node {node} at {place} has a negative radius; an axisymmetric body lies at x ≥ 0")]
    NegativeRadius {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is.
        place: String,
    },
    /// An outline that cannot be filled.
    #[error(
        "the outline crosses or touches itself, or has no area; give corners one after the other around it"
    )]
    Outline,
    /// A number that a built-in mesh cannot be made with.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// Why a computation with a body stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolidError {
    /// A matrix without inverse.
    #[error(
        "node {node} can move in direction {axis} without resistance; clamp the body so that it cannot move as \
         a whole, or give it a mass"
    )]
    Singular {
        /// The node where the elimination stopped.
        node: usize,
        /// The component.
        axis: usize,
    },
    /// An element turned inside out by its motion: a smaller step or load may keep it from that. Whoever made
    /// the step says what to do.
    #[error("element {element} collapsed: its volume ratio is {ratio:e} at a point")]
    Collapsed {
        /// Number of the element, from 0.
        element: usize,
        /// Determinant of the deformation gradient.
        ratio: f64,
    },
    /// A material that found no state.
    #[error("the material of element {element} found no stress: {why}")]
    Material {
        /// Number of the element, from 0.
        element: usize,
        /// Why.
        why: &'static str,
    },
    /// Newton's method that did not converge: a smaller step or load may help. Whoever made the step says
    /// what to do.
    #[error(
        "no equilibrium after {iterations} iterations: the residual is {residual:e} of the forces, but \
         {allowed:e} is needed"
    )]
    NotConverged {
        /// How many were made.
        iterations: usize,
        /// The last residual, relative.
        residual: f64,
        /// How small it must become.
        allowed: f64,
    },
    /// A list that does not fit the body.
    #[error("{what} has {found} entries, but this body needs {needed}")]
    Length {
        /// The list, in words.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// No degree of freedom to compute.
    #[error("every node of the body is held or driven; leave at least one free")]
    NothingFree,
    /// A body without inertia that can move as a whole.
    #[error(
        "the body can move as a whole, and without inertia nothing says how; hold it so that it cannot, or give \
         it inertia"
    )]
    FreeMotion,
    /// A combination that has no meaning or is not there.
    #[error("{0}")]
    Unsupported(&'static str),
    /// A parameter out of its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Something wrong with the mesh.
    #[error(transparent)]
    Mesh(#[from] MeshFault),
}

impl From<drystone_sparse::NoPivot> for SolidError {
    fn from(missing: drystone_sparse::NoPivot) -> Self {
        Self::Singular { node: missing.row, axis: missing.component }
    }
}
