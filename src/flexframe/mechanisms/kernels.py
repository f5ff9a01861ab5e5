"""Compiled loops over rows of constraints and instants; flat arrays in, flat arrays out.

Small vectors are tuples, which the compiler keeps in registers. Arguments are many and positional, as compiled
functions want them; one branch for each constraint_type of constraint.
"""

from math import atan2, sqrt
from typing import Any

from numba import njit

from flexframe.mechanisms.constraint_types import (
    ALONG,
    DISTANCE,
    PERPENDICULAR,
    RIM_HEIGHT,
    RIM_SLIP,
    ROTATION,
)


@njit(cache=True)
def _cross(a: Any, b: Any) -> Any:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def _add(a: Any, f: float, b: Any) -> Any:
    """a + f b."""
    return a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]


@njit(cache=True)
def _rotate(R: Any, t: int, body: int, v: Any) -> Any:
    """A vector fixed in a body, in space axes."""
    return (
        R[t, body, 0, 0] * v[0] + R[t, body, 0, 1] * v[1] + R[t, body, 0, 2] * v[2],
        R[t, body, 1, 0] * v[0] + R[t, body, 1, 1] * v[1] + R[t, body, 1, 2] * v[2],
        R[t, body, 2, 0] * v[0] + R[t, body, 2, 1] * v[1] + R[t, body, 2, 2] * v[2],
    )


@njit(cache=True)
def _at(array: Any, t: int, body: int) -> Any:
    return array[t, body, 0], array[t, body, 1], array[t, body, 2]


@njit(cache=True)
def _put(J: Any, t: int, row: int, body: int, start: int, f: float, v: Any) -> None:  # noqa: PLR0917
    """J += f v."""
    J[t, row, body, start] += f * v[0]
    J[t, row, body, start + 1] += f * v[1]
    J[t, row, body, start + 2] += f * v[2]


@njit(cache=True)
def _put_difference(  # noqa: PLR0917
    J: Any, t: int, row: int, a: int, b: int, d: Any, arm_a: Any, arm_b: Any
) -> None:
    """Rows of d · (velocity at b − velocity at a) with d held."""
    _put(J, t, row, a, 0, -1.0, d)
    _put(J, t, row, a, 3, -1.0, _cross(arm_a, d))
    _put(J, t, row, b, 0, 1.0, d)
    _put(J, t, row, b, 3, 1.0, _cross(arm_b, d))


@njit(cache=True)
def _dot_rate(x: Any, y: Any, w_a: Any, w_b: Any) -> Any:
    """Rate and bias of x · y with x fixed in a, y in b."""
    x_rate, y_rate = _cross(w_a, x), _cross(w_b, y)
    bias = _dot(_cross(w_a, x_rate), y) + 2 * _dot(x_rate, y_rate) + _dot(x, _cross(w_b, y_rate))
    return _dot(x_rate, y) + _dot(x, y_rate), bias


@njit(cache=True)
def _rim(n: Any, k: Any) -> Any:
    """w = n·k, √(1 − w²) and e = (n − w k)/√(1 − w²), from the contact to the centre of a unit disc."""
    w = _dot(n, k)
    root = sqrt(max(1.0 - w * w, 0.0))
    e = _add(n, -w, k)
    return w, root, (e[0] / root, e[1] / root, e[2] / root)


@njit(cache=True)
def fill_rows(data: Any, r: Any, R: Any, s: Any, J: Any) -> None:
    """Values and Jacobian rows of all constraints; s and J come filled with zeros."""
    types, bodies, places, directions, radii = data
    for t in range(s.shape[0]):
        for row in range(s.shape[1]):
            constraint_type, a, b, carrier = types[row], bodies[row, 0], bodies[row, 1], bodies[row, 2]
            arm_a, arm_b = _rotate(R, t, a, places[row, 0]), _rotate(R, t, b, places[row, 1])
            x = _rotate(R, t, carrier, directions[row, 0])
            y = _rotate(R, t, b, directions[row, 1])
            z = _rotate(R, t, a, directions[row, 2])
            delta = _add(_add(_at(r, t, b), 1.0, arm_b), -1.0, _add(_at(r, t, a), 1.0, arm_a))
            if constraint_type == ALONG:  # x · Δ
                s[t, row] = _dot(x, delta)
                _put_difference(J, t, row, a, b, x, arm_a, arm_b)
                _put(J, t, row, carrier, 3, 1.0, _cross(x, delta))
            elif constraint_type == PERPENDICULAR:  # x · y
                s[t, row] = _dot(x, y)
                turning = _cross(x, y)
                _put(J, t, row, a, 3, 1.0, turning)
                _put(J, t, row, b, 3, -1.0, turning)
            elif constraint_type == ROTATION:  # atan2(z · y, x · y)
                sine, cosine = _dot(z, y), _dot(x, y)
                size = sine * sine + cosine * cosine
                s[t, row] = atan2(sine, cosine)
                turning, f, g = _cross(z, y), cosine / size, -sine / size
                across = _cross(x, y)
                _put(J, t, row, a, 3, f, turning)
                _put(J, t, row, a, 3, g, across)
                _put(J, t, row, b, 3, -f, turning)
                _put(J, t, row, b, 3, -g, across)
            elif constraint_type == DISTANCE:  # |Δ|; points that coincide are taken apart along x
                length = sqrt(_dot(delta, delta))
                s[t, row] = length
                n = (delta[0] / length, delta[1] / length, delta[2] / length) if length > 0.0 else (1.0, 0.0, 0.0)
                _put_difference(J, t, row, a, b, n, arm_a, arm_b)
            elif constraint_type == RIM_HEIGHT:  # x · Δ − r √(1 − (x·y)²)
                w, root, _ = _rim(x, y)
                s[t, row] = _dot(x, delta) - radii[row] * root
                _put_difference(J, t, row, a, b, x, arm_a, arm_b)
                _put(J, t, row, a, 3, 1.0, _cross(x, delta))
                turning = _cross(x, y)
                _put(J, t, row, a, 3, radii[row] * w / root, turning)
                _put(J, t, row, b, 3, -radii[row] * w / root, turning)
            elif (
                constraint_type == RIM_SLIP
            ):  # z · (velocity of the rim at the contact − that of the plane); no value
                _, _, e = _rim(x, y)
                to_contact = _add(arm_b, -radii[row], e)
                from_a = _add(_add(_at(r, t, b), 1.0, to_contact), -1.0, _at(r, t, a))
                _put_difference(J, t, row, a, b, z, from_a, to_contact)
            else:  # BLADE_SLIP: y · (velocity of the blade − that of the first body there); no value
                from_a = _add(_add(_at(r, t, b), 1.0, arm_b), -1.0, _at(r, t, a))
                _put_difference(J, t, row, a, b, y, from_a, arm_b)


@njit(cache=True)
def fill_rates(  # noqa: PLR0915, PLR0917
    data: Any, r: Any, R: Any, v: Any, w: Any, rate: Any, bias: Any
) -> None:
    """Rates of all constraints, and what their second derivatives have besides accelerations."""
    types, bodies, places, directions, radii = data
    for t in range(rate.shape[0]):
        for row in range(rate.shape[1]):
            constraint_type, a, b, carrier = types[row], bodies[row, 0], bodies[row, 1], bodies[row, 2]
            arm_a, arm_b = _rotate(R, t, a, places[row, 0]), _rotate(R, t, b, places[row, 1])
            x = _rotate(R, t, carrier, directions[row, 0])
            y = _rotate(R, t, b, directions[row, 1])
            z = _rotate(R, t, a, directions[row, 2])
            w_a, w_b, w_x = _at(w, t, a), _at(w, t, b), _at(w, t, carrier)
            v_a, v_b = _at(v, t, a), _at(v, t, b)
            delta = _add(_add(_at(r, t, b), 1.0, arm_b), -1.0, _add(_at(r, t, a), 1.0, arm_a))
            turn_a, turn_b = _cross(w_a, arm_a), _cross(w_b, arm_b)
            delta_rate = _add(_add(v_b, 1.0, turn_b), -1.0, _add(v_a, 1.0, turn_a))
            delta_bias = _add(_cross(w_b, turn_b), -1.0, _cross(w_a, turn_a))
            if constraint_type in (ALONG, RIM_HEIGHT):
                x_rate = _cross(w_x, x)
                rate[t, row] = _dot(x_rate, delta) + _dot(x, delta_rate)
                bias[t, row] = (
                    _dot(x, delta_bias) + 2 * _dot(x_rate, delta_rate) + _dot(_cross(w_x, x_rate), delta)
                )
                if constraint_type == RIM_HEIGHT:
                    tilt, root, _ = _rim(x, y)
                    tilt_rate, tilt_bias = _dot_rate(x, y, w_a, w_b)
                    rate[t, row] += radii[row] * tilt / root * tilt_rate
                    bias[t, row] += radii[row] * (
                        (tilt_rate**2 + tilt * tilt_bias) / root + (tilt * tilt_rate) ** 2 / root**3
                    )
            elif constraint_type == PERPENDICULAR:
                rate[t, row], bias[t, row] = _dot_rate(x, y, w_a, w_b)
            elif constraint_type == ROTATION:
                sine, cosine = _dot(z, y), _dot(x, y)
                size = sine * sine + cosine * cosine
                sine_rate, sine_bias = _dot_rate(z, y, w_a, w_b)
                cosine_rate, cosine_bias = _dot_rate(x, y, w_a, w_b)
                rate[t, row] = (cosine * sine_rate - sine * cosine_rate) / size
                growth = 2 * (sine * sine_rate + cosine * cosine_rate) * rate[t, row]
                bias[t, row] = (cosine * sine_bias - sine * cosine_bias - growth) / size
            elif constraint_type == DISTANCE:
                length = sqrt(_dot(delta, delta))
                n = (delta[0] / length, delta[1] / length, delta[2] / length) if length > 0.0 else (1.0, 0.0, 0.0)
                along = _dot(n, delta_rate)
                rate[t, row] = along
                bias[t, row] = _dot(n, delta_bias)
                if length > 0.0:
                    bias[t, row] += (_dot(delta_rate, delta_rate) - along**2) / length
            elif constraint_type == RIM_SLIP:
                tilt, root, e = _rim(x, y)
                x_rate, y_rate = _cross(w_a, x), _cross(w_b, y)
                tilt_rate = _dot(x_rate, y) + _dot(x, y_rate)
                e_rate = _add(_add(x_rate, -tilt_rate, y), -tilt, y_rate)
                e_rate = _add((0.0, 0.0, 0.0), 1.0 / root, e_rate)
                e_rate = _add(e_rate, tilt * tilt_rate / root**2, e)
                to_contact = _add(arm_b, -radii[row], e)
                from_a = _add(_add(_at(r, t, b), 1.0, to_contact), -1.0, _at(r, t, a))
                slip = _add(_add(v_b, 1.0, _cross(w_b, to_contact)), -1.0, _add(v_a, 1.0, _cross(w_a, from_a)))
                contact_rate = _add(_add(v_b, 1.0, turn_b), -radii[row], e_rate)
                swing = _add(
                    _cross(w_b, _add(contact_rate, -1.0, v_b)), -1.0, _cross(w_a, _add(contact_rate, -1.0, v_a))
                )
                rate[t, row] = _dot(z, slip)
                bias[t, row] = _dot(_cross(w_a, z), slip) + _dot(z, swing)
            else:
                from_a = _add(_add(_at(r, t, b), 1.0, arm_b), -1.0, _at(r, t, a))
                blade_rate = _add(v_b, 1.0, turn_b)
                slip = _add(blade_rate, -1.0, _add(v_a, 1.0, _cross(w_a, from_a)))
                swing = _add(_cross(w_b, turn_b), -1.0, _cross(w_a, _add(blade_rate, -1.0, v_a)))
                rate[t, row] = _dot(y, slip)
                bias[t, row] = _dot(_cross(w_b, y), slip) + _dot(y, swing)
