"""Small vectors as tuples, rotations and quaternions in compiled loops."""

from math import sqrt
from typing import Any

from flexframe.dynamics.compiling import inner

_TERMS = 11  # of the series of a and b, enough for a turn of two radians


@inner
def cross(a: Any, b: Any) -> Any:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inner
def symmetric_times(inertia: Any, w: Any) -> Any:
    """I w of a symmetric matrix by its six numbers."""
    xx, xy, xz, yy, yz, zz = inertia
    return (
        xx * w[0] + xy * w[1] + xz * w[2],
        xy * w[0] + yy * w[1] + yz * w[2],
        xz * w[0] + yz * w[1] + zz * w[2],
    )


@inner
def turned(R: Any, v: Any) -> Any:
    """R v."""
    return (
        R[0, 0] * v[0] + R[0, 1] * v[1] + R[0, 2] * v[2],
        R[1, 0] * v[0] + R[1, 1] * v[1] + R[1, 2] * v[2],
        R[2, 0] * v[0] + R[2, 1] * v[1] + R[2, 2] * v[2],
    )


@inner
def rotate_back(R: Any, v: Any) -> Any:
    """Rᵀ v."""
    return (
        R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2],
        R[0, 1] * v[0] + R[1, 1] * v[1] + R[2, 1] * v[2],
        R[0, 2] * v[0] + R[1, 2] * v[1] + R[2, 2] * v[2],
    )


@inner
def turned9(R: Any, v: Any) -> Any:
    """R v with the nine numbers of R in a tuple."""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@inner
def nine(R: Any, b: int) -> Any:
    return (
        R[b, 0, 0],
        R[b, 0, 1],
        R[b, 0, 2],
        R[b, 1, 0],
        R[b, 1, 1],
        R[b, 1, 2],
        R[b, 2, 0],
        R[b, 2, 1],
        R[b, 2, 2],
    )


@inner
def turn_ratios(x: float) -> Any:
    """a, b and their derivatives with respect to x = φ², and sin φ/φ."""
    # a = Σ (−x)^k/(2k + 2)!,  b = Σ (−x)^k/(2k + 3)!,  sin φ/φ = Σ (−x)^k/(2k + 1)!
    a = b = da = db = c = 0.0
    term = 1.0  # (−1)^k/(2k)!
    power, lower = 1.0, 0.0  # x^k, k x^(k−1)
    for k in range(_TERMS):
        c += term / (2 * k + 1) * power
        one = term / ((2 * k + 1) * (2 * k + 2))
        two = one / (2 * k + 3)
        a += one * power
        b += two * power
        da += one * lower
        db += two * lower
        lower = lower * x + power
        power *= x
        term *= -1.0 / ((2 * k + 1) * (2 * k + 2))
    return a, b, da, db, c


@inner
def rotation_matrix(q: Any, R: Any) -> None:
    """R of a unit quaternion."""
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    R[0, 0] = 1.0 - 2.0 * (q2 * q2 + q3 * q3)
    R[1, 1] = 1.0 - 2.0 * (q1 * q1 + q3 * q3)
    R[2, 2] = 1.0 - 2.0 * (q1 * q1 + q2 * q2)
    R[0, 1], R[1, 0] = 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q2 + q0 * q3)
    R[0, 2], R[2, 0] = 2.0 * (q1 * q3 + q0 * q2), 2.0 * (q1 * q3 - q0 * q2)
    R[1, 2], R[2, 1] = 2.0 * (q2 * q3 - q0 * q1), 2.0 * (q2 * q3 + q0 * q1)


@inner
def turn_quaternion(q: Any, t: Any, out: Any) -> None:
    """q ∘ exp(θ/2), of unit length."""
    square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2]
    half = 0.25 * square
    # cos(φ/2) = 1 − (φ/2)² a(φ²/4), sin(φ/2)/φ = ½ c(φ²/4)
    a, _, _, _, c = turn_ratios(half)
    p0, f = 1.0 - half * a, 0.5 * c
    p1, p2, p3 = f * t[0], f * t[1], f * t[2]
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    n0 = q0 * p0 - q1 * p1 - q2 * p2 - q3 * p3
    n1 = q0 * p1 + q1 * p0 + q2 * p3 - q3 * p2
    n2 = q0 * p2 - q1 * p3 + q2 * p0 + q3 * p1
    n3 = q0 * p3 + q1 * p2 - q2 * p1 + q3 * p0
    size = 1.0 / sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
    out[0], out[1], out[2], out[3] = n0 * size, n1 * size, n2 * size, n3 * size
