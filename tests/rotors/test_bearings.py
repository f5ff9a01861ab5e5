"""Bearings with full matrices: in space, in the turning frame, over a period and in time."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.rotation.rotors import AXIS, point_rotor, shaft
from tests.rotation.rotors import MASS as KILOGRAMS
from tests.rounding import rounding

import flexframe as ff
from flexframe.analyses.stability.rotor_cycle import RotorCycle
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS
from flexframe.errors import InputError
from flexframe.spectra.rotation.bearings import bearings_in_space
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

K = np.array([[4000.0, 900.0], [-700.0, 2500.0]])
C = np.array([[12.0, -3.0], [2.0, 8.0]])
M = np.array([[0.4, 0.1], [-0.05, 0.3]])


def halves(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Of each of the two nodes of a point rotor."""
    return tuple(tuple(float(value) / 2 for value in row) for row in matrix)


def full_bearing(**more: object) -> ff.rotors.Bearing:
    return ff.rotors.Bearing("all", stiffness=halves(K), damping=halves(C), mass=halves(M), **more)  # type: ignore[arg-type]


def exponents(mass: np.ndarray, damping: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """All λ of λ²M + λC + K."""
    n = len(mass)
    inverse = np.linalg.inv(mass)
    return np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]]))


def near(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    """Every wanted value is among the found ones."""
    for value in wanted:
        assert np.abs(found - value).min() <= tolerance * abs(value), value


def test_a_mass_in_full_matrices() -> None:
    """K, C and M of x and y, none symmetric, with negative entries: the four eigenvalues of two by two matrices.

    The body's own stiff beam has frequencies a hundred times higher, whose rounding is that of the tolerance.
    """
    diagram = ff.campbell_diagram(
        point_rotor(0.0), [0.0, 30.0], modes=2, axis=AXIS, bearings=[full_bearing()], frame="inertial"
    )
    wanted = exponents(KILOGRAMS * np.eye(2) + M, C, K)
    for values in diagram.eigenvalues:
        near(values, wanted[wanted.imag > 0], rounding(100, 1e6))


def test_axes_of_a_bearing_may_be_turned() -> None:
    """With the angle φ the matrices are R K Rᵀ."""
    angle = 0.4
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s], [s, c]])
    bearing = full_bearing(angle=angle)
    assert np.abs(bearing.constants.stiffness[:2, :2] - R @ K @ R.T / 2).max() <= rounding(10) * 4000
    table = ff.rotors.BearingTable(stiffness=[K, K], speeds=[0.0, 1.0])
    turned = ff.rotors.Bearing("all", table=table, angle=angle)
    assert np.abs(turned.at(0.5).stiffness[:2, :2] - R @ K @ R.T).max() <= rounding(10) * 4000


def test_tilting_matrices_act_on_rotations() -> None:
    """A matrix of four rows on (uy, uz, θy, θz) of a node of a shaft along x."""
    rng = np.random.default_rng(3)
    full = rng.standard_normal((4, 4))
    discrete = ff.discretise(shaft(4))
    bearing = ff.rotors.Bearing(
        2, stiffness=tuple(map(tuple, full.tolist())), damping=tuple(map(tuple, full.tolist()))
    )
    parts = bearings_in_space(discrete, [bearing], np.array([1.0, 0.0, 0.0]))
    equations = AffineEquations(discrete.dofs.count, tuple(parts))
    numbers = discrete.dofs.numbers[2, [1, 2, 4, 5]]
    for order in (STIFFNESS, DAMPING):
        matrix = (
            equations.at(OperatingPoint()).stiffness
            if order == STIFFNESS
            else equations.at(OperatingPoint()).damping
        )
        dense = matrix.toarray()
        assert np.abs(dense[np.ix_(numbers, numbers)] - full).max() <= rounding(10)
        dense[np.ix_(numbers, numbers)] = 0.0
        assert not dense.any()


def test_both_frames_see_the_same_whirl() -> None:
    """Alike in all directions but cross-coupled: λ in space is λ of the turning frame ± iΩ.

    A shaft of 4 elements with gyroscopic moments; both spectra are of full equations with a spread of 1e4 in |λ|.
    """
    speed = 180.0
    bearing = ff.rotors.Bearing(
        "start",
        stiffness=((3e6, 8e5), (-8e5, 3e6)),
        damping=((900.0, 150.0), (-150.0, 900.0)),
        mass=((3.0, 0.4), (-0.4, 3.0)),
    )
    supports = (ff.Fix("all", ("ux", "rx")), ff.Fix("end", ("uy", "uz")))
    body = ff.Body.beam(
        "shaft",
        length=1.0,
        divisions=4,
        section=ff.Circle(0.05),
        material=ff.STEEL,
        space="spatial",
        supports=supports,
    )
    model = rotor_model(body, [bearing], AXIS)
    turning, space = spinning_equations(model), inertial_equations(model)
    found = []
    for equations in (turning, space):
        matrices = [equations.at_speed(order, speed).toarray() for order in (MASS, DAMPING, STIFFNESS)]
        found.append(exponents(*matrices))
    lowest = found[1][np.argsort(np.abs(found[1]))][:8]
    both = np.concatenate([found[0] + 1j * speed, found[0] - 1j * speed])
    near(both, lowest, 1e-9)


def test_multipliers_of_unequal_cross_coupled_bearings() -> None:
    """Over half a turn of the turning frame a multiplier is −exp(λπ/Ω) of an eigenvalue λ in space.

    Collocation of order 16 is refined to 1e-10 of the map.
    """
    speed = 40.0
    bearing = ff.rotors.Bearing("all", stiffness=halves(K), damping=halves(C))
    found = ff.stability(
        RotorCycle(point_rotor(0.0), AXIS, [bearing], modes=2), {"speed": speed}, check_modes=False
    )
    wanted = -np.exp(exponents(KILOGRAMS * np.eye(2), C, K) * np.pi / speed)
    near(found.multipliers, wanted, 1e-8)


def test_run_up_with_tables_and_unequal_masses() -> None:
    """A ramp from rest with K and C over the speed and a mass that is not alike, against steps in axes of space.

    The reference is scipy's DOP853 at a relative tolerance of 1e-12; the stiff beam of the point rotor, 170 Hz
    against 10, lets the nodes differ by (10/170)² of the acceleration that the bearing masses make: both nodes
    have the same, so that it does not move.
    """
    speeds = np.linspace(0.0, 100.0, 5)
    growth = (1 + speeds / 100.0)[:, None, None]
    table = ff.rotors.BearingTable(stiffness=growth * K / 2, damping=growth * C / 2, speeds=speeds)
    mass = np.diag([0.4, 0.1])
    bearing = ff.rotors.Bearing("all", table=table, mass=halves(mass))
    ramp, U = ff.rotors.SpeedRamp(0.0, 100.0, 60.0), 2e-3
    found = ff.run_up(
        point_rotor(0.0),
        ramp,
        [ff.rotors.Unbalance("all", U / 2)],
        {"mass": ff.sensors.DofSensor("start")},
        axis=AXIS,
        bearings=[bearing],
        modes=2,
    )
    inverse = np.linalg.inv(KILOGRAMS * np.eye(2) + mass)

    def rate(t: float, state: np.ndarray) -> np.ndarray:
        speed, angle, a = ramp.acceleration * t, ramp.acceleration * t**2 / 2, ramp.acceleration
        pull = np.array([np.cos(angle), np.sin(angle)])
        push = np.array([np.sin(angle), -np.cos(angle)])
        force = U * (speed**2 * pull + a * push)
        g = 1 + speed / 100.0
        return np.concatenate([state[2:], inverse @ (force - g * K @ state[:2] - g * C @ state[2:])])

    # at rest the steady answer is none, and the load jumps to U times the acceleration
    wanted = solve_ivp(rate, (0, ramp.duration), np.zeros(4), method="DOP853", rtol=1e-12, atol=1e-15).y[:2, -1]
    end = found.orbits["mass"].in_space(found.angles)[-1]
    scale = np.abs(found.orbits["mass"].radius).max()
    assert abs(end - (wanted[0] + 1j * wanted[1])) < 1e-7 * scale


def test_unbalance_in_tables() -> None:
    """(K + iΩC − Ω²(m + M)) û = Ω² U (1, −i) with K and C of a table at the speed, unequal and cross-coupled."""
    speeds = np.array([10.0, 40.0, 90.0])
    growth = (1 + speeds / 50.0)[:, None, None]
    table = ff.rotors.BearingTable(stiffness=growth * K / 2, damping=growth * C / 2, speeds=speeds)
    bearing, U = ff.rotors.Bearing("all", table=table, mass=halves(M)), 1e-3
    at = np.array([10.0, 25.0, 60.0, 90.0])
    found = ff.unbalance_response(
        point_rotor(0.0),
        at,
        [ff.rotors.Unbalance("all", U / 2)],
        {"mass": ff.sensors.DofSensor("end")},
        axis=AXIS,
        bearings=[bearing],
    )
    for k, speed in enumerate(at):
        g = 1 + speed / 50.0
        P = g * K + 1j * speed * g * C - speed**2 * (KILOGRAMS * np.eye(2) + M)
        wanted = np.linalg.solve(P, U * speed**2 * np.array([1.0, -1.0j]))
        seen = [found.curves[f"mass along e{axis}"].values[k] for axis in (1, 2)]
        assert np.abs(np.array(seen) - wanted).max() < rounding(1000, 1e4) * np.abs(wanted).max()


def test_critical_speeds_in_tables() -> None:
    """A mass in k = k₀(1 + Ω/a), c = c₀(1 + Ω/a), alike in all directions, in closed form.

    Undamped mΩ² = k(Ω); damped Ω² = k(Ω)/m − (c(Ω)/2m)². Splines through lines are these lines.
    """
    k0, c0, a = 3000.0, 30.0, 200.0
    speeds = np.linspace(5.0, 120.0, 6)
    columns = {"speed": speeds, "kxx": k0 / 2 * (1 + speeds / a), "cxx": c0 / 2 * (1 + speeds / a)}
    bearing = ff.rotors.Bearing("all", table=ff.rotors.BearingTable.from_columns(columns))
    diagram = ff.campbell_diagram(
        point_rotor(0.0),
        np.linspace(5.0, 120.0, 12),
        modes=2,
        axis=AXIS,
        bearings=[bearing],
        frame="inertial",
        engine_orders=[1],
    )
    m = KILOGRAMS
    undamped = np.roots([m, -k0 / a, -k0]).max()
    damped = np.roots(
        [1 + (c0 / (2 * m * a)) ** 2, c0**2 / (2 * m**2 * a) - k0 / (m * a), (c0 / (2 * m)) ** 2 - k0 / m]
    )
    for critical in diagram.critical_speeds:
        assert critical.speed_rad_s == pytest.approx(undamped, rel=1e-9)
    assert {c.excited_by for c in diagram.critical_speeds} == {"", "unbalance"} or len(
        diagram.critical_speeds
    ) == 2
    assert diagram.damped_critical_speeds
    for found in diagram.damped_critical_speeds:
        assert found.speed_rad_s == pytest.approx(damped.max(), rel=1e-9)
        c = c0 * (1 + found.speed_rad_s / a)
        assert found.logarithmic_decrement == pytest.approx(np.pi * c / (m * found.speed_rad_s), rel=1e-8)


def test_a_pedestal_is_a_second_mass() -> None:
    """m, k_b, m_p, k_p in a row along two directions: ω² of 2 × 2 matrices, once for x and once for y.

    The point rotor has half of everything at each of two nodes, and a pedestal under each; these may also move
    against each other, so that there are more modes between.
    """
    kb, mp, kp = np.array([5e4, 8e4]), np.array([3.0, 4.0]), np.array([2e5, 1e5])
    pedestal = ff.rotors.Pedestal(mass=tuple(mp / 2), stiffness=tuple(kp / 2))
    held = [
        ff.rotors.Bearing(end, stiffness=tuple(kb / 2), pedestal=pedestal, name=f"bearing {end}")
        for end in ("start", "end")
    ]
    diagram = ff.campbell_diagram(
        point_rotor(0.0), [0.0, 50.0], modes=8, axis=AXIS, bearings=held, frame="inertial", engine_orders=[]
    )
    for i in (0, 1):
        masses = np.diag([KILOGRAMS, mp[i]])
        stiffness = np.array([[kb[i], -kb[i]], [-kb[i], kb[i] + kp[i]]])
        wanted = np.sqrt(np.linalg.eigvals(np.linalg.solve(masses, stiffness))) / (2 * np.pi)
        for row in diagram.frequencies_hz:
            near(row, wanted, 1e-8)


def test_speeds_beyond_a_table_are_refused_or_held() -> None:
    columns = {"speed": [10.0, 50.0], "kxx": [1e3, 2e3]}
    refused = ff.rotors.Bearing("all", table=ff.rotors.BearingTable.from_columns(columns), name="drive end")
    with pytest.raises(InputError, match=r"drive end: its table ends at 95.493 rpm, and speeds below it"):
        ff.campbell_diagram(
            point_rotor(0.0), [0.0, 20.0], modes=2, axis=AXIS, bearings=[refused], frame="inertial"
        )
    held = ff.rotors.Bearing("all", table=ff.rotors.BearingTable.from_columns(columns, beyond="hold"))
    diagram = ff.campbell_diagram(
        point_rotor(0.0),
        [0.0, 20.0, 80.0],
        modes=2,
        axis=AXIS,
        bearings=[held],
        frame="inertial",
        engine_orders=[],
    )
    assert sum("held at the end" in notice for notice in diagram.notices) == 2
    wanted = np.sqrt(2 * np.array([1e3, 1250.0, 2e3]) / KILOGRAMS) / (2 * np.pi)
    assert diagram.frequencies_hz[:, 0] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stiffness": ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))}, "a matrix of 2 × 2"),
        ({"stiffness": -5.0}, "from zero up, or a matrix"),
        ({"tilt_stiffness": tuple(map(tuple, np.eye(4).tolist()))}, "a matrix of 2 × 2"),
        ({"stiffness": ((1.0, np.inf), (0.0, 1.0))}, "give a finite value"),
        ({"to": "end", "pedestal": ff.rotors.Pedestal(1.0)}, "give one of them"),
    ],
)
def test_bearings_that_make_no_sense(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ff.rotors.Bearing("start", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("begin", ["steady", "rest"])
def test_a_blow_at_a_steady_speed_in_tables(begin: str) -> None:
    """A push of 20 ms and a sine in space on an unbalanced mass in a table over the speed, as by DOP853 in space.

    Steps end where the push does, so that a jump costs nothing; the reference has a relative tolerance of 1e-12.
    """
    speeds, speed, U = np.linspace(0.0, 100.0, 5), 80.0, 2e-3
    growth = (1 + speeds / 100.0)[:, None, None]
    table = ff.rotors.BearingTable(stiffness=growth * K / 2, damping=growth * C / 2, speeds=speeds)
    push = ff.rotors.SpaceForce("all", (30.0, -10.0), 0.1, 0.12)
    shake = ff.rotors.SpaceForce("all", (0.0, lambda t: 3.0 * np.sin(40.0 * t)))
    found = ff.run_up(
        point_rotor(0.0),
        ff.rotors.SpeedRamp(speed, speed),
        [ff.rotors.Unbalance("all", U / 2)],
        {"mass": ff.sensors.DofSensor("start")},
        forces=[push, shake],
        begin=begin,
        hold=0.5,
        axis=AXIS,
        bearings=[ff.rotors.Bearing("all", table=table)],
        modes=2,
    )
    g = 1 + speed / 100.0

    def rate(t: float, state: np.ndarray) -> np.ndarray:
        force = U * speed**2 * np.array([np.cos(speed * t), np.sin(speed * t)])
        force = force + 2 * np.array([0.0, 3.0 * np.sin(40.0 * t)])
        force = force + 2 * np.array([30.0, -10.0]) * (0.1 <= t <= 0.12)
        return np.concatenate([state[2:], (force - g * K @ state[:2] - g * C @ state[2:]) / KILOGRAMS])

    state = np.zeros(4)
    if begin == "steady":  # the mean of the bearing's directions, at rest in the turning frame
        first = complex(*(found.orbits["mass"].turning[0].real, found.orbits["mass"].turning[0].imag))
        state = np.array([first.real, first.imag, -speed * first.imag, speed * first.real])
    for low, high in ((0.0, 0.1), (0.1, 0.12), (0.12, 0.5)):
        inside = (low + 1e-12, high - 1e-12)
        state = solve_ivp(rate, inside, state, method="DOP853", rtol=1e-12, atol=1e-15).y[:, -1]
    end = found.orbits["mass"].in_space(found.angles)[-1]
    assert abs(end - (state[0] + 1j * state[1])) < 1e-7 * found.orbits["mass"].radius.max()
