//! Volume and moments of what spheres fill together, each place once, in slices across z. Knows no other
//! shape.

use super::moments::Moments;
use super::quadrature::Rule;
use super::union_plane::{self, Figure};
use drystone::{Matrix, Vector};

/// Moments of all that the spheres fill.
pub(super) fn union(spheres: &[(Vector<3>, f64)]) -> Moments<3> {
    let rule = Rule::new();
    let mut breaks: Vec<f64> =
        spheres.iter().flat_map(|(centre, radius)| [centre[2] - radius, centre[2] + radius]).collect();
    for (index, a) in spheres.iter().enumerate() {
        for (next, b) in spheres.iter().enumerate().skip(index + 1) {
            let Some(circle) = circle(a, b) else { continue };
            circle.heights(&mut breaks);
            spheres[next + 1..].iter().for_each(|c| circle.meets(c, &mut breaks));
        }
    }
    let mut all = Moments::none();
    rule.for_each(&mut breaks, |z, weight| {
        let slice: Vec<Figure> = spheres
            .iter()
            .filter_map(|(centre, radius)| {
                let away = z - centre[2];
                let square = (radius - away) * (radius + away);
                (square > 0.0).then(|| Figure::disk(centre.xy(), square.sqrt()))
            })
            .collect();
        let flat = union_plane::union(&slice, &rule);
        let [x, y] = [flat.first[0], flat.first[1]];
        let second = flat.second;
        all.add(&Moments {
            volume: weight * flat.volume,
            first: Vector::<3>::new(x, y, z * flat.volume) * weight,
            second: Matrix::<3, 3>::new(
                second[(0, 0)],
                second[(0, 1)],
                z * x,
                second[(1, 0)],
                second[(1, 1)],
                z * y,
                z * x,
                z * y,
                z * z * flat.volume,
            ) * weight,
        });
    });
    all
}

/// Where two spheres cross.
struct Circle {
    centre: Vector<3>,
    normal: Vector<3>,
    radius: f64,
}

fn circle((a, ra): &(Vector<3>, f64), (b, rb): &(Vector<3>, f64)) -> Option<Circle> {
    let apart = b - a;
    let distance = apart.norm();
    let along = 0.5 * (distance + (ra - rb) * (ra + rb) / distance);
    let square = (ra - along) * (ra + along);
    // the same centre makes this NaN, and no circle
    (square > 0.0).then(|| Circle {
        centre: a + apart * (along / distance),
        normal: apart / distance,
        radius: square.sqrt(),
    })
}

impl Circle {
    /// Its lowest and highest points: there two disks of a slice begin or cease to cross.
    fn heights(&self, breaks: &mut Vec<f64>) {
        let slope = (1.0 - self.normal[2] * self.normal[2]).max(0.0).sqrt();
        breaks.extend([-1.0, 1.0].map(|sign| self.centre[2] + sign * self.radius * slope));
    }

    /// Its points on a third sphere: there three disks of a slice meet in a point.
    fn meets(&self, (centre, radius): &(Vector<3>, f64), breaks: &mut Vec<f64>) {
        let arm = centre - self.centre;
        let height = self.normal.dot(&arm);
        let flat = arm - self.normal * height;
        let distance = flat.norm();
        let square = radius * radius - height * height;
        let along = 0.5 * (distance + (self.radius * self.radius - square) / distance);
        let across = (self.radius - along) * (self.radius + along);
        if square > 0.0 && across >= 0.0 {
            let direction = flat / distance;
            let side = self.normal.cross(&direction) * across.sqrt();
            breaks.extend([-1.0, 1.0].map(|sign| (self.centre + direction * along + side * sign)[2]));
        }
    }
}
