//! Where frames go: one trait for all, and the sink that keeps them in memory. Files are written elsewhere.

use super::hooks::HookError;
use super::{Contact, Coordinates};
use crate::{AnySimulation, StepReport};
use drystone_state::BodyHandle;

/// Something that takes frames of a run: a file, memory, a connection.
pub trait Sink {
    /// Takes the simulation as it is now.
    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError>;

    /// Asked before every step: whether the run goes on.
    fn wants_step(&mut self, _simulation: &mut AnySimulation) -> Result<bool, HookError> {
        Ok(true)
    }

    /// Called after every step, with or without a frame.
    fn step(&mut self, _simulation: &AnySimulation, _report: &StepReport) -> Result<(), HookError> {
        Ok(())
    }

    /// Takes the simulation at the end of a run that ends between two frames.
    fn last_frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        self.frame(simulation)
    }
}

/// One body in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameBody {
    /// Which one.
    pub body: BodyHandle,
    /// Centre of mass \[m\].
    pub position: Coordinates,
    /// Orientation of its shape as a unit quaternion w, x, y, z.
    pub orientation_wxyz: [f64; 4],
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: Coordinates,
    /// Spin \[rad/s\]: about z in the plane, in world axes in space.
    pub spin: Coordinates,
}

/// A simulation at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// The bodies there are, in their order.
    pub bodies: Vec<FrameBody>,
    /// The contacts of the last step.
    pub contacts: Vec<Contact>,
}

/// Keeps frames in memory.
///
/// ```
/// use drystone::prelude::*;
/// # fn main() -> Result<(), ChangeError> {
/// let ball = Body::disk(0.1).density(1000.0).velocity([1.0, 0.0]);
/// let mut sim = Simulation::plane().step(0.01).body(ball).build()?;
/// let mut recorder = Recorder::default();
/// sim.run_into(1.0, 0.1, &mut recorder)?;
/// assert_eq!(recorder.frames.len(), 11);
/// assert!((recorder.frames[10].bodies[0].position[0] - 1.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The frames so far.
    pub frames: Vec<Frame>,
}

impl Sink for Recorder {
    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        let one = |body: BodyHandle| -> Result<FrameBody, HookError> {
            Ok(FrameBody {
                body,
                position: simulation.position(body)?,
                orientation_wxyz: simulation.orientation_wxyz(body)?,
                velocity: simulation.velocity(body)?,
                spin: simulation.spin(body)?,
            })
        };
        let bodies = simulation.bodies().into_iter().map(one).collect::<Result<_, _>>()?;
        let (step, time, contacts) = (simulation.steps_done(), simulation.time(), simulation.contacts());
        self.frames.push(Frame { step, time, bodies, contacts });
        Ok(())
    }
}
