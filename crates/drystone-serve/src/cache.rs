//! The frames last asked for, packed, up to a number of bytes. Knows nothing of what is in them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Most bytes kept.
const MOST: usize = 128 << 20;

/// Bytes that several answers may share, as they were made: a slice would be a copy.
pub(crate) type SharedBytes = Arc<Vec<u8>>;

/// How much of a frame is in a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrameDepth {
    /// Where bodies are and how fast.
    Motion,
    /// All that is known of the bodies.
    Bodies,
    /// Contacts as well.
    #[default]
    All,
}

/// Number of a frame, and how much of it.
type FrameKey = (usize, FrameDepth);

/// Frames by number, the oldest use forgotten first.
#[derive(Debug, Default)]
pub(crate) struct FrameCache {
    held: BTreeMap<FrameKey, (u64, SharedBytes)>,
    bytes: usize,
    clock: u64,
}

impl FrameCache {
    pub fn get(&mut self, frame: FrameKey) -> Option<SharedBytes> {
        self.clock += 1;
        let clock = self.clock;
        self.held.get_mut(&frame).map(|(used, bytes)| {
            *used = clock;
            bytes.clone()
        })
    }

    pub fn put(&mut self, frame: FrameKey, bytes: SharedBytes) {
        self.clock += 1;
        self.bytes += bytes.len();
        if let Some((_, old)) = self.held.insert(frame, (self.clock, bytes)) {
            self.bytes -= old.len();
        }
        while self.bytes > MOST && self.held.len() > 1 {
            let oldest = self.held.iter().min_by_key(|(_, (used, _))| *used).map(|(&frame, _)| frame);
            let Some((_, old)) = oldest.and_then(|frame| self.held.remove(&frame)) else { break };
            self.bytes -= old.len();
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_bounded_and_keeps_what_is_used() {
        let mut cache = FrameCache::default();
        let block: SharedBytes = Arc::new(vec![0; MOST / 4]);
        for frame in 0..10 {
            cache.put((frame, FrameDepth::All), block.clone());
            assert!(cache.get((0, FrameDepth::All)).is_some(), "used all the time");
            assert!(cache.bytes <= MOST && cache.held.len() <= 4);
        }
        assert!(cache.get((9, FrameDepth::All)).is_some() && cache.get((5, FrameDepth::All)).is_none());
        assert!(cache.get((9, FrameDepth::Bodies)).is_none(), "without contacts it is another");
    }
}
