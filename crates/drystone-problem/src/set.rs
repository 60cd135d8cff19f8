//! The canonical admissible sets: closed, few and fast. Laws are changes of variables to one of them.

use drystone_math::Vector;

/// What a solver has to satisfy at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Set {
    /// Signorini–Coulomb: `0 ≤ u_N ⟂ r_N ≥ 0`, `‖r_T‖ ≤ μ r_N`, and `r_T = −μ r_N u_T/‖u_T‖` where `u_T ≠ 0`
    /// (Dubois, Acary, Jean 2018, eq. 10–11). With `mu = 0` it is frictionless contact.
    Coulomb {
        /// Coefficient of friction, ≥ 0.
        mu: f64,
    },
}

impl Set {
    /// Projection of an impulse on the set of admissible impulses.
    pub fn project<const D: usize>(&self, r: &Vector<D>) -> Vector<D> {
        match *self {
            Set::Coulomb { mu } => project_on_cone(mu, r),
        }
    }

    /// The velocity conjugate to `r` in the natural map: De Saxcé's shift `u + μ‖u_T‖ n`, which makes the map vanish
    /// at exact Coulomb solutions and nowhere else (De Saxcé, Feng 1998).
    pub fn conjugate<const D: usize>(&self, u: &Vector<D>) -> Vector<D> {
        match *self {
            Set::Coulomb { mu } => {
                let mut shifted = *u;
                shifted[0] += mu * tangential_norm(u);
                shifted
            }
        }
    }

    /// Natural map `r − P(r − ρ û)` at one contact; zero exactly where `(u, r)` is in the set.
    pub fn natural_map<const D: usize>(&self, rho: f64, u: &Vector<D>, r: &Vector<D>) -> Vector<D> {
        r - self.project(&(r - self.conjugate(u) * rho))
    }
}

/// Length of the tangential part.
pub(crate) fn tangential_norm<const D: usize>(x: &Vector<D>) -> f64 {
    x.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt()
}

/// Euclidean projection on the cone `‖r_T‖ ≤ μ r_N`.
fn project_on_cone<const D: usize>(mu: f64, r: &Vector<D>) -> Vector<D> {
    let tangential = tangential_norm(r);
    if r[0] >= 0.0 && tangential <= mu * r[0] {
        return *r;
    }
    // in the polar cone: the tip is nearest
    let along = r[0] + mu * tangential;
    if along <= 0.0 {
        return Vector::zeros();
    }
    let normal = along / (1.0 + mu * mu);
    let mut projected = r * if tangential > 0.0 { mu * normal / tangential } else { 0.0 };
    projected[0] = normal;
    projected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_is_nearest_point_of_the_cone() {
        // brute force: no point of the cone is nearer than the projection
        let mu = 0.6;
        for k in 0..200 {
            let a = k as f64;
            let x = Vector::<3>::new((a * 0.7).sin() * 2.0, (a * 1.3).cos(), (a * 2.1).sin() * 1.5);
            let p = Set::Coulomb { mu }.project(&x);
            assert!(tangential_norm(&p) <= mu * p[0] + 1e-14);
            for i in 0..40 {
                for j in 0..40 {
                    let n = 0.1 * i as f64;
                    let angle = j as f64 * 0.157;
                    let t = mu * n;
                    let c = Vector::<3>::new(n, t * angle.cos(), t * angle.sin());
                    assert!((x - p).norm() <= (x - c).norm() + 1e-12);
                }
            }
        }
    }

    #[test]
    fn without_friction_a_pull_is_no_impulse() {
        let pull = Vector::<3>::new(-2.0, 0.0, 0.0);
        assert_eq!(Set::Coulomb { mu: 0.0 }.project(&pull), Vector::<3>::zeros());
    }

    #[test]
    fn natural_map_vanishes_on_the_law_only() {
        let set = Set::Coulomb { mu: 0.5 };
        let open = (Vector::<3>::new(0.3, 1.0, 0.0), Vector::zeros());
        let stick = (Vector::zeros(), Vector::<3>::new(2.0, 0.3, -0.4));
        let slip = (Vector::<3>::new(0.0, 3.0, 4.0), Vector::<3>::new(2.0, -0.6, -0.8));
        for (u, r) in [open, stick, slip] {
            assert!(set.natural_map(0.7, &u, &r).norm() < 1e-15);
        }
        // a convexified cone would accept sliding that lifts: u_N = μ‖u_T‖
        let lifted = Vector::<3>::new(2.5, 3.0, 4.0);
        assert!(set.natural_map(0.7, &lifted, &slip.1).norm() > 0.1);
    }
}
