//! A semicircular arch of equal wedge-shaped stones with radial joints.

use drystone_math::Vector;
use drystone_math::portable;
use std::f64::consts::PI;

/// One stone of an arch: its four corners in world axes, counter-clockwise \[m\].
#[derive(Clone, Debug, PartialEq)]
pub struct Voussoir {
    /// Corners.
    pub corners: [Vector<2>; 4],
}

/// `count` stones of a semicircular arch with mean radius `radius` and thickness `thickness` \[m\], centred
/// on the origin, from the right springing to the left one. Neighbours share their corners to the last bit.
pub fn semicircular_arch(count: usize, radius: f64, thickness: f64) -> Vec<Voussoir> {
    let joint = |k: usize| {
        let angle = PI * k as f64 / count as f64;
        // the springings lie exactly on the ground
        let direction = match k {
            0 => Vector::<2>::new(1.0, 0.0),
            k if k == count => Vector::<2>::new(-1.0, 0.0),
            _ => Vector::<2>::new(portable::cos(angle), portable::sin(angle)),
        };
        [direction * (radius - 0.5 * thickness), direction * (radius + 0.5 * thickness)]
    };
    (0..count)
        .map(|k| {
            let ([inner, outer], [inner_next, outer_next]) = (joint(k), joint(k + 1));
            Voussoir { corners: [inner, outer, outer_next, inner_next] }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_share_joints_and_fill_the_ring() {
        let arch = semicircular_arch(27, 10.0, 1.1);
        let area: f64 = arch
            .iter()
            .map(|stone| {
                let c = &stone.corners;
                (0..4).map(|i| c[i].perp(&c[(i + 1) % 4])).sum::<f64>() * 0.5
            })
            .sum();
        assert!((area - PI * 10.0 * 1.1).abs() < 0.1);
        for pair in arch.windows(2) {
            assert_eq!(pair[0].corners[2], pair[1].corners[1]);
        }
    }
}
