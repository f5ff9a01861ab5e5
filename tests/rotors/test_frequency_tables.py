"""Coefficients that depend on the frequency of the motion: a nonlinear eigenproblem, solved and counted."""

import numpy as np
import pytest
from tests.rotation.rotors import AXIS, point_rotor
from tests.rotation.rotors import MASS as KILOGRAMS

import flexframe as ff
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import FREQUENCY, Law
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.spectra.rotation.frequency_dependence import dependent_modes
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import rotor_model


def frequency_table(frequencies: np.ndarray, k: np.ndarray, c: np.ndarray) -> ff.rotors.BearingTable:
    return ff.rotors.BearingTable.from_columns({"frequency": frequencies, "kxx": k, "cxx": c})


def test_a_mass_whose_support_depends_on_the_frequency() -> None:
    """k = k₀ + aω², c = c₀ alike in all directions: σ = −c₀/2m, ω² = (k₀ − c₀²/4m)/(m − a).

    Splines through a parabola are the parabola. The synchronous value would be that of ω = Ω.
    """
    k0, c0, a = 4000.0, 20.0, 0.6
    omega = np.linspace(0.0, 200.0, 9)
    bearing = ff.rotors.Bearing(
        "all", table=frequency_table(omega, (k0 + a * omega**2) / 2, np.full(len(omega), c0 / 2))
    )
    diagram = ff.campbell_diagram(
        point_rotor(0.0),
        [0.0, 30.0, 90.0],
        modes=2,
        axis=AXIS,
        bearings=[bearing],
        engine_orders=[],
        frame="inertial",
    )
    m = KILOGRAMS
    wanted = -c0 / (2 * m) + 1j * np.sqrt((k0 - c0**2 / (4 * m)) / (m - a))
    assert np.abs(diagram.eigenvalues[:, :2] - wanted).max() < 1e-9 * abs(wanted)


def test_a_pedestal_by_its_impedance() -> None:
    """Bearing and pedestal in series as one dynamic stiffness, against the pedestal as a mass of its own.

    1/H = 1/k_b + 1/(k_p − ω²m_p) without damping; a rotor mode is one of the whole. A table of 81 points up to
    half the pole of H is a spline whose error, (Δω)⁴ times its fourth derivative over 384, is 1e-8 of it.
    """
    kb, mp, kp = 4e5, 8.0, 6e5
    omega = np.linspace(0.0, 250.0, 81)
    H = 1 / (1 / kb + 1 / (kp - omega**2 * mp))
    columns = {"frequency": omega, "hxx_re": H / 2, "hxx_im": np.zeros(len(omega))}
    series = ff.rotors.Bearing("all", table=ff.rotors.BearingTable.from_columns(columns))
    pedestal = ff.rotors.Pedestal(mass=mp / 2, stiffness=kp / 2)
    whole = [ff.rotors.Bearing(end, stiffness=kb / 2, pedestal=pedestal) for end in ("start", "end")]
    heavy = point_rotor(0.0)
    found = [
        ff.campbell_diagram(
            heavy, [0.0, 60.0], modes=2, axis=AXIS, bearings=held, frame="inertial", engine_orders=[]
        ).frequencies_hz[:, :1]
        for held in ([series], whole)
    ]
    assert found[0] < omega[-1] / (2 * np.pi) if found[0].size == 1 else (found[0] < omega[-1] / (2 * np.pi)).all()
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_a_pedestal_by_its_dynamic_stiffness_alone() -> None:
    """H = k − ω²m + iωc measured at the pedestal is a mass on a spring: modes, and orbits of an unbalance.

    Taking the mass out of H leaves constants, which splines keep, so that both are the same up to rounding.
    """
    kb, mp, kp, cp = 4e5, (8.0, 6.0), (6e5, 9e5), 300.0
    omega = np.linspace(0.0, 400.0, 41)
    parts = {f"h{axis}{axis}_re": k - omega**2 * m for axis, k, m in zip("xy", kp, mp, strict=True)}
    parts |= {f"h{axis}{axis}_im": omega * cp for axis in "xy"}
    measured = ff.rotors.Pedestal(table=ff.rotors.BearingTable.from_columns({"frequency": omega, **parts}))
    described = ff.rotors.Pedestal(mass=mp, stiffness=kp, damping=cp)
    speeds, found = [60.0, 150.0, 300.0], []
    for stand in (measured, described):
        held = [ff.rotors.Bearing(end, kb, 200.0, name=end, pedestal=stand) for end in ("start", "end")]
        more = {"axis": AXIS, "bearings": held}
        modes = ff.campbell_diagram(
            point_rotor(0.0), speeds, modes=4, frame="inertial", engine_orders=[], **more
        ).eigenvalues[:, :4]
        sensors = {"mass": ff.sensors.DofSensor("start")}
        answer = ff.unbalance_response(
            point_rotor(0.0), speeds, [ff.rotors.Unbalance("start", 1e-3)], sensors, method="direct", **more
        ).orbits["mass"]
        found.append((np.sort_complex(modes), np.array([answer.first, answer.second])))
    for ours, theirs in zip(*found, strict=True):
        assert np.abs(ours - theirs).max() < 1e-8 * np.abs(theirs).max()
    with pytest.raises(ff.InputError, match="dynamic stiffness over the frequency"):
        ff.rotors.Pedestal()


def test_tables_over_speed_and_frequency() -> None:
    """k = (k₀ + k₁Ω)(1 + bω²): at each speed ω² = k_Ω/(m − k_Ω b), lines to fill the grid in any order."""
    k0, k1, b = 3000.0, 20.0, 1e-5
    speeds, omega = np.linspace(0.0, 100.0, 5), np.linspace(0.0, 120.0, 7)
    grid = [(s, w) for s in speeds for w in omega]
    np.random.default_rng(1).shuffle(grid)
    columns = {
        "speed": [s for s, _ in grid],
        "frequency": [w for _, w in grid],
        "kxx": [(k0 + k1 * s) * (1 + b * w**2) / 2 for s, w in grid],
    }
    bearing = ff.rotors.Bearing("all", table=ff.rotors.BearingTable.from_columns(columns))
    at = np.array([0.0, 25.0, 80.0])
    diagram = ff.campbell_diagram(
        point_rotor(0.0), at, modes=2, axis=AXIS, bearings=[bearing], engine_orders=[], frame="inertial"
    )
    k = k0 + k1 * at
    assert diagram.frequencies_hz[:, 0] == pytest.approx(np.sqrt(k / (KILOGRAMS - k * b)) / (2 * np.pi), rel=1e-9)


def test_no_mode_is_missed() -> None:
    """A chain of ten masses in a support whose stiffness jumps up over the frequency by a steep arctangent.

    Below and above the step other modes hold, and one may be there twice. Brute force scans 4000 frozen
    frequencies for branches that pass the diagonal, by the sign of Im λ_j − ω̂ of the ordered eigenvalues.
    """
    n, k, m = 10, 1e5, 1.0
    chain = k * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    end = np.zeros((n, n))
    end[0, 0] = 1.0

    def support(omega: np.ndarray) -> np.ndarray:
        return 2e5 * (1 + 0.9 * np.arctan((omega - 250.0) / 20.0))

    law = Law(
        "support", lambda point: support(np.abs(np.asarray(point.component(FREQUENCY)).imag)), amounts=(FREQUENCY,)
    )
    equations = AffineEquations(
        n,
        (
            Part.constant("mass", MASS, m * np.eye(n)),
            Part.constant("stiffness", STIFFNESS, chain),
            Part.constant("damping", DAMPING, 2.0 * np.eye(n)),
            Part.constant("bearings", STIFFNESS, end, law),
        ),
    )
    found = dependent_modes(equations, 0.0, 8, scale=100.0)
    assert found.counted
    grid = np.linspace(1.0, 1.05 * np.abs(found.modes.eigenvalues.imag).max(), 4001)
    # uniform damping: λ = −1 ± i√(κ − 1) with the eigenvalues κ of K(ω̂)
    frequencies = np.array([np.sqrt(np.linalg.eigvalsh(chain + support(w) * end) - 1.0) for w in grid])
    ahead = frequencies > grid[:, None]
    rows, columns = np.nonzero(ahead[:-1] != ahead[1:])
    assert len(rows) >= len(found.modes.eigenvalues)
    step = grid[1] - grid[0]
    crossings = np.sort(grid[rows] + step / 2)
    mine = np.sort(found.modes.eigenvalues.imag)
    del columns
    for value in crossings[: len(mine)]:
        assert np.abs(mine - value).min() <= step
    assert np.abs(found.modes.eigenvalues.real + 1.0).max() < 1e-8


def test_unbalance_takes_the_frequency_of_the_speed() -> None:
    """An unbalance turns at Ω in space: û = Ω²U/(k(Ω) − Ω²m), and the same in a run-up, which says so."""
    k0, a, U = 4000.0, 0.6, 1e-3
    omega = np.linspace(0.0, 200.0, 9)
    bearing = ff.rotors.Bearing("all", table=frequency_table(omega, (k0 + a * omega**2) / 2, np.zeros(len(omega))))
    speeds = np.array([20.0, 45.0, 120.0])
    unbalance = [ff.rotors.Unbalance("all", U / 2)]
    sensors = {"mass": ff.sensors.DofSensor("end")}
    found = ff.unbalance_response(point_rotor(0.0), speeds, unbalance, sensors, axis=AXIS, bearings=[bearing])
    wanted = speeds**2 * U / (k0 + (a - KILOGRAMS) * speeds**2)
    assert np.abs(found.curves["mass"].values - wanted).max() < 1e-9 * np.abs(wanted).max()
    ramp = ff.rotors.SpeedRamp(10.0, 20.0, 100.0)
    passed = ff.run_up(point_rotor(0.0), ramp, unbalance, sensors, axis=AXIS, bearings=[bearing], modes=2)
    assert any("taken at that of the speed" in notice for notice in passed.notices)


def test_modes_of_a_shaft_are_counted_and_complete() -> None:
    """A shaft of 30 elements in supports over the frequency: all modes of the full equations, projected or not.

    The reference solves the full equations: frozen frequencies on a fine grid, and Newton's fixed point on each
    branch that passes the diagonal, to 1e-10.
    """
    omega = np.linspace(0.0, 4000.0, 21)
    table = frequency_table(omega, 2e6 * (1 + (omega / 1500.0) ** 2), np.full(len(omega), 400.0))
    body = ff.Body.beam(
        "shaft",
        length=1.2,
        divisions=30,
        section=ff.Circle(0.05),
        material=ff.STEEL,
        space="spatial",
        supports=(ff.Fix("all", ("ux", "rx")),),
    )
    bearings = [ff.rotors.Bearing(end, table=table) for end in ("start", "end")]
    speed = 300.0
    diagram = ff.campbell_diagram(
        body, [speed], modes=6, axis=AXIS, bearings=bearings, engine_orders=[], frame="inertial", tolerance=1e-8
    )
    assert diagram.confirmed and "frozen frequencies" in diagram.completeness
    equations = inertial_equations(rotor_model(body, bearings, AXIS))

    def spectrum(frequency: float) -> np.ndarray:
        M, C, K = (equations.at_speed(order, speed, frequency).toarray() for order in (MASS, DAMPING, STIFFNESS))
        inverse = np.linalg.inv(M)
        states = np.block([[np.zeros_like(M), np.eye(len(M))], [-inverse @ K, -inverse @ C]])
        found = np.linalg.eigvals(states)
        return found[found.imag > 1.0]

    values = diagram.eigenvalues[0][np.isfinite(diagram.eigenvalues[0])]
    for value in values:
        again = spectrum(value.imag)
        # a solution is an eigenvalue of its own frequency; the projection is asked for 1e-8
        assert np.abs(again - value).min() < 1e-7 * abs(value)
    top = 0.5 * (np.sort(values.imag)[-1] + np.sort(values.imag)[-2])
    below = (spectrum(top).imag < top).sum()
    assert below == (values.imag < top).sum()
