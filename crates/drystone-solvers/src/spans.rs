//! Problems some of whose rows belong together: solved and judged with each of these spans as one contact.
//! Has no method of its own.

use crate::{Params, Report, SweepMemory, judge, solve_within};
use drystone_problem::{Condensed, Problem, Span, SpanProblem, Vector};

/// [`solve_within`] for a problem with rows that belong together. They are swept together, their local
/// problem of three components in the plane and six in space is solved exactly, and the one residual judges
/// the whole law.
pub fn solve_spans<const D: usize>(
    problem: &Problem<D, Condensed<D>>,
    spans: &[Span],
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
    memory: &mut SweepMemory,
) -> Report {
    if spans.is_empty() {
        return solve_within(problem, r, params, stream, memory);
    }
    if D == 2 {
        solve_joined::<D, 3>(problem, spans, r, (params, stream), memory)
    } else {
        solve_joined::<D, 6>(problem, spans, r, (params, stream), memory)
    }
}

/// [`judge`] for a problem with rows that belong together.
pub fn judge_spans<const D: usize>(
    problem: &Problem<D, Condensed<D>>,
    spans: &[Span],
    r: &[Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    if spans.is_empty() {
        return judge(problem, r, params, report);
    }
    if D == 2 {
        judge_joined::<D, 3>(problem, spans, r, params, report)
    } else {
        judge_joined::<D, 6>(problem, spans, r, params, report)
    }
}

fn solve_joined<const D: usize, const S: usize>(
    problem: &Problem<D, Condensed<D>>,
    spans: &[Span],
    r: &mut [Vector<D>],
    (params, stream): (&Params, u64),
    memory: &mut SweepMemory,
) -> Report {
    let joined = SpanProblem::<S>::new(problem, spans);
    let mut x = joined.gather(r);
    let mut report = solve_within(&joined.problem, &mut x, params, stream, memory);
    joined.scatter(&x, r);
    report.worst = report.worst.and_then(|contact| joined.row(contact));
    report
}

fn judge_joined<const D: usize, const S: usize>(
    problem: &Problem<D, Condensed<D>>,
    spans: &[Span],
    r: &[Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    let joined = SpanProblem::<S>::new(problem, spans);
    judge(&joined.problem, &joined.gather(r), params, report);
    report.worst = report.worst.and_then(|contact| joined.row(contact));
}
