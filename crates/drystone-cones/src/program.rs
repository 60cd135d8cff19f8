//! The programme: what is to be least, rows and cones, as the caller gives them. Solves nothing.

use crate::sparse::Csc;
use std::ops::Range;

/// A factor of the product of cones in which the slack `s` of some successive rows lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConeBlock {
    /// `s = 0`: equations.
    Zero(usize),
    /// `s ≥ 0`, row by row.
    Nonnegative(usize),
    /// `s₀ ≥ ‖(s₁, s₂, …)‖`.
    SecondOrder(usize),
}

impl ConeBlock {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match *self {
            Self::Zero(rows) | Self::Nonnegative(rows) | Self::SecondOrder(rows) => rows,
        }
    }
}

/// `min ½ xᵀP x + q·x` with `A x + s = b`, `s ∈ K`, where `K` is a product of cones.
///
/// Its dual is `max −½ xᵀP x − b·z` with `P x + Aᵀz + q = 0`, `z ∈ K*`; the multipliers of equations are
/// free.
#[derive(Clone, Debug, Default)]
pub struct ConeProgram {
    columns: usize,
    quadratic: Vec<(u32, u32, f64)>,
    pub(crate) cost: Vec<f64>,
    entries: Vec<(u32, u32, f64)>,
    pub(crate) right: Vec<f64>,
    pub(crate) cones: Vec<ConeBlock>,
}

/// Why a programme cannot be solved as given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProgramError {
    /// A number that is not finite.
    #[error("the programme holds a number that is not finite in {place}")]
    NotFinite {
        /// Where.
        place: &'static str,
    },
    /// The rows of the cones are not the rows given.
    #[error("the cones have {cones} rows, the programme {rows}")]
    Rows {
        /// Rows of the cones.
        cones: usize,
        /// Rows given.
        rows: usize,
    },
    /// An unknown that there is not.
    #[error("unknown {unknown} of a programme with {unknowns}")]
    Unknown {
        /// The unknown.
        unknown: usize,
        /// How many there are.
        unknowns: usize,
    },
    /// More rows or unknowns than a 32-bit number counts.
    #[error("the programme is too large")]
    TooLarge,
}

impl ConeProgram {
    /// A programme of so many unknowns, without cost and rows.
    pub fn new(unknowns: usize) -> Self {
        Self { columns: unknowns, cost: vec![0.0; unknowns], ..Self::default() }
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.right.len()
    }

    /// The cones, in the order of their rows.
    pub fn cones(&self) -> &[ConeBlock] {
        &self.cones
    }

    /// Adds `value · x_i x_j` to the cost for `i ≠ j`, `½ value · x_i²` for `i = j`: an entry of P and its
    /// mirror image.
    pub fn add_square(&mut self, i: usize, j: usize, value: f64) {
        self.quadratic.push((index(i.min(j)), index(i.max(j)), value));
    }

    /// Adds `value · x_i` to the cost.
    pub fn add_cost(&mut self, i: usize, value: f64) {
        match self.cost.get_mut(i) {
            Some(cost) => *cost += value,
            // told when it is solved
            None => self.quadratic.push((index(i), index(i), 0.0)),
        }
    }

    /// Adds a row `Σ a_j x_j + s = right`.
    pub fn row(&mut self, coefficients: impl IntoIterator<Item = (usize, f64)>, right: f64) {
        let row = index(self.right.len());
        let entries = coefficients.into_iter().filter(|&(_, value)| value != 0.0);
        self.entries.extend(entries.map(|(column, value)| (row, index(column), value)));
        self.right.push(right);
    }

    /// Says in which cone the slack of the rows after those of the cones so far lies.
    pub fn cone(&mut self, cone: ConeBlock) {
        match (cone, self.cones.last_mut()) {
            (cone, _) if cone.rows() == 0 => {}
            (ConeBlock::Nonnegative(more), Some(ConeBlock::Nonnegative(rows))) => *rows += more,
            (ConeBlock::Zero(more), Some(ConeBlock::Zero(rows))) => *rows += more,
            // ‖·‖ of nothing
            (ConeBlock::SecondOrder(1), Some(ConeBlock::Nonnegative(rows))) => *rows += 1,
            (ConeBlock::SecondOrder(1), _) => self.cones.push(ConeBlock::Nonnegative(1)),
            (cone, _) => self.cones.push(cone),
        }
    }

    /// The cones with their rows.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (ConeBlock, Range<usize>)> + '_ {
        self.cones.iter().scan(0, |end, cone| {
            let start = *end;
            *end += cone.rows();
            Some((*cone, start..*end))
        })
    }

    /// The upper triangle of P.
    pub(crate) fn squares(&self) -> Csc {
        Csc::new(self.columns, &self.quadratic)
    }

    /// A.
    pub(crate) fn matrix(&self) -> Csc {
        Csc::new(self.columns, &self.entries)
    }

    /// Row, column and value of the entries of A; a place may have several.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.entries.iter().map(|&(row, column, value)| (row as usize, column as usize, value))
    }

    /// The same of the upper triangle of P.
    pub(crate) fn square_entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.quadratic.iter().map(|&(row, column, value)| (row as usize, column as usize, value))
    }

    /// Whether it can be solved at all.
    pub(crate) fn checked(&self) -> Result<(), ProgramError> {
        let cones: usize = self.cones.iter().map(ConeBlock::rows).sum();
        if cones != self.right.len() {
            return Err(ProgramError::Rows { cones, rows: self.right.len() });
        }
        if self.columns + self.right.len() >= index(usize::MAX) as usize {
            return Err(ProgramError::TooLarge);
        }
        let columns =
            self.entries.iter().map(|entry| entry.1).chain(self.quadratic.iter().map(|entry| entry.1));
        if let Some(unknown) = columns.map(|column| column as usize).find(|&column| column >= self.columns) {
            return Err(ProgramError::Unknown { unknown, unknowns: self.columns });
        }
        let finite =
            |place, mut numbers: Box<dyn Iterator<Item = f64> + '_>| match numbers.all(f64::is_finite) {
                true => Ok(()),
                false => Err(ProgramError::NotFinite { place }),
            };
        finite("its cost", Box::new(self.cost.iter().copied()))?;
        finite("its quadratic cost", Box::new(self.quadratic.iter().map(|entry| entry.2)))?;
        finite("its rows", Box::new(self.entries.iter().map(|entry| entry.2)))?;
        finite("its right side", Box::new(self.right.iter().copied()))
    }
}

/// A number as 32 bits; what does not fit becomes the largest, which is refused when the programme is solved.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
