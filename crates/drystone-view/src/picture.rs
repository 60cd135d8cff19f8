//! What to draw, as plain data. Holds no reference to a simulation, so that a picture can be made from
//! anything.

/// A state of a collection of bodies, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// 2 or 3. In the plane the third component of every vector is ignored.
    pub dimension: usize,
    /// Written at the top left; may be empty.
    pub title: String,
    /// Time of the state \[s\], written at the top right; not written where it is NaN.
    pub time: f64,
    /// The shapes, in the order in which they are drawn in the plane.
    pub items: Vec<Item>,
    /// The contacts and their forces.
    pub contacts: Vec<ForceSegment>,
    /// The ties that are whole.
    pub ties: Vec<TieSegment>,
    /// Bars on joints, always shown.
    pub bars: Vec<Bar>,
    /// What the values of [`Form::Field`] are.
    pub field: Option<SolidField>,
}

/// A field of deformable bodies that gives them their colours: a size, from zero on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolidField {
    /// Von Mises' stress \[Pa\].
    VonMises,
    /// Displacement by deformation \[m\].
    Displacement,
    /// Accumulated plastic strain.
    PlasticStrain,
}

impl SolidField {
    /// Its words in a legend.
    pub fn name(self) -> &'static str {
        match self {
            Self::VonMises => "von Mises stress",
            Self::Displacement => "displacement",
            Self::PlasticStrain => "plastic strain",
        }
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::VonMises => "Pa",
            Self::Displacement => "m",
            Self::PlasticStrain => "",
        }
    }
}

/// One shape of one body, where it stands. A body of several shapes is several items.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Index of the body.
    pub body: u32,
    /// Group of the body; chooses the colour.
    pub group: u32,
    /// Whether the body is a support rather than one of those that move.
    pub fixed: bool,
    /// Origin of the shape in world axes \[m\].
    pub position: [f64; 3],
    /// Orientation of the shape, scalar first; need not be normalised.
    pub orientation_wxyz: [f64; 4],
    /// Velocity of the centre of the body in world axes \[m/s\].
    pub velocity: [f64; 3],
    /// The shape.
    pub form: Form,
}

/// A shape in its own axes \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Disk or sphere about the origin.
    Ball {
        /// Radius \[m\].
        radius: f64,
    },
    /// The origin alone, drawn as a dot of a few pixels.
    Point,
    /// Everything below the origin: outward normal `+y` in the plane, `+z` in space.
    HalfSpace,
    /// A polygon of the plane, in either sense.
    Polygon {
        /// Corners in order \[m\].
        vertices: Vec<[f64; 2]>,
        /// Corners of each of its holes, in order \[m\].
        holes: Vec<Vec<[f64; 2]>>,
    },
    /// A convex polyhedron of space.
    Polyhedron {
        /// Corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// Loops of indices into the corners, in either sense.
        faces: Vec<Vec<u32>>,
    },
    /// A line of the plane without an inside to fill: terrain, a drum.
    Line {
        /// Points in order \[m\].
        vertices: Vec<[f64; 2]>,
        /// Whether it returns to its first point.
        closed: bool,
    },
    /// Triangles with a value at each corner: in the plane they fill a body, in space they are its boundary,
    /// counter-clockwise from outside.
    Field {
        /// Corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// Indices into the corners.
        triangles: Vec<[u32; 3]>,
        /// A value of each corner.
        values: Vec<f64>,
    },
    /// A surface of space, convex or not, open or closed, of which one side is seen.
    Surface {
        /// Corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// Loops of indices into the corners, counter-clockwise from the side that is seen.
        faces: Vec<Vec<u32>>,
    },
}

impl Form {
    /// The same form, all lengths times a factor; of half-spaces and points nothing changes.
    pub fn scaled(&self, factor: f64) -> Self {
        let flat = |points: &[[f64; 2]]| points.iter().map(|point| point.map(|x| x * factor)).collect();
        let solid = |points: &[[f64; 3]]| points.iter().map(|point| point.map(|x| x * factor)).collect();
        match self {
            Self::Ball { radius } => Self::Ball { radius: radius * factor },
            Self::Point => Self::Point,
            Self::HalfSpace => Self::HalfSpace,
            Self::Polygon { vertices, holes } => Self::Polygon {
                vertices: flat(vertices),
                holes: holes.iter().map(|hole| flat(hole)).collect(),
            },
            Self::Polyhedron { vertices, faces } => {
                Self::Polyhedron { vertices: solid(vertices), faces: faces.clone() }
            }
            Self::Line { vertices, closed } => Self::Line { vertices: flat(vertices), closed: *closed },
            Self::Field { vertices, triangles, values } => Self::Field {
                vertices: solid(vertices),
                triangles: triangles.clone(),
                values: values.clone(),
            },
            Self::Surface { vertices, faces } => {
                Self::Surface { vertices: solid(vertices), faces: faces.clone() }
            }
        }
    }
}

/// A contact and the force it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceSegment {
    /// Indices of the two bodies. Contacts of the same two are drawn as one resultant.
    pub bodies: [u32; 2],
    /// Where the bodies touch, in world axes \[m\].
    pub point: [f64; 3],
    /// Unit normal, in world axes, into the first body.
    pub normal: [f64; 3],
    /// Force, in world axes \[N\].
    pub force: [f64; 3],
    /// Centres of the two bodies \[m\]; none where a body has no centre worth showing (half-spaces, walls,
    /// bodies that deform).
    pub centres: [Option<[f64; 3]>; 2],
    /// What the contact does.
    pub status: Status,
}

/// What a joint carries at least and at most, as a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Where it stands, in world axes \[m\].
    pub point: [f64; 3],
    /// The way it goes, of any length.
    pub along: [f64; 3],
    /// Least and largest force \[N\]; infinite where there is no bound.
    pub between: [f64; 2],
}

/// A tie between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieSegment {
    /// Its two ends, in world axes \[m\].
    pub ends: [[f64; 3]; 2],
    /// What it looks like.
    pub form: TieForm,
    /// Its axes in world axes, where it has any: the one it slides along or turns about, and of a universal
    /// joint the second one.
    pub axes: [Option<[f64; 3]>; 2],
}

/// What a tie looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieForm {
    /// A filled square: holds everything.
    Weld,
    /// A ring with a dot in it: a ball in its socket; in the plane a pin.
    Ball,
    /// A sleeve on its axis; in the plane a ring, a pin.
    Hinge,
    /// A block on its rail.
    Slider,
    /// A block on its rail with a ring: it turns as well; in the plane a pin in its slot.
    Cylindrical,
    /// A cross of two axes.
    Universal,
    /// A block on its rail with threads.
    Screw,
    /// A toothed line along the rack, and a ring on the pinion.
    Rack,
    /// A thick line.
    Rod,
    /// A thin line.
    Wire,
    /// A zigzag.
    Spring,
    /// A spiral round its first end.
    Torsion,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Carries no force.
    Open,
    /// Carries a force and does not slide.
    Stick,
    /// Slides.
    Slip,
}
