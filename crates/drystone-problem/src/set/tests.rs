//! The sets against brute force: nearest points, and maps that vanish on their law only.

use super::*;

/// Numbers in (-1, 1) that repeat.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector<const D: usize>(&mut self, size: f64) -> Vector<D> {
        Vector::from_fn(|_, _| size * self.next())
    }

    fn choose<T: Copy>(&mut self, of: &[T]) -> T {
        of[((self.next() + 1.0) * 0.5 * of.len() as f64) as usize % of.len()]
    }
}

/// Every kind of set for `D` components, with the odd coefficient.
fn sets<const D: usize>(numbers: &mut Numbers) -> [Set; 7] {
    let mut coefficient = || numbers.choose(&[0.0, 0.1, 0.6, 1.0, 3.0]);
    [
        Set::Coulomb { mu: coefficient() },
        Set::Orowan { mu: coefficient(), cap: coefficient() },
        Set::Tresca { cap: coefficient() },
        Set::Bilateral { rows: 1 + (coefficient() as usize).min(D) },
        Set::Rolling { mu: coefficient(), rolling: coefficient(), twisting: None, sliding: D / 2 },
        Set::Rolling { mu: coefficient(), rolling: coefficient(), twisting: None, sliding: 1 },
        Set::Rolling {
            mu: coefficient(),
            rolling: coefficient(),
            twisting: Some(coefficient()),
            sliding: (D - 1) / 2,
        },
    ]
}

/// Whether an impulse is admissible, from the inequalities as written.
fn admissible<const D: usize>(set: &Set, r: &Vector<D>, slack: f64) -> bool {
    let split = set.tangential::<D>().end;
    let tangential = r.rows_range(1..split).norm();
    let end = if matches!(set, Set::Rolling { twisting: Some(_), .. }) { D - 1 } else { D };
    let (moment, twist) = (r.rows_range(split..end).norm(), r.rows_range(end..).norm());
    match *set {
        Set::Coulomb { mu } => r[0] >= 0.0 && tangential <= mu * r[0] + slack,
        Set::Orowan { mu, cap } => r[0] >= 0.0 && tangential <= (mu * r[0]).min(cap) + slack,
        Set::Tresca { cap } => r[0] >= 0.0 && tangential <= cap + slack,
        Set::Bilateral { rows } => r.iter().skip(rows).all(|r| *r == 0.0),
        Set::Rolling { mu, rolling, twisting, .. } => {
            let within = |length: f64, arm: f64| length <= arm * r[0] + slack;
            r[0] >= 0.0
                && within(tangential, mu)
                && within(moment, rolling)
                && within(twist, twisting.unwrap_or(0.0))
        }
        Set::Bearing { held, base, factor, apart } => {
            let radius = base + factor * r.rows_range(..held).norm() + slack;
            match apart {
                true => r.iter().skip(held).all(|r| r.abs() <= radius),
                false => r.rows_range(held..).norm() <= radius,
            }
        }
    }
}

/// The law as it is written: the largest violation.
fn violation<const D: usize>(set: &Set, u: &Vector<D>, r: &Vector<D>) -> f64 {
    // friction f against the velocity v: inside the radius nothing slides, on it f opposes v
    let friction =
        |v: Vector<D>, f: Vector<D>, radius: f64| (f * v.norm() + v * radius).norm().max(f.norm() - radius);
    let part = |x: &Vector<D>, from: usize, to: usize| {
        Vector::<D>::from_fn(|i, _| if i >= from && i < to { x[i] } else { 0.0 })
    };
    if let Set::Bilateral { rows } = *set {
        return leading(rows, u).norm().max((r - leading(rows, r)).norm());
    }
    if let Set::Bearing { held, base, factor, apart } = *set {
        let radius = base + factor * part(r, 0, held).norm();
        if apart {
            let one = |k: usize| friction(part(u, k, k + 1), part(r, k, k + 1), radius);
            return (held..D).map(one).fold(part(u, 0, held).norm(), f64::max);
        }
        return part(u, 0, held).norm().max(friction(part(u, held, D), part(r, held, D), radius));
    }
    let split = set.tangential::<D>().end;
    let signorini = (-u[0]).max(-r[0]).max(u[0].min(r[0]).abs());
    let sliding = friction(part(u, 1, split), part(r, 1, split), set.threshold(r[0]));
    let rolling = match *set {
        Set::Rolling { rolling, twisting: None, .. } => {
            friction(part(u, split, D), part(r, split, D), rolling * r[0])
        }
        Set::Rolling { rolling, twisting: Some(twisting), .. } => {
            let rolls = friction(part(u, split, D - 1), part(r, split, D - 1), rolling * r[0]);
            rolls.max(friction(part(u, D - 1, D), part(r, D - 1, D), twisting * r[0]))
        }
        _ => 0.0,
    };
    signorini.max(sliding).max(rolling)
}

fn projections_are_nearest<const D: usize>() {
    let mut numbers = Numbers(D as u64);
    for _ in 0..300 {
        for set in sets::<D>(&mut numbers) {
            let x = numbers.vector::<D>(2.0);
            let p = set.project(&x);
            assert!(admissible(&set, &p, 1e-14), "{set:?} {x} {p}");
            assert!((set.project(&p) - p).norm() < 1e-14, "{set:?} {x} {p}");
            // no admissible point is nearer, near or far: the angle at p is not acute
            for _ in 0..50 {
                let size = numbers.choose(&[1e-3, 0.1, 3.0]);
                let other = set.project(&(p + numbers.vector(size)));
                assert!(admissible(&set, &other, 1e-14));
                assert!((x - p).dot(&(other - p)) <= 1e-14, "{set:?} {x} {p} {other}");
            }
        }
    }
}

#[test]
fn projection_is_the_nearest_admissible_impulse() {
    projections_are_nearest::<2>();
    projections_are_nearest::<3>();
    projections_are_nearest::<5>();
    projections_are_nearest::<6>();
}

/// From a random answer of the law a pair on the law: `u` such that the map vanishes must fulfil the law as
/// written, and a pair moved away from it must not.
fn map_vanishes_on_the_law<const D: usize>() {
    let mut numbers = Numbers(100 + D as u64);
    let (mut kept, mut left) = (0, 0);
    for _ in 0..2000 {
        let [base, factor] = [numbers.next().abs(), numbers.next().abs()];
        let bearing = |held: usize, apart: bool| Set::Bearing { held, base, factor, apart };
        let bearings = [bearing(D / 2, false), bearing(0, false), bearing(D.max(3) - 3, true)];
        for set in sets::<D>(&mut numbers).into_iter().chain(bearings) {
            let rho = numbers.choose(&[0.1, 1.0, 7.0]);
            // r − P(r − ρû) = 0 with û = (x − P x)/ρ of any x; then u from û
            let x = numbers.vector::<D>(2.0);
            let (mut u, mut r) = ((set.project(&x) - x) / rho, set.project(&x));
            u[0] -= set.conjugate(&u)[0] - u[0];
            if matches!(set, Set::Orowan { .. } | Set::Bearing { .. }) {
                // the normal or what is held first, then friction under it
                r = set.settle(&x);
                u = (r - x) / rho;
            }
            let map = set.natural_map(rho, &u, &r).norm();
            assert!(map < 1e-14, "{set:?} {u} {r} {map}");
            assert!(violation(&set, &u, &r) < 1e-13, "{set:?} {u} {r}");
            kept += 1;
            // elsewhere both see it
            let (u, r) = (u + numbers.vector(0.1), set.project(&(r + numbers.vector(0.1))));
            let map = set.natural_map(rho, &u, &r).norm();
            if violation(&set, &u, &r) > 1e-3 {
                assert!(map > 1e-6, "{set:?} {u} {r} {map}");
                left += 1;
            }
        }
    }
    assert!(kept > 5000 && left > 5000, "{kept} {left}");
}

#[test]
fn natural_map_vanishes_on_the_law_only() {
    map_vanishes_on_the_law::<2>();
    map_vanishes_on_the_law::<3>();
    map_vanishes_on_the_law::<5>();
    map_vanishes_on_the_law::<6>();
    let set = Set::Coulomb { mu: 0.5 };
    let slip = Vector::<3>::new(2.0, -0.6, -0.8);
    assert!(set.natural_map(0.7, &Vector::<3>::new(0.0, 3.0, 4.0), &slip).norm() < 1e-15);
    // a convexified cone would accept sliding that lifts: u_N = μ‖u_T‖
    assert!(set.natural_map(0.7, &Vector::<3>::new(2.5, 3.0, 4.0), &slip).norm() > 0.1);
}

#[test]
fn without_friction_a_pull_is_no_impulse() {
    let pull = Vector::<3>::new(-2.0, 0.0, 0.0);
    assert_eq!(Set::Coulomb { mu: 0.0 }.project(&pull), Vector::<3>::zeros());
}

#[test]
fn a_rope_is_a_frictionless_contact() {
    // slack or taut: it pulls only when taut, and only along its own row
    let rope = Set::Coulomb { mu: 0.0 };
    let taut = (Vector::<3>::new(0.0, 0.3, -0.2), Vector::<3>::new(5.0, 0.0, 0.0));
    let slack = (Vector::<3>::new(0.4, 0.3, -0.2), Vector::zeros());
    for (u, r) in [taut, slack] {
        assert_eq!(rope.natural_map(0.7, &u, &r), Vector::<3>::zeros());
    }
    assert!(rope.natural_map(0.7, &taut.0, &Vector::<3>::new(5.0, 0.1, 0.0)).norm() > 0.05);
    assert!(rope.natural_map(0.7, &slack.0, &taut.1).norm() > 0.1);
}

#[test]
fn broken_coefficients_count_as_zero() {
    let x = Vector::<5>::new(1.0, 0.5, -0.5, 0.3, 0.2);
    let normal = Vector::<5>::new(1.0, 0.0, 0.0, 0.0, 0.0);
    for broken in [f64::NAN, -1.0] {
        assert_eq!(Set::Tresca { cap: broken }.project(&x), normal);
        assert_eq!(Set::Orowan { mu: 2.0, cap: broken }.project(&x), normal);
        assert_eq!(
            Set::Rolling { mu: broken, rolling: broken, twisting: None, sliding: 2 }.project(&x),
            normal
        );
    }
}
