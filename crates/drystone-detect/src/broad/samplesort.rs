//! Sorting of many small items on all threads. It knows no boxes and no contacts, and allocates nothing once
//! its buffers have grown.
//!
//! Items come in lists. Each list is scattered to blocks, the lowest keys to the first; then every block is
//! put together, slot by slot, and sorted on its own (samplesort, Frazer, McKellar 1970, with the samples
//! left to the caller). The outcome is the one sorted order, whichever thread did what.

use rayon::prelude::*;

/// Chunks at most: every block looks into every chunk, so that many small ones would cost more than what they
/// hold.
const CHUNKS: usize = 64;

/// A few lists, scattered.
#[derive(Debug)]
struct Chunk<T> {
    /// Grouped by block, in the order of the lists within each.
    items: Vec<T>,
    /// Those of block `b` end at `ends[b]` and begin where those of the block before end.
    ends: Vec<u32>,
}

/// How items are told apart. Neither block nor slot may fall as the key grows, within a block for the slot.
pub(crate) trait Order<T>: Sync {
    /// What to sort by; keys should all differ, equal ones end in an order of no meaning.
    type Key: Ord;

    fn key(&self, item: &T) -> Self::Key;

    /// How many blocks there are.
    fn blocks(&self) -> usize;

    /// Block of a item, given that of the item before it as a hint.
    fn block(&self, item: &T, hint: usize) -> usize;

    /// How many slots each block has.
    fn slots(&self) -> usize {
        1
    }

    /// Slot of a item in its block.
    fn slot(&self, _: &T) -> usize {
        0
    }
}

/// Sorts lists into one, keeping its buffers from call to call.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    chunks: Vec<Chunk<T>>,
    /// How many chunks were scattered to.
    count: usize,
    sorted: Vec<T>,
    /// Block `b` is `sorted[starts[b]..starts[b + 1]]`, once finished.
    starts: Vec<usize>,
    /// Ends of the slots of each block.
    slots: Vec<Vec<u32>>,
}

impl<T> Default for Sorter<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), count: 0, sorted: Vec::new(), starts: Vec::new(), slots: Vec::new() }
    }
}

impl<T: Copy + Default + Send + Sync> Sorter<T> {
    /// Sorts everything in the lists. What is nearly in order takes little time.
    pub fn sort(&mut self, lists: &[impl AsRef<[T]> + Sync], order: &impl Order<T>) {
        self.scatter(lists, order);
        self.finish(order, rayon::iter::repeat_n((), order.blocks()), |_, ()| {});
    }

    /// Scatters everything in the lists to its blocks: the first half of sorting.
    pub fn scatter(&mut self, lists: &[impl AsRef<[T]> + Sync], order: &impl Order<T>) {
        let blocks = order.blocks();
        let each = lists.len().div_ceil(CHUNKS).max(1);
        let count = lists.len().div_ceil(each);
        if self.chunks.len() < count {
            self.chunks.resize_with(count, || Chunk { items: Vec::new(), ends: Vec::new() });
        }
        if self.slots.len() < blocks {
            self.slots.resize_with(blocks, Vec::new);
        }
        let chunks = &mut self.chunks[..count];
        chunks
            .par_iter_mut()
            .zip(lists.par_chunks(each))
            .for_each(|(chunk, lists)| chunk.scatter(lists, order));
        self.count = count;
        self.starts.clear();
        self.starts.resize(blocks + 1, 0);
        for chunk in chunks.iter() {
            (0..blocks).for_each(|block| self.starts[block + 1] += chunk.range(block).len());
        }
        for block in 0..blocks {
            self.starts[block + 1] += self.starts[block];
        }
    }

    /// Puts the blocks that were scattered together, each sorted, and calls `done` with it and what belongs
    /// to it while it is at chunk.
    pub fn finish<X: Send>(
        &mut self,
        order: &impl Order<T>,
        belongings: impl IndexedParallelIterator<Item = X>,
        done: impl Fn(&[T], X) + Sync,
    ) {
        self.sorted.resize(self.starts[order.blocks()], T::default());
        let chunks = &self.chunks[..self.count];
        let pieces = pieces(&mut self.sorted, &self.starts).zip(&mut self.slots).zip(belongings).enumerate();
        pieces.for_each(|(block, ((piece, ends), belonging))| {
            let items = || chunks.iter().flat_map(|chunk| &chunk.items[chunk.range(block)]);
            if order.slots() > 1 {
                ends.clear();
                ends.resize(order.slots(), 0);
                items().for_each(|one| ends[order.slot(one)] += 1);
                place(ends, items(), piece, |one, _| order.slot(one));
            } else {
                piece.iter_mut().zip(items()).for_each(|(place, one)| *place = *one);
            }
            sort(piece, &|one| order.key(one));
            done(piece, belonging);
        });
    }

    /// All items of a block that was scattered, in no order.
    pub fn scattered(&self, block: usize) -> impl Iterator<Item = &T> {
        self.chunks[..self.count].iter().flat_map(move |chunk| &chunk.items[chunk.range(block)])
    }

    /// What was sorted.
    pub fn sorted(&self) -> &[T] {
        &self.sorted
    }

    /// Where the blocks begin, and the end of the last.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}

impl<T: Copy + Default> Chunk<T> {
    fn scatter(&mut self, lists: &[impl AsRef<[T]>], order: &impl Order<T>) {
        self.ends.clear();
        self.ends.resize(order.blocks(), 0);
        let items = || lists.iter().flat_map(|list| list.as_ref());
        let mut hint = 0;
        for one in items() {
            hint = order.block(one, hint);
            self.ends[hint] += 1;
        }
        self.items.resize(lists.iter().map(|list| list.as_ref().len()).sum(), T::default());
        place(&mut self.ends, items(), &mut self.items, |one, hint| order.block(one, hint));
    }

    fn range(&self, block: usize) -> std::ops::Range<usize> {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        start as usize..self.ends[block] as usize
    }
}

/// Puts items in their groups, whose counts become their ends.
fn place<'a, T: Copy + 'a>(
    counts: &mut [u32],
    items: impl Iterator<Item = &'a T>,
    places: &mut [T],
    group: impl Fn(&T, usize) -> usize,
) {
    // each count becomes the start of its group, and walks to the end as items are placed
    let mut total = 0;
    for count in counts.iter_mut() {
        (total, *count) = (total + *count, total);
    }
    let mut hint = 0;
    for one in items {
        hint = group(one, hint);
        let place = &mut counts[hint];
        places[*place as usize] = *one;
        *place += 1;
    }
}

/// Sorts by insertion as long as little is out of place: what was in order a step ago mostly still is.
fn sort<T: Copy, K: Ord>(piece: &mut [T], key: &impl Fn(&T) -> K) {
    let mut patience = 4 * piece.len();
    for k in 1..piece.len() {
        let one = piece[k];
        let mut place = k;
        while place > 0 && key(&piece[place - 1]) > key(&one) {
            piece[place] = piece[place - 1];
            place -= 1;
        }
        piece[place] = one;
        patience = patience.saturating_sub(k - place);
        if patience == 0 {
            return piece.sort_unstable_by_key(key);
        }
    }
}

/// The pieces of a slice between the places named, to be worked on side by side.
pub(crate) fn pieces<'a, T: Send>(
    slice: &'a mut [T],
    starts: &[usize],
) -> impl IndexedParallelIterator<Item = &'a mut [T]> {
    let mut rest = slice;
    let mut pieces = Vec::with_capacity(starts.len());
    for ends in starts.windows(2) {
        let (piece, after) = rest.split_at_mut(ends[1] - ends[0]);
        pieces.push(piece);
        rest = after;
    }
    pieces.into_par_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of 24 bits, in blocks and slots of as many numbers each.
    struct Even {
        blocks: usize,
        slots: usize,
    }

    impl Order<u64> for Even {
        type Key = u64;

        fn key(&self, one: &u64) -> u64 {
            *one
        }

        fn blocks(&self) -> usize {
            self.blocks
        }

        fn block(&self, one: &u64, _: usize) -> usize {
            (*one as usize * self.blocks) >> 24
        }

        fn slots(&self) -> usize {
            self.slots
        }

        fn slot(&self, one: &u64) -> usize {
            ((*one as usize * self.blocks * self.slots) >> 24) % self.slots
        }
    }

    #[test]
    fn lists_of_any_length_are_sorted_as_one() {
        let mut sorter = Sorter::default();
        // the same sorter for more and for fewer
        for (count, blocks) in [(1000u64, 7), (10, 3), (0, 1), (5000, 64)] {
            let value = |k: u64| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let lists: Vec<Vec<u64>> =
                (0..13).map(|list| (0..count).filter(|k| k * k % 13 == list).map(value).collect()).collect();
            let mut expected: Vec<u64> = (0..count).map(value).collect();
            expected.sort_unstable();
            for slots in [1, 16] {
                sorter.sort(&lists, &Even { blocks, slots });
                assert_eq!(sorter.sorted(), expected);
            }
            assert_eq!(sorter.starts().len(), blocks + 1);
            for (index, ends) in sorter.starts().windows(2).enumerate() {
                assert!(
                    sorter.sorted()[ends[0]..ends[1]]
                        .iter()
                        .all(|one| (one * blocks as u64) >> 24 == index as u64)
                );
            }
        }
    }
}
