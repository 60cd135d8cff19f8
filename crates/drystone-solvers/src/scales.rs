//! The scales that take the units from a problem and make its contacts about as compliant as each other.
//! Knows no operator: what is done with the scales is theirs who ask.

use drystone_problem::{Scale, Set, Vector};

/// `diag(p_i d^{-1/2} / ℓ_i)` of one contact: `d` its mean compliance, `ℓ` the lever of a moment, `p` the
/// share that sliding friction is multiplied with.
pub(crate) fn scales<const D: usize>(scale: &Scale, set: &Set, share: f64) -> Vector<D> {
    let mut scales = scale.levers::<D>(set).map(|lever| 1.0 / (lever * scale.compliance.sqrt()));
    for component in set.tangential::<D>() {
        scales[component] *= share;
    }
    scales
}

/// The scaled free velocity `q`, brought to a largest component of 1, and the `s` it was divided by: the
/// scales are multiplied with it.
pub(crate) fn scale_velocity<const D: usize>(
    u_free: &[Vector<D>],
    scales: &mut [Vector<D>],
) -> (Vec<Vector<D>>, f64) {
    let mut q: Vec<Vector<D>> =
        u_free.iter().zip(scales.iter()).map(|(u, scales)| u.component_mul(scales)).collect();
    let size = q.iter().map(|q| q.amax()).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { 1.0 };
    q.iter_mut().for_each(|q| *q /= size);
    scales.iter_mut().for_each(|scales| *scales *= size);
    (q, size)
}
