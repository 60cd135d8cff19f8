//! Rigid bodies in the plane and in space: free motion, H, the two half steps of the θ-scheme. Knows no contact law
//! and no shape.

mod kinematics;
mod motion;

pub use kinematics::{advance, jacobian, middle, spin_of, spin_rows};
pub use motion::{FreeMotion, free_motion};
