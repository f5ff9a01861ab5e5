"""Paper 000 (23)-(31): when the element in a prescribed motion has the integral that Whittaker's method needs.

Digest entry E18: the paper never applies the method to its Lagrangian (23), and in general it cannot be.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from mpmath import mp, mpf

from .moving_element import Motion, Snapshot, spatial_element, spatial_rotation
from .natural_system import NaturalSystem, State
from .precision import (
    TimeFunction,
    Vector,
    array,
    assert_fails_by,
    assert_holds,
    axial,
    derivative,
    identity,
    size,
    skew,
    solve,
)


def _rotation_about(axis: Vector, angle: mpf) -> Vector:
    """Rodrigues' formula."""
    operator = skew(axis / mp.sqrt(axis @ axis))
    return identity(len(axis)) + mp.sin(angle) * operator + (1 - mp.cos(angle)) * operator @ operator


AXIS = array([mpf(1), mpf(-2), mpf(2)]) / 3
COORDINATES = array([mpf(r * r - 4 * r + 2) / 8 for r in range(6)])
RATES = array([mpf(5 - 3 * r) / 8 for r in range(6)])


@dataclass(frozen=True)
class History:
    """A prescribed frame motion with prescribed loads."""

    origin: TimeFunction
    rotation: TimeFunction
    load: Callable[[Snapshot], Vector]

    def frame(self, t: mpf) -> Snapshot:
        """The frame at an instant."""
        return Snapshot(spatial_element(), Motion(self.origin, self.rotation, lambda _: COORDINATES), t)

    def accelerations(self, t: mpf) -> Vector:
        """δ̈ of the element equation in the state COORDINATES, RATES."""
        frame = self.frame(t)
        stiffness = frame.element.stiffness + frame.k_eps + frame.k_w2
        force = self.load(frame) - frame.inertia_loads - 2 * frame.c @ RATES - stiffness @ COORDINATES
        return solve(frame.element.m, force)

    def linear_part(self, frame: Snapshot) -> Vector:
        """q(ω²) + M_Oᵀa - q."""
        return frame.q_w2 + frame.element.M_O.T @ frame.a - self.load(frame)

    def jacobi(self, t: mpf, coordinates: Vector, rates: Vector) -> mpf:
        """½δ̇ᵀmδ̇ + ½δᵀ(k + k(ω²))δ + δᵀ(q(ω²) + M_Oᵀa - q)."""
        frame = self.frame(t)
        stiffness = frame.element.stiffness + frame.k_w2
        kinetic = rates @ frame.element.m @ rates / 2
        return kinetic + coordinates @ stiffness @ coordinates / 2 + coordinates @ self.linear_part(frame)

    def rate_of_jacobi(self, t: mpf) -> mpf:
        """dJ/dt along the motion."""
        second = self.accelerations(t)

        def along(s: mpf) -> mpf:
            step = s - t
            return self.jacobi(s, COORDINATES + step * RATES + step**2 * second / 2, RATES + step * second)

        return derivative(along, t)


def _dead_load(frame: Snapshot) -> Vector:
    """A load with constant local components."""
    return frame.element.M_O.T @ array([mpf(1), mpf(-1) / 2, mpf(3) / 4])


def _gravity(direction: Vector) -> Callable[[Snapshot], Vector]:
    """Weight in a direction fixed in space."""
    return lambda frame: frame.element.M_O.T @ frame.R.T @ direction


def _steady(t: mpf) -> Vector:
    return _rotation_about(AXIS, 3 * t / 4)


def _circling(t: mpf) -> Vector:
    """An origin carried by the steady rotation: its acceleration is constant in the frame."""
    return _steady(t) @ array([mpf(1), mpf(1) / 2, mpf(-1) / 4])


STEADY = {
    "dead load, origin on a circle": History(_circling, _steady, _dead_load),
    "weight along the axis of rotation": History(_circling, _steady, _gravity(-10 * AXIS)),
    "steady translation on top": History(
        lambda t: _circling(t) + t * array([2, mpf(1) / 2, -1]), _steady, _dead_load
    ),
}
UNSTEADY = {
    "spin-up": History(_circling, lambda t: _rotation_about(AXIS, 3 * t / 4 + t * t / 2), _dead_load),
    "constant speed, moving axis": History(
        lambda _: 0 * AXIS,
        lambda t: spatial_rotation(t, mpf(0), mpf(0)) @ spatial_rotation(mpf(0), mpf(1) / 2, t / 2),
        _dead_load,
    ),
    "origin on a straight line": History(lambda t: t**2 * array([mpf(1), mpf(1), mpf(0)]), _steady, _dead_load),
    "weight across the axis": History(_circling, _steady, _gravity(array([mpf(0), mpf(-10), mpf(-10)]) + AXIS)),
}


@pytest.mark.parametrize("name", STEADY)
def test_e18_jacobi_integral_exists_in_steady_motion(name: str, instant: mpf) -> None:
    """E18, 000 (30)-(31): ω, a and the loads constant in the frame: J is an integral and the method applies."""
    assert_holds(STEADY[name].rate_of_jacobi(instant), mpf(0))


@pytest.mark.parametrize("name", UNSTEADY)
def test_e18_jacobi_integral_is_lost_in_general(name: str, instant: mpf) -> None:
    """E18, 000 (30)-(31): each condition broken alone makes dJ/dt differ from zero, so (23) is not scleronomic.

    dJ/dt exceeds one per cent of |J| per unit of time, and the unit of time is of the order of a radian of spin.
    """
    history = UNSTEADY[name]
    rate = history.rate_of_jacobi(instant)
    assert abs(rate) > abs(history.jacobi(instant, COORDINATES, RATES)) / 100


def test_e18_moving_axis_keeps_the_speed(instant: mpf) -> None:
    """E18: in the history with the moving axis |ω| is constant; a constant speed alone is not enough."""
    history = UNSTEADY["constant speed, moving axis"]
    speed = derivative(lambda t: axial(history.frame(t).W) @ axial(history.frame(t).W), instant)
    assert_holds(speed, mpf(0))
    assert size(history.frame(instant).E) > size(history.frame(instant).W) / 100


@pytest.mark.parametrize("name", STEADY | UNSTEADY)
def test_power_balance_of_the_jacobi_function(name: str, instant: mpf) -> None:
    """E18: dJ/dt = -δ̇ᵀk(ε)δ - δ̇ᵀq(ε) + ½δᵀ(dk(ω²)/dt)δ + δᵀd(q(ω²) + M_Oᵀa - q)/dt, in every history."""
    history = (STEADY | UNSTEADY)[name]
    frame = history.frame(instant)
    softening = derivative(lambda t: history.frame(t).k_w2, instant)
    linear = derivative(lambda t: history.linear_part(history.frame(t)), instant)
    balance = -RATES @ (frame.k_eps @ COORDINATES + frame.q_eps)
    balance += COORDINATES @ softening @ COORDINATES / 2 + COORDINATES @ linear
    assert_holds(balance, history.rate_of_jacobi(instant))


def test_e18_damping_destroys_the_integral(instant: mpf) -> None:
    """E18: with a damping force -bmδ̇ the function J falls at the rate bδ̇ᵀmδ̇ even in steady motion."""
    coefficient = mpf(1) / 4

    def load(frame: Snapshot) -> Vector:
        return _dead_load(frame) - coefficient * frame.element.m @ RATES

    damped = History(_circling, _steady, load)
    second = damped.accelerations(instant)
    steady = STEADY["dead load, origin on a circle"]

    def along(s: mpf) -> mpf:
        step = s - instant
        return steady.jacobi(s, COORDINATES + step * RATES, RATES + step * second)

    loss = coefficient * RATES @ steady.frame(instant).element.m @ RATES
    assert_fails_by(derivative(along, instant), mpf(0), -loss, term=loss)


def test_whittaker_equations_of_the_element_in_steady_rotation(instant: mpf) -> None:
    """E17, E18: in steady motion the element is a natural system M = m, g = cδ, and (60) gives its motion."""
    history = STEADY["dead load, origin on a circle"]
    frame = history.frame(instant)
    stiffness = frame.element.stiffness + frame.k_w2
    linear = history.linear_part(frame)
    element = NaturalSystem(
        mass=lambda _: frame.element.m,
        gyroscopic=lambda q: frame.c @ q,
        potential=lambda q: q @ stiffness @ q / 2 + q @ linear,
    )
    assert_holds(element.accelerations(COORDINATES, RATES), history.accelerations(instant))
    moving = State(element, COORDINATES, RATES)
    assert_holds(moving.rate_of_slope_derivative(), moving.by_coordinates())
