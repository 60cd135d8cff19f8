//! Facets of one skin that come near each other as it folds. Takes no integrals.

use drystone_geometry::SkinShape;
use drystone_geometry::aabb::Aabb;
use drystone_math::Vector;

use crate::narrow::flats::FLAT;

/// Box around a facet, with a margin.
pub(super) fn facet_box<const D: usize>(skin: &SkinShape<D>, facet: usize, margin: f64) -> Aabb<D> {
    let (mut low, mut high) = (*skin.corner(facet, 0), *skin.corner(facet, 0));
    for rank in 1..D {
        low = low.inf(skin.corner(facet, rank));
        high = high.sup(skin.corner(facet, rank));
    }
    Aabb { low: low.add_scalar(-margin), high: high.add_scalar(margin) }
}

/// For each facet those it bears the contacts with and that come within `reach` of it \[m\]: they face each
/// other and share no vertex.
pub(super) fn near_facets<const D: usize>(skin: &SkinShape<D>, reach: f64) -> Vec<Vec<u32>> {
    let count = skin.facet_count();
    let normals: Vec<Vector<D>> = (0..count).map(|facet| skin.normal(facet)).collect();
    let boxes: Vec<Aabb<D>> = (0..count).map(|facet| facet_box(skin, facet, 0.5 * reach)).collect();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let begins = |facet: &u32| boxes[*facet as usize].low[0];
    order.sort_by(|a, b| begins(a).total_cmp(&begins(b)).then(a.cmp(b)));
    let mut near = vec![Vec::new(); count];
    for (rank, &one) in order.iter().enumerate() {
        let own = &boxes[one as usize];
        for &two in order[rank + 1..].iter().take_while(|two| begins(two) <= own.high[0]) {
            let [a, b] = [one, two].map(|facet| facet as usize);
            let meets = normals[a].dot(&normals[b]) <= -FLAT && own.overlaps(&boxes[b]);
            if meets && !skin.are_neighbours(a, b) {
                let (bearing, under) = if skin.bears(a, b) { (a, two) } else { (b, one) };
                near[bearing].push(under);
            }
        }
    }
    near.iter_mut().for_each(|facets| facets.sort_unstable());
    near
}
