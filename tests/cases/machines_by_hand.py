"""The machines of the documentation by formulas of textbooks: what a page claims, beside what was computed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import cos, hypot, pi, sin, sqrt

from flexframe.results import decay, settling_time

G = 9.81  # m/s²
RPM = 2 * pi / 60  # rad/s
STEEL, STEEL_DENSITY = 210e9, 7850.0
ALUMINIUM, ALUMINIUM_DENSITY = 70e9, 2700.0


@dataclass(frozen=True)
class Figure:
    """A quantity in the unit of its page, by hand and as computed, and how far the two may be apart."""

    name: str
    hand: float
    computed: float
    tolerance: float


def four_bar(results: dict[str, Any]) -> list[Figure]:
    """Massless links that push against a torque M: the tolerance is the part of their inertia, 3 N in 320 N."""
    crank, coupler, rocker, base, work = 0.05, 0.2, 0.15, 0.22, 40.0
    forces = results["forces"]
    # smallest transmission angle μ: crank and base in line, coupler and rocker over the distance base − crank
    cos_mu = (coupler**2 + rocker**2 - (base - crank) ** 2) / (2 * coupler * rocker)
    pin = work / (rocker * sqrt(1 - cos_mu**2))
    # rocker between the positions where crank and coupler are in line, stretched and folded
    stretched, folded = (
        np.arccos((rocker**2 + base**2 - far**2) / (2 * rocker * base))
        for far in (coupler + crank, coupler - crank)
    )
    mean = work * 2 * (stretched - folded) / (2 * pi)
    # power: M_motor = M ω_rocker/ω_crank, positions of the coupler by Freudenstein's triangle
    angle = np.linspace(0, 2 * pi, 3601)
    x, y = base - crank * cos(angle), -crank * sin(angle)  # from pin B to D
    far = hypot(x, y)
    coupler_angle = np.arctan2(y, x) + np.arccos((coupler**2 + far**2 - rocker**2) / (2 * coupler * far))
    pin_x, pin_y = coupler * cos(coupler_angle) - x, coupler * sin(coupler_angle) - y  # from D to C
    rocker_angle = np.arctan2(pin_y, pin_x)
    ratio = crank * sin(angle - coupler_angle) / (rocker * sin(rocker_angle - coupler_angle))
    motor = np.asarray(forces["drives"]["motor"]["moment"])[:, 2]
    return [
        Figure("largest motor torque [N m]", work * np.abs(ratio).max(), motor.max(), 0.02),
        Figure("mean motor torque [N m]", mean, float(np.trapezoid(motor) / (len(motor) - 1)), 0.02),
        Figure("largest force in pin C [N]", pin, forces["joints"]["C"]["max_force_N"], 0.02),
    ]


def rotor(results: dict[str, Any]) -> list[Figure]:
    """Rayleigh's quotient with the deflection by two equal forces: above the frequency, by less than 1 %.

    The whirl has twice the error of the speed, times (Ω/ω)²/(1 − (Ω/ω)²) = 0.8, and that of the stiffness.
    """
    end, middle, mass, bearing, unbalance, speed = 0.2, 0.4, 20.0, 100e6, 400e-6, 3000 * RPM
    thin, thick = (STEEL * pi * diameter**4 / 64 for diameter in (0.04, 0.06))
    # per newton at each disc: sinking of the bearing, deflection and slope at the disc
    sunk = 1 / bearing
    deflection = sunk + end**3 / (3 * thin) + end**2 * middle / (2 * thick)
    slope = end * middle / (2 * thick)
    kinetic = mass * deflection**2 + (0.08 - 0.16) * slope**2  # whirling in step: diametral less polar inertia
    along = np.linspace(0, 1, 201)  # of the thin end, then of half the thick middle
    at_end = sunk + (deflection - sunk) * along + end**3 / (6 * thin) * (along - along**3)
    at_middle = deflection + end / (2 * thick) * (middle / 2) ** 2 * along * (2 - along)
    for diameter, length, shape in ((0.04, end, at_end), (0.06, middle / 2, at_middle)):
        kinetic += STEEL_DENSITY * pi * diameter**2 / 4 * length * float(np.trapezoid(shape**2, along))
    critical = sqrt(deflection / kinetic)
    # one degree of freedom below its resonance: r = U Ω²/k / (1 − (Ω/ω)²)
    whirl = unbalance * speed**2 * deflection / (1 - (speed / critical) ** 2)
    found = results["critical speeds"]["critical_speeds_rad_s"][0]
    return [
        Figure("first critical speed [rpm]", critical / RPM, found / RPM, 0.01),
        Figure("whirl of a disc at 3,000 rpm [µm]", whirl * 1e6, _last(results["unbalance"], "disc") * 1e6, 0.03),
    ]


def _last(response: dict[str, Any], sensor: str) -> float:
    return float(response["sensors"][sensor]["amplitude"][-1])


def drone_arm(results: dict[str, Any]) -> list[Figure]:
    """A massless cantilever with the motor and 33/140 of the tube's mass at its end; shear takes less than 1 %."""
    length, young, density, motor, outer, bore = 0.25, 70e9, 1600.0, 0.08, 0.016, 0.014
    inertia = pi / 64 * (outer**4 - bore**4)
    stiffness = 3 * young * inertia / length**3
    tube = density * pi / 4 * (outer**2 - bore**2) * length
    first = sqrt(stiffness / (motor + 33 / 140 * tube)) / (2 * pi)
    passing = 0.5 / stiffness / ((200 / first) ** 2 - 1)
    bending = 8.0 * length * outer / 2 / inertia
    fibre = results["thrust"]["maxima"]["fibre"]["value"]
    return [
        Figure("first frequency [Hz]", first, results["frequencies"]["frequencies_hz"][0], 0.01),
        Figure("amplitude at 200 Hz [µm]", passing * 1e6, _last(results["vibration"], "motor") * 1e6, 0.01),
        Figure("bending stress by thrust [MPa]", bending / 1e6, fibre / 1e6, 1e-6),  # exact
    ]


def robot_arm(results: dict[str, Any]) -> list[Figure]:
    """A load on a massless spring, which the move shakes: the arm has a seventh of its mass."""
    move, swing, upper, fore, load, damping = 0.4, pi / 2, 0.45, 0.4, 3.0, 0.02
    reach = upper + fore
    sides = ((0.04, 0.036), (0.03, 0.026))
    first, second = (ALUMINIUM * (outer**4 - inner**4) / 12 for outer, inner in sides)
    first_mass, second_mass = (
        ALUMINIUM_DENSITY * (outer**2 - inner**2) * length
        for (outer, inner), length in zip(sides, (upper, fore), strict=True)
    )
    inertia = first_mass * upper**2 / 3 + second_mass * (fore**2 / 12 + (upper + fore / 2) ** 2) + load * reach**2
    give = (reach**3 - fore**3) / (3 * first) + fore**3 / (3 * second)
    omega = sqrt(1 / (give * (load + 33 / 140 * (first_mass + second_mass))))
    p, fastest = 2 * pi / move, 2 * pi * swing / move**2  # ε = ε_max sin pt
    # its acceleration: ε_max/(1 − (p/ω)²) (sin pt − p/ω e^(−ζωt) sin ωt)
    t = np.linspace(0, move, 4001)
    shaken = (sin(p * t) - p / omega * np.exp(-damping * omega * t) * sin(omega * t)) / (1 - (p / omega) ** 2)
    torque = inertia * fastest * np.abs(shaken).max()
    # two kicks, at the start and at the end of the move, the first of them decayed by then
    kick = reach * fastest * p / (omega * (omega**2 - p**2))
    decayed = np.exp(-damping * omega * move)
    left = kick * sqrt(1 + decayed**2 - 2 * decayed * cos(omega * move))
    settled = move + np.log(left / 0.1e-3) / (damping * omega)
    motion = results["move"]
    times, tip = np.asarray(motion["times_s"]), np.asarray(motion["sensors"]["tip"]["values"])
    after = times > move
    rung = decay(times[after], tip[after], about=0.0)
    return [
        Figure("torque of the shoulder [N m]", torque, motion["drives"]["shoulder motor"]["max_moment_Nm"], 0.03),
        Figure("frequency [Hz]", omega / (2 * pi), rung.frequency_hz, 0.01),
        Figure("swing after the stop [mm]", left * 1e3, np.abs(tip[after]).max() * 1e3, 0.05),
        Figure("within 0.1 mm after [s]", settled, settling_time(times, tip, 0.1e-3 / reach, 0.0), 0.02),
    ]


def blade(results: dict[str, Any]) -> list[Figure]:
    """Southwell's sum with the shape at rest: above the frequency, by less than 1 % here."""
    hub, length, young, density, thick, speed = 0.1, 0.4, 72e9, 2800.0, 0.008, 3000 * RPM
    at_rest = 1.8751**2 / (2 * pi) * sqrt(young / (12 * density)) * thick / length**2
    factor = 1.193 + 1.571 * hub / length
    stress = density * speed**2 * ((hub + length) ** 2 - hub**2) / 2
    campbell = results["campbell"]
    fibre = results["full speed"]["maxima"]["fibre"]["value"]
    crossings = {row["engine_order"]: row["speed_rad_s"] / RPM for row in campbell["critical_speeds"]}
    assert set(crossings) == {order for order in (1, 2, 3, 4) if order**2 > factor}  # the first order is never met
    return [
        Figure("first flap at rest [Hz]", at_rest, campbell["frequencies_hz"][0][0], 0.01),
        Figure(
            "first flap at 3,000 rpm [Hz]",
            sqrt(at_rest**2 + factor * 50**2),
            campbell["frequencies_hz"][-1][0],
            0.01,
        ),
        *(
            Figure(f"order {order} met at [rpm]", 60 * at_rest / sqrt(order**2 - factor), crossings[order], 0.01)
            for order in (4, 3, 2)
        ),
        Figure(
            "stress at the root [MPa]", stress / 1e6, fibre / 1e6, 1e-3
        ),  # the mesh of a linear load along the blade
    ]


def crane(results: dict[str, Any]) -> list[Figure]:
    """A pendulum of small angles on a rigid jib; the jib's own bounce adds less than 2 % to force and stress."""
    speed, stop, rope, jib, load, strength = 0.8, 1.0, 4.0, 5.0, 2000.0, 355e6
    omega = sqrt(G / rope)
    swing = 2 * speed / stop / omega**2 * sin(omega * stop / 2)
    pull = load * G * (1 + (swing / rope) ** 2)  # at the lowest point: T = m g (3 − 2 cos φ)
    inertia = (0.2 * 0.3**3 - 0.18 * 0.28**3) / 12
    weight = STEEL_DENSITY * (0.2 * 0.3 - 0.18 * 0.28) * G
    stress = (pull * jib + weight * jib**2 / 2) * 0.15 / inertia
    motion = results["stop"]
    forces = np.asarray(motion["sensors"]["hook"]["max"])
    found = motion["stress"]["jib"]
    return [
        Figure("swing of the load [mm]", swing * 1e3, -motion["sensors"]["load"]["min"] * 1e3, 0.01),
        Figure("largest force in the rope [kN]", pull / 1e3, forces[1] / 1e3, 0.02),
        Figure("stress at the root of the jib [MPa]", stress / 1e6, found["max_Pa"] / 1e6, 0.02),
        Figure("safety", strength / stress, found["safety"], 0.02),
    ]


def pump(results: dict[str, Any]) -> list[Figure]:
    """Forces at the inner dead centre, exact; a beam under the force in its middle, without shear."""
    speed, crank, rod, bore, plunger, diameter = 300 * RPM, 0.06, 0.5, 0.03, 4.0, 0.016
    stiffness, per_metre = STEEL * pi * diameter**4 / 64, STEEL_DENSITY * pi * diameter**2 / 4
    acceleration = crank * speed**2
    at_plunger = 8e6 * pi * bore**2 / 4 + plunger * acceleration * (1 - crank / rod)
    at_crank = at_plunger + per_metre * rod * acceleration * (1 - crank / rod / 2)
    buckling = pi**2 * stiffness / rod**2
    straight = pi / (2 * rod**2) * sqrt(stiffness / per_metre)
    pressed = straight * sqrt(1 - (at_plunger + at_crank) / 2 / buckling)
    pulled = straight * sqrt(1 + plunger * acceleration * (1 + crank / rod) / buckling)
    joints = results["forces"]["joints"]
    first = np.asarray(results["rod"]["frequencies_hz"])[:, 0]
    return [
        Figure("force in the plunger's pin [N]", at_plunger, joints["C"]["max_force_N"], 1e-6),
        Figure("force in the crank pin [N]", at_crank, joints["B"]["max_force_N"], 1e-6),
        Figure("lowest frequency of the rod [Hz]", pressed, first.min(), 0.01),
        Figure("highest frequency of the rod [Hz]", pulled, first.max(), 0.01),
    ]


BY_HAND: dict[str, Callable[[dict[str, Any]], list[Figure]]] = {
    "four-bar": four_bar,
    "rotor": rotor,
    "drone-arm": drone_arm,
    "robot-arm": robot_arm,
    "blade": blade,
    "crane": crane,
    "pump": pump,
}
"""Pages in the order of the documentation."""
