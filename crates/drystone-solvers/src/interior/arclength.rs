//! Round a fold of the central path: where the path turns back, `c` grows for a while and the determinant of
//! Newton's system changes its sign. Followed by pseudo-arclength in `ln c` (Keller 1977). Knows no residual
//! and no solution.

use super::system::{Direction, Local, Point, System, normal};
use crate::Report;
use drystone_math::portable;
use drystone_problem::Vector;

/// Most steps round one fold.
const MOST_STEPS: u32 = 400;
/// Most steps back to the path before.
const MOST_RECENTRING: u32 = 12;
/// Deviation from the path, relative to `c`, from which to start.
const ON_PATH: f64 = 0.05;
/// Largest deviation accepted on the way.
const NEAR_PATH: f64 = 0.3;
/// Steps in the right direction before the fold counts as passed.
const PASSED: u32 = 4;
/// First length of a step, in the metric where a product changes by its own size.
const FIRST_STEP: f64 = 0.3;

/// Leads `point`, which is on the path, round folds and well below `stuck`, where plain steps came to a halt;
/// returns whether it got there.
pub(super) fn round_the_fold<const D: usize>(
    system: &mut System<D>,
    point: &mut Point<D>,
    stuck: f64,
    end: u32,
    report: &mut Report,
) -> bool {
    let (mut length, mut forward) = (FIRST_STEP, 0);
    for _ in 0..MOST_STEPS {
        let Some(local) = factor(system, point, end, report) else {
            return false;
        };
        let sign = local.sign();
        forward = if sign > 0.0 { forward + 1 } else { 0 };
        if forward >= PASSED && point.c < 0.5 * stuck {
            return true;
        }
        let Some(next) = step(system, point, &local, sign, &mut length) else {
            return false;
        };
        *point = next;
    }
    false
}

/// One step along the path, its length adapted to how well it keeps to it.
fn step<const D: usize>(
    system: &System<D>,
    point: &Point<D>,
    local: &Local<D>,
    sign: f64,
    length: &mut f64,
) -> Option<Point<D>> {
    let c = point.c;
    let unit = normal::<D>(c);
    let back: Vec<Vector<D>> = local.products().iter().map(|product| unit - product).collect();
    let tangent = system.direction(local, &vec![unit; back.len()], 0.0);
    let mending = system.direction(local, &back, 1.0);
    let t = metric(system, local, &tangent, c);
    let v = metric(system, local, &mending, c);
    let largest = t.iter().map(|(x, y)| (x.norm_squared() + y.norm_squared()).sqrt()).fold(1.0, f64::max);
    let dot = |a: &Metric<D>, b: &Metric<D>| -> f64 {
        a.iter().zip(b).map(|(a, b)| a.0.dot(&b.0) + a.1.dot(&b.1)).sum()
    };
    let drift = dot(&v, &t) / (dot(&t, &t) + back.len() as f64);
    for _ in 0..8 {
        let advance = -sign * *length / largest - drift;
        let go = |v: &[Vector<D>], t: &[Vector<D>]| v.iter().zip(t).map(|(v, t)| v + t * advance).collect();
        let direction = Direction { dx: go(&mending.dx, &tangent.dx), du: go(&mending.du, &tangent.du) };
        let target = c * if advance > -0.5 { 1.0 + advance } else { portable::exp(advance) };
        if system.reach(point, &direction) >= 1.0 {
            let mut there = system.along(point, &direction, 1.0);
            there.c = target;
            let deviation = system.deviation(&there);
            if deviation < NEAR_PATH {
                if deviation < 0.6 * NEAR_PATH {
                    *length *= 1.7;
                }
                return Some(there);
            }
        }
        *length *= 0.5;
    }
    None
}

/// Brings a point back to the path at its own `c`; returns whether it got there.
pub(super) fn recentre<const D: usize>(
    system: &mut System<D>,
    point: &mut Point<D>,
    end: u32,
    report: &mut Report,
) -> bool {
    let target = point.c;
    for _ in 0..MOST_RECENTRING {
        point.c = target;
        let Some(local) = factor(system, point, end, report) else {
            return false;
        };
        if system.deviation(point) < ON_PATH && local.defect() < 1e-10 {
            return true;
        }
        let unit = normal::<D>(target);
        let back: Vec<Vector<D>> = local.products().iter().map(|product| unit - product).collect();
        let direction = system.direction(&local, &back, 1.0);
        let reach = system.reach(point, &direction);
        *point = system.along(point, &direction, if reach < 1.0 { 0.9 * reach } else { 1.0 });
    }
    false
}

/// Both halves of a direction, scaled so that products of the size of `c` have length 1.
type Metric<const D: usize> = Vec<(Vector<D>, Vector<D>)>;

fn metric<const D: usize>(
    system: &System<D>,
    local: &Local<D>,
    direction: &Direction<D>,
    c: f64,
) -> Metric<D> {
    let size = 1.0 / c.sqrt();
    (0..direction.dx.len())
        .map(|contact| {
            let f = &local.scaling[contact];
            let dy = system.conjugate_change(local, contact, &direction.du[contact]);
            (f.apply(&direction.dx[contact]) * size, f.undo(&dy) * size)
        })
        .collect()
}

/// Factors at a point, unless the budget is at its end or the numbers are.
fn factor<'a, const D: usize>(
    system: &System<'a, D>,
    point: &Point<D>,
    end: u32,
    report: &mut Report,
) -> Option<Local<'a, D>> {
    if report.iterations >= end {
        return None;
    }
    let local = system.factor(point)?;
    report.factored();
    Some(local)
}
