//! Regular lattices of places within a container. Leaves the radii to the caller.

use super::Container;
use crate::SampleError;
use drystone_math::Vector;

/// A regular lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    /// Squares, in the plane; densest solid fraction π/4.
    Square,
    /// Triangles, in the plane: every disk touches six; π/√12.
    Hexagonal,
    /// Cubes, in space; π/6.
    Cubic,
    /// Face-centred cubes, in space: every sphere touches twelve; π/√18.
    FaceCentred,
}

/// Most places of a lattice, so that a slip in the spacing does not fill the memory.
const MOST: f64 = 1e9;

/// Places of a lattice with the given distance between neighbours \[m\], at least `radius` \[m\] from every
/// wall, in the order of their heights. The lowest row touches the bottom of the box around the container,
/// rows begin at its first sides.
pub fn lattice<const D: usize>(
    kind: Lattice,
    spacing: f64,
    radius: f64,
    container: &dyn Container<D>,
) -> Result<Vec<Vector<D>>, SampleError> {
    SampleError::positive("spacing", spacing)?;
    SampleError::positive("radius", radius)?;
    let fits = matches!(
        (kind, D),
        (Lattice::Square | Lattice::Hexagonal, 2) | (Lattice::Cubic | Lattice::FaceCentred, 3)
    );
    if !fits {
        let text = "square and hexagonal lattices are for the plane, cubic and face-centred ones for space";
        return Err(SampleError::Table(text.to_owned()));
    }
    let [low, high] = container.bounds();
    // rows: distance between rows and between the points of one, and how a row is shifted
    let diagonal = spacing * std::f64::consts::SQRT_2;
    let (step, layer) = match kind {
        Lattice::Square | Lattice::Cubic => (spacing, spacing),
        Lattice::Hexagonal => (spacing, spacing * 3.0f64.sqrt() * 0.5),
        // layers of squares, each over the holes of the one below
        Lattice::FaceCentred => (spacing, 0.5 * diagonal),
    };
    let shift = match kind {
        Lattice::Square | Lattice::Cubic => 0.0,
        _ => 0.5 * spacing,
    };
    // what touches the walls up to rounding is kept
    let slack = 1e-9 * radius;
    let count =
        |axis: usize, width: f64| ((high[axis] - low[axis] - 2.0 * radius) / width + 1.0 + 1e-9).floor();
    let counts: [f64; D] = std::array::from_fn(|axis| count(axis, if axis + 1 == D { layer } else { step }));
    if counts.iter().product::<f64>() > MOST {
        let allowed = "it gives more than a thousand million places";
        return Err(SampleError::Number { name: "spacing", found: spacing, allowed });
    }
    let counts = counts.map(|count| count.max(0.0) as usize);
    let mut places = Vec::new();
    for index in 0..counts.iter().product::<usize>() {
        let mut rest = index;
        let along: [usize; D] = std::array::from_fn(|axis| {
            let here = rest % counts[axis];
            rest /= counts[axis];
            here
        });
        let place = Vector::from_fn(|axis, _| {
            let (width, odd) =
                if axis + 1 == D { (layer, 0.0) } else { (step, (along[D - 1] % 2) as f64 * shift) };
            low[axis] + radius + width * along[axis] as f64 + odd
        });
        if container.depth(&place) >= radius - slack {
            places.push(place);
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packings::tests::deepest;
    use crate::{Cuboid, Grain, RoundContainer, solid_fraction};
    use std::f64::consts::PI;

    fn check<const D: usize>(kind: Lattice, size: f64, densest: f64, neighbours: usize) {
        let container = Cuboid { low: Vector::<D>::repeat(-1.0), high: Vector::repeat(size - 1.0) };
        let grain = |position| Grain { radius: 0.5, position };
        let grains: Vec<Grain<D>> =
            lattice(kind, 1.0, 0.5, &container).unwrap().into_iter().map(grain).collect();
        assert!(deepest(&grains, &container) < 1e-9);
        let fraction = solid_fraction(&grains, &container);
        assert!(fraction < densest + 1e-9 && fraction > densest * (1.0 - 4.0 / size), "{fraction}");
        let touching = |a: &Grain<D>| {
            let near = |b: &&Grain<D>| (a.position - b.position).norm() < 1.0 + 1e-9;
            grains.iter().filter(near).count() - 1
        };
        assert_eq!(grains.iter().map(touching).max(), Some(neighbours));
    }

    #[test]
    fn lattices_have_their_density_and_neighbours() {
        check::<2>(Lattice::Square, 20.0, PI / 4.0, 4);
        check::<2>(Lattice::Hexagonal, 20.0, PI / 12.0f64.sqrt(), 6);
        check::<3>(Lattice::Cubic, 9.0, PI / 6.0, 6);
        check::<3>(Lattice::FaceCentred, 9.0, PI / 18.0f64.sqrt(), 12);
    }

    #[test]
    fn other_containers_cut_it_and_wrong_kinds_are_refused() {
        let disk = RoundContainer { centre: Vector::<2>::zeros(), radius: 5.0 };
        let places = lattice(Lattice::Hexagonal, 0.4, 0.2, &disk).unwrap();
        assert!(places.len() > 400 && places.iter().all(|place| place.norm() <= 4.8 + 1e-9));
        assert!(lattice(Lattice::Cubic, 0.4, 0.2, &disk).is_err());
        assert!(lattice(Lattice::Square, 1e-9, 0.2, &disk).is_err());
        assert!(lattice(Lattice::Square, 0.4, 6.0, &disk).unwrap().is_empty());
    }
}
