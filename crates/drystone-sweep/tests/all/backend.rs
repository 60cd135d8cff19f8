//! A back end written outside the crate: colours by hand, contacts of a colour from the same velocities as a
//! GPU would take them. It solves what the crate's own back ends solve, through the same `Sweep`.

use drystone_bench::problems::lattice;
use drystone_local::LocalBlock;
use drystone_problem::{
    AutoParams, Compliances, Condensed, Delassus, Matrix, PairRow, Params, Problem, Report, Residual, Scale,
    Set, Vector,
};
use drystone_sweep::{Backend, CheckSchedule, PassOptions, Passed, Sweep};
use std::collections::BTreeSet;

/// Sweeps colour by colour over an assembled matrix, with no skipping and no residual of its own.
struct Coloured<const D: usize> {
    /// Rows of W, each entry with its column.
    rows: Vec<Vec<(usize, Matrix<D, D>)>>,
    locals: Vec<LocalBlock<D>>,
    weights: Vec<f64>,
    u_free: Vec<Vector<D>>,
    sets: Vec<Set>,
    /// Contacts of a colour share no block.
    colours: Vec<Vec<usize>>,
    r: Vec<Vector<D>>,
    last: Vec<Vector<D>>,
}

impl<const D: usize> Coloured<D> {
    fn new<W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> Self {
        let matrix = problem.w.assemble();
        let rows: Vec<Vec<_>> = (0..problem.contacts())
            .map(|contact| matrix.row(contact).map(|(column, block)| (column, *block)).collect())
            .collect();
        let mut colour_of: Vec<Option<usize>> = vec![None; rows.len()];
        let mut colours: Vec<Vec<usize>> = Vec::new();
        for (contact, row) in rows.iter().enumerate() {
            let taken: BTreeSet<usize> = row.iter().filter_map(|(other, _)| colour_of[*other]).collect();
            let colour = (0..).find(|colour| !taken.contains(colour)).unwrap();
            colours.resize(colours.len().max(colour + 1), Vec::new());
            colours[colour].push(contact);
            colour_of[contact] = Some(colour);
        }
        let block = |contact: usize| problem.w.block(contact);
        let weight = |contact: usize| Scale::new(&block(contact), &problem.sets[contact]).compliance;
        Self {
            locals: (0..rows.len()).map(|contact| LocalBlock::new(&block(contact))).collect(),
            weights: (0..rows.len()).map(weight).collect(),
            rows,
            u_free: problem.u_free.clone(),
            sets: problem.sets.clone(),
            colours,
            r: r.to_vec(),
            last: r.to_vec(),
        }
    }

    fn velocity(&self, contact: usize) -> Vector<D> {
        let row = self.rows[contact].iter();
        row.fold(self.u_free[contact], |u, (column, block)| u + block * self.r[*column])
    }
}

impl<const D: usize> Backend<D> for Coloured<D> {
    fn pass(&mut self, options: PassOptions, _all: bool) -> Passed {
        let before = self.r.clone();
        if options.momentum {
            for (contact, r) in self.r.iter_mut().enumerate() {
                *r = self.sets[contact].project(&(*r + (*r - self.last[contact]) * options.beta));
            }
            self.last = before;
        }
        let mut passed = Passed::default();
        for colour in &self.colours {
            let velocities: Vec<Vector<D>> = colour.iter().map(|&contact| self.velocity(contact)).collect();
            for (&contact, u) in colour.iter().zip(&velocities) {
                let from = self.r[contact];
                let r = self.locals[contact].answer(u, &from, &self.sets[contact], options.relaxation);
                passed.visited(self.weights[contact], &(r - from), &(r - self.last[contact]));
                self.r[contact] = r;
            }
        }
        passed
    }

    fn put(&mut self, r: &[Vector<D>]) {
        self.r.copy_from_slice(r);
        self.last.copy_from_slice(r);
    }

    fn take(&mut self, r: &mut [Vector<D>]) {
        r.copy_from_slice(&self.r);
    }

    fn judge(&mut self) -> Option<Residual> {
        None
    }

    fn visit_ns(&self, params: &AutoParams) -> f64 {
        params.lane_visit_ns
    }
}

/// Plain sweeps until the tolerance is met.
fn solve<const D: usize, W: Delassus<D>>(
    mut sweep: Sweep<D, W>,
    contacts: usize,
    params: &Params,
) -> (Vec<Vector<D>>, Report) {
    let mut r = vec![Vector::zeros(); contacts];
    let (mut report, mut looks) = (Report::start(), CheckSchedule::new());
    while report.iterations < params.max_iterations {
        report.iterations += 1;
        let due = looks.due(report.iterations);
        report.updates += sweep.pass(due).updates;
        if due {
            sweep.judge(&mut r, params, &mut report);
            if report.converged {
                break;
            }
        }
    }
    (r, report)
}

/// A tower of blocks, one point each, pushed from the side: as many equations as unknowns, one solution.
fn tower(height: usize) -> Problem<2, Condensed<2>> {
    let identity = Matrix::<2, 2>::identity();
    let row = |layer: usize| PairRow::new([layer as u32 + 1, layer as u32], [identity, -identity]);
    let rows: Vec<PairRow<2>> = (0..height).map(row).collect();
    let mut inverse_mass = vec![Vector::<2>::repeat(1.0); height + 1];
    inverse_mass[0] = Vector::zeros();
    let u_free = (0..height).map(|layer| {
        let fall = if layer == 0 { -1.0 } else { 0.0 };
        Vector::<2>::new(fall, if layer + 1 == height { 0.2 } else { 0.0 })
    });
    Problem {
        w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)),
        u_free: u_free.collect(),
        sets: vec![Set::Coulomb { mu: 0.4 }; height],
    }
}

#[test]
fn a_back_end_from_outside_solves_what_ours_solve() {
    let params = Params { tolerance: 1e-11, max_iterations: 100_000, ..Params::default() };
    // below 64 contacts ours goes one by one, above in lanes
    for height in [20, 90] {
        let problem = tower(height);
        let start = vec![Vector::zeros(); height];
        let (ours, _) = solve(Sweep::new(&problem, &start, &params, 0), height, &params);
        let backend = Box::new(Coloured::new(&problem, &start));
        let (theirs, report) = solve(Sweep::over(&problem, &params, backend), height, &params);
        assert!(report.converged, "{report:?}");
        assert_eq!(report.updates, u64::from(report.iterations) * height as u64);
        let largest = ours.iter().map(Vector::norm).fold(0.0, f64::max);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).norm() < 1e-7 * largest, "{ours:?} {theirs:?}");
        }
    }
}

#[test]
fn momentum_and_impulses_go_through_the_trait() {
    let problem = lattice(200, 1);
    let contacts = problem.contacts();
    let params = Params { tolerance: 1e-3, ..Params::default() };
    let mut r = vec![Vector::zeros(); contacts];
    let mut sweep = Sweep::over(&problem, &params, Box::new(Coloured::new(&problem, &r)));
    let mut report = Report::start();
    let passed = sweep.pass_ahead(0.0, false, true);
    assert!(passed.moved && passed.length > 0.0 && passed.updates == contacts as u64);
    for _ in 0..400 {
        sweep.pass_ahead(0.3, false, true);
    }
    sweep.judge(&mut r, &params, &mut report);
    assert!(report.converged, "{report:?}");
    // what is put in comes out, and is judged for what it is
    let rest = vec![Vector::zeros(); contacts];
    sweep.put(&rest);
    sweep.judge(&mut r, &params, &mut report);
    assert!(r == rest && !report.converged);
    assert_eq!(sweep.nanoseconds(&params.auto), params.auto.lane_visit_ns * contacts as f64);
    assert_eq!(sweep.bytes(), None);
}
