//! Plans over grids of bodies, small and large enough for an order of neighbours.

use super::*;
use std::collections::HashSet;

/// Contacts between neighbours of a grid of bodies numbered at random, the first row on a floor that does not
/// move; one in five rests, one in nine is not for lanes.
fn grid(side: usize) -> (usize, Vec<Candidate>) {
    let name = |x: usize, y: usize| ((x + y * side) * 7 % (side * side)) as u32;
    let mut edges = Vec::new();
    for (x, y) in (0..side * side).map(|k| (k % side, k / side)) {
        edges.push([Some(name(x, y)), (y > 0).then(|| name(x, y - 1))]);
        if x + 1 < side {
            edges.push([Some(name(x, y)), Some(name(x + 1, y))]);
        }
    }
    let number = |k: usize| k * 7919 % edges.len();
    let candidate = |k: usize| Candidate { bodies: edges[number(k)], laned: k % 9 != 4, active: k % 5 != 2 };
    (side * side, (0..edges.len()).map(candidate).collect())
}

fn members(plan: &Plan) -> Vec<(&Vec<[u32; WIDTH]>, &Vec<u32>)> {
    plan.tiles.iter().map(|tile| (&tile.groups, &tile.alone)).collect()
}

/// Every contact has one place, contacts of a group share no body, and no more do tiles of a phase.
#[test]
fn who_is_swept_at_once_shares_no_body() {
    // 7 and the side have no common factor
    for side in [9, 40, 90] {
        let (bodies, candidates) = grid(side);
        let plan = Plan::new(bodies, &candidates);
        let mut seen = HashSet::new();
        for tile in &plan.tiles {
            for group in &tile.groups {
                let mut met = HashSet::new();
                for &contact in group.iter().filter(|&&contact| contact != NOBODY) {
                    assert!(seen.insert(contact) && candidates[contact as usize].laned);
                    assert!(candidates[contact as usize].bodies().all(|body| met.insert(body)));
                }
            }
            assert!(tile.alone.iter().all(|&contact| seen.insert(contact)));
        }
        assert_eq!(seen.len(), candidates.len());
        assert!(plan.phases.iter().flat_map(Clone::clone).eq(0..plan.tiles.len()));
        for phase in &plan.phases {
            let mut met = HashSet::new();
            for tile in &plan.tiles[phase.clone()] {
                let contacts = tile.groups.iter().flatten().chain(&tile.alone);
                let contacts = contacts.filter(|&&contact| contact != NOBODY);
                let own: HashSet<u32> =
                    contacts.flat_map(|&contact| candidates[contact as usize].bodies()).collect();
                assert!(own.into_iter().all(|body| met.insert(body)), "side {side}");
            }
        }
        assert!(side < 90 || plan.tiles.len() > 8, "one that is cut up");
    }
}

/// A plan that follows contacts from holding to resting is the one made anew.
#[test]
fn a_plan_made_of_another_is_a_new_one() {
    let (bodies, before) = grid(90);
    let mut now = before.clone();
    // near each other in the grid, so that some tiles stay as they are
    now.iter_mut().filter(|now| now.bodies[0].is_some_and(|body| body < 40)).for_each(|now| {
        now.active = !now.active;
    });
    let mut plan = Plan::new(bodies, &before);
    assert!(plan.renew(bodies, &before, &now));
    let anew = Plan::new(bodies, &now);
    assert_eq!(members(&plan), members(&anew));
    assert_eq!((&plan.phases, &plan.lines, plan.count), (&anew.phases, &anew.lines, anew.count));
    // other contacts
    assert!(!plan.renew(bodies, &now, &before[1..]));
    assert_eq!(members(&plan), members(&Plan::new(bodies, &before[1..])));
}

/// More contacts at a body than there are colours for are swept one by one after all others.
#[test]
fn crowded_bodies_come_last() {
    let star: Vec<_> = (1..200).map(|leaf| [Some(0), Some(leaf)]).collect();
    let of = |bodies| Candidate { bodies, laned: true, active: true };
    let plan = Plan::new(200, &star.into_iter().map(of).collect::<Vec<_>>());
    assert!(plan.tiles.iter().all(|tile| tile.groups.is_empty()));
    assert_eq!(plan.tiles.iter().map(|tile| tile.alone.len()).sum::<usize>(), 199);
}
