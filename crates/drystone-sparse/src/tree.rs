//! The fronts of a multifrontal elimination (Duff, Reid 1983) along the tree of a dissection: which rows each
//! of them holds, and where entries and the rests of its children go. Holds no numbers.

use crate::dissection::Supernode;
use crate::pattern::Pattern;

/// One dense elimination.
#[derive(Debug)]
pub(crate) struct Front {
    /// Block rows, those eliminated here first.
    pub rows: Vec<u32>,
    /// How many are eliminated here.
    pub own: usize,
    /// Entry of the pattern, and its block row and column in the front.
    pub entries: Vec<(usize, u32, u32)>,
    /// Fronts whose Schur complement is added here, each with the places of its rows.
    pub children: Vec<(usize, Vec<u32>)>,
}

/// Fronts along the tree of a dissection.
pub(crate) fn along(pattern: &Pattern, neighbours: &[Vec<u32>], parts: &[Supernode]) -> Vec<Front> {
    let mut part_of = vec![0; pattern.rows()];
    for (index, part) in parts.iter().enumerate() {
        part.vertices.iter().for_each(|&vertex| part_of[vertex as usize] = index);
    }
    let mut fronts: Vec<Front> = parts
        .iter()
        .map(|part| Front {
            rows: part.vertices.clone(),
            own: part.vertices.len(),
            entries: Vec::new(),
            children: Vec::new(),
        })
        .collect();
    // the border of a front: what its rows and its children touch of later fronts
    for index in 0..fronts.len() {
        let mut border: Vec<u32> = Vec::new();
        for &row in &fronts[index].rows {
            border.extend(neighbours[row as usize].iter().filter(|&&other| part_of[other as usize] > index));
        }
        for &(child, _) in &fronts[index].children {
            let child = &fronts[child];
            border.extend(child.rows[child.own..].iter().filter(|&&other| part_of[other as usize] > index));
        }
        border.sort_unstable();
        border.dedup();
        fronts[index].rows.extend(border);
        if let Some(parent) = parts[index].parent {
            fronts[parent].children.push((index, Vec::new()));
        }
    }
    place(&mut fronts, pattern, &part_of);
    fronts
}

/// The other rows that each row touches, or that touch it.
pub(crate) fn neighbours(pattern: &Pattern) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); pattern.rows()];
    for row in 0..pattern.rows() {
        for entry in pattern.entries(row) {
            let column = pattern.columns[entry] as usize;
            if column != row {
                neighbours[row].push(column as u32);
                neighbours[column].push(row as u32);
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Finds the place of every entry and of every child's rows.
fn place(fronts: &mut [Front], pattern: &Pattern, part_of: &[usize]) {
    let mut entries_of = vec![Vec::new(); fronts.len()];
    for row in 0..pattern.rows() {
        for entry in pattern.entries(row) {
            let column = pattern.columns[entry];
            entries_of[part_of[row].min(part_of[column as usize])].push((entry, row as u32, column));
        }
    }
    let mut place = vec![0; pattern.rows()];
    for (index, entries) in entries_of.into_iter().enumerate() {
        for (at, &row) in fronts[index].rows.iter().enumerate() {
            place[row as usize] = at as u32;
        }
        let placed = entries
            .into_iter()
            .map(|(entry, row, column)| (entry, place[row as usize], place[column as usize]));
        fronts[index].entries = placed.collect();
        let mut children = std::mem::take(&mut fronts[index].children);
        for (child, places) in &mut children {
            let child = &fronts[*child];
            *places = child.rows[child.own..].iter().map(|&row| place[row as usize]).collect();
        }
        fronts[index].children = children;
    }
}
