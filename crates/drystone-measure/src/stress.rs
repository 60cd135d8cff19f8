//! The mean stress of a granular sample. It is a sum over the contacts of the last step; nothing is averaged
//! over time.

use drystone::{BodyId, Matrix, Simulation, Vector};

/// The mean stress tensor of a sample, compression positive \[Pa\] (in the plane for each metre of depth).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stress<const D: usize> {
    /// Volume of the sample \[m³\], in the plane its area \[m²\].
    pub volume: f64,
    /// Part of the contact forces (Love 1927, Weber 1966).
    pub contacts: Matrix<D, D>,
    /// Part of the velocities beside the mean flow.
    pub kinetic: Matrix<D, D>,
}

/// The stress of the bodies that are free in every component, over the last step; none without such a body.
///
/// With the force `f` on the candidate and the branch `ℓ` from the centre of the antagonist's image to that
/// of the candidate at the middle configuration,
///
/// `σ = (1/V) Σ f ⊗ ℓ + (1/V) Σ m c ⊗ c` .
///
/// Of a contact with a body that is not free, such as a wall, the branch ends at the contact point. Branches
/// across the seam of a periodic cell lead to the image. `V` is the product of the periods and, along axes
/// that do not repeat, of what the bodies span; `c` is the velocity less a mean flow that is linear in
/// height.
///
/// A body's contacts turn it with the moment `Σ (x_c − x) × f`, and `V (σ_ij − σ_ji)` is the sum of these
/// moments: the part of the contacts is symmetric where spins do not change on average.
pub fn stress<const D: usize>(simulation: &Simulation<D>) -> Option<Stress<D>> {
    let bodies = simulation.bodies();
    let free = |body: usize| simulation.is_free(BodyId(body as u32));
    let sample: Vec<usize> = (0..bodies.len()).filter(|&body| free(body)).collect();
    let (h, theta) = (simulation.settings().step, simulation.settings().theta);
    let cell = simulation.settings().cell;
    let moving = |body: usize| simulation.centre_of_mass(BodyId(body as u32));
    let velocity = |body: usize| -> Vector<D> { moving(body)[1] };
    // where the contacts of the last step were found
    let middle = |body: usize| {
        let [place, velocity] = moving(body);
        place - velocity * (h * theta)
    };
    let volume = volume(simulation, &sample, &middle)?;
    let mut moments = Matrix::<D, D>::zeros();
    for contact in simulation.interactions() {
        let force = contact.frame * contact.r / h;
        let [a, b] = contact.bodies.map(|body| body.0 as usize);
        if free(a) {
            moments += force * (middle(a) - contact.point).transpose();
        }
        if free(b) {
            let shift = cell.map_or_else(Vector::zeros, |cell| cell.shift(contact.id.image));
            moments += force * (contact.point - middle(b) - shift).transpose();
        }
    }
    let kinetic = kinetic(&sample, &middle, &velocity, &|body| bodies.mass[body][0]);
    Some(Stress { volume, contacts: moments / volume, kinetic: kinetic / volume })
}

/// Product of periods and of what the sample spans; none where that is nothing.
fn volume<const D: usize>(
    simulation: &Simulation<D>,
    sample: &[usize],
    middle: &impl Fn(usize) -> Vector<D>,
) -> Option<f64> {
    let mut sides = Vector::<D>::zeros();
    for axis in 0..D {
        let reach = |body: &usize| (middle(*body)[axis], simulation.bodies().radius[*body]);
        let low = sample.iter().map(reach).map(|(x, radius)| x - radius).fold(f64::INFINITY, f64::min);
        let high = sample.iter().map(reach).map(|(x, radius)| x + radius).fold(f64::NEG_INFINITY, f64::max);
        sides[axis] = high - low;
    }
    for (axis, period) in simulation.settings().cell.iter().flat_map(|cell| cell.periods()) {
        sides[axis] = period;
    }
    Some(sides.product()).filter(|volume| *volume > 0.0 && volume.is_finite())
}

/// `Σ m c ⊗ c` about the flow, linear in height, that fits the velocities best.
fn kinetic<const D: usize>(
    sample: &[usize],
    middle: &impl Fn(usize) -> Vector<D>,
    velocity: &impl Fn(usize) -> Vector<D>,
    mass: &impl Fn(usize) -> f64,
) -> Matrix<D, D> {
    let height = |body: usize| middle(body)[D - 1];
    let total: f64 = sample.iter().map(|&body| mass(body)).sum();
    let level = sample.iter().map(|&body| mass(body) * height(body)).sum::<f64>() / total;
    let mean = sample.iter().map(|&body| velocity(body) * mass(body)).sum::<Vector<D>>() / total;
    let spread: f64 = sample.iter().map(|&body| mass(body) * (height(body) - level).powi(2)).sum();
    let sheared: Vector<D> =
        sample.iter().map(|&body| velocity(body) * (mass(body) * (height(body) - level))).sum();
    let rate = if spread > 0.0 { sheared / spread } else { Vector::zeros() };
    let of = |&body: &usize| {
        let beside = velocity(body) - mean - rate * (height(body) - level);
        beside * beside.transpose() * mass(body)
    };
    sample.iter().map(of).sum()
}

impl<const D: usize> Stress<D> {
    /// Both parts together \[Pa\].
    pub fn total(&self) -> Matrix<D, D> {
        self.contacts + self.kinetic
    }

    /// How far the part of the contacts is from symmetric, relative to its size \[-\].
    pub fn asymmetry(&self) -> f64 {
        let size = self.contacts.norm();
        if size > 0.0 { (self.contacts - self.contacts.transpose()).norm() / size } else { 0.0 }
    }

    /// Shear over pressure on level planes \[-\], the effective friction; 0 without pressure.
    pub fn friction(&self) -> f64 {
        let total = self.total();
        let pressure = total[(D - 1, D - 1)];
        let shear = (0..D - 1).map(|axis| total[(axis, D - 1)].powi(2)).sum::<f64>().sqrt();
        if pressure > 0.0 { shear / pressure } else { 0.0 }
    }
}
