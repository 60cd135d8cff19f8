//! Elementary functions that give the same bits on every processor. The system's own are chosen for the
//! processor at run time and differ in the last digit; square roots do not, and stay those of `f64`.

use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};

pub use libm::{atan2, cbrt, cos, exp, hypot, log as ln, pow, sin, sincos as sin_cos, tan};

/// A turn by an angle \[rad\] about an axis.
pub fn turn(axis: &Unit<Vector3<f64>>, angle: f64) -> UnitQuaternion<f64> {
    let (sine, cosine) = sin_cos(0.5 * angle);
    Unit::new_unchecked(Quaternion::from_parts(cosine, axis.into_inner() * sine))
}

/// The turn about an axis times angle \[rad\]; one by less than rounding is none.
pub fn turn_by(scaled_axis: &Vector3<f64>) -> UnitQuaternion<f64> {
    let half = scaled_axis * 0.5;
    let square = half.norm_squared();
    if square <= f64::EPSILON * f64::EPSILON {
        return UnitQuaternion::identity();
    }
    let angle = square.sqrt();
    let (sine, cosine) = sin_cos(angle);
    Unit::new_unchecked(Quaternion::from_parts(cosine, half * (sine / angle)))
}

/// The turn that leads one direction to another by the shortest way; none if they are opposite or not known.
pub fn turn_between(from: &Vector3<f64>, to: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let (from, to) = (from.try_normalize(0.0)?, to.try_normalize(0.0)?);
    // half of the angle lies between the first direction and the middle of both
    let middle = (from + to).try_normalize(f64::EPSILON)?;
    Some(Unit::new_normalize(Quaternion::from_parts(from.dot(&middle), from.cross(&middle))))
}

/// Axis times angle \[rad\], from 0 to π, of a turn.
pub fn scaled_axis(turn: &UnitQuaternion<f64>) -> Vector3<f64> {
    let turn = if turn.w < 0.0 { -turn.into_inner() } else { turn.into_inner() };
    let sine = turn.imag().norm();
    if sine > 0.0 { turn.imag() * (2.0 * atan2(sine, turn.w) / sine) } else { Vector3::zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_algebra() {
        for k in 0..50 {
            let number = |rate: f64| (f64::from(k) * rate).sin();
            let axis = Vector3::new(number(0.7), number(1.3), number(2.9) + 0.1);
            let unit = Unit::new_normalize(axis);
            let expected = UnitQuaternion::from_axis_angle(&unit, 3.0 * number(0.37));
            let found = turn(&unit, 3.0 * number(0.37));
            assert!((found.into_inner() - expected.into_inner()).norm() < 1e-15);
            assert!((scaled_axis(&found) - expected.scaled_axis()).norm() < 1e-14);
            let by = UnitQuaternion::new(axis * number(1.9));
            assert!((turn_by(&(axis * number(1.9))).into_inner() - by.into_inner()).norm() < 1e-15);
            let to = Vector3::new(number(3.1), 0.2 + number(0.2), number(1.9));
            let between = turn_between(&axis, &to).unwrap();
            assert!((between * unit.into_inner() - to.normalize()).norm() < 1e-14);
            assert!(between.angle() <= std::f64::consts::PI);
        }
        assert_eq!(scaled_axis(&UnitQuaternion::identity()), Vector3::zeros());
        assert_eq!(turn_by(&Vector3::zeros()), UnitQuaternion::identity());
        assert!(turn_by(&Vector3::repeat(f64::NAN)).w.is_nan());
        assert_eq!(turn_between(&Vector3::x(), &-Vector3::x()), None);
        assert_eq!(turn_between(&Vector3::x(), &Vector3::zeros()), None);
    }

    /// Another version of the library may change no bit of a run.
    #[test]
    fn values_are_what_they_were() {
        let mut hash = 0u64;
        for k in 1..2000 {
            let x = f64::from(k) * 0.0173;
            for value in [sin(x), cos(x), atan2(x, 3.0), exp(-x), hypot(x, 0.7), ln(x), cbrt(x)] {
                hash = (hash ^ value.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        assert_eq!(hash, 0xb627_115c_5101_07bc, "{hash:#x}");
    }
}
