//! What a signal of the scene is at a time: formulas, tables, and records of earthquakes integrated to
//! velocities. Reads no file.

use crate::spec::{AfterEnd, Baseline, CurveSpec, Interpolation, SignalSpec};
use drystone::{Expression, Signal};

/// What a signal is used for: an accelerogram prescribes a velocity, or is an acceleration itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalUse {
    /// A load, a way, a stress or a coefficient.
    Value,
    /// A prescribed velocity.
    Velocity,
    /// A component of gravity.
    Acceleration,
}

/// A signal that was checked. What cannot be evaluated gives no number, which ends a run with an error.
pub(crate) fn signal(spec: &SignalSpec, used: SignalUse) -> Signal {
    match spec {
        SignalSpec::Value(value) => (*value).into(),
        SignalSpec::Formula(text) => match Expression::parse(text) {
            Ok(expression) => expression.into(),
            Err(_) => f64::NAN.into(),
        },
        SignalSpec::Curve(curve) => {
            let motion = Motion::new(curve, used);
            (move |time: f64| motion.at(time)).into()
        }
    }
}

/// The points of a table, cubic between them where they are integrals.
struct Motion {
    points: Vec<[f64; 2]>,
    /// Accelerations at the points, where the values are velocities.
    rates: Option<Vec<f64>>,
    interpolation: Interpolation,
    after: AfterEnd,
}

impl Motion {
    fn new(curve: &CurveSpec, used: SignalUse) -> Self {
        let points: Vec<[f64; 2]> = points(curve).iter().map(|[t, x]| [*t, x * curve.scale]).collect();
        let interpolation = curve.interpolation;
        if curve.accelerogram.is_none() {
            return Self { points, rates: None, interpolation, after: curve.after.unwrap_or(AfterEnd::Hold) };
        }
        let after = curve.after.unwrap_or(AfterEnd::Zero);
        let record = corrected(points, curve.baseline);
        match used {
            SignalUse::Velocity => {
                let (velocities, _) = integrals(&record);
                let points = record.iter().zip(velocities).map(|(&[t, _], v)| [t, v]).collect();
                let rates = Some(record.iter().map(|&[_, a]| a).collect());
                Self { points, rates, interpolation, after }
            }
            _ => Self { points: record, rates: None, interpolation, after },
        }
    }

    fn at(&self, time: f64) -> f64 {
        let (Some(&[first, begin]), Some(&[last, end])) = (self.points.first(), self.points.last()) else {
            return f64::NAN;
        };
        let length = last - first;
        let time = match self.after {
            AfterEnd::Repeat if time > last && length > 0.0 => {
                first + (time - first) - length * ((time - first) / length).floor()
            }
            AfterEnd::Zero if time > last => return 0.0,
            _ => time,
        };
        if time <= first {
            return begin;
        }
        let next = self.points.partition_point(|point| point[0] <= time);
        let (Some(&[t0, x0]), Some(&[t1, x1])) =
            (self.points.get(next.wrapping_sub(1)), self.points.get(next))
        else {
            return end;
        };
        let (h, s) = (t1 - t0, time - t0);
        if let Some(rates) = &self.rates {
            // the acceleration is straight between two points
            return x0 + rates[next - 1] * s + (rates[next] - rates[next - 1]) * s * s / (2.0 * h);
        }
        match self.interpolation {
            Interpolation::Linear => x0 + (x1 - x0) * s / h,
            Interpolation::Step => x0,
            Interpolation::Smooth => x0 + (x1 - x0) * (s / h) * (s / h) * (3.0 - 2.0 * s / h),
        }
    }
}

/// The points as pairs.
pub(crate) fn points(curve: &CurveSpec) -> Vec<[f64; 2]> {
    let rows = curve.table.iter().flatten();
    rows.filter_map(|row| Some([*row.first()?, *row.get(1)?])).collect()
}

/// Velocities and displacements at the points of an acceleration that is straight between them, both 0 at the
/// first.
fn integrals(record: &[[f64; 2]]) -> (Vec<f64>, Vec<f64>) {
    let (mut v, mut x) = (0.0, 0.0);
    let (mut velocities, mut ways) = (vec![0.0; record.len().min(1)], vec![0.0; record.len().min(1)]);
    for pair in record.windows(2) {
        let h = pair[1][0] - pair[0][0];
        let [a, b] = [pair[0][1], pair[1][1]];
        x += v * h + (2.0 * a + b) * h * h / 6.0;
        v += 0.5 * (a + b) * h;
        velocities.push(v);
        ways.push(x);
    }
    (velocities, ways)
}

/// The record less a polynomial c₀ + c₁ (t − t₀): with v and x the velocity and displacement at its end after
/// a time T, c₀ T + c₁ T²/2 = v and c₀ T²/2 + c₁ T³/6 = x bring both to rest.
fn corrected(record: Vec<[f64; 2]>, baseline: Baseline) -> Vec<[f64; 2]> {
    let (velocities, ways) = integrals(&record);
    let (Some(&[start, _]), Some(&[end, _])) = (record.first(), record.last()) else { return record };
    let (Some(v), Some(x)) = (velocities.last(), ways.last()) else { return record };
    let length = end - start;
    if length <= 0.0 || length.is_nan() {
        return record;
    }
    let [c0, c1] = match baseline {
        Baseline::None => return record,
        Baseline::Velocity => [v / length, 0.0],
        Baseline::Displacement => {
            let c1 = 12.0 * (0.5 * v * length - x) / (length * length * length);
            [v / length - 0.5 * c1 * length, c1]
        }
    };
    record.into_iter().map(|[t, a]| [t, a - c0 - c1 * (t - start)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(table: &[[f64; 2]]) -> CurveSpec {
        CurveSpec { table: Some(table.iter().map(|row| row.to_vec()).collect()), ..CurveSpec::default() }
    }

    #[test]
    fn tables_interpolate_and_end_as_they_say() {
        let base = curve(&[[0.0, 1.0], [2.0, 5.0], [3.0, 4.0]]);
        let at = |curve: &CurveSpec, time: f64| {
            signal(&SignalSpec::Curve(curve.clone()), SignalUse::Value).at(time).unwrap()
        };
        assert_eq!([at(&base, -1.0), at(&base, 1.0), at(&base, 9.0)], [1.0, 3.0, 4.0]);
        let steps = CurveSpec { interpolation: Interpolation::Step, scale: 2.0, ..base.clone() };
        assert_eq!([at(&steps, 1.999), at(&steps, 2.0)], [2.0, 10.0]);
        let smooth = CurveSpec { interpolation: Interpolation::Smooth, ..base.clone() };
        assert_eq!([at(&smooth, 1.0), at(&smooth, 2.5)], [3.0, 4.5]);
        assert!((at(&smooth, 1e-6) - 1.0).abs() < 1e-11);
        let zero = CurveSpec { after: Some(AfterEnd::Zero), ..base.clone() };
        assert_eq!([at(&zero, 3.0), at(&zero, 3.1)], [4.0, 0.0]);
        let again = CurveSpec { after: Some(AfterEnd::Repeat), ..base };
        assert!((at(&again, 7.0) - at(&again, 1.0)).abs() < 1e-12);
    }

    /// Against sums over ever smaller parts, a second way to the same numbers.
    #[test]
    fn records_integrate_to_velocities_that_come_to_rest() {
        let wave: Vec<[f64; 2]> =
            (0..=200).map(|k| f64::from(k) * 0.01).map(|t| [t, 0.3 + 0.1 * t + (9.0 * t).sin()]).collect();
        let record = CurveSpec { accelerogram: Some("x.csv".into()), scale: 2.0, ..curve(&wave) };
        let velocity = |baseline: Baseline| {
            signal(&SignalSpec::Curve(CurveSpec { baseline, ..record.clone() }), SignalUse::Velocity)
        };
        let acceleration = signal(&SignalSpec::Curve(record.clone()), SignalUse::Acceleration);
        let n = 200_000;
        let h = 1.234 / f64::from(n);
        let summed: f64 = (0..n).map(|k| acceleration.at((f64::from(k) + 0.5) * h).unwrap() * h).sum();
        assert!((velocity(Baseline::None).at(1.234).unwrap() - summed).abs() < 1e-8);
        assert!(velocity(Baseline::None).at(2.0).unwrap() > 0.5);
        assert_eq!(velocity(Baseline::None).at(2.1), Some(0.0));
        for baseline in [Baseline::Velocity, Baseline::Displacement] {
            assert!(velocity(baseline).at(2.0).unwrap().abs() < 1e-12);
        }
        let rested = velocity(Baseline::Displacement);
        let h = 2.0 / f64::from(n);
        let way: f64 = (0..n).map(|k| rested.at((f64::from(k) + 0.5) * h).unwrap() * h).sum();
        assert!(way.abs() < 1e-9, "{way}");
    }
}
