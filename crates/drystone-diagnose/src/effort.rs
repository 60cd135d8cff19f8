//! How much work a diagnosis may take, and who is told how far it is. Decides by counts, never by the clock,
//! so that an answer is the same on every machine.

use drystone_cones::{ConeAnswer, ConeParams, ConeProgram, ConeSolver, ProgramError, solve_vertex_within};
use std::cell::Cell;

/// Multiplications that a thorough diagnosis may take unless told otherwise: five to ten seconds.
pub const EFFORT: f64 = 6e9;

/// The share of what is left that a programme for the verdict may take: it comes first and counts most, and
/// one that leads nowhere leaves something to the others.
pub(crate) const LARGE: f64 = 0.6;

/// The share of a programme for anything else.
pub(crate) const SMALL: f64 = 0.1;

/// Fewer iterations of an interior point never answer anything.
const FEWEST: f64 = 5.0;

/// Who is told how far a diagnosis is: what is being looked for, and the share of the work that is done.
type Watch = Box<dyn Fn(&'static str, f64)>;

/// The work that a diagnosis may take, counted in multiplications in the factors and bases of its programmes.
pub struct Effort {
    all: f64,
    left: Cell<f64>,
    asked: Cell<&'static str>,
    watch: Option<Watch>,
}

impl Default for Effort {
    fn default() -> Self {
        Self::within(EFFORT)
    }
}

impl Effort {
    /// At most about so many multiplications; infinite for no limit.
    pub fn within(multiplications: f64) -> Self {
        Self { all: multiplications, left: Cell::new(multiplications), asked: Cell::new(""), watch: None }
    }

    /// The same, telling how far it is.
    #[must_use]
    pub fn watched(self, watch: impl Fn(&'static str, f64) + 'static) -> Self {
        Self { watch: Some(Box::new(watch)), ..self }
    }

    /// Whether all of it is spent.
    pub fn is_spent(&self) -> bool {
        self.left.get() <= 0.0
    }

    /// Says what is looked for from now on.
    pub(crate) fn ask(&self, what: &'static str) {
        self.asked.set(what);
        self.tell();
    }

    /// Takes away work that was done.
    pub(crate) fn spend(&self, multiplications: f64) {
        self.count(multiplications);
        self.tell();
    }

    /// The same for small work, of which nobody is told.
    pub(crate) fn count(&self, multiplications: f64) {
        self.left.set(self.left.get() - multiplications);
    }

    fn tell(&self) {
        if let Some(watch) = &self.watch {
            let share = if self.all.is_finite() { 1.0 - self.left.get() / self.all } else { 0.0 };
            watch(self.asked.get(), share.clamp(0.0, 1.0));
        }
    }

    /// At a vertex, with a share of the work that is left; one that is lost has come to no end.
    pub(crate) fn vertex(
        &self,
        program: &ConeProgram,
        params: &ConeParams,
        share: f64,
    ) -> Result<Option<ConeAnswer>, ProgramError> {
        let allowed = share * self.left.get();
        let mut left = allowed;
        let answer = solve_vertex_within(program, params, &mut left);
        if allowed.is_finite() {
            self.spend(allowed - left);
        }
        answer
    }

    /// By an interior point, with a share of the work that is left; `None` where all of it does not do for
    /// one, and none is left then.
    pub(crate) fn interior(
        &self,
        program: ConeProgram,
        params: ConeParams,
        share: f64,
    ) -> Result<Option<ConeAnswer>, ProgramError> {
        let mut solver = ConeSolver::new(program, params)?;
        let once = solver.multiplications().max(1.0);
        if self.left.get() < FEWEST * once {
            self.left.set(0.0);
            return Ok(None);
        }
        let most = (share * self.left.get() / once).max(FEWEST);
        let done = Cell::new(0.0);
        let answer = solver.solve_until(&|| {
            done.set(done.get() + 1.0);
            done.get() > most
        });
        self.spend(done.get() * once);
        Ok(Some(answer))
    }
}
