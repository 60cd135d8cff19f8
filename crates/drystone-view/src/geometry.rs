//! The few operations on vectors that drawing needs. No type of its own: a picture is made of plain arrays.

pub(crate) type V2 = [f64; 2];
pub(crate) type V3 = [f64; 3];

/// Coordinates beyond this \[m\] are left out, so that squares and differences stay finite.
pub(crate) const FARTHEST: f64 = 1e120;

pub(crate) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: V3, s: f64) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(crate) fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn norm(a: V3) -> f64 {
    dot(a, a).sqrt()
}

/// Unit vector, or none where there is no direction.
pub(crate) fn unit(a: V3) -> Option<V3> {
    let length = norm(a);
    (length > 0.0 && length.is_finite()).then(|| scale(a, 1.0 / length))
}

pub(crate) fn usable(a: V3) -> bool {
    a.iter().all(|x| x.abs() < FARTHEST)
}

/// Columns of the rotation of a quaternion, scalar first; none where it cannot be normalised.
pub(crate) fn rotation(wxyz: [f64; 4]) -> Option<[V3; 3]> {
    let length = wxyz.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > 1e-12 && length < FARTHEST) {
        return None;
    }
    let [w, x, y, z] = wxyz.map(|q| q / length);
    Some([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])
}

/// World direction of a local one.
pub(crate) fn turn(columns: &[V3; 3], a: V3) -> V3 {
    add(add(scale(columns[0], a[0]), scale(columns[1], a[1])), scale(columns[2], a[2]))
}

/// Two directions that complete a unit normal to an orthonormal frame; horizontal and vertical ones where
/// there are.
pub(crate) fn tangents(normal: V3) -> [V3; 2] {
    let helper = if normal[2].abs() > 0.99 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let first = unit(cross(helper, normal)).unwrap_or([1.0, 0.0, 0.0]);
    [first, cross(normal, first)]
}
