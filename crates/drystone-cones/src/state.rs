//! A point of the homogeneous embedding, or a step between two. Knows no programme.

/// A point of the embedding.
#[derive(Clone)]
pub(crate) struct State {
    pub x: Vec<f64>,
    pub z: Vec<f64>,
    pub s: Vec<f64>,
    pub tau: f64,
    pub kappa: f64,
}

impl State {
    pub fn new(n: usize, m: usize) -> Self {
        Self { x: vec![0.0; n], z: vec![0.0; m], s: vec![0.0; m], tau: 1.0, kappa: 1.0 }
    }

    pub fn copy(&mut self, other: &Self) {
        self.x.copy_from_slice(&other.x);
        self.z.copy_from_slice(&other.z);
        self.s.copy_from_slice(&other.s);
        (self.tau, self.kappa) = (other.tau, other.kappa);
    }

    pub fn advance(&mut self, step: f64, by: &Self) {
        let add = |x: &mut [f64], d: &[f64]| x.iter_mut().zip(d).for_each(|(x, d)| *x += step * d);
        add(&mut self.x, &by.x);
        add(&mut self.z, &by.z);
        add(&mut self.s, &by.s);
        self.tau += step * by.tau;
        self.kappa += step * by.kappa;
    }

    /// All numbers times a power of two: the embedding is homogeneous.
    pub fn times(&mut self, factor: f64) {
        let all = self.x.iter_mut().chain(&mut self.z).chain(&mut self.s);
        all.for_each(|x| *x *= factor);
        self.tau *= factor;
        self.kappa *= factor;
    }

    pub fn finite(&self) -> bool {
        let mut all = self.x.iter().chain(&self.z).chain(&self.s).chain([&self.tau, &self.kappa]);
        all.all(|x| x.is_finite())
    }
}
