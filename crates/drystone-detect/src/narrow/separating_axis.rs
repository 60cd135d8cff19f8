//! The face that parted two polytopes when they were last looked at: the first to be tried again (Baraff 1990
//! calls it a witness). It decides nothing: a face that no longer parts them, or one that is forgotten, costs
//! time and changes no contact.

/// Which body has the face, 0 or 1, and which face.
pub(crate) type WitnessFace = [u32; 2];

/// Faces by pairs of contactors. Pairs share places, and the last one has it.
#[derive(Debug, Default)]
pub(crate) struct SeparatingFaces {
    /// Contactors and their face; a power of two of them.
    places: Vec<([u32; 2], WitnessFace)>,
}

/// Of no pair.
const NONE: ([u32; 2], WitnessFace) = ([u32::MAX; 2], [0; 2]);

impl SeparatingFaces {
    /// Makes room for so many pairs, and forgets all where there was too little.
    pub fn make_room(&mut self, pairs: usize) {
        let length = (2 * pairs).next_power_of_two();
        if self.places.len() < length {
            self.places.clear();
            self.places.resize(length, NONE);
        }
    }

    fn place(&self, contactors: [u32; 2]) -> usize {
        // multiplicative hashing (Knuth 1973): the high bits are mixed best
        let mixed = contactors[0].wrapping_mul(0x9e37_79b1) ^ contactors[1].wrapping_mul(0x85eb_ca77);
        (mixed ^ mixed >> 16) as usize & (self.places.len() - 1)
    }

    /// The face that parted two contactors, if it is known.
    pub fn face(&self, contactors: [u32; 2]) -> Option<WitnessFace> {
        let (owner, face) = self.places[self.place(contactors)];
        (owner == contactors).then_some(face)
    }

    /// Notes the face that parts two contactors, or that none does.
    pub fn note(&mut self, contactors: [u32; 2], face: Option<WitnessFace>) {
        let place = self.place(contactors);
        match face {
            Some(face) => self.places[place] = (contactors, face),
            None if self.places[place].0 == contactors => self.places[place] = NONE,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_finds_its_own_face_or_none() {
        let mut parted = SeparatingFaces::default();
        parted.make_room(100);
        for pair in 0..400u32 {
            parted.note([pair % 7, 10 + pair], Some([pair % 2, pair]));
            assert_eq!(parted.face([pair % 7, 10 + pair]), Some([pair % 2, pair]));
        }
        let known = (0..400u32).filter(|pair| {
            let face = parted.face([pair % 7, 10 + pair]);
            assert!(face.is_none_or(|face| face == [pair % 2, *pair]));
            face.is_some()
        });
        assert!(known.count() > 100);
        parted.note([3, 20], Some([0, 1]));
        parted.note([3, 20], None);
        assert_eq!(parted.face([3, 20]), None);
    }
}
