//! In which order the pieces of a sweep come. Draws by counting alone: the same sweep has the same order on
//! every machine.

/// Pieces one after the other as they lie, or from one of them on in steps that meet all of them, both drawn
/// for the sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisitOrder {
    first: u64,
    step: u64,
    count: u64,
}

impl VisitOrder {
    /// The order of so many pieces in a sweep; where it has a number, drawn by it.
    pub fn new(count: usize, drawn: Option<u32>) -> Self {
        let count = count.max(1) as u64;
        let Some(number) = drawn else { return Self { first: 0, step: 1, count } };
        let random = mixed(u64::from(number));
        let mut step = 1 + mixed(random) % count;
        while divisor(step, count) > 1 {
            step += 1;
        }
        Self { first: random % count, step, count }
    }

    /// The piece at a place of the sweep, below their number.
    #[inline(always)]
    pub fn at(&self, place: usize) -> usize {
        ((self.first + place as u64 * self.step) % self.count) as usize
    }
}

/// Bits well mixed (splitmix64, Steele, Lea, Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every piece comes once, and orders differ from sweep to sweep.
    #[test]
    fn every_piece_comes_once() {
        for count in [1, 2, 7, 12, 97, 360] {
            let mut orders = Vec::new();
            for drawn in std::iter::once(None).chain((0..20).map(Some)) {
                let order = VisitOrder::new(count, drawn);
                let all: Vec<usize> = (0..count).map(|place| order.at(place)).collect();
                let mut sorted = all.clone();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..count), "{count} {drawn:?}: {all:?}");
                orders.push(all);
            }
            assert!(orders[0].iter().copied().eq(0..count));
            orders.sort();
            orders.dedup();
            assert!(count < 7 || orders.len() > 10, "{count}: {}", orders.len());
        }
    }
}
