//! Volume, first and second moments that can be added, and the mass properties made of them. Integrates
//! nothing.

use drystone::{MassProperties, Matrix, Pose, Vector};

/// `∫1`, `∫x` and `∫x xᵀ` over a region, about the origin of whoever adds them up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments<const D: usize> {
    pub(super) volume: f64,
    pub(super) first: Vector<D>,
    pub(super) second: Matrix<D, D>,
}

impl<const D: usize> Moments<D> {
    pub(super) fn none() -> Self {
        Self { volume: 0.0, first: Vector::zeros(), second: Matrix::zeros() }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.first += other.first;
        self.second += other.second;
    }

    /// Those of a shape with these mass properties that sits at `pose`.
    pub(super) fn of(mass: &MassProperties<D>, pose: &Pose<D>) -> Self {
        let trace = 0.5 * (0..3).map(|axis| mass.inertia[(axis, axis)]).sum::<f64>();
        // in the plane the inertia is a number: which part of it belongs to which axis does not matter to the
        // sum
        let local = match D {
            2 => Matrix::<D, D>::identity() * trace,
            _ => Matrix::<D, D>::from_fn(|i, j| if i == j { trace } else { 0.0 } - mass.inertia[(i, j)]),
        };
        let rotation = pose.rotation();
        let centre = pose.to_world(&mass.centroid);
        Self {
            volume: mass.volume,
            first: centre * mass.volume,
            second: rotation * local * rotation.transpose() + centre * centre.transpose() * mass.volume,
        }
    }

    /// Mass properties, the moments being about `origin`.
    pub(super) fn properties(&self, origin: &Vector<D>) -> MassProperties<D> {
        let offset = self.first / self.volume;
        let second = self.second - offset * offset.transpose() * self.volume;
        let trace = second.trace();
        let inertia = match D {
            2 => Matrix::<3, 3>::from_fn(|i, j| if i == 2 && j == 2 { trace } else { 0.0 }),
            _ => Matrix::<3, 3>::from_fn(|i, j| if i == j { trace } else { 0.0 } - second[(i, j)]),
        };
        MassProperties { volume: self.volume, centroid: origin + offset, inertia }
    }
}

/// The sum of shapes that fill different places.
pub(super) fn sum<const D: usize>(
    parts: impl Iterator<Item = (MassProperties<D>, Pose<D>)> + Clone,
) -> Option<MassProperties<D>> {
    let count = parts.clone().count();
    if count == 0 {
        return None;
    }
    // about the middle, so that nothing is lost far from the origin
    let places = parts.clone().map(|(mass, pose)| pose.to_world(&mass.centroid));
    let middle = places.sum::<Vector<D>>() / count as f64;
    let mut all = Moments::none();
    for (mass, pose) in parts {
        all.add(&Moments::of(&mass, &Pose { position: pose.position - middle, ..pose }));
    }
    Some(all.properties(&middle))
}
