//! The operator against dense matrices and against itself assembled.

use super::*;
use crate::Blocks;
use rayon::prelude::*;

fn number(k: usize) -> f64 {
    ((k * 7919 % 1013) as f64 / 1013.0) - 0.5
}

/// Twelve contacts between five bodies of the given sizes; those of ten degrees of freedom have a full
/// compliance.
fn contacts_of(sizes: [usize; 5]) -> Condensed<3> {
    let mut bodies = Compliances::new();
    for (body, &size) in sizes.iter().enumerate() {
        let diagonal: Vec<f64> = (0..size).map(|i| (number(body * 13 + i) + 0.6).max(0.0)).collect();
        match size {
            0 => bodies.push(Compliance::Fixed),
            10 => bodies.push(Compliance::Dense(&full(size, body))),
            _ => bodies.push(Compliance::Diagonal(&diagonal)),
        }
    }
    let side = |alpha: usize, side: usize, body: usize| {
        let mut columns = Columns::zeros(sizes[body]);
        for (j, column) in columns.iter_mut().enumerate() {
            *column = std::array::from_fn(|i| number(alpha * 97 + side * 31 + i * 11 + j));
        }
        columns
    };
    let row = |alpha: usize| {
        let bodies = [alpha % 5, (alpha + 1 + alpha / 5) % 5];
        let h = [side(alpha, 0, bodies[0]), side(alpha, 1, bodies[1])];
        PairRow { bodies: bodies.map(|body| body as u32), h }
    };
    let rows: Vec<PairRow<3>> = (0..12).map(row).collect();
    Condensed::new(&rows, bodies)
}

/// A full compliance: `F Fᵀ` with numbers of no pattern.
fn full(count: usize, seed: usize) -> Vec<f64> {
    let factor = |i: usize, k: usize| number(seed * 17 + i * 29 + k * 5 + 3);
    let entry = |i: usize, j: usize| (0..count).map(|k| factor(i, k) * factor(j, k)).sum();
    (0..count * count).map(|k| entry(k / count, k % count)).collect()
}

fn twelve_contacts() -> Condensed<3> {
    contacts_of([6; 5])
}

/// Bodies of several sizes, one of them fixed, two with full compliances.
fn of_all_sizes() -> Condensed<3> {
    contacts_of([6, 10, 0, 3, 10])
}

/// The operator by the book, from dense matrices.
#[test]
fn bodies_of_all_sizes_against_the_dense_operator() {
    use drystone_math::nalgebra::DMatrix;
    let w = of_all_sizes();
    let total = w.bodies().total();
    assert_eq!((total, w.bodies().widest()), (29, 10));
    let (mut h, mut c) = (DMatrix::<f64>::zeros(36, total), DMatrix::<f64>::zeros(total, total));
    for (alpha, row) in w.pairs().enumerate() {
        for side in 0..2 {
            let first = w.bodies().dofs(row.bodies[side] as usize).start as usize;
            for (k, column) in row.h[side].iter().enumerate() {
                (0..3).for_each(|i| h[(alpha * 3 + i, first + k)] += column[i]);
            }
        }
    }
    for body in 0..5 {
        let (first, count) = (w.bodies().dofs(body).start as usize, w.bodies().dofs(body).count as usize);
        for (i, j) in (0..count * count).map(|k| (k / count, k % count)) {
            c[(first + i, first + j)] = match w.bodies().of(body) {
                Compliance::Dense(matrix) => matrix[i * count + j],
                Compliance::Diagonal(inverse_mass) if i == j => inverse_mass[i],
                _ => 0.0,
            };
        }
    }
    let dense = &h * c * h.transpose();
    let blocks = w.assemble();
    for alpha in 0..12 {
        for beta in 0..12 {
            let found = blocks.row(alpha).find(|&(column, _)| column == beta).map(|(_, block)| *block);
            let expected = dense.fixed_view::<3, 3>(3 * alpha, 3 * beta).into_owned();
            assert!((found.unwrap_or_else(Matrix::zeros) - expected).norm() < 1e-13, "{alpha} {beta}");
        }
        let own = dense.fixed_view::<3, 3>(3 * alpha, 3 * alpha).into_owned();
        assert!((w.block(alpha) - own).norm() < 1e-13);
    }
    // the scaled rows are a root of it
    for (alpha, row) in w.pairs().enumerate() {
        let mut sum = Matrix::<3, 3>::zeros();
        for side in 0..2 {
            for k in 0..row.h[side].len() {
                let g = Vector::from(w.bodies().scaled(row.bodies[side] as usize, row.h[side], k));
                sum += g * g.transpose();
            }
        }
        assert!((sum - w.block(alpha)).norm() < 1e-13);
    }
}

#[test]
fn assembled_and_matrix_free_agree() {
    check_agreement(twelve_contacts());
    check_agreement(of_all_sizes());
    // some contacts give way themselves, in some directions
    let own = |a: usize| Vector::from_fn(|i, _| (number(a * 5 + i)).max(0.0));
    let compliant = |w: Condensed<3>| w.with_compliance((0..12).map(own).collect());
    assert!(compliant(twelve_contacts()).is_compliant() && !twelve_contacts().is_compliant());
    check_agreement(compliant(twelve_contacts()));
    check_agreement(compliant(of_all_sizes()));
}

fn check_agreement(pairs: Condensed<3>) {
    let blocks = Blocks::new(pairs.assemble());
    let r: Vec<Vector<3>> = (0..12).map(|a| Vector::from_fn(|i, _| number(a * 3 + i))).collect();
    let carry = pairs.carry(&r);
    for alpha in 0..12 {
        let free = pairs.row(alpha, &r, &carry);
        assert!((free - blocks.row(alpha, &r, &())).norm() < 1e-14);
        assert!((pairs.block(alpha) - blocks.block(alpha)).norm() < 1e-14);
    }
    // rᵀWr is the square of what the equations of balance miss
    let mut missed = vec![0.0; pairs.bodies().total() + 36];
    for (equation, contact, row) in pairs.balance() {
        missed[equation as usize] += row.dot(&r[contact as usize]);
    }
    let work: f64 = (0..12).map(|alpha| r[alpha].dot(&pairs.row(alpha, &r, &carry))).sum();
    assert!((missed.iter().map(|x| x * x).sum::<f64>() - work).abs() < 1e-13);
}

#[test]
fn compliance_is_added_to_the_dense_operator() {
    let own: Vec<Vector<3>> = (0..12).map(|a| Vector::from_fn(|i, _| (a * 3 + i) as f64)).collect();
    let (rigid, soft) = (twelve_contacts(), twelve_contacts().with_compliance(own.clone()));
    let (without, with) = (rigid.assemble(), soft.assemble());
    for (alpha, own) in own.iter().enumerate() {
        let added = with.diagonal(alpha) - without.diagonal(alpha);
        assert!((added - Matrix::<3, 3>::from_diagonal(own)).norm() < 1e-12);
        assert!((soft.split()[alpha] - rigid.split()[alpha] - added).norm() < 1e-12);
        assert!((soft.block(alpha) - rigid.block(alpha) - added).norm() < 1e-12);
    }
}

#[test]
fn pieces_of_bodies_are_at_least_as_compliant_as_the_whole() {
    check_pieces(twelve_contacts());
    check_pieces(of_all_sizes());
}

fn check_pieces(pairs: Condensed<3>) {
    let blocks = Blocks::new(pairs.assemble());
    for split in [pairs.split(), blocks.split()] {
        let mut tightest = f64::INFINITY;
        for trial in 0..2000 {
            let r: Vec<Vector<3>> =
                (0..12).map(|a| Vector::from_fn(|i, _| number(trial * 41 + a * 3 + i))).collect();
            let carry = pairs.carry(&r);
            let whole: f64 = (0..12).map(|a| r[a].dot(&pairs.row(a, &r, &carry))).sum();
            let pieces: f64 = (0..12).map(|a| r[a].dot(&(split[a] * r[a]))).sum();
            assert!(whole <= pieces, "{trial}: {whole} {pieces}");
            tightest = tightest.min(pieces / whole);
        }
        assert!(tightest < 20.0, "{tightest}: no bound worth having");
    }
}

/// Laid out and filled in pieces in the memory of another operator, with rows taken out and put behind, it is
/// the operator that is made at once.
#[test]
fn an_operator_made_in_the_memory_of_another_is_the_same() {
    let whole = of_all_sizes();
    let own = |alpha: usize| Vector::<3>::from_fn(|i, _| number(alpha * 3 + i).abs());
    let kept = |row: usize| row % 4 != 1;
    let rows: Vec<PairRow<3>> = whole.pairs().map(|row| row.to_pair()).collect();
    let expected: Vec<&PairRow<3>> =
        (0..9).filter(|&row| kept(row)).chain(9..12).map(|row| &rows[row]).collect();
    let expected =
        Condensed::new(expected, whole.bodies().clone()).with_compliance((0..10).map(own).collect());
    let mut found = twelve_contacts();
    *found.clear() = whole.bodies().clone();
    let (mut one, two) = found.lay_out(rows[..9].par_iter().map(|row| row.bodies)).split_at(4);
    let (mut two, none) = two.split_at(5);
    assert!(none.is_empty());
    for row in 0..9 {
        let (slots, at) = if row < 4 { (&mut one, row) } else { (&mut two, row - 4) };
        slots.set(at, rows[row].h.each_ref().map(|h| &**h));
        *slots.block(at) = whole.block(row);
    }
    found.retain(kept);
    rows[9..].iter().for_each(|row| found.push(row));
    found.set_compliance((0..10).map(own));
    assert_eq!((expected.contacts(), found.contacts()), (10, 10));
    let r: Vec<_> = (0..10).map(|alpha| Vector::<3>::from_fn(|i, _| number(alpha * 5 + i))).collect();
    let [carry, other] = [expected.carry(&r), found.carry(&r)];
    assert_eq!(carry, other);
    for alpha in 0..10 {
        assert_eq!(expected.block(alpha), found.block(alpha));
        assert_eq!(expected.row(alpha, &r, &carry), found.row(alpha, &r, &other));
        assert_eq!(expected.pair(alpha).to_pair(), found.pair(alpha).to_pair());
    }
}

/// Velocities summed up body by body on several threads have the bits of those summed up contact by contact.
#[test]
fn velocities_have_the_same_bits_on_any_number_of_threads() {
    let few = of_all_sizes();
    let rows: Vec<PairRow<3>> = (0..5000).map(|row| few.pair(row % 12).to_pair()).collect();
    let many = Condensed::new(&rows, few.bodies().clone());
    // every third contact is open
    let impulse = |alpha: usize| match alpha % 3 {
        0 => Vector::zeros(),
        _ => Vector::from_fn(|i, _| number(alpha * 3 + i)),
    };
    let r: Vec<Vector<3>> = (0..4900).map(impulse).collect();
    let mut expected = many.carry(&[]);
    for (alpha, r) in r.iter().enumerate() {
        many.change(alpha, r, &mut expected);
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| many.carry(&r)), expected, "{threads} threads");
    }
}

/// Sides put by bodies once are those of the rows that are there, also after rows were added, left out, or
/// laid out anew between other bodies.
#[test]
fn sides_put_by_bodies_are_never_those_of_other_rows() {
    let few = of_all_sizes();
    let mut many = Condensed::default();
    *many.clear() = few.bodies().clone();
    let fill = |many: &mut Condensed<3>, shift: usize| {
        many.clear();
        (0..5000).for_each(|row| many.push(&few.pair((row + shift) % 12).to_pair()));
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let check = |many: &mut Condensed<3>| {
        let r: Vec<Vector<3>> =
            (0..many.contacts()).map(|alpha| Vector::from_fn(|i, _| number(alpha * 3 + i))).collect();
        let mut expected = many.carry(&[]);
        r.iter().enumerate().for_each(|(alpha, r)| many.change(alpha, r, &mut expected));
        for _ in 0..2 {
            assert_eq!(pool.install(|| many.carry(&r)), expected);
            pool.install(|| many.sort_sides());
        }
        assert_eq!(pool.install(|| many.carry(&r)), expected);
    };
    for shift in [0, 0, 5] {
        fill(&mut many, shift);
        check(&mut many);
    }
    many.push(&few.pair(3).to_pair());
    check(&mut many);
    many.retain(|row| row % 7 != 2);
    check(&mut many);
}
