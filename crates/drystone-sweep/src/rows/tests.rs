//! The lanes over assembled rows hold their colours to their word.

use super::*;
use drystone_bench::problems::lattice;
use drystone_problem::Problem;

/// The lanes of a lattice of balls, assembled.
fn lanes(spoil: impl FnOnce(&mut RowLanes<3>)) -> RowLanes<3> {
    let Problem { w, u_free, sets } = lattice(300, 1);
    let blocks = Blocks::new(w.assemble());
    let r = vec![Vector::zeros(); u_free.len()];
    let instructions = Instructions::plain();
    let build = Build { u_free: &u_free, sets: &sets, r: &r, asked: 1.0, instructions };
    let mut lanes = RowLanes::new(&build, &blocks).expect("a problem that fills its lanes");
    spoil(&mut lanes);
    lanes
}

#[test]
fn colours_as_they_are_made_are_sound() {
    lanes(|_| {}).check();
}

#[test]
#[should_panic(expected = "a colour writes a contact twice")]
fn a_contact_twice_in_a_group_is_found() {
    lanes(|lanes| lanes.parts[0].groups[0].own[1] = lanes.parts[0].groups[0].own[0]).check();
}

#[test]
#[should_panic(expected = "a colour writes a contact twice")]
fn a_contact_twice_in_a_colour_is_found() {
    lanes(|lanes| lanes.parts[0].groups[1].own[0] = lanes.parts[0].groups[0].own[3]).check();
}

#[test]
#[should_panic(expected = "two of a colour share a block")]
fn a_block_between_two_of_a_colour_is_found() {
    lanes(|lanes| {
        let other = lanes.parts[0].groups[1].own[0];
        lanes.parts[0].entries.at[0][0] = other;
    })
    .check();
}

/// Groups of open contacts are left out of sweeps: no contact without an impulse comes before one with.
#[test]
fn contacts_that_hold_an_impulse_come_first_in_their_colour() {
    let Problem { w, sets, .. } = lattice(300, 1);
    let blocks = Blocks::new(w.assemble());
    let holds = |contact: usize| contact.is_multiple_of(3);
    let impulse = |contact: usize| if holds(contact) { 0.1 } else { 0.0 };
    let r: Vec<Vector<3>> = (0..sets.len()).map(|contact| Vector::repeat(impulse(contact))).collect();
    let laned = vec![true; sets.len()];
    let colours = colour(&blocks, &laned, &r);
    assert_eq!(colours.iter().map(Vec::len).sum::<usize>(), sets.len());
    assert!(colours.iter().any(|members| members.iter().any(|&contact| !holds(contact as usize))));
    for members in &colours {
        let holding = members.iter().take_while(|&&contact| holds(contact as usize)).count();
        // a late colour of a few contacts may hold none
        assert!(holding > 0 || members.len() < WIDTH, "{holding} of {} hold", members.len());
        assert!(members[holding..].iter().all(|&contact| !holds(contact as usize)));
        for part in [&members[..holding], &members[holding..]] {
            let length = |contact: u32| blocks.rows().row(contact as usize).count();
            assert!(part.windows(2).all(|two| length(two[0]) >= length(two[1])));
        }
    }
}
