//! An operator made anew in the memory of the last one: rows are laid out by their bodies and filled in
//! place, by as many threads as there are. Computes nothing but the blocks of rows that are pushed.

use super::carry::Sides;
use super::{Condensed, Head, block};
use crate::{Compliances, Matrix, PairRow, Row, Vector};
use rayon::prelude::*;

/// So many rows are laid out by one thread.
const ROWS_OF_A_THREAD: usize = 1024;

impl<const D: usize> Default for Condensed<D> {
    /// No rows and no bodies.
    fn default() -> Self {
        Self {
            heads: Vec::new(),
            columns: Vec::new(),
            bodies: Compliances::new(),
            diagonal: Vec::new(),
            compliance: Vec::new(),
            places: Vec::new(),
            sides: Sides::default(),
        }
    }
}

impl<const D: usize> Condensed<D> {
    /// Takes all rows out and keeps the memory; gives the bodies, which stay as they are until they are
    /// changed.
    pub fn clear(&mut self) -> &mut Compliances {
        // columns and blocks are written over
        self.heads.clear();
        self.sides.forget();
        self.compliance.clear();
        &mut self.bodies
    }

    /// The bodies.
    pub fn bodies_mut(&mut self) -> &mut Compliances {
        self.sides.forget();
        &mut self.bodies
    }

    /// Rows between the pairs of bodies, behind those that are there; the caller fills in the columns and the
    /// diagonal blocks.
    pub fn lay_out(&mut self, pairs: impl IndexedParallelIterator<Item = [u32; 2]>) -> RowSlots<'_, D> {
        let (rows, bodies) = (self.heads.len(), &self.bodies);
        let head = |pair: [u32; 2]| Head::new(pair, pair.map(|body| bodies.dofs(body as usize)), 0);
        self.heads.par_extend(pairs.with_min_len(ROWS_OF_A_THREAD).map(head));
        self.slots_from(rows)
    }

    /// The places of the rows from that one on, behind those before.
    fn slots_from(&mut self, rows: usize) -> RowSlots<'_, D> {
        self.sides.forget();
        let columns = if rows == 0 { 0 } else { self.columns.len() };
        let mut first = columns;
        for head in &mut self.heads[rows..] {
            head.first = first;
            first += (head.dofs[0].count + head.dofs[1].count) as usize;
        }
        self.columns.resize(first, [0.0; D]);
        self.diagonal.resize(self.heads.len(), Matrix::zeros());
        RowSlots {
            heads: &mut self.heads[rows..],
            columns: &mut self.columns[columns..],
            blocks: &mut self.diagonal[rows..],
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &PairRow<D>) {
        let of = Row { bodies: row.bodies, h: row.h.each_ref().map(|h| &**h) };
        let whole = block(&of, 0, &self.bodies) + block(&of, 1, &self.bodies);
        let dofs = row.bodies.map(|body| self.bodies.dofs(body as usize));
        self.heads.push(Head::new(row.bodies, dofs, 0));
        let mut slots = self.slots_from(self.heads.len() - 1);
        slots.set(0, of.h);
        *slots.block(0) = whole;
    }

    /// Keeps the rows that are told, in their order; before any compliance is set.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        self.sides.forget();
        let (mut rows, mut columns) = (0, 0);
        for row in (0..self.heads.len()).filter(|&row| keep(row)) {
            let head = self.heads[row];
            let count = (head.dofs[0].count + head.dofs[1].count) as usize;
            self.columns.copy_within(head.first..head.first + count, columns);
            self.heads[rows] = Head { first: columns, ..head };
            self.diagonal[rows] = self.diagonal[row];
            (rows, columns) = (rows + 1, columns + count);
        }
        self.heads.truncate(rows);
        self.diagonal.truncate(rows);
        self.columns.truncate(columns);
    }

    /// Says where the first contacts are \[m\], for whoever looks at regions of them.
    pub fn set_places(&mut self, places: Vec<Vector<D>>) {
        self.places = places;
    }

    /// The places, to be written over.
    pub fn take_places(&mut self) -> Vec<Vector<D>> {
        std::mem::take(&mut self.places)
    }

    /// Gives every row a compliance of its own \[1/kg\], none of them negative, once all rows are there.
    pub fn set_compliance(&mut self, compliance: impl Iterator<Item = Vector<D>>) {
        self.compliance.clear();
        self.compliance.extend(compliance);
        for (block, compliance) in self.diagonal.iter_mut().zip(&self.compliance) {
            *block += Matrix::from_diagonal(compliance);
        }
    }
}

/// Rows of an operator to be filled in; cut in two, they are filled by two threads.
pub struct RowSlots<'a, const D: usize> {
    heads: &'a mut [Head],
    columns: &'a mut [[f64; D]],
    blocks: &'a mut [Matrix<D, D>],
}

impl<'a, const D: usize> RowSlots<'a, D> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The rows before one, and the others.
    pub fn split_at(self, row: usize) -> (Self, Self) {
        let (heads, more_heads) = self.heads.split_at_mut(row);
        let columns = match (heads.first(), more_heads.first()) {
            (Some(one), Some(two)) => two.first - one.first,
            (None, _) => 0,
            (_, None) => self.columns.len(),
        };
        let (columns, more_columns) = self.columns.split_at_mut(columns);
        let (blocks, more_blocks) = self.blocks.split_at_mut(row);
        let rest = RowSlots { heads: more_heads, columns: more_columns, blocks: more_blocks };
        (RowSlots { heads, columns, blocks }, rest)
    }

    /// Fills in the columns of a row: as many for a body as that has degrees of freedom.
    pub fn set(&mut self, row: usize, h: [&[[f64; D]]; 2]) {
        let begin = self.heads[0].first;
        let head = &mut self.heads[row];
        let mut first = head.first - begin;
        for (side, h) in h.iter().enumerate() {
            let count = head.dofs[side].count as usize;
            assert_eq!(h.len(), count, "as many columns as degrees of freedom");
            self.columns[first..first + count].copy_from_slice(h);
            head.look(side, h);
            first += count;
        }
    }

    /// The same from the columns of the rigid lines, and of each side that holds a port the column where that
    /// begins, and its sign: the others are zeros.
    pub fn set_held(&mut self, row: usize, h: [&[[f64; D]]; 2], ports: [Option<(usize, f64)>; 2]) {
        let begin = self.heads[0].first;
        let head = &mut self.heads[row];
        let mut first = head.first - begin;
        for side in 0..2 {
            let count = head.dofs[side].count as usize;
            let columns = &mut self.columns[first..first + count];
            let few = h[side].len().min(count);
            columns[..few].copy_from_slice(&h[side][..few]);
            columns[few..].fill([0.0; D]);
            head.filled[side] = [count as u32; 2];
            if let Some((port, sign)) = ports[side] {
                (0..D).for_each(|axis| columns[port + axis][axis] = sign);
                head.filled[side] = [port as u32, (port + D) as u32];
            }
            first += count;
        }
    }

    /// The diagonal block of a row.
    pub fn block(&mut self, row: usize) -> &mut Matrix<D, D> {
        &mut self.blocks[row]
    }
}
