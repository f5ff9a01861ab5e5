"""Paper 004, section 5 and appendix B: the two-degree-of-freedom linkage; digest entries E15 and E16."""

import pytest
from mpmath import mp, mpf

from .mechanism import (
    E_D,
    HG,
    L1,
    L2,
    MASSES,
    PART_1,
    XI,
    Coefficients,
    Drive,
    H,
    alpha_by_atan,
    alpha_by_atan2,
    angles,
    closure,
    coefficients,
    products_of_rates,
)
from .precision import Vector, array, assert_fails_by, assert_holds, derivative, size, solve

SLIDE = mpf(9) / 16
TURN = [mpf(step) / 36 for step in range(1, 72, 2)]  # of π: 36 crank angles, none on a dead line


@pytest.fixture
def drive() -> Drive:
    """The linkage in motion at an instant at which no coefficient vanishes."""
    return Drive(mpf(11) / 32)


@pytest.mark.parametrize("beta_by_sine", [False, True])
def test_atan2_closes_the_loop_for_the_whole_turn(beta_by_sine: bool) -> None:
    """004 (A6)-(A16): with atan2 in (A12) the loop closes for every crank angle."""
    for part in TURN:
        phi1 = part * mp.pi
        residual = closure(phi1, SLIDE, *angles(phi1, SLIDE, alpha=alpha_by_atan2, beta_by_sine=beta_by_sine))
        assert_holds(residual, 0 * residual)


@pytest.mark.parametrize("beta_by_sine", [False, True])
def test_a12_plain_arctangent_does_not_close_the_loop(beta_by_sine: bool) -> None:
    """004 (A12): wherever l1 < AD cos(φ1 - β') the plain arctangent misses the quadrant and the loop stays open.

    The angle at B is then obtuse and (A11) has a negative denominator. With β from (A7) the gap is as large as the
    linkage; with β from the sine, as in the paper, it is 0.02 to 0.24 m, more than a tenth of the crank.
    """
    open_loops = 0
    for part in TURN:
        phi1 = part * mp.pi
        residual = closure(phi1, SLIDE, *angles(phi1, SLIDE, alpha=alpha_by_atan, beta_by_sine=beta_by_sine))
        AD, slope = mp.hypot(SLIDE, E_D), mp.atan2(E_D, SLIDE)
        if mp.cos(phi1 - slope) * AD > L1:
            open_loops += 1
            assert size(residual) > L1 / 10
        else:
            assert_holds(residual, 0 * residual)
    assert len(TURN) // 3 < open_loops < 2 * len(TURN) // 3  # about half a turn


def test_loop_of_the_text_is_the_loop_of_the_appendix() -> None:
    """004 (21)-(23) and (A6): θ1 = α, θ2 = -β, h = √(l3² + l4²), ψ = -atan2(l4, l3), e of (A6) = D - e."""
    l3, l4, D, e = mpf(5) / 16, mpf(1) / 8, mpf(1) / 2, mpf(3) / 8
    alpha, beta, theta, x_D = mpf(7) / 5, mpf(2) / 3, mpf(9) / 10, mpf(4) / 5
    text = array(
        [
            L1 * mp.cos(alpha) + L2 * mp.cos(beta) + l3 * mp.cos(theta) - l4 * mp.sin(theta) - x_D,
            L1 * mp.sin(alpha) - L2 * mp.sin(beta) + l3 * mp.sin(theta) + l4 * mp.cos(theta) + e - D,
        ]
    )
    h, psi = mp.hypot(l3, l4), -mp.atan2(l4, l3)
    appendix = array(
        [
            L1 * mp.cos(alpha) + L2 * mp.cos(-beta) + h * mp.cos(theta - psi) - x_D,
            L1 * mp.sin(alpha) + L2 * mp.sin(-beta) + h * mp.sin(theta - psi) - (D - e),
        ]
    )
    assert_holds(appendix, text)


def test_velocities(drive: Drive) -> None:
    """004 (A17)-(A20), (A29) and the velocity columns of (A31): q̇ = A (ω1, ẋ_D), by differentiating positions."""
    assert_holds(coefficients(drive).A @ drive.rates, derivative(drive.path, drive.t))


def test_angular_accelerations(drive: Drive) -> None:
    """004 (A21)-(A24), (A30): ε2, ε3 with b_i1 l1² and b_i2 l1, by differentiating the closed-form angles."""
    at = coefficients(drive)
    products = products_of_rates(drive.rates)
    scaled = at.b * array([L1**2, L1, mpf(1)])
    lever = (at.a * array([L1, mpf(1)]) @ drive.seconds + scaled @ products)[0] / L2
    pendulum = (at.a * array([L1, mpf(1)]) @ drive.seconds + scaled @ products)[1] / H
    assert_holds(array([lever, pendulum]), drive.accelerations[[5, 8]])


def test_first_vector_of_a22_needs_the_crank_length(drive: Drive) -> None:
    """004 (A22): from the fourth line on the factor 1/l1 of the first vector is lost; (A23) has it again."""
    at = coefficients(drive)
    theta2, theta3_psi = angles(at.phi1, at.x_D)
    determinant = mp.sin(theta2 - theta3_psi)
    first = -mp.cos(theta3_psi - at.phi1) / determinant
    printed = at.b[0, 0] - first / L1 + first
    assert_fails_by(printed, at.b[0, 0], first - first / L1, term=at.b[0, 0])


def test_e15_accelerations_of_the_mass_centres(drive: Drive) -> None:
    """E15, 004 (24), (A25)-(A31): q̈ = A(ε1, ẍ_D) + B(ω1², ω1ẋ_D, ẋ_D²) with b_i1 l1² and b_i2 l1.

    Printed with b_i1/l1² and b_i2/l1 every row that contains the lever or the pendulum is wrong; for a crank of
    1/8 m the first factor is off by l1⁴, 4096 times.
    """
    at = coefficients(drive)
    products = products_of_rates(drive.rates)
    truth = drive.accelerations
    assert_holds(at.A @ drive.seconds + at.B() @ products, truth)
    printed = at.A @ drive.seconds + at.B(as_printed=True) @ products
    scaled = at.b * array([1 / L1**2 - L1**2, 1 / L1 - L1, mpf(0)]) @ products
    assert_holds((printed - truth)[[5, 8]], scaled / array([L2, H]))
    for row in (3, 4, 5, 6, 7, 8):
        assert abs(printed[row] - truth[row]) > abs(truth[row])  # more than 100 % wrong
    for row in (0, 1, 2, 9):
        assert_holds(printed[row], truth[row])


# --- forces ------------------------------------------------------------------------------------------------

FORCES = array([mpf(3), mpf(-5), mpf(7) / 2, mpf(9) / 4, mpf(-2), mpf(11) / 2, mpf(5) / 4, mpf(-3) / 2])
WEIGHTS = {"G1": mpf(15), "G2": mpf(6), "G3": mpf(20), "G": mpf(8)}
TORQUE, FRICTION, SPRING, REST, ARM = mpf(3), mpf(1) / 2, mpf(400), mpf(1) / 2, mpf(1) / 4


def test_e16_liaison_forces_do_no_virtual_work(drive: Drive) -> None:
    """E16, 004 (A42), (A46): Aᵀ Q_joint = 0 for any pin forces, only with l1 in row 3 and +Y_C x_C in row 9.

    Printed, the virtual work left over is Y_B(1-a1)(1-l1)c1 on the crank and -2 Y_C x_C on the pendulum.
    """
    at = coefficients(drive)
    assert_holds(at.A.T @ at.projection(), 0 * (at.A.T @ at.projection()))
    printed = at.A.T @ at.projection(as_printed=True) @ FORCES
    theta3_psi = angles(at.phi1, at.x_D)[1]
    x_C = -HG * mp.cos(theta3_psi - XI)
    crank = FORCES[3] * (1 - PART_1) * (1 - L1) * mp.cos(at.phi1)
    pendulum = -2 * FORCES[5] * x_C
    left_over = at.A[2] * crank + at.A[8] * pendulum
    assert_fails_by(printed, 0 * printed, left_over, term=FORCES * L1)


@pytest.mark.parametrize("slip", ["Y_B", "Y_C"])
def test_e16_each_slip_alone(drive: Drive, slip: str) -> None:
    """E16, 004 (A42): either slip alone lets the joint forces work."""
    at = coefficients(drive)
    row, column = (2, 3) if slip == "Y_B" else (8, 5)
    mixed = at.projection()
    mixed[row, column] = at.projection(as_printed=True)[row, column]
    work = at.A.T @ mixed
    assert_holds(work[:, [j for j in range(8) if j != column]], 0 * work[:, 1:])
    assert size(work[:, column]) > L1 / 100


def test_e16_distance_reading_of_the_pendulum_arm(drive: Drive) -> None:
    """E16, 004 (A42): -Y_C x_C is right only if x_C means the distance of C' to the left of G3."""
    at = coefficients(drive)
    theta3_psi = angles(at.phi1, at.x_D)[1]
    to_the_left = HG * mp.cos(theta3_psi - XI)
    assert_holds(-to_the_left, at.projection()[8, 5])
    assert_holds(to_the_left, at.projection(as_printed=True)[8, 5])


def _apply(at: Coefficients, rates: Vector, *, with_spring: bool) -> Vector:
    """Q_ext of (A42); the split as printed drops the spring at the slide."""
    theta3_psi = angles(at.phi1, at.x_D)[1]
    x_D_from_G3 = -HG * mp.cos(theta3_psi - XI) + H * mp.cos(theta3_psi)
    spring = -SPRING * (at.x_D - REST) if with_spring else mpf(0)
    zero = mpf(0)
    weights = WEIGHTS
    turning = weights["G"] * (-x_D_from_G3 + ARM * mp.cos(theta3_psi))
    slide = -FRICTION * mp.sign(rates[1]) + spring
    return array(
        [
            zero,
            -weights["G1"],
            TORQUE,
            zero,
            -weights["G2"],
            zero,
            zero,
            -weights["G3"] - weights["G"],
            turning,
            slide,
        ]
    )


def _multiplier_solution(at: Coefficients, drive: Drive, applied: Vector) -> tuple[Vector, Vector]:
    """Newton-Euler with joint forces: M q̈ = Q + Lλ, Lᵀq̈ = -(dL/dt)ᵀq̇; returns q̈ and λ."""
    L = at.projection()
    velocity = at.A @ drive.rates
    turning = derivative(
        lambda s: Coefficients(at.phi1 + s * drive.rates[0], at.x_D + s * drive.rates[1]).projection(), mpf(0)
    )
    saddle = array([[mpf(0)] * 18 for _ in range(18)])
    for i in range(10):
        saddle[i, i] = MASSES[i]
    saddle[:10, 10:] = -L
    saddle[10:, :10] = L.T
    solution = solve(saddle, array([*applied, *(-turning.T @ velocity)]))
    return solution[:10], solution[10:]


def _projected_solution(at: Coefficients, drive: Drive, applied: Vector) -> Vector:
    """ε1 and ẍ_D from (A46)."""
    mass = at.A.T * MASSES @ at.A
    force = at.A.T @ (applied - MASSES * (at.B() @ products_of_rates(drive.rates)))
    return solve(mass, force)


def test_projection_equals_the_multiplier_solution(drive: Drive) -> None:
    """004 (A43)-(A46): two projected equations give the motion of the eighteen with joint forces."""
    at = coefficients(drive)
    applied = _apply(at, drive.rates, with_spring=True)
    full, joint = _multiplier_solution(at, drive, applied)
    independent = _projected_solution(at, drive, applied)
    assert_holds(independent, full[[2, 9]])
    assert_holds(at.A @ independent + at.B() @ products_of_rates(drive.rates), full)
    # (A43): the joint forces follow from the accelerations by a linear system
    assert_holds(at.projection() @ joint, MASSES * full - applied)


def test_e16_spring_dropped_when_the_forces_are_split(drive: Drive) -> None:
    """E16, 004 (A42): Q_ext must keep -k(x_D - x_D0); without it both accelerations are wrong."""
    at = coefficients(drive)
    complete = _projected_solution(at, drive, _apply(at, drive.rates, with_spring=True))
    truth = _multiplier_solution(at, drive, _apply(at, drive.rates, with_spring=True))[0][[2, 9]]
    assert_holds(complete, truth)
    printed = _projected_solution(at, drive, _apply(at, drive.rates, with_spring=False))
    lost = solve(at.A.T * MASSES @ at.A, at.A[9] * SPRING * (at.x_D - REST))
    assert_fails_by(printed, truth, lost, term=truth)


def test_a45_acceleration_of_the_slide(drive: Drive) -> None:
    """004 (A45): the second unknown is ẍ_D; with the printed ẋ_D the accelerations (A31) are not reproduced."""
    at = coefficients(drive)
    products = products_of_rates(drive.rates)
    printed = at.A @ array([drive.seconds[0], drive.rates[1]]) + at.B() @ products
    error = at.A[:, 1] * (drive.rates[1] - drive.seconds[1])
    assert_fails_by(printed, drive.accelerations, error, term=drive.seconds[1])
