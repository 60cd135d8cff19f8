//! How contacts are spread over skins, kept as the search for them found it: whoever needs the points where
//! they hold their sides does not look for them again. Finds none itself, see `spread`.

use drystone_math::Vector;

/// A place on a facet of a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetPlace {
    /// Number of the facet.
    pub facet: u32,
    /// Weights of its corners.
    pub weights: [f64; 3],
}

/// A point where a spread contact holds both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadPoint {
    /// On the skin whose sheet it is.
    pub own: FacetPlace,
    /// On the other side, where that is a skin.
    pub other: Option<FacetPlace>,
    /// Its share; all together are one.
    pub share: f64,
}

/// A contact spread over the facets around a vertex of a skin.
///
/// The pressure of the contact is `p φ`, φ the linear function that is one at the vertex and zero at all
/// others; the gap, the point and the velocities of both sides are means with the weight φ over where the
/// facets lie on the other side. The sum of all such pressures may be any that is linear on each facet, a
/// uniform one among them, and none but zero loads no node: the shares of single contacts are determined
/// (Puso, Laursen 2004, with multipliers on the skin that has the smaller facets).
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadContact<const D: usize> {
    /// Half way between the sides \[m\].
    pub point: Vector<D>,
    /// Unit normal to the skin, from the other side.
    pub normal: Vector<D>,
    /// Distance along it \[m\].
    pub gap: f64,
    /// Integral of φ \[m²\], in the plane \[m\] for a depth of 1 m, of bodies of revolution once around: the
    /// impulse over it and over the step is the pressure at the vertex.
    pub area: f64,
    /// Where it holds the sides.
    pub points: Vec<SpreadPoint>,
}

impl<const D: usize> SpreadContact<D> {
    /// Where it holds its sides.
    pub fn sides(&self) -> SpreadSides<'_> {
        SpreadSides { area: self.area, points: &self.points }
    }
}

/// Where a contact that is spread over a skin holds its two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadSides<'a> {
    /// See [`SpreadContact::area`].
    pub area: f64,
    /// Where it holds the sides.
    pub points: &'a [SpreadPoint],
}

/// Spread contacts by their contactors and sheets.
#[derive(Debug, Default)]
pub struct Spreads {
    spreads: Vec<KeptSpread>,
    points: Vec<SpreadPoint>,
    /// Where those of each first contactor end in `order`, and their places by first contactors.
    ends: Vec<u32>,
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct KeptSpread {
    contactors: [u32; 2],
    sheet: u32,
    area: f64,
    /// Where its points begin, and where they end.
    points: [u32; 2],
}

impl Spreads {
    /// Forgets all and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.spreads.clear();
        self.points.clear();
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.spreads.is_empty()
    }

    /// Adds one; the contactors are told later.
    pub(crate) fn push(&mut self, sheet: u32, area: f64, points: impl Iterator<Item = SpreadPoint>) {
        let first = self.points.len() as u32;
        self.points.extend(points);
        let points = [first, self.points.len() as u32];
        self.spreads.push(KeptSpread { contactors: [u32::MAX; 2], sheet, area, points });
    }

    /// Adds those of another pair of contactors.
    pub(crate) fn add_pair(&mut self, contactors: [u32; 2], of_pair: &Self) {
        let first = self.spreads.len();
        self.append(of_pair);
        self.spreads[first..].iter_mut().for_each(|kept| kept.contactors = contactors);
    }

    /// Adds others.
    pub(crate) fn append(&mut self, other: &Self) {
        let first = self.points.len() as u32;
        self.points.extend_from_slice(&other.points);
        let moved = |kept: &KeptSpread| KeptSpread { points: kept.points.map(|at| at + first), ..*kept };
        self.spreads.extend(other.spreads.iter().map(moved));
    }

    /// Puts them by their first contactors, for [`Self::of`]; there are few for each.
    pub(crate) fn sort(&mut self) {
        let Self { spreads, ends, order, .. } = self;
        ends.clear();
        for kept in &*spreads {
            let first = kept.contactors[0] as usize;
            ends.resize(ends.len().max(first + 1), 0);
            ends[first] += 1;
        }
        let mut total = 0;
        for end in ends.iter_mut() {
            // for now where those of the contactor begin
            (total, *end) = (total + *end, total);
        }
        order.clear();
        order.resize(spreads.len(), 0);
        for (place, kept) in (0..).zip(&*spreads) {
            let end = &mut ends[kept.contactors[0] as usize];
            order[*end as usize] = place;
            *end += 1;
        }
    }

    /// The spread contact of two contactors at a sheet; none where nobody found any.
    pub fn of(&self, contactors: [u32; 2], sheet: u32) -> Option<SpreadSides<'_>> {
        let first = contactors[0] as usize;
        let begin = if first == 0 { 0 } else { *self.ends.get(first - 1)? };
        let all = &self.order[begin as usize..*self.ends.get(first)? as usize];
        let mut all = all.iter().map(|&place| &self.spreads[place as usize]);
        let found = all.find(|kept| (kept.contactors, kept.sheet) == (contactors, sheet))?;
        let [first, end] = found.points;
        Some(SpreadSides { area: found.area, points: &self.points[first as usize..end as usize] })
    }
}
