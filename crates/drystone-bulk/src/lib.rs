//! Rigid bodies in the plane and in space: free motion, H, the two half steps of the θ-scheme. Knows no contact law
//! and no shape.

mod coast;
mod kinematics;
mod motion;
mod turning;

pub use coast::{arrive, coast, depart, from_touch};
pub use kinematics::{advance, jacobian, middle, particle_rate, spin_of, spin_rows};
pub use motion::{FreeMotion, free_motion};
pub use turning::{moment_in_world, row_in_body_axes, turn_about_last, turn_rows, turned_off, twist};
