//! The touches of a step with how they are spread over skins: as the search for them kept it, or found again.
//! Which nodes they hold by that is told by `ports`.

use crate::StepContext;
use crate::impact::poses_of;
use crate::matching::is_own;
use drystone_detect::{
    ContactPoint, SkinBuffers, SkinFeature, SkinPair, SpreadContact, SpreadSides, Spreads, skin_feature,
};

/// Whether two touches are of the same contactors.
pub(crate) fn of_one_pair<const D: usize>(a: &ContactPoint<D>, b: &ContactPoint<D>) -> bool {
    (a.contactors, a.image) == (b.contactors, b.image)
}

/// Every touch with its number, and how it is spread over a skin where it is.
pub(crate) fn each_with_spread<const D: usize>(
    step: &StepContext<D>,
    touches: &[ContactPoint<D>],
    spreads: Option<&Spreads>,
    mut each: impl FnMut(usize, &ContactPoint<D>, Option<SpreadSides>),
) {
    let mut number = 0;
    let mut buffers: [SkinBuffers<D>; 2] = Default::default();
    for run in touches.chunk_by(of_one_pair) {
        let mut again = SpreadAgain { step, run, pairs: [None, None], spare: buffers.each_mut().map(Some) };
        for touch in run {
            let sheet = |side: usize| Some((side, sheet_of(touch, side)?));
            let Some((side, sheet)) = sheet(0).or(sheet(1)) else {
                each(number, touch, None);
                number += 1;
                continue;
            };
            match spreads.and_then(|spreads| spreads.of(touch.contactors, sheet)) {
                Some(kept) => each(number, touch, Some(kept)),
                None => {
                    let found = again.find(side, sheet);
                    each(number, touch, found.as_ref().map(SpreadContact::sides));
                }
            }
            number += 1;
        }
    }
}

/// The touches of a pair whose spread contacts nobody kept.
struct SpreadAgain<'a, const D: usize> {
    step: &'a StepContext<'a, D>,
    run: &'a [ContactPoint<D>],
    /// The pair as seen from either side, once asked for.
    pairs: [Option<SkinPair<'a, D>>; 2],
    spare: [Option<&'a mut SkinBuffers<D>>; 2],
}

impl<const D: usize> SpreadAgain<'_, D> {
    /// The contact of a sheet of the skin on one side.
    fn find(&mut self, side: usize, sheet: u32) -> Option<SpreadContact<D>> {
        let (step, run) = (self.step, self.run);
        if let Some(buffers) = self.spare[side].take() {
            let contactors = run[0].contactors.map(|contactor| &step.contactors[contactor as usize]);
            let poses = poses_of(step, &run[0], 0.0);
            let places = [0, 1].map(|side| poses[side].compose(&contactors[side].local));
            let of = |side: usize| (&contactors[side].shape, &places[side]);
            self.pairs[side] = match is_own(&run[0]) {
                true => SkinPair::with_itself(of(0), farthest(run), buffers),
                false => {
                    let sheets = run.iter().filter_map(|touch| sheet_of(touch, side));
                    SkinPair::of_sheets(of(side), of(1 - side), farthest(run), sheets, buffers)
                }
            };
        }
        self.pairs[side].as_mut()?.spread(sheet)
    }
}

/// The sheet of a touch on one side.
fn sheet_of<const D: usize>(touch: &ContactPoint<D>, side: usize) -> Option<u32> {
    match skin_feature(touch.feature, side) {
        SkinFeature::Sheet(sheet) => Some(sheet),
        _ => None,
    }
}

/// The largest gap of some touches \[m\].
fn farthest<const D: usize>(touches: &[ContactPoint<D>]) -> f64 {
    touches.iter().map(|touch| touch.gap).fold(0.0, f64::max)
}
