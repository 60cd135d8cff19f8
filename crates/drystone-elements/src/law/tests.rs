//! Laws against differences of their energies and against closed forms.

use super::*;
use crate::tensor::{cauchy, contract, product, transpose};

fn hooke() -> ElasticIsotropic {
    ElasticIsotropic::new(210e9, 0.3).unwrap()
}

fn orthotropic() -> Orthotropic {
    let (c, s) = (0.4f64.cos(), 0.4f64.sin());
    Orthotropic::new(&OrthotropicModuli {
        young: [12e9, 0.9e9, 0.5e9],
        poisson: [0.4, 0.3, 0.45],
        shear: [0.7e9, 0.06e9, 0.6e9],
        axes: [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]],
    })
    .unwrap()
}

/// Strains with every component, growing with k.
fn strain(k: usize, size: f64) -> Voigt {
    std::array::from_fn(|i| size * (0.7 * (i + 1) as f64 + 1.3 * k as f64).sin())
}

/// A deformation gradient with every component.
fn gradient(k: usize, size: f64) -> Tensor {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            f64::from(u8::from(i == j)) + size * (0.9 * (3 * i + j) as f64 + 2.1 * k as f64).sin()
        })
    })
}

fn small_laws() -> Vec<Box<dyn SmallLaw>> {
    let plastic = J2Plasticity::new(hooke(), 250e6, 1e9, 3e9).unwrap();
    vec![
        Box::new(hooke()),
        Box::new(orthotropic()),
        Box::new(Dilatation::new(hooke(), [1.2e-5; 3]).unwrap()),
        Box::new(KelvinVoigt::new(hooke(), 1e-4).unwrap()),
        Box::new(plastic),
    ]
}

fn finite_laws() -> Vec<Box<dyn FiniteLaw>> {
    vec![
        Box::new(NeoHookean::new(1e6, 0.45).unwrap()),
        Box::new(MooneyRivlin::new(2e5, 0.7e5, 3e6).unwrap()),
        Box::new(SaintVenantKirchhoff::new(1e6, 0.3).unwrap()),
        Box::new(Logarithmic(ElasticIsotropic::new(1e6, 0.3).unwrap())),
        Box::new(Logarithmic(orthotropic())),
        Box::new(Logarithmic(
            J2Plasticity::new(ElasticIsotropic::new(1e6, 0.3).unwrap(), 2e4, 1e4, 2e4).unwrap(),
        )),
    ]
}

#[test]
fn tangents_of_small_laws_are_differences_of_stresses() {
    for law in small_laws() {
        for k in 0..6 {
            let strain = strain(k, 3e-3);
            let answer = law.respond(&strain, 20.0, &law.start()).unwrap();
            for j in 0..6 {
                let step = 1e-8;
                let (mut low, mut high) = (strain, strain);
                low[j] -= step;
                high[j] += step;
                let low = law.respond(&low, 20.0, &law.start()).unwrap();
                let high = law.respond(&high, 20.0, &law.start()).unwrap();
                for i in 0..6 {
                    let difference = (high.stress[i] - low.stress[i]) / (2.0 * step);
                    let size = answer.tangent[0][0].abs();
                    assert!((difference - answer.tangent[i][j]).abs() < 2e-6 * size, "{law:?} {i} {j}");
                    assert!((answer.tangent[i][j] - answer.tangent[j][i]).abs() < 1e-12 * size);
                }
            }
        }
    }
}

#[test]
fn stresses_of_elastic_laws_are_differences_of_energies() {
    for law in small_laws().iter().take(4) {
        let strain = strain(2, 1e-3);
        let answer = law.respond(&strain, 15.0, &law.start()).unwrap();
        for j in 0..6 {
            let at = |step: f64| {
                let mut moved = strain;
                moved[j] += step;
                law.respond(&moved, 15.0, &law.start()).unwrap().stored
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((difference - answer.stress[j]).abs() < 1e-9 * 1e9, "{law:?} {j}");
        }
    }
}

#[test]
fn finite_stresses_are_differences_of_energies_and_tangents_of_stresses() {
    for (number, law) in finite_laws().iter().enumerate() {
        for k in 0..5 {
            // undeformed and twice the same stretch as well: equal principal values
            let f = match k {
                3 => gradient(0, 0.0),
                4 => [[1.2, 0.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.9]],
                _ => gradient(k, 0.15),
            };
            let answer = law.respond(&f, 0.0, &law.start()).unwrap();
            let at = |l: usize, step: f64| {
                let mut moved = f;
                moved[l / 3][l % 3] += step;
                law.respond(&moved, 0.0, &law.start()).unwrap()
            };
            let size = answer.tangent[0][0].abs();
            for l in 0..9 {
                let step = 1e-6;
                let (low, high) = (at(l, -step), at(l, step));
                if number < 5 {
                    let difference = (high.stored - low.stored) / (2.0 * step);
                    assert!((difference - answer.piola[l / 3][l % 3]).abs() < 1e-8 * size, "{law:?} {k}");
                }
                for i in 0..9 {
                    let difference = (high.piola[i / 3][i % 3] - low.piola[i / 3][i % 3]) / (2.0 * step);
                    let found = answer.tangent[i][l];
                    assert!(
                        (difference - found).abs() < 1e-7 * size,
                        "{law:?} {k} {i} {l}: {difference} {found}"
                    );
                    assert!((found - answer.tangent[l][i]).abs() < 1e-10 * size, "{law:?} {k} {i} {l}");
                }
            }
        }
    }
}

#[test]
fn finite_laws_turn_with_the_body_and_agree_with_hooke_at_small_strains() {
    let (c, s) = (1.1f64.cos(), 1.1f64.sin());
    let q = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
    for law in finite_laws() {
        let f = gradient(1, 0.1);
        let (straight, turned) = (
            law.respond(&f, 0.0, &law.start()).unwrap(),
            law.respond(&product(&q, &f), 0.0, &law.start()).unwrap(),
        );
        let expected = product(&q, &straight.piola);
        for k in 0..9 {
            assert!(
                (turned.piola[k / 3][k % 3] - expected[k / 3][k % 3]).abs() < 1e-9 * straight.tangent[0][0]
            );
        }
        // Cauchy's stress is symmetric
        let kirchhoff = product(&straight.piola, &transpose(&f));
        for (i, j) in [(0, 1), (1, 2), (0, 2)] {
            assert!((kirchhoff[i][j] - kirchhoff[j][i]).abs() < 1e-12 * straight.tangent[0][0]);
        }
    }
    let hooke = ElasticIsotropic::new(1e6, 0.3).unwrap();
    let laws: [Box<dyn FiniteLaw>; 3] = [
        Box::new(NeoHookean::new(1e6, 0.3).unwrap()),
        Box::new(SaintVenantKirchhoff::new(1e6, 0.3).unwrap()),
        Box::new(MooneyRivlin::new(0.15e6 / 1.3, 0.1e6 / 1.3, hooke.bulk()).unwrap()),
    ];
    let strain = strain(1, 1e-6);
    let f: Tensor = std::array::from_fn(|i| {
        std::array::from_fn(|j| crate::tensor::UNIT[i][j] + crate::tensor::strain_tensor(&strain)[i][j])
    });
    let small = hooke.respond(&strain, 0.0, &PointHistory::None).unwrap();
    for law in laws {
        let finite = cauchy(&law.respond(&f, 0.0, &PointHistory::None).unwrap().piola, &f);
        for i in 0..6 {
            assert!((finite[i] - small.stress[i]).abs() < 1e-5, "{law:?}");
        }
    }
}

#[test]
fn the_plane_is_free_of_stress() {
    for law in small_laws() {
        for k in 0..4 {
            let mut e = strain(k, 3e-3);
            (e[2], e[4], e[5]) = (0.0, 0.0, 0.0);
            let (answer, across) = small_plane_stress(law.as_ref(), &e, 10.0, &law.start()).unwrap();
            let mut full = e;
            full[2] = across;
            let check = law.respond(&full, 10.0, &law.start()).unwrap();
            assert!(check.stress[2].abs() < 1e-11 * check.tangent[0][0] * 3e-3, "{law:?}");
            for j in [0, 1, 3] {
                let at = |step: f64| {
                    let mut e = e;
                    e[j] += step;
                    small_plane_stress(law.as_ref(), &e, 10.0, &law.start()).unwrap().0.stress
                };
                let (low, high) = (at(-1e-8), at(1e-8));
                for i in [0, 1, 3] {
                    let difference = (high[i] - low[i]) / 2e-8;
                    assert!(
                        (difference - answer.tangent[i][j]).abs() < 1e-5 * check.tangent[0][0],
                        "{law:?}"
                    );
                }
            }
        }
    }
    let (young, poisson) = (210e9, 0.3);
    let e = [1e-3, 2e-4, 0.0, 3e-4, 0.0, 0.0];
    let (answer, across) = small_plane_stress(&hooke(), &e, 0.0, &PointHistory::None).unwrap();
    let factor = young / (1.0 - poisson * poisson);
    assert!((answer.stress[0] - factor * (e[0] + poisson * e[1])).abs() < 1e-3);
    assert!((across + poisson / (1.0 - poisson) * (e[0] + e[1])).abs() < 1e-15);
    for law in finite_laws() {
        let mut f = gradient(1, 0.1);
        (f[0][2], f[1][2], f[2][0], f[2][1]) = (0.0, 0.0, 0.0, 0.0);
        let (answer, across) = finite_plane_stress(law.as_ref(), &f, 0.0, &law.start()).unwrap();
        f[2][2] = across;
        let check = law.respond(&f, 0.0, &law.start()).unwrap();
        assert!(check.piola[2][2].abs() < 1e-9 * check.tangent[0][0], "{law:?}");
        for l in [0, 1, 3, 4] {
            let at = |step: f64| {
                let mut f = f;
                f[l / 3][l % 3] += step;
                finite_plane_stress(law.as_ref(), &f, 0.0, &law.start()).unwrap().0.piola
            };
            let (low, high) = (at(-1e-6), at(1e-6));
            for i in [0, 1, 3, 4] {
                let difference = (high[i / 3][i % 3] - low[i / 3][i % 3]) / 2e-6;
                assert!((difference - answer.tangent[i][l]).abs() < 1e-6 * check.tangent[0][0], "{law:?}");
            }
        }
    }
}

#[test]
fn heat_stretches_without_stress() {
    let law = Dilatation::new(orthotropic(), [1e-5, 3e-5, 2e-5]).unwrap();
    let free = [1e-5 * 40.0, 3e-5 * 40.0, 2e-5 * 40.0, 0.0, 0.0, 0.0];
    let answer = law.respond(&free, 40.0, &PointHistory::None).unwrap();
    assert!(answer.stress.iter().all(|s| s.abs() < 1e-3), "{:?}", answer.stress);
    // held, it pushes
    let held = Dilatation::new(hooke(), [1e-5; 3]).unwrap();
    let held = held.respond(&[0.0; 6], 40.0, &PointHistory::None).unwrap();
    assert!((held.stress[0] + 210e9 * 1e-5 * 40.0 / (1.0 - 2.0 * 0.3)).abs() < 1.0);
}

#[test]
fn orthotropic_moduli_are_those_of_pulls_and_shears() {
    let moduli = OrthotropicModuli {
        young: [12e9, 0.9e9, 0.5e9],
        poisson: [0.4, 0.3, 0.45],
        shear: [0.7e9, 0.06e9, 0.6e9],
        axes: crate::tensor::UNIT,
    };
    let law = Orthotropic::new(&moduli).unwrap();
    // strain of a pull along 1
    let pull = [1.0 / 12e9, -0.4 / 12e9, -0.45 / 12e9, 0.0, 0.0, 0.0].map(|e| 1e6 * e);
    let answer = law.respond(&pull, 0.0, &PointHistory::None).unwrap();
    assert!((answer.stress[0] - 1e6).abs() < 1e-5 && answer.stress[1].abs() < 1e-5);
    // turned by a quarter about z, 1 and 2 change places
    let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let turned = Orthotropic::new(&OrthotropicModuli { axes, ..moduli }).unwrap();
    assert!((turned.tangent()[1][1] - law.tangent()[0][0]).abs() < 1.0);
    assert!((turned.tangent()[4][4] - law.tangent()[5][5]).abs() < 1e-3);
    assert!(contract(&turned.tangent()[0], &[1.0; 6]).is_finite());
}

#[test]
fn bad_parameters_are_refused_with_what_is_allowed() {
    let refused = [
        ElasticIsotropic::new(1e9, 0.5).err(),
        ElasticIsotropic::new(-1e9, 0.3).err(),
        ElasticIsotropic::new(f64::NAN, 0.3).err(),
        ElasticIsotropic::new(f64::INFINITY, 0.3).err(),
        ElasticIsotropic::new(1e9, -1.0).err(),
        J2Plasticity::new(hooke(), 0.0, 1.0, 1.0).err(),
        J2Plasticity::new(hooke(), 1.0, -1.0, 1.0).err(),
        KelvinVoigt::new(hooke(), -1.0).err(),
        Dilatation::new(hooke(), [f64::NAN; 3]).err(),
        NeoHookean::new(1e6, 0.5).err(),
        MooneyRivlin::new(0.0, 0.0, 1e6).err(),
        MooneyRivlin::new(1e5, 0.0, 0.0).err(),
        SaintVenantKirchhoff::new(0.0, 0.3).err(),
        Orthotropic::new(&OrthotropicModuli {
            young: [1e9; 3],
            poisson: [0.9, 0.9, 0.9],
            shear: [1e9; 3],
            axes: crate::tensor::UNIT,
        })
        .err(),
        Orthotropic::new(&OrthotropicModuli {
            young: [1e9; 3],
            poisson: [0.2; 3],
            shear: [1e9; 3],
            axes: [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        })
        .err(),
    ];
    for (number, error) in refused.into_iter().enumerate() {
        let message = error.unwrap_or_else(|| panic!("number {number} was taken")).to_string();
        assert!(message.contains(" is ") && message.contains("must"), "{message}");
    }
    let message = ElasticIsotropic::new(1e9, 0.5).unwrap_err().to_string();
    assert!(
        message.starts_with("Poisson's ratio is 0.5, but it must be above -1 and below 0.5"),
        "{message}"
    );
}

#[test]
fn internal_variables_survive_as_numbers() {
    let law = J2Plasticity::new(hooke(), 250e6, 1e9, 3e9).unwrap();
    let history = law.respond(&strain(1, 5e-3), 0.0, &law.start()).unwrap().history;
    assert_ne!(history, law.start());
    assert_eq!(law.start().from_numbers(&history.to_numbers()), Some(history));
    assert_eq!(law.start().from_numbers(&[1.0]), None);
}
