//! Joints as sections of a beam: the stress at the corners of a bonded patch from the force and the moment
//! that its points carry together, and which bonds it breaks. Knows no law but by what it bears.

use crate::{Interaction, Laws};
use drystone_laws::Law;
use drystone_math::Vector;
use drystone_math::portable;
use drystone_state::Bodies;

/// Normals that differ by less than this belong to one patch, as for the shares of its points: one minus the
/// cosine.
const SAME_NORMAL: f64 = 1e-3;

/// By how much a stress may exceed the strength and still be rounding, relative.
const ROUNDING: f64 = 1e-9;

/// Breaks the bonds of patches whose stress at a corner is more than they bear: with a linear distribution
/// (Navier) `σ = N/A + (x − x̄)·I⁻¹ M`, so that a joint of the depth L bears the moment `σL²/6` of a beam.
///
/// Where what is left of the joint can press on within the patch, the corners that are torn break alone; else
/// the crack runs through and all of them do.
pub(crate) fn sever<const D: usize>(
    interactions: &mut [Interaction<D>],
    h: f64,
    bodies: &Bodies<D>,
    laws: &Laws<D>,
) {
    let same = |a: &Interaction<D>, b: &Interaction<D>| {
        (a.id.contactors, a.id.image) == (b.id.contactors, b.id.image)
    };
    for pair in interactions.chunk_by_mut(same) {
        let [a, b] = pair[0].bodies.map(|body| bodies.group[body.0 as usize]);
        let Some(entry) = laws.between(a, b) else { continue };
        let law = entry.law.as_ref();
        let mut left: Vec<usize> = (0..pair.len()).collect();
        while let Some(&first) = left.first() {
            let normal = pair[first].frame.column(0).into_owned();
            let level = |k: &usize| pair[*k].frame.column(0).dot(&normal) > 1.0 - SAME_NORMAL;
            let (patch, rest): (Vec<usize>, Vec<usize>) = left.iter().partition(|k| level(k));
            left = rest;
            if patch.iter().any(|&k| law.tension_strength(&pair[k].internal).is_some()) {
                sever_patch(pair, &patch, h, law);
            }
        }
    }
}

fn sever_patch<const D: usize>(pair: &mut [Interaction<D>], patch: &[usize], h: f64, law: &dyn Law<D>) {
    let Some(section) = Section::new(pair, patch, h) else { return };
    let torn = |&k: &usize| {
        let strength = law.tension_strength(&pair[k].internal);
        strength.is_some_and(|strength| section.stress(&pair[k].point) > strength * (1.0 + ROUNDING))
    };
    let mut breaking: Vec<usize> = patch.iter().copied().filter(torn).collect();
    if breaking.is_empty() {
        return;
    }
    if !section.presses_within() {
        breaking = patch.to_vec();
    }
    for k in breaking {
        law.sever(&mut pair[k].internal);
    }
}

/// A patch with what it carries, in the tangents of its first point.
struct Section<const D: usize> {
    tangents: [Vector<D>; 2],
    /// Centre of area in world axes \[m\].
    centre: Vector<D>,
    /// Tension \[N\].
    pull: f64,
    /// First moments of the tension about the centre \[N m\].
    moment: [f64; 2],
    /// Area \[m²\], in the plane for a depth of 1 m.
    area: f64,
    /// Stress for each distance from the centre along the tangents \[Pa/m\].
    slope: [f64; 2],
    /// Its points along the tangents from the centre \[m\].
    points: Vec<[f64; 2]>,
}

impl<const D: usize> Section<D> {
    /// None where the points hold no area between them.
    fn new(pair: &[Interaction<D>], patch: &[usize], h: f64) -> Option<Self> {
        let frame = pair[*patch.first()?].frame;
        let tangents = [1, 2].map(|t| if t < D { frame.column(t).into_owned() } else { Vector::zeros() });
        let origin = pair[patch[0]].point;
        let at = |point: &Vector<D>| tangents.map(|tangent| tangent.dot(&(point - origin)));
        let mut points: Vec<[f64; 2]> = patch.iter().map(|&k| at(&pair[k].point)).collect();
        if frame.ncols() < 3 {
            // a joint of the plane, for a depth of 1 m
            points = points.iter().flat_map(|&[x, y]| [[x, y - 0.5], [x, y + 0.5]]).collect();
        }
        let (area, [x, y], inertia) = polygon(&points);
        let centre = origin + tangents[0] * x + tangents[1] * y;
        let [[xx, xy], [_, yy]] = inertia;
        let determinant = xx * yy - xy * xy;
        // of a rectangle it is (a b)⁴/144, of a needle less by the square of its slenderness
        if !(area > 0.0 && determinant > 1e-12 * (xx + yy).powi(2)) {
            return None;
        }
        let (mut pull, mut moment) = (0.0, [0.0; 2]);
        for &k in patch {
            let force = -pair[k].r[0] / h;
            pull += force;
            for (sum, tangent) in moment.iter_mut().zip(&tangents) {
                *sum += force * tangent.dot(&(pair[k].point - centre));
            }
        }
        let [mx, my] = moment;
        let slope = [(yy * mx - xy * my) / determinant, (xx * my - xy * mx) / determinant];
        let points = points.into_iter().map(|point| [point[0] - x, point[1] - y]).collect();
        Some(Self { tangents, centre, pull, moment, area, slope, points })
    }

    /// Stress at a point \[Pa\], tension positive.
    fn stress(&self, point: &Vector<D>) -> f64 {
        let off = point - self.centre;
        let along = |t: usize| self.slope[t] * self.tangents[t].dot(&off);
        self.pull / self.area + along(0) + along(1)
    }

    /// Whether the patch is pressed, and the centre of the pressure lies between its points.
    fn presses_within(&self) -> bool {
        if self.pull >= 0.0 {
            return false;
        }
        let [x, y] = self.moment.map(|moment| moment / self.pull);
        // on the same side as all points of every line through two of them that has none on the other
        let points = &self.points;
        let side = |a: &[f64; 2], b: &[f64; 2], p: [f64; 2]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        };
        points.iter().enumerate().all(|(i, a)| {
            points.iter().enumerate().filter(|(j, _)| *j != i).all(|(_, b)| {
                let is_edge = points.iter().all(|&p| side(a, b, p) >= 0.0);
                !is_edge || side(a, b, [x, y]) > 0.0
            })
        })
    }
}

/// Area, centre and second moments about it of the convex polygon whose corners are given in any order.
fn polygon(points: &[[f64; 2]]) -> (f64, [f64; 2], [[f64; 2]; 2]) {
    let count = points.len() as f64;
    let mean = points.iter().fold([0.0; 2], |sum, p| [sum[0] + p[0] / count, sum[1] + p[1] / count]);
    let mut around: Vec<[f64; 2]> = points.iter().map(|p| [p[0] - mean[0], p[1] - mean[1]]).collect();
    around.sort_by(|a, b| portable::atan2(a[1], a[0]).total_cmp(&portable::atan2(b[1], b[0])));
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], [[0.0; 2]; 2]);
    for k in 0..around.len() {
        let ([ax, ay], [bx, by]) = (around[k], around[(k + 1) % around.len()]);
        let twice = ax * by - bx * ay;
        area += twice / 2.0;
        first = [first[0] + twice * (ax + bx) / 6.0, first[1] + twice * (ay + by) / 6.0];
        second[0][0] += twice * (ax * ax + ax * bx + bx * bx) / 12.0;
        second[1][1] += twice * (ay * ay + ay * by + by * by) / 12.0;
        second[0][1] += twice * (2.0 * ax * ay + ax * by + bx * ay + 2.0 * bx * by) / 24.0;
    }
    if area <= 0.0 {
        return (0.0, [0.0; 2], [[0.0; 2]; 2]);
    }
    let [x, y] = first.map(|first| first / area);
    let (xx, yy, xy) =
        (second[0][0] - area * x * x, second[1][1] - area * y * y, second[0][1] - area * x * y);
    (area, [mean[0] + x, mean[1] + y], [[xx, xy], [xy, yy]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_the_moments_of_the_books() {
        let corners = [[1.0, 2.0], [5.0, 5.0], [5.0, 2.0], [1.0, 5.0]];
        let (area, [x, y], [[xx, xy], [_, yy]]) = polygon(&corners);
        assert!((area - 12.0).abs() < 1e-13 && (x - 3.0).abs() < 1e-13 && (y - 3.5).abs() < 1e-13);
        // b h³/12
        assert!((xx - 16.0).abs() < 1e-12 && (yy - 9.0).abs() < 1e-12 && xy.abs() < 1e-12);
        let (area, _, [[xx, xy], [_, yy]]) = polygon(&[[0.0, 0.0], [3.0, 0.0], [0.0, 2.0]]);
        // a triangle: b h³/36, and −b²h²/72
        assert!((area - 3.0).abs() < 1e-13 && (yy - 24.0 / 36.0).abs() < 1e-13);
        assert!((xx - 54.0 / 36.0).abs() < 1e-13 && (xy + 36.0 / 72.0).abs() < 1e-13);
        // corners on an edge change nothing
        let (area, [x, _], [[xx, _], _]) =
            polygon(&[[2.0, -0.5], [-1.0, -0.5], [0.0, -0.5], [2.0, 0.5], [-1.0, 0.5], [0.0, 0.5]]);
        assert!((area - 3.0).abs() < 1e-15 && (x - 0.5).abs() < 1e-15 && (xx - 2.25).abs() < 1e-14);
    }
}
