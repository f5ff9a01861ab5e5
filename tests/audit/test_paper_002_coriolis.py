"""Paper 002, the theorem (31)-(35) and its appendix (A1)-(A3): digest entry E4, the doubled Coriolis force."""

import pytest
from mpmath import mp, mpf

from .moving_element import Motion, PointElement, Snapshot, planar_motion, spatial_motion
from .precision import TimeFunction, Vector, array, assert_fails_by, assert_holds, contract, derivative, identity


def _left_and_right(frame: Snapshot, coriolis: Vector) -> tuple[Vector, Vector]:
    """The element equation with a given Coriolis matrix."""
    element = frame.element
    stiffness = element.stiffness + frame.k_eps + frame.k_w2
    left = element.m @ frame.d2 + coriolis @ frame.d1 + stiffness @ frame.d
    return left, frame.applied - frame.inertia_loads


def test_e4_factor_two_counted_twice(plane: Snapshot) -> None:
    """E4, 002 (31)-(33), (35): (32) defines c = 2∫NᵀωN and (31) uses 2c; the error is 2∫NᵀωN δ̇."""
    in_32 = 2 * plane.element.sandwich(plane.W)
    correct = _left_and_right(plane, in_32)
    assert_holds(*correct)  # c of (32) once, the convention of 004
    assert_holds(*_left_and_right(plane, 2 * plane.c))  # c without 2 and 2c, the convention of 003 and of (35)
    printed, right = _left_and_right(plane, 2 * in_32)
    assert_fails_by(printed, right, 2 * plane.c @ plane.d1, term=plane.inertia)


def _free_particle(motion: Motion, path: TimeFunction, t: mpf) -> Snapshot:
    """A single mass point that may move anywhere in the frame and follows a path given in space."""
    axes = len(path(t))

    def coordinates(time: mpf) -> Vector:
        return motion.rotation(time).T @ (path(time) - motion.origin(time)) - place

    place = array([mpf(i + 1) / 4 for i in range(axes)])
    particle = PointElement(
        weight=array([mpf(3) / 2]),
        position=place.reshape(1, axes),
        shape=identity(axes).reshape(1, axes, axes),
        stiffness=0 * identity(axes),
    )
    return Snapshot(particle, Motion(motion.origin, motion.rotation, coordinates), t)


@pytest.mark.parametrize("axes", [2, 3])
def test_e4_free_particle_moves_on_a_straight_line(axes: int, instant: mpf) -> None:
    """E4, 002 (31)-(32): without forces a particle moves straight in space; with 2c the equation agrees.

    With the printed 4∫NᵀωN a force 2mω×δ̇ would have to act on it.
    """
    motion = planar_motion() if axes == 2 else spatial_motion()
    start, velocity = (
        array([mpf(i + 2) / 2 for i in range(axes)]),
        array([mpf(3 - 2 * i) / 4 for i in range(axes)]),
    )
    particle = _free_particle(motion, lambda t: start + velocity * t, instant)
    assert_holds(particle.applied, 0 * velocity)
    left, right = _left_and_right(particle, 2 * particle.c)
    assert_holds(left, right)
    printed, _ = _left_and_right(particle, 4 * particle.c)
    force = 2 * mpf(3) / 2 * particle.W @ particle.d1
    assert_fails_by(printed, right, force, term=right)


def test_e4_doubled_coriolis_force_sets_a_resting_particle_in_motion() -> None:
    """E4: a particle at rest in space, in axes turning at ω = 1 (plane as complex numbers).

    With 2c: z̈ + 2iż - z = 0, z = e^{-it}, at rest. With 4c: z̈ + 4iż - z = 0 has the frequencies -2 ± √3 and
    the particle, started at rest at distance 1, strays by more than that distance within one turn.
    """
    slow, fast = -2 + mp.sqrt(3), -2 - mp.sqrt(3)
    share = (-1 - fast) / (slow - fast)

    def correct(t: mpf) -> mpf:
        return mp.expj(-t)

    def doubled(t: mpf) -> mpf:
        return share * mp.expj(slow * t) + (1 - share) * mp.expj(fast * t)

    t = mpf(9) / 4
    for path, factor in ((correct, 2), (doubled, 4)):
        assert abs(path(mpf(0)) - 1) < mpf(10) ** -45
        assert abs(derivative(path, mpf(0)) + 1j) < mpf(10) ** -45
        residual = derivative(path, t, 2) + factor * 1j * derivative(path, t) - path(t)
        assert abs(residual) < mpf(10) ** -40
        in_space = [path(mpf(step) / 8) * mp.expj(mpf(step) / 8) for step in range(51)]  # 0 ... 2π
        strayed = max(abs(place - 1) for place in in_space)
        assert strayed < mpf(10) ** -45 if factor == 2 else strayed > 1


def test_appendix_derivatives_of_the_lagrangian(plane: Snapshot) -> None:
    """002 (A1): ∂L/∂δ̇ ends with r_ki (printed ṙ_ki); -∂L/∂δ ends with -r_ki ṙ_kl(∫N_ij N_lm)δ̇_j."""
    element, R, R1 = plane.element, plane.R, plane.R1
    origin = derivative(plane.motion.origin, plane.t)
    Y, X = element.Y, element.X
    first = contract("k,kl,lm->m", origin, R, element.M_O)
    first += contract("ki,kl,ilm->m", R1, R, X) + contract("ki,kl,ijlm,j->m", R1, R, Y, plane.d)
    last = contract("ki,kl,ijlm,j->m", R, R, Y, plane.d1)
    printed_last = contract("ki,kl,ijlm,j->m", R1, R, Y, plane.d1)
    assert_holds(first + last, plane.momentum)
    assert_fails_by(first + printed_last, plane.momentum, printed_last - last, term=last)

    second = -contract("k,kl,lm->m", origin, R1, element.M_O) - contract("ki,kl,ilm->m", R1, R1, X)
    second -= contract("ki,kl,ijlm,j->m", R1, R1, Y, plane.d) + contract("ki,kl,ijlm,j->m", R, R1, Y, plane.d1)
    assert_holds(second, -plane.kinetic_gradient)


def test_appendix_equation_of_motion(plane: Snapshot) -> None:
    """002 (A2): the Coriolis term is 2ṙ_ki r_kl(∫N_ij N_lm)δ̇_j; printed with r_ki and N_ij twice."""
    element, R = plane.element, plane.R
    origin = derivative(plane.motion.origin, plane.t, 2)
    rest = contract("lm,kl,k->m", element.M_O, R, origin) + contract("ki,kl,ilm->m", plane.R2, R, element.X)
    rest += contract("ki,kl,ijlm,j->m", plane.R2, R, element.Y, plane.d)
    rest += contract("ki,kl,ijlm,j->m", R, R, element.Y, plane.d2)
    coriolis = 2 * contract("ki,kl,ijlm,j->m", plane.R1, R, element.Y, plane.d1)
    assert_holds(rest + coriolis, plane.inertia)
    # literally, ṙ_ki r_ki contracts to trace(RᵀṘ) = 0 and there would be no Coriolis force at all
    assert_holds(contract("ki,ki->", plane.R1, R), mpf(0))
    assert_fails_by(rest, plane.inertia, -coriolis, term=plane.inertia)


def test_load_of_the_frame_acceleration(plane: Snapshot) -> None:
    """002 (33), (35): m_O has one column per axis and acts on local components r_kj Ẍ_ko, not on global ones."""
    element = plane.element
    origin = derivative(plane.motion.origin, plane.t, 2)
    truth = element.integral("gir,gi->r", element.shape, (plane.R.T @ origin) + 0 * element.position)
    assert_holds(element.M_O.T @ plane.a, truth)
    error = element.M_O.T @ (origin - plane.R.T @ origin)
    assert_fails_by(element.M_O.T @ origin, truth, error, term=truth)
