//! The tables against what must hold for every element.

use super::*;

/// Points inside and outside of the element, irregular.
fn samples() -> Vec<[f64; 3]> {
    (0..12)
        .map(|k| {
            let t = f64::from(k);
            [(0.37 * t).sin() * 0.8, (1.1 * t + 0.3).cos() * 0.7, (2.3 * t).sin() * 0.9]
        })
        .collect()
}

/// Integral of `x^a y^b z^c` over the reference element.
fn exact(kind: ElementKind, [a, b, c]: [i32; 3]) -> f64 {
    let line = |n: i32| if n % 2 == 0 { 2.0 / f64::from(n + 1) } else { 0.0 };
    let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
    let triangle = |a: i32, b: i32| factorial(a) * factorial(b) / factorial(a + b + 2);
    match kind.linear() {
        ElementKind::T3 => triangle(a, b),
        ElementKind::Q4 => line(a) * line(b),
        ElementKind::Te4 => factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3),
        ElementKind::H8 => line(a) * line(b) * line(c),
        _ => triangle(a, b) * line(c),
    }
}

fn integrate(rule: &[IntegrationPoint], f: impl Fn(&[f64; 3]) -> f64) -> f64 {
    rule.iter().map(|point| point.weight * f(&point.at)).sum()
}

#[test]
fn functions_are_one_at_their_node_and_sum_to_one() {
    for kind in ElementKind::ALL {
        let table = kind.reference();
        assert_eq!(table.kind, kind);
        for (a, at) in table.nodes.iter().enumerate() {
            let shape = (table.shape)(at);
            for b in 0..kind.nodes() {
                assert!((shape.n[b] - f64::from(u8::from(a == b))).abs() < 1e-15, "{kind} {a} {b}");
            }
        }
        for at in samples() {
            let shape = (table.shape)(&at);
            assert!((shape.n.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{kind}");
            for axis in 0..3 {
                assert!(shape.dn.iter().map(|dn| dn[axis]).sum::<f64>().abs() < 1e-13, "{kind}");
                // they reproduce the place itself
                let place: f64 = (0..kind.nodes()).map(|a| shape.n[a] * table.nodes[a][axis]).sum();
                assert!(axis >= table.dimension || (place - at[axis]).abs() < 1e-14, "{kind}");
            }
        }
    }
}

#[test]
fn values_on_faces_are_those_of_the_functions() {
    use FaceKind::{L2, L3, Q4, Q8, T3, T6};
    for (kind, at) in
        [L2, L3, T3, T6, Q4, Q8].into_iter().flat_map(|kind| samples().into_iter().map(move |at| (kind, at)))
    {
        assert_eq!(kind.values(&at)[..kind.nodes()], kind.shape(&at).n[..kind.nodes()], "{kind:?}");
    }
}

#[test]
fn gradients_are_differences_of_the_functions() {
    for kind in ElementKind::ALL {
        let table = kind.reference();
        for at in samples() {
            let shape = (table.shape)(&at);
            for axis in 0..table.dimension {
                let step = 1e-5;
                let (mut before, mut after) = (at, at);
                before[axis] -= step;
                after[axis] += step;
                let (low, high) = ((table.shape)(&before), (table.shape)(&after));
                for a in 0..kind.nodes() {
                    let difference = (high.n[a] - low.n[a]) / (2.0 * step);
                    assert!((difference - shape.dn[a][axis]).abs() < 1e-9, "{kind} {a} {axis}");
                }
            }
        }
    }
}

#[test]
fn quadratures_are_exact_to_their_degree() {
    for kind in ElementKind::ALL {
        let table = kind.reference();
        // total degree on simplices, degree in each variable on products
        let (stiffness, mass) = match kind {
            ElementKind::T3 | ElementKind::Te4 => (1, 2),
            ElementKind::T6 | ElementKind::Te10 => (2, 4),
            ElementKind::Q4 | ElementKind::H8 => (3, 3),
            ElementKind::Q8 | ElementKind::H20 => (5, 5),
            ElementKind::Pri6 => (2, 2),
            ElementKind::Pri15 => (2, 4),
        };
        for (rule, degree) in [(table.stiffness_rule, stiffness), (table.mass_rule, mass)] {
            for powers in powers(kind, degree) {
                let [a, b, c] = powers;
                let found = integrate(rule, |at| at[0].powi(a) * at[1].powi(b) * at[2].powi(c));
                assert!((found - exact(kind, powers)).abs() < 2e-15, "{kind} {powers:?} {found}");
            }
        }
    }
}

fn powers(kind: ElementKind, degree: i32) -> Vec<[i32; 3]> {
    let third = if kind.dimension() == 3 { degree } else { 0 };
    let mut all = Vec::new();
    for a in 0..=degree {
        for b in 0..=degree {
            for c in 0..=third {
                let simplex = matches!(kind.linear(), ElementKind::T3 | ElementKind::Te4);
                let prism = kind.linear() == ElementKind::Pri6;
                if simplex && a + b + c > degree || prism && a + b > degree {
                    continue;
                }
                all.push([a, b, c]);
            }
        }
    }
    all
}

#[test]
fn faces_close_the_element_and_face_outwards() {
    for kind in ElementKind::ALL {
        let table = kind.reference();
        let mut normal_sum = [0.0; 3];
        let mut volume = 0.0;
        for (face, nodes) in table.faces.iter().enumerate() {
            let face_kind = table.face_kind(face);
            assert_eq!(face_kind.nodes(), nodes.len());
            // divergence theorem: ∮ x·n = dimension × volume
            for point in face_kind.rule() {
                let shape = face_kind.shape(&point.at);
                let at = |value: &dyn Fn(usize) -> f64, axis: usize| -> f64 {
                    (0..nodes.len()).map(|a| value(a) * table.nodes[nodes[a] as usize][axis]).sum()
                };
                let place = [0, 1, 2].map(|axis| at(&|a| shape.n[a], axis));
                let r = [0, 1, 2].map(|axis| at(&|a| shape.dn[a][0], axis));
                let s = [0, 1, 2].map(|axis| at(&|a| shape.dn[a][1], axis));
                let normal = if table.dimension == 2 {
                    [r[1], -r[0], 0.0]
                } else {
                    [r[1] * s[2] - r[2] * s[1], r[2] * s[0] - r[0] * s[2], r[0] * s[1] - r[1] * s[0]]
                };
                for axis in 0..3 {
                    normal_sum[axis] += point.weight * normal[axis];
                    volume += point.weight * normal[axis] * place[axis] / table.dimension as f64;
                }
            }
            // facets cover the nodes of the face
            let mut seen = vec![false; nodes.len()];
            face_kind.facets().iter().flat_map(|facet| facet.iter()).for_each(|&a| seen[a as usize] = true);
            assert!(seen.iter().all(|&seen| seen), "{kind}");
        }
        assert!(normal_sum.iter().all(|x| x.abs() < 1e-14), "{kind} {normal_sum:?}");
        assert!((volume - exact(kind, [0; 3])).abs() < 1e-14, "{kind} {volume}");
        for (k, &[a, b]) in table.edges.iter().enumerate() {
            for axis in 0..3 {
                let middle = 0.5 * (table.nodes[a as usize][axis] + table.nodes[b as usize][axis]);
                assert_eq!(middle, table.nodes[table.corners + k][axis], "{kind}");
            }
        }
    }
}
