//! Names of bodies that outlive the removal of others. Knows no body but by its index.

use crate::BodyId;

/// The name of one body for as long as it is there, and of no other body ever after: its place in a table,
/// and how often that place has been given away. [`BodyId`] is an index of the moment, which moves up as
/// bodies before it are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyHandle {
    slot: u32,
    generation: u32,
}

impl BodyHandle {
    /// The two numbers, for files.
    pub fn to_words(self) -> [u32; 2] {
        [self.slot, self.generation]
    }
}

/// Which body a handle names. In files it is three lists of numbers: the generations of the slots, the slots
/// of the bodies, the empty slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "[Vec<u32>; 3]", try_from = "[Vec<u32>; 3]")
)]
pub struct Handles {
    /// Generation of each slot, and the body in it.
    slots: Vec<(u32, Option<BodyId>)>,
    /// The slot of each body.
    of_body: Vec<u32>,
    /// Empty slots, the one to be taken next at the end.
    free: Vec<u32>,
}

impl Handles {
    /// Names for so many bodies, in their order.
    pub fn new(bodies: usize) -> Self {
        let mut handles = Self::default();
        (0..bodies).for_each(|_| {
            handles.push();
        });
        handles
    }

    /// Names the body behind the last.
    pub fn push(&mut self) -> BodyHandle {
        let body = BodyId(self.of_body.len() as u32);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            (self.slots.len() - 1) as u32
        });
        let (generation, held) = &mut self.slots[slot as usize];
        *held = Some(body);
        self.of_body.push(slot);
        BodyHandle { slot, generation: *generation }
    }

    /// How many bodies have a name.
    pub fn len(&self) -> usize {
        self.of_body.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of_body.is_empty()
    }

    /// The body that a handle names; none where it was removed, or the handle is of another simulation.
    pub fn body(&self, handle: BodyHandle) -> Option<BodyId> {
        match self.slots.get(handle.slot as usize) {
            Some(&(generation, body)) if generation == handle.generation => body,
            _ => None,
        }
    }

    /// The handle of a body; none where there is no such body.
    pub fn handle(&self, BodyId(body): BodyId) -> Option<BodyHandle> {
        let slot = *self.of_body.get(body as usize)?;
        Some(BodyHandle { slot, generation: self.slots[slot as usize].0 })
    }

    /// Forgets the bodies that are not kept, one answer for each; those behind them move up.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut left = Vec::with_capacity(self.of_body.len());
        for (&slot, &kept) in self.of_body.iter().zip(kept) {
            let (generation, held) = &mut self.slots[slot as usize];
            if kept {
                *held = Some(BodyId(left.len() as u32));
                left.push(slot);
            } else {
                // a slot whose generations are used up is never given away again
                *held = None;
                if let Some(next) = generation.checked_add(1) {
                    *generation = next;
                    self.free.push(slot);
                }
            }
        }
        self.of_body = left;
    }
}

impl From<Handles> for [Vec<u32>; 3] {
    fn from(handles: Handles) -> Self {
        let generations = handles.slots.iter().map(|&(generation, _)| generation).collect();
        [generations, handles.of_body, handles.free]
    }
}

impl TryFrom<[Vec<u32>; 3]> for Handles {
    type Error = &'static str;

    fn try_from([generations, of_body, free]: [Vec<u32>; 3]) -> Result<Self, Self::Error> {
        const WRONG: &str = "the handles of the bodies do not fit each other";
        let mut slots: Vec<(u32, Option<BodyId>)> =
            generations.into_iter().map(|generation| (generation, None)).collect();
        for (body, &slot) in of_body.iter().enumerate() {
            let (_, held) = slots.get_mut(slot as usize).ok_or(WRONG)?;
            if held.replace(BodyId(body as u32)).is_some() {
                return Err(WRONG);
            }
        }
        let mut seen = vec![false; slots.len()];
        for &slot in &free {
            let (_, held) = slots.get(slot as usize).ok_or(WRONG)?;
            if held.is_some() || std::mem::replace(&mut seen[slot as usize], true) {
                return Err(WRONG);
            }
        }
        Ok(Self { slots, of_body, free })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_its_body_or_none() {
        let mut handles = Handles::new(4);
        let all: Vec<BodyHandle> = (0..4).map(|body| handles.handle(BodyId(body)).unwrap()).collect();
        handles.retain(&[true, false, true, false]);
        assert_eq!(
            all.iter().map(|&h| handles.body(h)).collect::<Vec<_>>(),
            [Some(BodyId(0)), None, Some(BodyId(1)), None]
        );
        let next = handles.push();
        assert_eq!(handles.body(next), Some(BodyId(2)));
        // its slot was that of a body removed, which it is not taken for
        assert!(all.iter().all(|&old| old != next) && handles.body(all[3]).is_none());
        assert_eq!(handles.handle(BodyId(1)), Some(all[2]));
        assert_eq!(handles.handle(BodyId(3)), None);
    }

    #[test]
    fn files_hold_the_handles() {
        let mut handles = Handles::new(5);
        handles.retain(&[true, false, false, true, true]);
        handles.push();
        let words: [Vec<u32>; 3] = handles.clone().into();
        let mut again = Handles::try_from(words.clone()).unwrap();
        assert_eq!(again, handles);
        assert_eq!(again.push(), handles.push());
        let [generations, of_body, free] = words;
        assert!(Handles::try_from([generations.clone(), vec![0, 0], free.clone()]).is_err());
        assert!(Handles::try_from([generations.clone(), vec![9], free]).is_err());
        assert!(Handles::try_from([generations, of_body.clone(), of_body]).is_err());
    }
}
