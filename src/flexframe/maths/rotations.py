"""Rotations in space, every function on one rotation or on arrays of them (leading axes are free).

R maps body components to global ones. W = RᵀṘ = skew(ω) with ω in body components. A rotation vector θ is
the axis times the angle: R = exp(skew(θ)). Quaternions are (scalar, vector) and of unit length; q and −q are
the same rotation.
"""

import numpy as np

from flexframe.maths.arrays import Array

# Taylor coefficients in powers of φ²; the closed forms cancel for a small angle φ.
_SERIES_BELOW = 0.5
_CUBIC_SERIES = (1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800, -1 / 6227020800)
_COTANGENT_SERIES = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)


def skew(vector: Array) -> Array:
    """The matrix ṽ with ṽ x = v × x: (..., 3) → (..., 3, 3)."""
    v = np.asarray(vector, dtype=float)
    matrix = np.zeros((*v.shape, 3))
    matrix[..., 2, 1], matrix[..., 0, 2], matrix[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    matrix[..., 1, 2], matrix[..., 2, 0], matrix[..., 0, 1] = -v[..., 0], -v[..., 1], -v[..., 2]
    return matrix


def cross(a: Array, b: Array) -> Array:
    """a × b over the last axis; several times faster than numpy's on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    out[..., 0] = a1 * b2 - a2 * b1
    out[..., 1] = a2 * b0 - a0 * b2
    out[..., 2] = a0 * b1 - a1 * b0
    return out


def axial(matrix: Array) -> Array:
    """The vector of the skew part, ½(W − Wᵀ) = skew(axial(W)): (..., 3, 3) → (..., 3)."""
    w = np.asarray(matrix, dtype=float)
    components = [w[..., 2, 1] - w[..., 1, 2], w[..., 0, 2] - w[..., 2, 0], w[..., 1, 0] - w[..., 0, 1]]
    return 0.5 * np.stack(components, axis=-1)


def rotation_about_z(angle: Array | float) -> Array:
    """Planar rotation by `angle` (rad) as a 3×3 matrix: (...) → (..., 3, 3)."""
    a = np.asarray(angle, dtype=float)
    matrix = np.zeros((*a.shape, 3, 3))
    matrix[..., 0, 0] = matrix[..., 1, 1] = np.cos(a)
    matrix[..., 1, 0] = np.sin(a)
    matrix[..., 0, 1] = -matrix[..., 1, 0]
    matrix[..., 2, 2] = 1.0
    return matrix


def rotation_from_vector(rotation_vector: Array) -> Array:
    """R = exp θ̃ = 1 + (sin φ/φ) θ̃ + ((1 − cos φ)/φ²) θ̃², φ = |θ|: (..., 3) → (..., 3, 3)."""
    theta = skew(rotation_vector)
    angle = np.linalg.norm(rotation_vector, axis=-1)
    return _identity_plus(_sine_ratio(angle), theta, _versine_ratio(angle))


def rotation_from_axis_angle(axis: Array, angle: Array | float) -> Array:
    """Rotation by `angle` (rad) about `axis` of any nonzero length: (..., 3), (...) → (..., 3, 3)."""
    direction = np.asarray(axis, dtype=float)
    direction = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    return rotation_from_vector(direction * np.asarray(angle, dtype=float)[..., None])


def vector_from_rotation(rotation: Array) -> Array:
    """The rotation vector with angle at most π: (..., 3, 3) → (..., 3)."""
    q = quaternion_from_rotation(rotation)
    sine = np.linalg.norm(q[..., 1:], axis=-1)
    half_angle = np.arctan2(sine, q[..., 0])
    # angle/sine → 2 as both vanish; the quotient is taken only where it is defined.
    ratio = np.divide(2.0 * half_angle, sine, out=np.full_like(sine, 2.0), where=sine > 0.0)
    return np.asarray(q[..., 1:] * ratio[..., None])


def tangent_operator(rotation_vector: Array) -> Array:
    """T(θ) with ω = T θ̇ in body components (and Tᵀ θ̇ in global ones): (..., 3) → (..., 3, 3).

    T = 1 − ((1 − cos φ)/φ²) θ̃ + ((φ − sin φ)/φ³) θ̃².
    """
    angle = np.linalg.norm(rotation_vector, axis=-1)
    return _identity_plus(-_versine_ratio(angle), skew(rotation_vector), _cubic_ratio(angle))


_ARC_SINE = np.cumprod([1.0, *((2 * k - 1) ** 2 / (2 * k * (2 * k + 1)) for k in range(1, 60))])
"""Coefficients of asin(√x)/√x in powers of x."""


def arc_sine_ratio(x: Array) -> tuple[Array, Array, Array]:
    """asin(√x)/√x with its first and second derivative, for angles of less than a radian; each as x."""
    first = np.polynomial.polynomial.polyder(_ARC_SINE)
    series = (_ARC_SINE, first, np.polynomial.polynomial.polyder(first))
    at = np.minimum(x, 0.75)
    value, slope, bend = (np.asarray(np.polynomial.polynomial.polyval(at, part)) for part in series)
    return value, slope, bend


def quaternion_product(first: Array, second: Array) -> Array:
    """first ∘ second, the quaternion of R(first) R(second): (..., 4), (..., 4) → (..., 4)."""
    p, q = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    p0, pv, q0, qv = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
    scalar = p0 * q0 - np.sum(pv * qv, axis=-1, keepdims=True)
    return np.concatenate([scalar, p0 * qv + q0 * pv + np.cross(pv, qv)], axis=-1)


def quaternion_exponential(rotation_vector: Array) -> Array:
    """(cos φ/2, (sin φ/2) θ/φ), the quaternion of exp θ̃: (..., 3) → (..., 4)."""
    theta = np.asarray(rotation_vector, dtype=float)
    half = 0.5 * np.linalg.norm(theta, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * _sine_ratio(half) * theta], axis=-1)


def rotation_from_quaternion(quaternion: Array) -> Array:
    """R of a quaternion, which need not be of exactly unit length: (..., 4) → (..., 3, 3)."""
    q = np.asarray(quaternion, dtype=float)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    cross = skew(q[..., 1:])
    return np.asarray(np.eye(3) + 2.0 * (q[..., :1, None] * cross + cross @ cross))


def quaternion_from_rotation(rotation: Array) -> Array:
    """Unit quaternion with scalar part ≥ 0, by its largest component (Shepperd): (..., 3, 3) → (..., 4)."""
    r = np.asarray(rotation, dtype=float)
    trace = np.trace(r, axis1=-2, axis2=-1)
    # 4 q qᵀ, each row of which is a multiple of q; the row of the largest component is the accurate one.
    products = np.empty((*r.shape[:-2], 4, 4))
    products[..., 0, 0] = 1.0 + trace
    products[..., 0, 1:] = products[..., 1:, 0] = 2.0 * axial(r)
    products[..., 1:, 1:] = r + np.swapaxes(r, -1, -2) + (1.0 - trace)[..., None, None] * np.eye(3)
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    q: Array = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0.0, -q, q)


def _identity_plus(linear: Array, matrix: Array, quadratic: Array) -> Array:
    """1 + linear·A + quadratic·A²."""
    return np.eye(3) + linear[..., None, None] * matrix + quadratic[..., None, None] * (matrix @ matrix)


def _sine_ratio(angle: Array) -> Array:
    """sin φ / φ."""
    return np.asarray(np.sinc(angle / np.pi))


def _versine_ratio(angle: Array) -> Array:
    """(1 − cos φ) / φ² = ½ (sin(φ/2) / (φ/2))², free of cancellation."""
    return 0.5 * _sine_ratio(0.5 * angle) ** 2


def _cubic_ratio(angle: Array) -> Array:
    """(φ − sin φ) / φ³."""
    safe = np.maximum(angle, _SERIES_BELOW)
    return np.where(angle < _SERIES_BELOW, _series(_CUBIC_SERIES, angle), (safe - np.sin(safe)) / safe**3)


def _series(coefficients: tuple[float, ...], angle: Array) -> Array:
    return np.asarray(np.polynomial.polynomial.polyval(np.minimum(angle, _SERIES_BELOW) ** 2, coefficients))
