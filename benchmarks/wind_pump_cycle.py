"""Frequencies of the wind pump's lever at 3,600 positions: flexframe against the same loop written plainly.

Both solve positions, velocities and accelerations of the linkage, all joint forces, and the six lowest frozen
eigenvalues of a lever of ten Euler–Bernoulli elements with Coriolis, Euler, centrifugal and geometric terms. The
plain loop goes instant by instant: fsolve for the positions, linear solves for velocities, accelerations and
forces, element matrices added one after another, scipy.linalg.eig of the state form. It is written from the
mechanics of this linkage alone, so that its frequencies check flexframe's too.

Usage: python -m benchmarks.wind_pump_cycle [positions]
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.linalg
from benchmarks.harness import Figure, compare, write
from scipy.optimize import fsolve, linear_sum_assignment

from flexframe.analyses.cycle_spectrum.analysis import cycle_spectrum
from flexframe.cases.case import load_case

CASE = Path(__file__).parents[1] / "examples" / "wind_pump.yaml"
PERIOD = 60 / 140
SPEED = 2 * np.pi / PERIOD
MODES = 6
# sizes of the example [m, kg, N]
CRANK, LEVER, OFFSET = 0.06, 0.45, 0.1
PIN = 0.330 - 0.1166j  # D in the pendulum, from C'
GRAVITY = -9.81j
YOUNG, DENSITY, WIDTH, HEIGHT, ELEMENTS = 210e9, 7850.0, 0.025, 0.005, 10
AREA, INERTIA = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12
HANGING = ((1.2, 0.12 - 0.03j, 0.015), (2.0, 0.1 + 0.05j, 0.002))  # mass, centre, inertia: pendulum and weight
SLIDE = 0.8


@dataclass(frozen=True)
class Instant:
    """Frame motion of the lever and the force on it at C', in its axes; complex numbers are plane vectors."""

    omega: float
    epsilon: float
    origin: complex  # acceleration of B
    end_force: complex


def instant(t: float, slide: tuple[float, float, float], guess: np.ndarray) -> tuple[Instant, np.ndarray]:
    """Closure by fsolve, then velocities, accelerations and forces by small linear systems."""
    theta = SPEED * t
    B = CRANK * np.exp(1j * theta)
    x, x_rate, x_second = slide

    def gap(angles: np.ndarray) -> list[float]:
        loop = B + LEVER * np.exp(1j * angles[0]) + PIN * np.exp(1j * angles[1]) - (x + 1j * OFFSET)
        return [loop.real, loop.imag]

    angles = fsolve(gap, guess, xtol=1e-13)
    lever, pendulum = LEVER * np.exp(1j * angles[0]), PIN * np.exp(1j * angles[1])
    J = np.array([[(1j * lever).real, (1j * pendulum).real], [(1j * lever).imag, (1j * pendulum).imag]])
    v = x_rate - 1j * SPEED * B
    w = np.linalg.solve(J, [v.real, v.imag])
    a = x_second + SPEED**2 * B + w[0] ** 2 * lever + w[1] ** 2 * pendulum
    e = np.linalg.solve(J, [a.real, a.imag])
    origin = -(SPEED**2) * B
    at_end = origin + (1j * e[0] - w[0] ** 2) * lever
    # unknown forces: on the lever at B and at C', on the pendulum at D (two components each)
    A, b = np.zeros((6, 6)), np.zeros(6)
    mass = DENSITY * AREA * LEVER
    centre = origin + (1j * e[0] - w[0] ** 2) * lever / 2 - GRAVITY
    A[0, [0, 2]] = A[1, [1, 3]] = 1.0
    b[:2] = mass * centre.real, mass * centre.imag
    A[2, 2:4] = -lever.imag, lever.real  # moment about B
    arm = lever / 2
    b[2] = mass * (arm.real * centre.imag - arm.imag * centre.real) + mass * LEVER**2 / 12 * e[0]
    A[3, [2, 4]], A[4, [3, 5]] = (-1.0, 1.0), (-1.0, 1.0)
    A[5, 4:6] = -pendulum.imag, pendulum.real  # moment about C'
    for m, place, inertia in HANGING:
        arm = place * np.exp(1j * angles[1])
        acceleration = at_end + (1j * e[1] - w[1] ** 2) * arm - GRAVITY
        b[3] += m * acceleration.real
        b[4] += m * acceleration.imag
        b[5] += m * (arm.real * acceleration.imag - arm.imag * acceleration.real) + inertia * e[1]
    forces = np.linalg.solve(A, b)
    turn = np.exp(-1j * angles[0])
    end_force = complex(forces[2], forces[3]) * turn
    return Instant(float(w[0]), float(e[0]), (origin - GRAVITY) * turn, end_force), angles


def modes(now: Instant, *, inverted: bool) -> tuple[np.ndarray, np.ndarray]:
    """Element matrices added one by one, supports cut out, state form: frequencies and shapes.

    Plainly the pencil of (z, ż) with M on the right; `inverted` multiplies by M⁻¹ first, which is faster.
    """
    n, h = ELEMENTS, LEVER / ELEMENTS
    size = 3 * (n + 1)
    M, C, K = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    points, weights = np.polynomial.legendre.leggauss(4)
    for element in range(n):
        dofs = np.arange(3 * element, 3 * element + 6)
        for point, weight in zip(points, weights, strict=True):
            s, w = (point + 1) / 2, weight * h / 2
            u = np.array([1 - s, 0, 0, s, 0, 0])
            v = np.array(
                [0, 1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 0, 3 * s**2 - 2 * s**3, h * (s**3 - s**2)]
            )
            stretch = np.array([-1, 0, 0, 1, 0, 0]) / h
            slope = (
                np.array(
                    [0, 6 * s**2 - 6 * s, h * (1 - 4 * s + 3 * s**2), 0, 6 * s - 6 * s**2, h * (3 * s**2 - 2 * s)]
                )
                / h
            )
            bend = np.array([0, 12 * s - 6, h * (6 * s - 4), 0, 6 - 12 * s, h * (6 * s - 2)]) / h**2
            x = (element + s) * h
            rho = DENSITY * AREA
            tension = now.end_force.real - rho * (
                now.origin.real * (LEVER - x) - now.omega**2 * (LEVER**2 - x**2) / 2
            )
            m = rho * w * (np.outer(u, u) + np.outer(v, v))
            c = rho * w * (np.outer(v, u) - np.outer(u, v))
            k = w * (YOUNG * AREA * np.outer(stretch, stretch) + YOUNG * INERTIA * np.outer(bend, bend))
            k += w * tension * np.outer(slope, slope) + now.epsilon * c - now.omega**2 * m
            M[np.ix_(dofs, dofs)] += m
            C[np.ix_(dofs, dofs)] += 2 * now.omega * c
            K[np.ix_(dofs, dofs)] += k
    free = np.setdiff1d(np.arange(size), [0, 1, size - 2])
    M, C, K = (A[np.ix_(free, free)] for A in (M, C, K))
    one, zero = np.eye(len(free)), np.zeros_like(M)
    if inverted:
        values, vectors = scipy.linalg.eig(
            np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        )
    else:
        values, vectors = scipy.linalg.eig(np.block([[zero, one], [-K, -C]]), np.block([[one, zero], [zero, M]]))
    lowest = np.flatnonzero(values.imag > 0)
    lowest = lowest[np.argsort(values.imag[lowest])][:MODES]
    shapes = vectors[: len(free), lowest]
    return values.imag[lowest] / (2 * np.pi), shapes / np.sqrt(np.einsum("nk,nm,mk->k", shapes.conj(), M, shapes))


def plain(slides: np.ndarray, times: np.ndarray, *, inverted: bool = False) -> np.ndarray:
    """The whole cycle, one instant after another; branches follow the shapes."""
    guess, found, before = np.array([np.radians(-34), np.radians(81)]), [], None
    for t, slide in zip(times, slides, strict=True):
        now, guess = instant(float(t), tuple(slide), guess)
        values, shapes = modes(now, inverted=inverted)
        if before is not None:
            _, order = linear_sum_assignment(-(np.abs(before.conj().T @ shapes) ** 2))
            values, shapes = values[order], shapes[:, order]
        before = shapes
        found.append(values)
    return np.array(found)


def main(positions: int = 3600) -> None:
    """Compare, check that both agree, write the ratio."""
    settings = [f"bodies.lever.{name}" for name in ("theory=euler_bernoulli", "rotary_inertia=0")]
    system = load_case(CASE, settings).system()
    times = np.linspace(0, PERIOD, positions, endpoint=False)
    record = next(drive for drive in system.drives if drive.name == "record")
    slides = np.stack(record.constraints()[0].law.jet(times), axis=1)
    ours = cycle_spectrum(system, times, body="lever", count=MODES)
    some = slice(0, positions, max(1, positions // 60))
    theirs = plain(slides[some], times[some])
    apart = float(np.abs(ours.frequencies_hz[some] / theirs - 1).max())
    if apart > 1e-6:  # companion matrices lose 1e-16 (ω_max/ω_1)², prestress here is closed form
        raise SystemExit(f"the two differ by {apart:.1e}")
    comparisons = [
        compare(
            f"{MODES} eigenvalues of the wind pump's lever at {positions} positions",
            peer,
            lambda: cycle_spectrum(system, times, body="lever", count=MODES),
            lambda inverted=inverted: plain(slides, times, inverted=inverted),
            repetitions=2,
            note=f"(both agree to {apart:.0e})",
        )
        for peer, inverted in (("a plain scipy loop", False), ("the same loop with the mass inverted first", True))
    ]
    seconds = min(comparisons[0].ours_s)
    figures = [Figure(f"the cycle of {positions} positions", seconds, "s", 2.0)] if positions == 3600 else []
    write("wind_pump_cycle", comparisons, figures=figures)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
