"""Motions of geometrically exact beams: blades that rotate, spin-up, free flight."""

from functools import cache

import numpy as np

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.exact_bodies import hub_system
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.elements.properties import BeamProperty, GeneralSection, Material, Rectangle
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region, Space
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.motion.frame import FrameMotion
from flexframe.sensors import MarkerSensor
from flexframe.verification.contract import Check, Reference

_EXACT = ReductionChoice(exact=True)
_SPEEDS = (0.0, 500.0, 750.0)  # rpm
_FLAPS = ((1.4872, 9.3202), (9.1914, 23.8365), (13.5518, 34.0054))  # Hz
SWEPT = {  # sweep [°]: first and second flap [Hz] at these speeds, by shells
    15: ((1.4934, 9.3624), (9.1989, 23.5147), (13.5603, 32.8157)),
    30: ((1.5025, 9.4341), (9.2035, 22.5365), (13.5654, 29.5132)),
    45: ((1.5171, 9.5645), (9.2110, 21.1706), (13.5738, 25.9110)),
}
_WRIGHT = {4.0: (5.5850, 24.2734), 12.0: (13.1702, 37.6031)}  # rad/s by γ


def _beam(
    divisions: int, prop: BeamProperty, length: float, root: float, *, space: Space, theory: str, clamped: bool
) -> Body:
    points = np.linspace(root, root + length, divisions + 1)[:, None] * np.array([1.0, 0.0, 0.0])
    mesh = polyline(points, 1).with_sets(node_sets={"start": [0], "end": [divisions]})
    supports = (Clamp("start"),) if clamped else ()
    return Body("beam", mesh, (Region(prop, family=f"{theory}_beam"),), supports, space=space)


def _section(EA: float, GA: float, GJ: float, EI: tuple[float, float], density: float) -> BeamProperty:
    """ρA = density, A = 1."""
    section = GeneralSection(1.0, EI[0] / EA, EI[1] / EA, GJ / GA, 1.0)
    return BeamProperty(Material(EA, EA / (2 * GA) - 1, density, idealised=True), section)


_BLADE = BeamProperty(Material(1.06e7, 0.325, 2.51e-4, idealised=True), Rectangle(0.063, 1.0))


def _spun(body: Body, modes: int) -> Array:
    """Frequencies of branches at the speeds: (speeds, modes)."""
    found = system_campbell(
        hub_system(body, (0.0, 0.0, 1.0)),
        np.array(_SPEEDS) * np.pi / 30,
        modes=modes,
        engine_orders=(),
        reductions={"beam": _EXACT},
    )
    return np.asarray(found.frequencies_hz)[:, :modes]


def _blade(refinement: int) -> list[float]:
    body = _beam(12 * refinement, _BLADE, 37.5, 2.5, space="spatial", theory="euler_bernoulli", clamped=True)
    return [float(value) for value in _spun(body, 2).ravel()]


def _swept_beam(refinement: int) -> list[float]:
    found: list[float] = []
    for sweep in SWEPT:
        angle, tip = np.radians(sweep), 2 * refinement
        straight = np.linspace(2.5, 34.0, 10 * refinement + 1)[:, None] * np.array([1.0, 0.0, 0.0])
        along = np.linspace(0.0, 6.0, tip + 1)[1:, None] * np.array([np.cos(angle), -np.sin(angle), 0.0])
        points = np.vstack([straight, straight[-1] + along])
        mesh = polyline(points, 1).with_sets(node_sets={"start": [0], "end": [len(points) - 1]})
        body = Body("beam", mesh, (Region(_BLADE),), (Clamp("start"),), space="spatial")
        frequencies = np.sort(_spun(body, 5), axis=1)
        # the lag motion is third, and second at the last speed
        found += [float(frequencies[k, mode]) for k, second in enumerate((1, 1, 2)) for mode in (0, second)]
    return found


def _wright(refinement: int) -> list[float]:
    # local z is the body's z: EI = 1 bends in the x-y plane, across which the spin about y makes the flap
    prop = _section(1e8, 5e7, 1.5, (1.0, 400.0), 1.0)
    body = _beam(8 * refinement, prop, 1.0, 0.0, space="spatial", theory="timoshenko", clamped=True)
    found: list[float] = []
    for speed in _WRIGHT:
        spectrum = modes(body, FrameMotion.spin(speed, (0.0, 1.0, 0.0)), count=2, exact=True)
        found += [float(value) for value in np.abs(spectrum.eigenvalues.imag)]
    return found


def _spin_up(refinement: int) -> list[float]:
    # ρI = 6e-4 kg m as EI/E of the density
    prop = _section(2.8e7, 1e7, 1.0, (1.4e4, 1.4e4), 1.2)
    body = _beam(10 * refinement, prop, 10.0, 0.0, space="planar", theory="timoshenko", clamped=True)
    angle = "0.4*(min(t, 15)^2/2 + (15/(2*pi))^2*(cos(2*pi*min(t, 15)/15) - 1)) + 6*max(0, t - 15)"
    system = System([body], [Revolute("hub", "ground", "beam")], [AngleDrive("spin", "ground", "beam", angle)])
    found = simulate(
        system,
        duration=16.0,
        samples=1601,
        step=5e-3,
        initial_deformation="undeformed",
        reductions={"beam": _EXACT},
        sensors={"tip": MarkerSensor("displacement", "beam.end")},
    )
    along, across = found.sensors["tip"].values[:, :2].T
    return [float(across.min()), float(along.min())]


@cache
def _flight(space: Space, divisions: int) -> CoupledMotion:
    """A beam of 1 m and 1 kg that is kicked at its end for half a second and flies on for a second."""
    kick = "sin(2*pi*min(t, 0.5))^2"
    twist, bend = ("0.025", "-1.7") if space == "spatial" else ("0", "0")
    moments = (f"{twist}*{kick}", f"{bend}*{kick}", f"2.5*{kick}")
    prop = _section(1e3, 500.0, 0.8, (1.0, 2.0), 1.0)
    system = System(
        [_beam(divisions, prop, 1.0, 0.0, space=space, theory="timoshenko", clamped=False)],
        loads=[MarkerForce("kick", "beam.end", (f"2*{kick}", 0.0, 0.0), moments)],
        space=space,
    )
    return simulate(
        system,
        duration=1.5,
        samples=61,
        step=1e-3,
        integrator="conserving",
        reductions={"beam": _EXACT},
        sensors={name: MarkerSensor("position", f"beam.{name}") for name in ("start", "end")},
        initial_deformation="undeformed",
    )


def _conservation_errors(found: CoupledMotion) -> Array:
    """Largest changes of energy, momentum and moment of momentum after the kick, as parts of their sizes."""
    free = found.times >= 0.5
    energy = (found.energies["kinetic"] + found.energies["strain"])[free, None]
    values = (energy, found.linear_momentum[free], found.angular_momentum[free])
    return np.array([np.abs(v - v[0]).max() / np.linalg.norm(v[0]) for v in values])


def _flown(space: Space, refinement: int) -> list[float]:
    """Changes of what is kept, and where both ends are at 1 s and at 1.5 s."""
    found = _flight(space, 8 * refinement)
    ends = [found.sensors[name].values[[40, 60]].ravel() for name in ("start", "end")]
    return [float(value) for value in np.concatenate([_conservation_errors(found), *ends])]


_PLANAR_ENDS = (0.909937, 0.498384, 1.004862, -0.486083, 0.784501, -0.491627, 1.285261, 0.474074)
_SPATIAL_ENDS = (
    *(0.463828, 0.244412, 0.148373, 1.617146, -0.054068, -0.076146),
    *(1.264263, -0.251930, -0.190410, 0.626898, 0.048161, 0.030289),
)


def _flight_check(space: Space, ends: tuple[float, ...]) -> Check:
    axes = "xy" if space == "planar" else "xyz"
    names = [f"{end}, {axis} at {time} s [m]" for end in ("start", "end") for time in (1, 1.5) for axis in axes]
    return Check(
        f"large-motions-free-flight-{space}",
        "conserved quantities; shapes by 16 floating frames of the same beam and step, one element each",
        "EA 1e3, GA 500, GJ 0.8, EI 1 and 2, 1 kg/m, 1 m, kicked at one end for 0.5 s and bent by more than a "
        "radian; exact beams, 16 elements, conserving steps of 1 ms",
        (
            *(
                Reference(f"change of the {what}, as part of it", 0.0, 1e-11, scale=1.0)
                for what in ("energy", "momentum", "moment of momentum")
            ),
            *(Reference(name, value, 1e-3, scale=1.0) for name, value in zip(names, ends, strict=True)),
        ),
        lambda refinement: _flown(space, refinement),
    )


CHECKS: tuple[Check, ...] = (
    Check(
        "large-motions-rotating-blade",
        "Euler–Bernoulli flap frequencies of a blade that its rotation stretches, converged",
        "37.5 in from a hub of 2.5 in, section 1 by 0.063 in, E 1.06e7 psi, 2.51e-4 lb s²/in⁴, straight; exact "
        "beams about the equilibrium of each speed, 24 elements",
        tuple(
            Reference(f"flap {number + 1} at {speed:g} rpm [Hz]", value, 5e-4)
            for speed, values in zip(_SPEEDS, _FLAPS, strict=True)
            for number, value in enumerate(values)
        ),
        _blade,
    ),
    Check(
        "large-motions-swept-blade",
        "shells of flexframe, converged to 5e-4: 14 across, finer towards the edges, 300 along the blade",
        "the same blade, its last 6 in swept back; exact beams, 24 elements; at the clamp and the corner sections "
        "of beams keep their shape, shells do not. Measured (Epps & Chandra 1996), sweep 15, 30, 45°, Hz: first "
        "1.8 1.7 1.6, 10.1 10.2 10.2, 14.4 14.9 14.7, second 10.2 10.4 10.4, 25.2 23.7 21.6, 34.8 30.7 26.1",
        tuple(
            Reference(f"sweep {sweep}°, flap {number + 1} at {speed:g} rpm [Hz]", value, 8e-3)
            for sweep, table in SWEPT.items()
            for speed, values in zip(_SPEEDS, table, strict=True)
            for number, value in enumerate(values)
        ),
        _swept_beam,
    ),
    Check(
        "large-motions-wright",
        "Wright, Smith, Thresher & Wang 1982, five digits",
        "clamped at the axis, EI = ρA = L = 1, EA 1e8; modes of exact beams on a known frame, 16 elements",
        tuple(
            Reference(f"flap {number + 1} at γ = {speed:g} [rad/s]", value, 2e-4)
            for speed, values in _WRIGHT.items()
            for number, value in enumerate(values)
        ),
        _wright,
    ),
    Check(
        "large-motions-spin-up",
        "converged geometrically exact solution (Simo & Vu-Quoc), five digits",
        "EA 2.8e7, EI 1.4e4, GA 1e7, L 10 m, to 6 rad/s in 15 s; exact beams, 20 elements, generalised-α, 5 ms",
        (
            Reference("largest deflection across [m]", -0.57383, 1e-4),
            Reference("largest shortening [m]", -0.018823, 1e-4),
        ),
        _spin_up,
    ),
    _flight_check("planar", _PLANAR_ENDS),
    _flight_check("spatial", _SPATIAL_ENDS),
)
