//! Quantities of bodies over the frames of a run, or in one of them, read from the disk when they are asked
//! for. Frames as a whole are read in `folder`.

use crate::IoError;
use crate::folder::{ContactRecord, RunFolder};
use crate::hdf5::Source;

/// What the file of the bodies holds, its place there, and how many numbers it has.
const QUANTITIES: [(&str, &str, usize); 6] = [
    ("position", "VTKHDF/Points", 3),
    ("velocity", "VTKHDF/PointData/velocity", 3),
    ("spin", "VTKHDF/PointData/spin", 3),
    ("orientation_wxyz", "VTKHDF/PointData/orientation_wxyz", 4),
    ("kinetic_energy", "VTKHDF/PointData/kinetic_energy", 1),
    ("contact_force", "VTKHDF/PointData/contact_force", 3),
];

impl RunFolder {
    /// Steps done at each frame.
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }

    /// A quantity of one body in all frames, flat, and how many numbers each has. A body is named by its
    /// number in the scene, or by the `id` of its file where bodies come and go; where it is not there the
    /// numbers are NaN.
    pub fn history(&self, quantity: &str, body: usize) -> Result<(Vec<f64>, usize), IoError> {
        let (place, columns) = self.quantity(quantity)?;
        let source = Source::open(&self.folder.join("bodies.vtkhdf"))?;
        let mut flat = Vec::with_capacity(columns * self.times.len());
        for frame in 0..self.times.len() {
            match self.row_of(&source, frame, body)? {
                Some(row) => flat.extend(source.slice::<f64>(place, row, 1)?),
                None => flat.extend(std::iter::repeat_n(f64::NAN, columns)),
            }
        }
        Ok((flat, columns))
    }

    /// A quantity of all bodies in one frame, flat, and how many numbers each has.
    pub fn bodies_in(&self, quantity: &str, frame: usize) -> Result<(Vec<f64>, usize), IoError> {
        let (place, columns) = self.quantity(quantity)?;
        let [start, count] = self.span(frame)?;
        let source = Source::open(&self.folder.join("bodies.vtkhdf"))?;
        Ok((source.slice(place, start, count)?, columns))
    }

    /// The contacts of one frame.
    pub fn contacts_in(&self, frame: usize) -> Result<Vec<ContactRecord>, IoError> {
        self.span(frame)?;
        self.contacts_at(frame)
    }

    fn quantity(&self, name: &str) -> Result<(&'static str, usize), IoError> {
        let known = QUANTITIES.iter().find(|(known, ..)| *known == name);
        known.map(|(_, place, columns)| (*place, *columns)).ok_or_else(|| {
            let allowed = QUANTITIES.map(|(known, ..)| known).join(", ");
            let reason = format!("bodies have no {name:?} in it; allowed: {allowed}");
            IoError::NotARun { path: self.folder.clone(), reason }
        })
    }

    /// Where the bodies of a frame begin, and how many they are.
    fn span(&self, frame: usize) -> Result<[usize; 2], IoError> {
        if frame >= self.times.len() {
            return Err(IoError::NoFrame { path: self.folder.clone(), frame, frames: self.times.len() });
        }
        Ok(match &self.spans {
            Some(spans) => spans.get(frame).copied().unwrap_or([0; 2]),
            None => [frame * self.bodies, self.bodies],
        })
    }

    fn row_of(&self, source: &Source, frame: usize, body: usize) -> Result<Option<usize>, IoError> {
        let [start, count] = self.span(frame)?;
        if self.spans.is_none() {
            return Ok((body < count).then_some(start + body));
        }
        let ids: Vec<u32> = source.slice("VTKHDF/PointData/id", start, count)?;
        Ok(ids.iter().position(|&id| id as usize == body).map(|place| start + place))
    }
}
