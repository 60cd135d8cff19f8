//! Which grains are near a point: a hashed grid with a level for every doubling of the radius. Moves nothing.

use crate::Grain;
use drystone_math::Vector;

/// Grains that can be found by place.
pub(crate) struct NearGrains<const D: usize> {
    grains: Vec<Grain<D>>,
    /// Level and cell of every grain.
    cells: Vec<(u8, [i32; D])>,
    /// First grain of every slot of the table, and the next one of every grain.
    first: Vec<u32>,
    next: Vec<u32>,
    smallest: f64,
    /// Number of grains on every level.
    levels: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<const D: usize> NearGrains<D> {
    /// Room for so many grains with radii from `smallest` \[m\].
    pub(crate) fn new(count: usize, smallest: f64) -> Self {
        let slots = (2 * count.max(16)).next_power_of_two();
        Self {
            grains: Vec::with_capacity(count),
            cells: Vec::with_capacity(count),
            first: vec![NONE; slots],
            next: Vec::with_capacity(count),
            smallest,
            levels: Vec::new(),
        }
    }

    /// The grains, in the order in which they came.
    pub(crate) fn grains(&self) -> &[Grain<D>] {
        &self.grains
    }

    /// The grains themselves.
    pub(crate) fn into_grains(self) -> Vec<Grain<D>> {
        self.grains
    }

    /// Largest radius on a level.
    fn reach(&self, level: usize) -> f64 {
        self.smallest * (2u64 << level) as f64
    }

    /// Adds a grain.
    pub(crate) fn push(&mut self, grain: Grain<D>) {
        let mut level = 0;
        while grain.radius > self.reach(level) && level < 40 {
            level += 1;
        }
        if self.levels.len() <= level {
            self.levels.resize(level + 1, 0);
        }
        self.levels[level] += 1;
        let cell = cell(&grain.position, 2.0 * self.reach(level));
        let slot = self.slot(level as u8, &cell);
        self.next.push(self.first[slot]);
        self.first[slot] = self.grains.len() as u32;
        self.cells.push((level as u8, cell));
        self.grains.push(grain);
    }

    /// Shows every grain whose surface is within `reach` \[m\] of the point, until one is enough (`true`).
    pub(crate) fn any(
        &self,
        point: &Vector<D>,
        reach: f64,
        mut enough: impl FnMut(usize, &Grain<D>) -> bool,
    ) -> bool {
        for level in (0..self.levels.len()).filter(|&level| self.levels[level] > 0) {
            let width = 2.0 * self.reach(level);
            let far = Vector::repeat(reach + self.reach(level));
            let (low, high) = (cell(&(point - far), width), cell(&(point + far), width));
            let mut here = low;
            loop {
                let mut index = self.first[self.slot(level as u8, &here)];
                while index != NONE {
                    let grain = &self.grains[index as usize];
                    let close = reach + grain.radius;
                    // other cells share the slot
                    if self.cells[index as usize] == (level as u8, here)
                        && (grain.position - point).norm_squared() < close * close
                        && enough(index as usize, grain)
                    {
                        return true;
                    }
                    index = self.next[index as usize];
                }
                if !step(&mut here, &low, &high) {
                    break;
                }
            }
        }
        false
    }

    /// Shows every grain whose surface is within `reach` \[m\] of the point.
    pub(crate) fn each(&self, point: &Vector<D>, reach: f64, mut show: impl FnMut(usize, &Grain<D>)) {
        self.any(point, reach, |index, grain| {
            show(index, grain);
            false
        });
    }

    fn slot(&self, level: u8, cell: &[i32; D]) -> usize {
        let mut hash = u64::from(level).wrapping_add(0x9e37_79b9_7f4a_7c15);
        for &coordinate in cell {
            hash = (hash ^ u64::from(coordinate as u32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        }
        hash as usize & (self.first.len() - 1)
    }
}

fn cell<const D: usize>(point: &Vector<D>, width: f64) -> [i32; D] {
    std::array::from_fn(|axis| (point[axis] / width).floor() as i32)
}

/// The next cell of a block of them; none after the last.
fn step<const D: usize>(here: &mut [i32; D], low: &[i32; D], high: &[i32; D]) -> bool {
    for axis in 0..D {
        if here[axis] < high[axis] {
            here[axis] += 1;
            return true;
        }
        here[axis] = low[axis];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn check<const D: usize>(seed: u64) {
        let mut random = Random::new(seed);
        let mut near = NearGrains::<D>::new(10, 0.01);
        for _ in 0..400 {
            let position = Vector::from_fn(|_, _| random.between(-1.0, 1.0));
            let spread = random.unit();
            near.push(Grain { radius: 0.01 + 0.3 * spread * spread * spread, position });
        }
        for _ in 0..200 {
            let point = Vector::from_fn(|_, _| random.between(-1.2, 1.2));
            let reach = random.between(0.0, 0.3);
            let mut found = Vec::new();
            near.each(&point, reach, |index, _| found.push(index));
            found.sort_unstable();
            let close = |g: &Grain<D>| (g.position - point).norm_squared() < (reach + g.radius).powi(2);
            let expected: Vec<usize> = (0..400).filter(|&index| close(&near.grains()[index])).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_is_near_is_found_once() {
        check::<2>(1);
        check::<3>(2);
    }
}
