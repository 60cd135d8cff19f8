//! Where integrals over reference elements are sampled, and with which weights. Knows points, no elements.

/// A point of a quadrature with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegrationPoint {
    /// Reference coordinates.
    pub at: [f64; 3],
    /// Weight; all weights together are the measure of the reference element.
    pub weight: f64,
}

type Line<const N: usize> = [(f64, f64); N];

/// Gauss on −1…1, exact to degree 3: ±1/√3.
pub(crate) const LINE_2: Line<2> = [(-0.577_350_269_189_625_8, 1.0), (0.577_350_269_189_625_8, 1.0)];

/// Gauss on −1…1, exact to degree 5: ±√0.6 and 0.
pub(crate) const LINE_3: Line<3> =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

const fn point(x: f64, y: f64, z: f64, weight: f64) -> IntegrationPoint {
    IntegrationPoint { at: [x, y, z], weight }
}

const fn line<const N: usize>(of: Line<N>) -> [IntegrationPoint; N] {
    let mut points = [point(0.0, 0.0, 0.0, 0.0); N];
    let mut i = 0;
    while i < N {
        points[i] = point(of[i].0, 0.0, 0.0, of[i].1);
        i += 1;
    }
    points
}

/// Every point of the first (in x and y) with every point of a line (in z).
const fn along_z<const A: usize, const N: usize, const M: usize>(
    base: [IntegrationPoint; A],
    of: Line<N>,
) -> [IntegrationPoint; M] {
    let mut points = [point(0.0, 0.0, 0.0, 0.0); M];
    let mut k = 0;
    while k < M {
        let (plane, z) = (base[k % A], of[k / A]);
        points[k] = point(plane.at[0], plane.at[1], z.0, plane.weight * z.1);
        k += 1;
    }
    points
}

const fn square<const N: usize, const M: usize>(of: Line<N>) -> [IntegrationPoint; M] {
    let mut points = [point(0.0, 0.0, 0.0, 0.0); M];
    let mut k = 0;
    while k < M {
        let (x, y) = (of[k % N], of[k / N]);
        points[k] = point(x.0, y.0, 0.0, x.1 * y.1);
        k += 1;
    }
    points
}

pub(crate) const EDGE_2: [IntegrationPoint; 2] = line(LINE_2);
pub(crate) const EDGE_3: [IntegrationPoint; 3] = line(LINE_3);
pub(crate) const SQUARE_4: [IntegrationPoint; 4] = square(LINE_2);
pub(crate) const SQUARE_9: [IntegrationPoint; 9] = square(LINE_3);
pub(crate) const CUBE_8: [IntegrationPoint; 8] = along_z(SQUARE_4, LINE_2);
pub(crate) const CUBE_27: [IntegrationPoint; 27] = along_z(SQUARE_9, LINE_3);

/// Degree 1.
pub(crate) const TRIANGLE_1: [IntegrationPoint; 1] = [point(1.0 / 3.0, 1.0 / 3.0, 0.0, 0.5)];

/// Degree 2, inside (Strang, Fix 1973).
pub(crate) const TRIANGLE_3: [IntegrationPoint; 3] = [
    point(1.0 / 6.0, 1.0 / 6.0, 0.0, 1.0 / 6.0),
    point(2.0 / 3.0, 1.0 / 6.0, 0.0, 1.0 / 6.0),
    point(1.0 / 6.0, 2.0 / 3.0, 0.0, 1.0 / 6.0),
];

/// Degree 4 (Dunavant 1985).
pub(crate) const TRIANGLE_6: [IntegrationPoint; 6] = {
    let (a, wa) = (0.445_948_490_915_964_9, 0.223_381_589_678_011_47 / 2.0);
    let (b, wb) = (0.091_576_213_509_770_74, 0.109_951_743_655_321_87 / 2.0);
    [
        point(a, a, 0.0, wa),
        point(1.0 - 2.0 * a, a, 0.0, wa),
        point(a, 1.0 - 2.0 * a, 0.0, wa),
        point(b, b, 0.0, wb),
        point(1.0 - 2.0 * b, b, 0.0, wb),
        point(b, 1.0 - 2.0 * b, 0.0, wb),
    ]
};

pub(crate) const PRISM_6: [IntegrationPoint; 6] = along_z(TRIANGLE_3, LINE_2);
pub(crate) const PRISM_9: [IntegrationPoint; 9] = along_z(TRIANGLE_3, LINE_3);
pub(crate) const PRISM_18: [IntegrationPoint; 18] = along_z(TRIANGLE_6, LINE_3);

/// Degree 1.
pub(crate) const TETRAHEDRON_1: [IntegrationPoint; 1] = [point(0.25, 0.25, 0.25, 1.0 / 6.0)];

/// Degree 2 (Keast 1986).
pub(crate) const TETRAHEDRON_4: [IntegrationPoint; 4] = {
    // (5 + 3√5)/20 and (5 − √5)/20
    let (a, b, w) = (0.585_410_196_624_968_5, 0.138_196_601_125_010_5, 1.0 / 24.0);
    [point(b, b, b, w), point(a, b, b, w), point(b, a, b, w), point(b, b, a, w)]
};

/// Degree 4 (Keast 1986); the weight in the middle is negative, which no integral of a mass minds.
pub(crate) const TETRAHEDRON_11: [IntegrationPoint; 11] = {
    let (c, w0, w1, w2) = (1.0 / 14.0, -74.0 / 5625.0, 343.0 / 45000.0, 56.0 / 2250.0);
    let far = 11.0 / 14.0;
    // (1 ± √(5/14))/4
    let (a, b) = (0.399_403_576_166_799_2, 0.100_596_423_833_200_8);
    [
        point(0.25, 0.25, 0.25, w0),
        point(c, c, c, w1),
        point(far, c, c, w1),
        point(c, far, c, w1),
        point(c, c, far, w1),
        point(a, a, b, w2),
        point(a, b, a, w2),
        point(b, a, a, w2),
        point(a, b, b, w2),
        point(b, a, b, w2),
        point(b, b, a, w2),
    ]
};
