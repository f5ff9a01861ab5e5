"""Paper 001, Hamilton's equations with a moving frame: (27)-(32), (52)-(54), digest entry E12; 000 (24)."""

import pytest
from mpmath import mpf

from .moving_element import Snapshot
from .precision import Vector, array, assert_fails_by, assert_holds, derivative, gradient, size, solve


def _lagrangian(frame: Snapshot, coordinates: Vector, rates: Vector) -> mpf:
    """T - ½δᵀkδ + (q + q*)ᵀδ at a fixed instant, with the loads of that instant."""
    element = frame.element
    linear = frame.q_w2 + element.M_O.T @ frame.W @ frame.v - frame.applied
    rigid = (
        element.total_mass * (frame.v @ frame.v) / 2
        + frame.v @ frame.W @ element.static_moment
        + (frame.W @ element.second_moment @ frame.W.T).trace() / 2
    )
    return (
        rigid
        + rates @ frame.s
        + rates @ element.m @ rates / 2
        + rates @ frame.c @ coordinates
        - coordinates @ (element.stiffness + frame.k_w2) @ coordinates / 2
        - coordinates @ linear
    )


def _hamiltonian(frame: Snapshot, coordinates: Vector, momenta: Vector) -> mpf:
    """The Legendre transform pᵀδ̇ - L with δ̇ = m⁻¹(p - cδ - s)."""
    rates = solve(frame.element.m, momenta - frame.c @ coordinates - frame.s)
    return momenta @ rates - _lagrangian(frame, coordinates, rates)


def test_lagrangian_in_closed_form(space: Snapshot) -> None:
    """001 (26), mended: the closed Lagrangian is ½∫ρ|ṙ|² - ½δᵀkδ + (q + q*)ᵀδ."""
    elastic = space.d @ space.element.stiffness @ space.d / 2
    truth = space.kinetic_energy - elastic + space.applied @ space.d
    assert_holds(_lagrangian(space, space.d, space.d1), truth)


def test_hamilton_equations(space: Snapshot) -> None:
    """001 (53)-(54): δ̇ = ∂H/∂p and ṗ = -∂H/∂δ hold for any time-dependent motion of the frame."""
    p = space.momentum
    assert_holds(gradient(lambda momenta: _hamiltonian(space, space.d, momenta), p), space.d1)
    rate = space.along(lambda snapshot: snapshot.momentum)
    assert_holds(-gradient(lambda point: _hamiltonian(space, point, p), space.d), rate)


def test_eq54_second_row_in_canonical_variables(space: Snapshot) -> None:
    """001 (54): ṗ = cᵀm⁻¹(p - cδ - s) - (k + k(ω²))δ - q(ω²) - M_OᵀWv + q + q*; printed Coriolis sign +.

    Neither ε nor the acceleration of the origin enters.
    """
    element = space.element
    rates = solve(element.m, space.momentum - space.c @ space.d - space.s)
    rest = (
        -(element.stiffness + space.k_w2) @ space.d
        - space.q_w2
        - element.M_O.T @ space.W @ space.v
        + space.applied
    )
    truth = space.along(lambda snapshot: snapshot.momentum)
    assert_holds(space.c.T @ rates + rest, truth)
    assert_fails_by(space.c @ rates + rest, truth, 2 * space.c @ space.d1, term=truth)


def test_e12_sign_of_the_momentum(space: Snapshot) -> None:
    """E12, 001 (52): with p = -∂L/∂δ̇ Hamilton's equations return -δ̇ and the negative of the momentum's rate."""
    flipped = -space.momentum
    printed_rates = gradient(lambda momenta: _hamiltonian(space, space.d, -momenta), flipped)
    assert_fails_by(printed_rates, space.d1, -2 * space.d1, term=space.d1)
    rate = space.along(lambda snapshot: -snapshot.momentum)
    printed = -gradient(lambda point: _hamiltonian(space, point, -flipped), space.d)
    assert_fails_by(printed, rate, -2 * rate, term=rate)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_hamiltonian_is_not_conserved(dimension: str, request: pytest.FixtureRequest) -> None:
    """000 (24), (31), 001 (32): dH/dt = ∂H/∂t = -∂L/∂t, which is not zero when the frame motion changes."""
    frame: Snapshot = request.getfixturevalue(dimension)
    d, d1, p = frame.d, frame.d1, frame.momentum
    total = frame.along(lambda snapshot: _hamiltonian(snapshot, snapshot.d, snapshot.momentum))
    explicit = derivative(lambda t: _hamiltonian(frame.at(t), d, p), frame.t)
    of_lagrangian = derivative(lambda t: _lagrangian(frame.at(t), d, d1), frame.t)
    assert_holds(total, explicit)
    assert_holds(explicit, -of_lagrangian)
    # larger than 1 % of the power of the loads: the drift is a first-order effect
    assert abs(total) > abs(frame.applied @ d1) / 100


def test_hamiltonian_is_not_the_energy(space: Snapshot) -> None:
    """000 (24), 001 (32): H = T + V - T_1 - 2T_0, with T_1 linear in δ̇ and T_0 free of it."""
    d, d1 = space.d, space.d1
    potential = d @ space.element.stiffness @ d / 2 - space.applied @ d
    energy = space.kinetic_energy + potential
    quadratic = d1 @ space.element.m @ d1 / 2
    linear = d1 @ (space.s + space.c @ d)
    constant = space.kinetic_energy - quadratic - linear
    value = _hamiltonian(space, d, space.momentum)
    assert_fails_by(value, energy, -linear - 2 * constant, term=space.kinetic_energy)


def test_momentum_depends_on_the_observer(space: Snapshot) -> None:
    """001 (28), (54): a constant velocity u shifts p by M_Oᵀ(Rᵀu), though the deformation is the same."""
    velocity = array([mpf(3) / 2, mpf(-5) / 4, mpf(1) / 2])
    moving = Snapshot(space.element, space.motion.boosted(velocity), space.t)
    shift = space.element.M_O.T @ space.R.T @ velocity
    assert_fails_by(moving.momentum, space.momentum, shift, term=space.momentum)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_gauge_without_the_velocity_of_the_origin(dimension: str, request: pytest.FixtureRequest) -> None:
    """001 (54) in another gauge: p_g = mδ̇ + cδ obeys ṗ_g = cᵀm⁻¹(p_g - cδ) - (k + k(ω²))δ - f.

    f = q(ω²) + q(ε) + M_Oᵀa - q - q*; the velocity of the origin does not occur. The two momenta differ by s
    and the two Lagrangians by the total derivative of δᵀs (and by a function of time).
    """
    frame: Snapshot = request.getfixturevalue(dimension)
    element = frame.element

    def gauge_momentum(snapshot: Snapshot) -> Vector:
        return element.m @ snapshot.d1 + snapshot.c @ snapshot.d

    rates = solve(element.m, gauge_momentum(frame) - frame.c @ frame.d)
    right = frame.c.T @ rates - (element.stiffness + frame.k_w2) @ frame.d - frame.inertia_loads + frame.applied
    assert_holds(right, frame.along(gauge_momentum))
    assert_holds(frame.momentum - gauge_momentum(frame), frame.s)
    boosted = Snapshot(element, frame.motion.boosted(mpf(1) + 0 * frame.v), frame.t)
    assert_holds(gauge_momentum(boosted), gauge_momentum(frame))
    assert size(boosted.momentum - frame.momentum) > size(frame.momentum) / 100

    # the Lagrangians differ by a total derivative: checked as functions of δ, δ̇ (differences drop T_0)
    linear = frame.inertia_loads - frame.applied
    gauge_lagrangian = (
        frame.d1 @ element.m @ frame.d1 / 2
        + frame.d1 @ frame.c @ frame.d
        - frame.d @ (element.stiffness + frame.k_w2) @ frame.d / 2
        - frame.d @ linear
    )
    without_rigid = _lagrangian(frame, frame.d, frame.d1) - _lagrangian(frame, 0 * frame.d, 0 * frame.d1)
    total = frame.along(lambda snapshot: snapshot.d @ snapshot.s)
    assert_holds(without_rigid - total, gauge_lagrangian)
