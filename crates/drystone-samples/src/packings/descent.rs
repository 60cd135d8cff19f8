//! The way of one grain downhill over others that stay where they are, by geometry: it falls, rolls, and
//! stops where every way leads up. Chooses neither grains nor where they start.

use super::Container;
use crate::near::NearGrains;
use drystone_math::Vector;
use drystone_math::nalgebra::{Matrix3, Vector3};

/// Longest way of one step, relative to the radius of the grain.
const STRIDE: f64 = 0.25;
/// Shortest one: what moves less lies still.
const STILL: f64 = 1e-7;
/// How near a surface counts as touched, relative to the radius.
const TOUCH: f64 = 1e-6;
/// How far around its centre a grain looks for others, and how far it goes before it looks again, relative to
/// its radius; what is farther than the difference cannot be reached in one step.
const LOOK: f64 = 1.65;
const STALE: f64 = 0.3;
/// How near an obstacle must be to be looked at, relative to the radius.
const NEAR: f64 = LOOK - STALE - 1.0;
/// Steps after which a grain is left where it is; a fall of a hundred radii takes fewer.
const MOST_STEPS: usize = 4000;
/// Rounds of bringing a grain out of what it overlaps: Newton's method, which takes few.
const ROUNDS: usize = 30;

/// Something that a grain cannot enter, seen from its centre.
#[derive(Clone, Copy)]
struct Obstacle<const D: usize> {
    gap: f64,
    normal: Vector<D>,
}

/// A grain on its way down.
pub(super) struct Descent<'a, const D: usize> {
    pub(super) radius: f64,
    pub(super) container: &'a dyn Container<D>,
    pub(super) placed: &'a NearGrains<D>,
    /// Grains around the place where they were looked for last.
    near: Vec<(Vector<D>, f64)>,
    looked_at: Option<Vector<D>>,
    obstacles: Vec<Obstacle<D>>,
}

impl<'a, const D: usize> Descent<'a, D> {
    pub(super) fn new(radius: f64, container: &'a dyn Container<D>, placed: &'a NearGrains<D>) -> Self {
        let (near, obstacles) = (Vec::new(), Vec::new());
        Self { radius, container, placed, near, looked_at: None, obstacles }
    }

    /// Where a grain ends that starts at `place`; none if it cannot be there without overlap.
    pub(super) fn go(&mut self, mut place: Vector<D>) -> Option<Vector<D>> {
        let mut stride = STRIDE * self.radius;
        let mut touched: Vec<Vector<D>> = Vec::new();
        for _ in 0..MOST_STEPS {
            self.look(&place);
            touched.clear();
            let touching = self.obstacles.iter().filter(|obstacle| obstacle.gap < TOUCH * self.radius);
            touched.extend(touching.map(|obstacle| obstacle.normal));
            let (way, rolling) = downhill(&touched);
            let slope = way.norm();
            if slope < TOUCH {
                break;
            }
            // in free fall as far as nothing is near
            let free = self.obstacles.iter().map(|obstacle| obstacle.gap).fold(NEAR * self.radius, f64::min);
            let length = if rolling { stride } else { stride.max(free) };
            let next = self.settle(place + way * (length / slope));
            if next[D - 1] < place[D - 1] - 0.01 * length * slope {
                place = next;
                stride = (1.5 * stride).min(STRIDE * self.radius);
            } else {
                stride *= 0.5;
                if stride < STILL * self.radius {
                    break;
                }
            }
        }
        let place = self.settle(place);
        self.look(&place);
        let worst = self.obstacles.iter().map(|obstacle| obstacle.gap).fold(0.0, f64::min);
        (worst > -1e-10 * self.radius).then_some(place)
    }

    /// Brings a place out of what it overlaps by a short way, planes taking the place of surfaces in
    /// each round.
    fn settle(&mut self, mut place: Vector<D>) -> Vector<D> {
        for _ in 0..ROUNDS {
            self.look(&place);
            if self.obstacles.iter().all(|obstacle| obstacle.gap > -1e-14 * self.radius) {
                break;
            }
            match way_out(&self.obstacles, 1e-15 * self.radius) {
                Some(way) => place += way,
                None => break,
            }
        }
        place
    }

    /// Gaps and normals of all that is near.
    fn look(&mut self, place: &Vector<D>) {
        let radius = self.radius;
        let stale = self.looked_at.is_none_or(|at| (at - place).norm() > STALE * radius);
        if stale {
            self.near.clear();
            let near = &mut self.near;
            self.placed.each(place, LOOK * radius, |_, grain| near.push((grain.position, grain.radius)));
            self.looked_at = Some(*place);
        }
        self.obstacles.clear();
        for (centre, other) in &self.near {
            let arm = place - centre;
            let (touch, far) = (other + radius, other + (1.0 + NEAR) * radius);
            let square = arm.norm_squared();
            if square < far * far {
                let distance = square.sqrt();
                let normal = if distance > 0.0 { arm / distance } else { Vector::zeros() };
                self.obstacles.push(Obstacle { gap: distance - touch, normal });
            }
        }
        let obstacles = &mut self.obstacles;
        self.container.walls(place, &mut |depth, normal| {
            if depth < (1.0 + NEAR) * radius {
                obstacles.push(Obstacle { gap: depth - radius, normal });
            }
        });
    }
}

/// A short vector that leads out of all obstacles, each taken for a half-space, to the boundary of one, two
/// or three of them.
fn way_out<const D: usize>(obstacles: &[Obstacle<D>], slack: f64) -> Option<Vector<D>> {
    let out = |way: &Vector<D>| {
        let free = |o: &Obstacle<D>| o.gap + o.normal.dot(way) >= -slack - 1e-12 * way.norm();
        obstacles.iter().all(free)
    };
    // mostly the deepest one decides, then what the way out of it leads into
    let deepest = (0..obstacles.len()).min_by(|&a, &b| obstacles[a].gap.total_cmp(&obstacles[b].gap))?;
    let mut chosen = [deepest; 3];
    for count in 1..=D.min(3) {
        let Some(way) = to_boundaries(obstacles, &chosen[..count]) else { break };
        if out(&way) {
            return Some(way);
        }
        let left = |k: &usize| obstacles[*k].gap + obstacles[*k].normal.dot(&way);
        let next = (0..obstacles.len()).min_by(|a, b| left(a).total_cmp(&left(b)))?;
        if count == D.min(3) || chosen[..count].contains(&next) {
            break;
        }
        chosen[count] = next;
    }
    // else all of them are tried
    let to = |chosen: &[usize]| to_boundaries(obstacles, chosen).filter(|way| out(way));
    let shorter = |a: &Vector<D>, b: &Vector<D>| a.norm_squared().total_cmp(&b.norm_squared());
    let count = obstacles.len();
    let pairs = || (0..count).flat_map(|b| (0..b).map(move |c| (b, c)));
    let three = || pairs().filter(|(b, c)| D > 2 && *b != deepest && *c != deepest);
    (0..count)
        .filter_map(|a| to(&[a]))
        .min_by(shorter)
        .or_else(|| pairs().filter_map(|(a, b)| to(&[a, b])).min_by(shorter))
        .or_else(|| three().filter_map(|(b, c)| to(&[deepest, b, c])).min_by(shorter))
}

/// The vector Σ λ n over the chosen obstacles that leads to the boundary of each.
fn to_boundaries<const D: usize>(obstacles: &[Obstacle<D>], chosen: &[usize]) -> Option<Vector<D>> {
    let mut gram = Matrix3::identity();
    let mut gaps = Vector3::zeros();
    for (i, &a) in chosen.iter().enumerate() {
        gaps[i] = -obstacles[a].gap;
        for (j, &b) in chosen.iter().enumerate() {
            gram[(i, j)] = obstacles[a].normal.dot(&obstacles[b].normal);
        }
    }
    let factors = match *chosen {
        [_] => gaps,
        [_, _] => {
            let (g, determinant) = (gram[(0, 1)], 1.0 - gram[(0, 1)] * gram[(0, 1)]);
            Vector3::new(gaps[0] - g * gaps[1], gaps[1] - g * gaps[0], 0.0) / determinant
        }
        _ => gram.try_inverse()? * gaps,
    };
    let way: Vector<D> = chosen.iter().enumerate().map(|(i, &a)| obstacles[a].normal * factors[i]).sum();
    way.iter().all(|x| x.is_finite()).then_some(way)
}

/// The steepest way down that enters none of the touched surfaces: the projection of the downward direction
/// on the cone they leave; and whether it follows any of them.
fn downhill<const D: usize>(normals: &[Vector<D>]) -> (Vector<D>, bool) {
    let mut down: Vector<D> = Vector::zeros();
    down[D - 1] = -1.0;
    let open = |way: &Vector<D>| normals.iter().all(|normal| normal.dot(way) > -1e-9);
    if open(&down) {
        return (down, false);
    }
    let mut best: Vector<D> = Vector::zeros();
    for (i, a) in normals.iter().enumerate() {
        let one = down - a * a.dot(&down);
        if one.norm_squared() > best.norm_squared() && open(&one) {
            best = one;
        }
        // along two surfaces at once: nothing is left of it in the plane
        for b in &normals[..i] {
            let Some(second) = (b - a * a.dot(b)).try_normalize(1e-9) else { continue };
            let two = one - second * second.dot(&one);
            if two.norm_squared() > best.norm_squared() && open(&two) {
                best = two;
            }
        }
    }
    (best, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cuboid, Grain};

    #[test]
    fn a_disk_rolls_over_another_to_the_floor() {
        let floor = Cuboid { low: Vector::<2>::new(-5.0, 0.0), high: Vector::<2>::new(5.0, 20.0) };
        let mut placed = NearGrains::new(2, 1.0);
        placed.push(Grain { radius: 1.0, position: Vector::<2>::new(0.0, 1.0) });
        let end = Descent::new(1.0, &floor, &placed).go(Vector::<2>::new(0.1, 15.0)).unwrap();
        // it leaves the other at its side and falls from there
        assert!((2.0..2.02).contains(&end[0]) && (end[1] - 1.0).abs() < 1e-9, "{end}");
        placed.push(Grain { radius: 1.0, position: Vector::<2>::new(2.0, 1.0) });
        let between = Descent::new(1.0, &floor, &placed).go(Vector::<2>::new(1.5, 15.0)).unwrap();
        assert!((between - Vector::<2>::new(1.0, 1.0 + 3.0f64.sqrt())).norm() < 1e-6, "{between}");
    }

    #[test]
    fn a_sphere_finds_the_hollow_of_three() {
        let bin = Cuboid { low: Vector::<3>::repeat(-10.0), high: Vector::<3>::repeat(10.0) };
        let mut placed = NearGrains::new(3, 1.0);
        let corners = [[0.0, 0.0], [2.0, 0.0], [1.0, 3.0f64.sqrt()]];
        for [x, y] in corners {
            placed.push(Grain { radius: 1.0, position: Vector::<3>::new(x, y, -9.0) });
        }
        let end = Descent::new(1.0, &bin, &placed).go(Vector::<3>::new(0.9, 0.3, 4.0)).unwrap();
        // the top of a tetrahedron of edge 2
        let top = Vector::<3>::new(1.0, 1.0 / 3.0f64.sqrt(), -9.0 + (8.0f64 / 3.0).sqrt());
        assert!((end - top).norm() < 1e-6, "{end}");
    }
}
