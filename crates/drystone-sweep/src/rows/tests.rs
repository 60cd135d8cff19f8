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
        lanes.parts[0].groups[0].entries[0].at[0] = other;
    })
    .check();
}
