"""Paper 001: Lagrange, Gibbs-Appell and Kane for the spatial element; E1, E2, E3, E8, E13 and E19.

``m_ir,kt`` W_ik is written ``c``: ∫ρ N_ir W_ik N_kt. The paper's m_ik,rt is not defined; where the other
meaning ∫ρ N_kr N_it is tried it is written ``c.T``, which for the skew c is a change of sign.
"""

import pytest
from mpmath import mpf

from .moving_element import Snapshot
from .precision import Vector, array, assert_fails_by, assert_holds, contract, gradient, solve


def _lagrangian_kinetic(frame: Snapshot, coordinates: Vector, rates: Vector) -> mpf:
    """½∫ρ|v + W(x + Nδ) + Nδ̇|² as a function of δ and δ̇ at a fixed instant."""
    element = frame.element
    deformed = element.position + contract("gkr,r->gk", element.shape, coordinates)
    velocity = frame.v + deformed @ frame.W.T + contract("gkr,r->gk", element.shape, rates)
    return element.integral("gi,gi->", velocity, velocity) / 2


# --- Lagrange ----------------------------------------------------------------------------------------------


def test_eq28_momentum(space: Snapshot) -> None:
    """001 (27)-(28), (38): p = mδ̇ + M_Oᵀv + W_ik m_k,ir + m_ir,kt W_ik δ; the other meaning fails by -2cδ."""
    correct = space.element.m @ space.d1 + space.s + space.c @ space.d
    assert_holds(correct, space.momentum)
    assert_holds(gradient(lambda rates: _lagrangian_kinetic(space, space.d, rates), space.d1), space.momentum)
    other = space.element.m @ space.d1 + space.s + space.c.T @ space.d
    assert_fails_by(other, space.momentum, -2 * space.c @ space.d, term=space.momentum)


def test_eq30_rates_from_momenta(space: Snapshot) -> None:
    """001 (29)-(31): δ̇ = m⁻¹(p - M_Oᵀv - W_ik m_k,ir - cδ)."""
    assert_holds(solve(space.element.m, space.momentum - space.s - space.c @ space.d), space.d1)


def test_eq39_rate_of_momentum(space: Snapshot) -> None:
    """E2, 001 (39): dp/dt = mδ̈ + M_Oᵀ(a - Wv) + X(E) + k(ε)δ + cδ̇.

    The printed form lacks M_Oᵀ W v and multiplies one of the two halves of E = ṘᵀṘ + RᵀR̈ by δ̇.
    """
    element = space.element
    truth = space.along(lambda snapshot: snapshot.momentum)
    transport = element.M_O.T @ space.W @ space.v
    rigid = element.m @ space.d2 + element.M_O.T @ space.a + space.q_eps + space.c @ space.d1
    assert_holds(rigid - transport + space.k_eps @ space.d, truth)
    assert_fails_by(rigid + space.k_eps @ space.d, truth, transport, term=truth)
    half = element.sandwich(space.R1.T @ space.R1)
    printed = rigid + half @ space.d1 + element.sandwich(space.A) @ space.d
    assert_fails_by(printed, truth, transport + half @ (space.d1 - space.d), term=truth)


def test_eq40_gradient_of_the_lagrangian(space: Snapshot) -> None:
    """001 (40): ∂T/∂δ = -cδ̇ - k(ω²)δ - q(ω²) - M_OᵀWv; printed with +cδ̇ in the meaning of (38)."""
    element = space.element
    rest = -space.k_w2 @ space.d - space.q_w2 - element.M_O.T @ space.W @ space.v
    assert_holds(rest - space.c @ space.d1, space.kinetic_gradient)
    numeric = gradient(lambda point: _lagrangian_kinetic(space, point, space.d1), space.d)
    assert_holds(numeric, space.kinetic_gradient)
    printed = rest + space.c @ space.d1
    assert_fails_by(printed, space.kinetic_gradient, 2 * space.c @ space.d1, term=space.kinetic_gradient)


@pytest.mark.parametrize("meaning", ["∫ρ N_ir N_kt", "∫ρ N_kr N_it"])
def test_e3_one_meaning_of_the_coupling_cancels_the_coriolis_force(space: Snapshot, meaning: str) -> None:
    """E3, 001 (38) with (40): used with one meaning, the two Coriolis halves cancel to 0; the truth is 2cδ̇."""
    coupling = space.c if meaning == "∫ρ N_ir N_kt" else space.c.T
    from_38, from_40 = coupling @ space.d1, coupling @ space.d1
    truth = 2 * space.c @ space.d1
    assert_fails_by(from_38 - from_40, truth, -truth, term=space.inertia)
    assert_holds(space.c @ space.d1 - space.c.T @ space.d1, truth)


def _element_equation(frame: Snapshot) -> tuple[Vector, Vector]:
    """Left and right side of the corrected (42)."""
    element = frame.element
    stiffness = element.stiffness + element.sandwich(frame.A)
    left = element.m @ frame.d2 + 2 * frame.c @ frame.d1 + stiffness @ frame.d
    right = frame.applied - element.M_O.T @ frame.a - element.load(frame.A)
    return left, right


def test_eq42_equation_of_motion(space: Snapshot) -> None:
    """001 (41)-(42), mended: mδ̈ + 2cδ̇ + (k + ∫ρNᵀRᵀR̈N)δ = q + q* - M_Oᵀa - ∫ρNᵀRᵀR̈x."""
    left, right = _element_equation(space)
    assert_holds(left, right)
    assert_holds(space.element.sandwich(space.A), space.k_eps + space.k_w2)
    assert_holds(space.element.load(space.A), space.q_eps + space.q_w2)


def test_eq41_sign_of_the_acceleration_of_the_origin(space: Snapshot) -> None:
    """001 (41): +M_Oᵀa stands on the left; printed with a minus, error 2M_Oᵀa (its own (42) has it right)."""
    left, right = _element_equation(space)
    drag = space.element.M_O.T @ space.a
    left_of_41 = left - right + space.applied  # everything but the loads, correct
    assert_holds(left_of_41, space.applied)
    assert_fails_by(left_of_41 - 2 * drag, space.applied, -2 * drag, term=drag)


def test_e2_printed_spatial_equation_depends_on_a_constant_velocity(space: Snapshot) -> None:
    """E2, 001 (42): the last term m_O,kr v_i W_ik = -M_OᵀWv must go; a boost u changes it by -M_OᵀWu."""
    velocity = array([mpf(3) / 2, mpf(-5) / 4, mpf(1) / 2])
    moving = Snapshot(space.element, space.motion.boosted(velocity), space.t)
    errors = []
    for frame in (space, moving):
        left, right = _element_equation(frame)
        assert_holds(left, right)
        leftover = contract("kr,i,ik->r", frame.element.M_O, frame.v, frame.W)
        assert_holds(leftover, -frame.element.M_O.T @ frame.W @ frame.v)
        assert_fails_by(right - leftover, left, -leftover, term=frame.inertia)
        errors.append(leftover)
    change = -space.element.M_O.T @ space.W @ space.R.T @ velocity
    assert_fails_by(errors[1], errors[0], change, term=space.inertia)


def test_eq42_as_printed_with_consistent_indices(space: Snapshot) -> None:
    """001 (42): with W for α α̇ and one meaning of m_ik,rt the two ṘᵀṘ terms cancel; only the v_O term is wrong."""
    element = space.element
    pair = element.sandwich(space.R1.T @ space.R1)
    leftover = contract("kr,i,ik->r", element.M_O, space.v, space.W)
    stiffness = element.stiffness - pair + element.sandwich(space.A)
    left = element.m @ space.d2 + 2 * space.c @ space.d1 + stiffness @ space.d
    loads = space.applied - element.M_O.T @ space.a - element.load(space.A)
    assert_holds(left - (loads - pair @ space.d - leftover), leftover)
    # one member of the pair alone would be an error of the size of the centrifugal force
    assert_fails_by(left, loads, -pair @ space.d, term=space.inertia)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_spatial_invariants(dimension: str, request: pytest.FixtureRequest) -> None:
    """001 (11)-(14): c and k(ε) are skew, k(ω²) is symmetric and not positive; all follow from X and Y."""
    frame: Snapshot = request.getfixturevalue(dimension)
    shape, position = frame.element.shape, frame.element.position
    for matrix, operator in ((frame.c, frame.W), (frame.k_eps, frame.E), (frame.k_w2, frame.W @ frame.W)):
        direct = frame.element.integral("gir,gis->rs", shape, contract("ik,gks->gis", operator, shape))
        assert_holds(matrix, direct)
    for load, operator in ((frame.q_eps, frame.E), (frame.q_w2, frame.W @ frame.W)):
        assert_holds(load, frame.element.integral("gir,gi->r", shape, position @ operator.T))
    assert_holds(frame.c.T, -frame.c)
    assert_holds(frame.k_eps.T, -frame.k_eps)
    assert_holds(frame.k_w2.T, frame.k_w2)
    assert frame.d @ frame.k_w2 @ frame.d < 0  # -∫ρ|WNδ|²


# --- energies and loads ------------------------------------------------------------------------------------


def test_e8_stiffness_term_of_the_lagrangian(space: Snapshot) -> None:
    """E8, 000 (23), 001 (26): with E_p = ½δᵀkδ the Lagrangian holds -½δᵀkδ; -δᵀkδ doubles the elastic force."""
    k, d = space.element.stiffness, space.d
    force = -k @ d
    assert_holds(gradient(lambda point: -(point @ k @ point) / 2, d), force)
    printed = gradient(lambda point: -(point @ k @ point), d)
    assert_fails_by(printed, force, -k @ d, term=force)


def test_e8_two_halves_hide_each_other_in_the_lagrangian_only(space: Snapshot) -> None:
    """E8, 001 (20), (26), (42): with the printed k' = ½k, -δᵀk'δ is right by accident, the force -k'δ is half."""
    k, d = space.element.stiffness, space.d
    printed_stiffness = k / 2
    assert_holds(-(d @ printed_stiffness @ d), -(d @ k @ d) / 2)
    assert_fails_by(-printed_stiffness @ d, -k @ d, k @ d / 2, term=k @ d)
    assert_fails_by(d @ printed_stiffness @ d / 2, d @ k @ d / 2, -(d @ k @ d) / 4, term=d @ k @ d)


def test_e13_generalised_force(space: Snapshot) -> None:
    """E13, 001 (43), (48): ∂E_a/∂δ̈ = -kδ + q + q*; printed with +kδ the element repels itself, error 2kδ."""
    elastic = space.element.stiffness @ space.d
    assert_holds(-elastic + space.applied, space.inertia)
    assert_fails_by(elastic + space.applied, space.inertia, 2 * elastic, term=elastic)


def test_e19_work_of_concentrated_loads_counted_twice(space: Snapshot) -> None:
    """E19, 001 (24)-(25): W already holds W^c; L = E_c - E_p + W + W^c doubles the concentrated loads."""
    concentrated = space.applied / 4
    distributed = space.applied - concentrated
    k = space.element.stiffness

    def lagrangian(point: Vector, *, twice: bool) -> mpf:
        work = (concentrated + distributed) @ point
        if twice:
            work += concentrated @ point
        return _lagrangian_kinetic(space, point, space.d1) - point @ k @ point / 2 + work

    rate = space.along(lambda snapshot: snapshot.momentum)
    assert_holds(gradient(lambda point: lagrangian(point, twice=False), space.d), rate)
    printed = gradient(lambda point: lagrangian(point, twice=True), space.d)
    assert_fails_by(printed, rate, concentrated, term=concentrated)


# --- Gibbs-Appell and Kane ---------------------------------------------------------------------------------


def _acceleration_gradient(frame: Snapshot, *, printed: bool) -> Vector:
    """∂E_a/∂δ̈ by differentiating ½∫ρ|a|², with the acceleration of the printed (34) or the true one."""
    operator = frame.A + frame.R1.T @ frame.R1 if printed else frame.A
    shape = frame.element.shape
    known = frame.a + frame.xi @ operator.T + 2 * contract("gkr,r->gk", shape, frame.d1) @ frame.W.T

    def energy(second: Vector) -> mpf:
        acceleration = known + contract("gkr,r->gk", shape, second)
        return frame.element.integral("gi,gi->", acceleration, acceleration) / 2

    return gradient(energy, frame.d2)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_e1_gibbs_appell_loses_the_centrifugal_terms(dimension: str, request: pytest.FixtureRequest) -> None:
    """E1, 001 (43)-(47), (50): with (34) the gradient of E_a is short of exactly k(ω²)δ + q(ω²)."""
    frame: Snapshot = request.getfixturevalue(dimension)
    assert_holds(_acceleration_gradient(frame, printed=False), frame.inertia)
    lost = frame.k_w2 @ frame.d + frame.q_w2
    assert_fails_by(_acceleration_gradient(frame, printed=True), frame.inertia, -lost, term=frame.inertia)


def test_eq45_linear_part_of_the_energy_of_accelerations(space: Snapshot) -> None:
    """001 (44)-(46), (49)-(51): E_a2 and E_a1 with A = RᵀR̈ only give the whole gradient; E_a0 gives nothing."""
    X, Y = space.element.X, space.element.Y
    linear = (
        contract("i,ir->r", space.a, space.element.M_O)
        + contract("ik,kir->r", space.A, X)
        + contract("ik,ktir,t->r", space.A, Y, space.d)
        + 2 * contract("ik,ktir,t->r", space.W, Y, space.d1)
    )
    assert_holds(space.element.m @ space.d2 + linear, space.inertia)


def test_e1_kane_with_the_printed_acceleration(space: Snapshot) -> None:
    """E1, 001 (57)-(65): partial velocity times acceleration is Nᵀ Rᵀr̈; (65) with (34) loses k(ω²)δ + q(ω²)."""
    shape = space.element.shape
    carried = space.v + space.W @ space.xi[0]
    partial = array([gradient(lambda rates, i=i: (carried + shape[0] @ rates)[i], space.d1) for i in range(3)])
    assert_holds(partial, shape[0])  # (64), at the first point
    printed = space.local_accelerations + space.xi @ (space.R1.T @ space.R1).T
    projected = space.element.integral("gir,gi->r", shape, printed)
    lost = space.k_w2 @ space.d + space.q_w2
    assert_fails_by(projected, space.inertia, -lost, term=space.inertia)
