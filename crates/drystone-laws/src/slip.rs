//! Tangential displacements that survive a turn of the contact frame. Knows no law.

use crate::Approach;
use drystone_math::Vector;

/// The tangential displacement kept in world axes in `kept`, in the frame of the contact \[m\]. What the turn
/// of the frame put into the normal is taken out, and the length kept.
pub(crate) fn recall<const D: usize>(approach: &Approach<D>, kept: &[f64]) -> Vector<D> {
    let world = Vector::<D>::from_fn(|i, _| kept.get(i).copied().unwrap_or(0.0));
    let mut slip = approach.frame.tr_mul(&world);
    slip[0] = 0.0;
    let (length, left) = (world.norm(), slip.norm());
    if left > 0.0 { slip * (length / left) } else { slip }
}

/// Keeps a tangential displacement of the frame in world axes.
pub(crate) fn store<const D: usize>(approach: &Approach<D>, slip: &Vector<D>, kept: &mut [f64]) {
    let world = approach.frame * slip;
    for (kept, value) in kept.iter_mut().zip(world.iter()) {
        *kept = *value;
    }
}

/// Names of its components.
pub(crate) fn names<const D: usize>() -> impl Iterator<Item = &'static str> {
    ["slip_x", "slip_y", "slip_z"].into_iter().take(D)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Matrix;

    #[test]
    fn a_turned_frame_keeps_the_length() {
        let approach = Approach::new(0.0, Vector::<3>::zeros(), 1.0);
        let mut kept = [0.0; 3];
        store(&approach, &Vector::<3>::new(0.0, 3.0, 4.0), &mut kept);
        let (c, s) = (0.1_f64.cos(), 0.1_f64.sin());
        let turned = Matrix::<3, 3>::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
        let slip = recall(&Approach { frame: turned, ..approach }, &kept);
        assert!((slip.norm() - 5.0).abs() < 1e-14 && slip[0] == 0.0 && slip[1] > 0.0);
    }
}
