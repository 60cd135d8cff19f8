//! How to draw: size, colours, what is shown and from where. Says nothing about what is drawn.

/// How to draw a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Width \[pixel\].
    pub width: u32,
    /// Height \[pixel\]; when not given it follows from the shape of what is drawn.
    pub height: Option<u32>,
    /// What is shown besides the bodies.
    pub show: Show,
    /// What the colour of a body means.
    pub colour_by: ColourBy,
    /// From where space is seen; unused in the plane.
    pub view: View,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 960,
            height: None,
            show: Show::Bodies,
            colour_by: ColourBy::Group,
            view: View::default(),
        }
    }
}

/// What is shown besides the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The bodies alone.
    #[default]
    Bodies,
    /// An arrow along the velocity of each body.
    Velocities,
    /// The force chains: at each contact a line from centre to centre, as thick as the normal force is large.
    Forces,
    /// Velocities and forces.
    All,
}

impl Show {
    pub(crate) fn forces(self) -> bool {
        matches!(self, Show::Forces | Show::All)
    }

    pub(crate) fn velocities(self) -> bool {
        matches!(self, Show::Velocities | Show::All)
    }
}

/// What the colour of a body means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Its group; supports are grey.
    #[default]
    Group,
    /// The norm of its velocity, with a colour bar.
    Speed,
    /// Nothing: every body looks like stone.
    None,
}

/// From where space is seen. The projection is orthographic and z points up on the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle of the viewer about z, from x towards y \[degree\].
    pub azimuth: f64,
    /// Height of the viewer over the horizon \[degree\]; kept within ±89.
    pub elevation: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth: -60.0, elevation: 20.0 }
    }
}
