"""Rotation of the frame, velocity and acceleration of a point: digest entries E1, E2, E6 and E20."""

import pytest
from mpmath import mp, mpf

from .moving_element import Snapshot, planar_rotation
from .precision import array, assert_fails_by, assert_holds, axial, contract, derivative, identity, size, skew


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_rotation_is_orthonormal_and_its_rate_is_skew(dimension: str, request: pytest.FixtureRequest) -> None:
    """001 (9), (14), 002 (12)-(14), 004 (3)-(8): RᵀR = 1, and RᵀṘ and ṘRᵀ are skew."""
    frame: Snapshot = request.getfixturevalue(dimension)
    assert_holds(frame.R.T @ frame.R, identity(len(frame.R)))
    assert_holds(frame.W.T, -frame.W)
    in_space_axes = frame.R1 @ frame.R.T
    assert_holds(in_space_axes.T, -in_space_axes)
    assert_holds(in_space_axes, frame.R @ frame.W @ frame.R.T)


def test_planar_angular_velocity_is_the_same_in_both_frames(plane: Snapshot) -> None:
    """002 (13), (15), 003 (20): in the plane ṘRᵀ = RᵀṘ = ω J with ω = θ̇."""
    rate = derivative(lambda t: 3 * t / 4 + mp.sin(7 * t / 4) / 2, plane.t)
    quarter_turn = array([[mpf(0), mpf(-1)], [mpf(1), mpf(0)]])
    assert_holds(plane.W, rate * quarter_turn)
    assert_holds(plane.R1 @ plane.R.T, plane.W)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_second_derivative_of_the_rotation(dimension: str, request: pytest.FixtureRequest) -> None:
    """002 (16)-(19), 003 (21), 004 (9)-(12): RᵀR̈ = E + W², ṘᵀṘ = -W² and E = ṘᵀṘ + RᵀR̈."""
    frame: Snapshot = request.getfixturevalue(dimension)
    assert_holds(frame.A, frame.E + frame.W @ frame.W)
    assert_holds(frame.R1.T @ frame.R1, -frame.W @ frame.W)
    assert_holds(frame.R1.T @ frame.R1 + frame.A, frame.E)
    # the same in space axes, where the angular acceleration operator is d(ṘRᵀ)/dt
    rate = frame.R1 @ frame.R.T
    acceleration = frame.along(lambda snapshot: snapshot.R1 @ snapshot.R.T)
    assert_holds(frame.R2 @ frame.R.T, acceleration + rate @ rate)
    assert_holds(acceleration, frame.R @ frame.E @ frame.R.T)


def test_004_eq10_needs_the_rate_of_the_rotation(space: Snapshot) -> None:
    """004 (10): E = ṘᵀṘ + RᵀR̈; with the printed second derivative ṘᵀR̈ in the first term it is not even skew."""
    printed = space.R1.T @ space.R2 + space.A
    assert_fails_by(printed, space.E, space.R1.T @ (space.R2 - space.R1), term=space.E)
    assert size(printed + printed.T) > size(space.E) / 100


def _components(rate: object, acceleration: object, sign: int) -> object:
    """The 3x3 matrix ε̃ + ω̃² written out; ``sign`` is that of ε_y in the entries (1,3) and -(3,1)."""
    wx, wy, wz = rate
    ex, ey, ez = acceleration
    return array(
        [
            [-(wy**2 + wz**2), -ez + wx * wy, sign * ey + wx * wz],
            [ez + wx * wy, -(wz**2 + wx**2), -ex + wy * wz],
            [-sign * ey + wx * wz, ex + wy * wz, -(wx**2 + wy**2)],
        ]
    )


@pytest.mark.parametrize("axes", ["local", "global"])
def test_e6_sign_of_the_second_component_of_the_angular_acceleration(space: Snapshot, axes: str) -> None:
    """E6, 004 (11), (12): entries (1,3) and (3,1) carry +ε_y and -ε_y; printed with the signs exchanged."""
    if axes == "local":
        truth, rate, acceleration = space.A, axial(space.W), axial(space.E)
    else:
        truth = space.R2 @ space.R.T
        rate = axial(space.R1 @ space.R.T)
        acceleration = axial(space.along(lambda snapshot: snapshot.R1 @ snapshot.R.T))
    assert_holds(_components(rate, acceleration, +1), truth)
    error = -2 * skew(array([mpf(0), acceleration[1], mpf(0)]))
    assert_fails_by(_components(rate, acceleration, -1), truth, error, term=truth)


def test_e20_printed_plane_rotation_is_not_a_rotation(plane: Snapshot) -> None:
    """E20, 002 (10): with r_21 = -sin θ the columns lose orthogonality by sin 2θ; r_21 = +sin θ is a rotation."""
    angle = 3 * plane.t / 4 + mp.sin(7 * plane.t / 4) / 2
    cosine, sine = mp.cos(angle), mp.sin(angle)
    printed = array([[cosine, -sine], [-sine, cosine]])
    correct = array([[cosine, -sine], [sine, cosine]])
    assert_holds(correct, planar_rotation(angle))
    assert_holds(correct.T @ correct, identity(2))
    lost = array([[mpf(0), -mp.sin(2 * angle)], [-mp.sin(2 * angle), mpf(0)]])
    assert_fails_by(printed.T @ printed, identity(2), lost, term=identity(2))
    assert_holds(printed[0, 0] * printed[1, 1] - printed[0, 1] * printed[1, 0], mp.cos(2 * angle))


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_local_components_of_the_velocity(dimension: str, request: pytest.FixtureRequest) -> None:
    """000 (3)-(5), 001 (6), (9), 002 (8), 003 (5), 004 (1): Rᵀṙ = v + W(x + Nδ) + Nδ̇."""
    frame: Snapshot = request.getfixturevalue(dimension)
    local = frame.v + frame.xi @ frame.W.T + contract("gkr,r->gk", frame.element.shape, frame.d1)
    assert_holds(local, frame.local_velocities)


def test_001_eq6_repeats_a_term(space: Snapshot) -> None:
    """001 (6): the third term is Ṙ N δ; printed, R N δ̇ appears twice and the convected displacement is lost."""
    relative = contract("ij,gjr,r->gi", space.R, space.element.shape, space.d1)
    convected = contract("ij,gjr,r->gi", space.R1, space.element.shape, space.d)
    rigid = derivative(space.motion.origin, space.t) + space.element.position @ space.R1.T
    assert_holds(rigid + convected + relative, space.velocities)
    assert_fails_by(rigid + 2 * relative, space.velocities, relative - convected, term=relative)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_e2_rate_of_the_local_velocity_components(dimension: str, request: pytest.FixtureRequest) -> None:
    """E2, 000 (27), 001 (39): d(Rᵀṙ_O)/dt = a - Wv; taking it for a leaves out |ω × v|."""
    frame: Snapshot = request.getfixturevalue(dimension)
    rate = frame.along(lambda snapshot: snapshot.v)
    assert_holds(frame.a - frame.W @ frame.v, rate)
    assert_fails_by(frame.a, rate, frame.W @ frame.v, term=rate)


@pytest.mark.parametrize("dimension", ["plane", "space"])
def test_e1_local_components_of_the_acceleration(dimension: str, request: pytest.FixtureRequest) -> None:
    """E1, 001 (7), (34), 004 (15): Rᵀr̈ = a + (E + W²)(x + Nδ) + 2WNδ̇ + Nδ̈.

    The printed (34) adds ṘᵀṘ(x + Nδ) = -W²(x + Nδ), which deletes the centripetal acceleration: the error
    of every point is ω² times its vector from the axis of rotation.
    """
    frame: Snapshot = request.getfixturevalue(dimension)
    relative = contract("gkr,r->gk", frame.element.shape, frame.d1)
    second = contract("gkr,r->gk", frame.element.shape, frame.d2)
    correct = frame.a + frame.xi @ (frame.E + frame.W @ frame.W).T + 2 * relative @ frame.W.T + second
    assert_holds(correct, frame.local_accelerations)
    printed = correct + frame.xi @ (frame.R1.T @ frame.R1).T
    centripetal = frame.xi @ (frame.W @ frame.W).T
    assert_fails_by(printed, frame.local_accelerations, -centripetal, term=frame.local_accelerations)
    if dimension == "space":
        # |ω × (ω × ξ)| = ω² times the distance from the axis, by the cross product
        omega = axial(frame.W)
        along_axis = contract("gi,i->g", frame.xi, omega)
        squared = (omega @ omega) * contract("gi,gi->g", frame.xi, frame.xi) - along_axis**2
        assert_holds(contract("gi,gi->g", centripetal, centripetal), (omega @ omega) * squared)
