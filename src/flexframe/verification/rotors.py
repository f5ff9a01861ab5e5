"""Rotors over their speed: both frames, critical speeds, stability, unbalance; oil films of their bearings."""

from collections.abc import Mapping

import numpy as np

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.frequency_response.unbalance import unbalance_response
from flexframe.analyses.stability.analysis import stability
from flexframe.analyses.stability.body_cycle import BodyCycle, Excitation, PeriodicForce
from flexframe.analyses.stability.rotor_cycle import RotorCycle
from flexframe.elements.properties import STEEL, BeamProperty, Circle, GeneralSection, Material
from flexframe.films.bearings import FilmBearing
from flexframe.films.pad_films import Divisions
from flexframe.films.states import film_states
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import line, tube
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Clamp, Fix, FrameSpring
from flexframe.sensors import DofSensor
from flexframe.spectra.rotation.harmonic_loads import Unbalance
from flexframe.verification.contract import Check, Reference

_AXIS = (1, 0, 0)
_TURN = 2 * np.pi
_MASS = 2.0
_INNER = 4.0  # N s/m in the rotor
_OUTER = 6.0  # N s/m in space


def _point_rotor(divisions: int, damping: float = 0.0) -> Body:
    """2 kg on springs of 10 Hz in all directions, spread over the nodes of a beam that stays parallel to x."""
    section = Circle(0.01)
    nodes, beam = divisions + 1, section.area * 0.1
    stiffness = _MASS * (_TURN * 10.0) ** 2 / nodes
    return Body(
        "rotor",
        line(0.1, divisions),
        (Region(BeamProperty(Material(1e11, 0.3, 1.0), section), family="euler_bernoulli_beam"),),
        supports=(Fix("all", ("ux", "rx", "ry", "rz")),),
        # the beam gives inner nodes twice the mass of the ends
        point_masses=tuple(
            PointMass(k, _MASS / nodes - beam / divisions / (2 if k in (0, divisions) else 1))
            for k in range(nodes)
        ),
        springs=(
            FrameSpring("all", (0.0, stiffness, stiffness), damping=(0.0, damping / nodes, damping / nodes)),
        ),
        space="spatial",
    )


def _both_frames(refinement: int) -> list[float]:
    diagram = campbell_diagram(_point_rotor(refinement), [_TURN * 5], modes=2, axis=_AXIS)
    assert diagram.whirl is not None and diagram.inertial_frequencies_hz is not None
    order = [diagram.whirl.index(word) for word in ("forward", "backward")]
    seen = [*diagram.frequencies_hz[0, order], *diagram.inertial_frequencies_hz[0, order]]
    critical = campbell_diagram(_point_rotor(refinement), [_TURN * 15], modes=2, axis=_AXIS)
    return [float(f) for f in (*seen, critical.critical_speeds_rad_s[0] / _TURN)]


def _jeffcott(refinement: int) -> list[float]:
    speeds = _TURN * np.linspace(1.0, 31.0, 11)
    nodes = refinement + 1
    diagram = campbell_diagram(
        _point_rotor(refinement, _INNER),
        speeds,
        modes=2,
        axis=_AXIS,
        bearings=[Bearing("all", damping=_OUTER / nodes)],
    )
    damping = 2 * 0.05 * _MASS * _TURN * 10
    orbit = unbalance_response(
        _point_rotor(refinement),
        _TURN * np.array([5.0, 10.0]),
        [Unbalance("all", _MASS * 1e-3 / nodes)],
        {"disc": DofSensor("start")},
        axis=_AXIS,
        bearings=[Bearing("all", damping=damping / nodes)],
    )
    radii = orbit.curves["disc"].amplitude
    return [diagram.stability_limits[0] / (_TURN * 10), *(float(radius) for radius in radii)]


def _rayleigh_critical(order: int, factor: int) -> float:
    """EIk⁴ = Ω²(ρA + factor ρIk²), k = nπ/L; factor −1 forward, 3 backward."""
    section, k = Circle(0.05), order * np.pi
    inertia = section.inertia_z
    return float(
        np.sqrt(STEEL.young * inertia * k**4 / (STEEL.density * (section.area + factor * inertia * k**2)))
    )


def _shaft(refinement: int) -> list[float]:
    body = Body.beam(
        "shaft",
        length=1.0,
        divisions=12 * refinement,
        section=Circle(0.05),
        material=STEEL,
        theory="euler_bernoulli",
        supports=(Fix("start", ("ux", "uy", "uz")), Fix("end", ("uy", "uz")), Fix("all", ("rx",))),
        space="spatial",
    )
    diagram = campbell_diagram(body, np.linspace(0.0, 2700.0, 4), modes=8, axis=_AXIS, engine_orders=(2,))
    forward = diagram.critical_speeds_rad_s[:2]
    # backward whirl at Ω in space is 2Ω on the shaft
    backward = [
        c.speed_rad_s
        for c in diagram.critical_speeds
        if c.engine_order == 2
        and c.inertial_frequency_hz
        and abs(c.frequency_hz / c.inertial_frequency_hz - 2) < 1e-9
    ]
    return [*forward, *backward[:2]]


def _stressed_disc(refinement: int) -> list[float]:  # noqa: ARG001 - the reference belongs to one mesh
    """Turning frame, the ten lowest."""
    mesh = tube(0.02, 0.1, 0.02, (2, 12, 1), order=2)
    body = Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),))
    diagram = campbell_diagram(body, [_TURN * 300], modes=10, engine_orders=())
    return sorted(float(f) for f in diagram.frequencies_hz[0])


# CalculiX 2.20: nonlinear static step, frequencies of the stressed disc, complex frequencies with Coriolis forces
_CALCULIX = (
    2314.278,
    2324.343,
    2617.539,
    3003.910,
    3024.729,
    3061.487,
    5945.204,
    5978.163,
    7770.127,
    8253.453,
)


def _mathieu(refinement: int) -> list[float]:  # noqa: ARG001 - one element is exact
    """Ends of the unstable ranges of a at q = 1 from −2 to 10."""
    section = GeneralSection(4e-4, 1e-8, 1e-8, 2e-8)
    column = Body(
        "column",
        line(1.0, 1),
        (Region(BeamProperty(Material(1e10, 0.3, 1e-9), section), family="euler_bernoulli_beam"),),
        supports=(Clamp("start"), Fix("end", ("rz",))),
        point_masses=(PointMass("end", 0.6),),
    )

    def excitation(values: Mapping[str, float]) -> Excitation:
        def force(t: Array) -> Array:
            load = 1 - values["a"] / 20 + 2 / 20 * np.cos(20 * t)
            return np.stack([-1000 * load, 0 * t, 0 * t], axis=1)

        return Excitation(np.pi / 10, forces=[PeriodicForce("end", force)])

    problem = BodyCycle(column, excitation, modes=1)
    found = stability(problem, over=("a", np.linspace(-2.0, 10.0, 25)), check_modes=False)
    assert found.scan is not None
    first, *others = found.scan.unstable_ranges
    return [first.high, *(end for found_range in others for end in (found_range.low, found_range.high))]


def _internal_damping(refinement: int) -> list[float]:
    """Ω/ω₀ of the threshold by multipliers, and with unequal springs in space beside those of the rotor."""
    nodes, k = refinement + 1, _MASS * (_TURN * 10) ** 2
    rotor = _point_rotor(refinement, _INNER)
    found = []
    for stiffness, outer in ((0.0, _OUTER), ((0.1 * k / nodes, 0.3 * k / nodes), 1.0)):
        cycle = RotorCycle(rotor, _AXIS, [Bearing("all", stiffness=stiffness, damping=outer / nodes)], modes=2)
        scan = stability(cycle, over=("speed", _TURN * np.linspace(15.0, 45.0, 7)), check_modes=False).scan
        assert scan is not None
        found.append(scan.unstable_ranges[0].low / (_TURN * 10))
    return found


def _threshold() -> float:
    """(c_iΩ/m)² = δ² + (c/m)²κ of a round rotor on springs k̄ ± Δ in space, from the characteristic polynomial."""
    k = _MASS * (_TURN * 10) ** 2
    delta, kappa, s = 0.1 * k / _MASS, 1.2 * k / _MASS, (_INNER + 1.0) / _MASS
    return float(_MASS / _INNER * np.sqrt(delta**2 + s**2 * kappa) / (_TURN * 10))


_CHARACTERISTIC = (
    ("a0", -0.45513860410741364),
    ("b1", -0.11024881699209521),
    ("a1", 1.8591080725143634),
    ("b2", 3.917024772998471),
    ("a2", 4.371300982735086),
    ("b3", 9.047739259809374),
    ("a3", 9.078368847203102),
)


_CLEARANCE, _VISCOSITY, _TURNS = 1e-4, 0.02, 50.0
_ROW = (2.67, 3.70, -0.78, 1.75, 6.96, 1.94, 2.40)
_NAMES = ("Kxx", "Kxy", "Kyx", "Kyy", "Bxx", "Bxy", "Byy")


def _two_grooves(refinement: int) -> list[float]:
    """ε, φ [deg], K c/W and B c Ω/W with x along the load and y in the sense of rotation."""
    radius, length, speed = 0.05, 0.05, 2 * np.pi * _TURNS
    load = _VISCOSITY * _TURNS * length * 2 * radius * (radius / _CLEARANCE) ** 2 / 0.580
    bearing = FilmBearing.grooved(
        radius, length, _CLEARANCE, grooves=[np.pi / 2, -np.pi / 2], groove_width=np.radians(20)
    )
    states = film_states(
        bearing, (load, 0.0), _VISCOSITY, speed, divisions=Divisions(40 * refinement, 3 * refinement)
    )
    K, B = (matrix[0] * _CLEARANCE / load for matrix in states.coefficients())
    place = float(states.eccentricities[0]), float(np.degrees(states.attitudes[0]))
    return [*place, *map(float, K.ravel()), *(float(speed * B[i, j]) for i, j in ((0, 0), (0, 1), (1, 1)))]


def _sommerfeld(refinement: int) -> list[float]:
    """ε/… of a long bearing without cavitation: load/(12π µΩRL(R/c)² ε/((2 + ε²)√(1 − ε²)))."""
    bearing = FilmBearing.plain(0.05, 1.0, _CLEARANCE, feed=np.pi / 2, sealed=True, cavitation="none")
    states = film_states(bearing, (0.0, -1e5), _VISCOSITY, 100.0, divisions=Divisions(90 * refinement, 1))
    e = float(states.eccentricities[0])
    carried = 12 * np.pi * _VISCOSITY * 100.0 * 0.05 * 500.0**2 * e / ((2 + e**2) * np.sqrt(1 - e**2))
    torque = (
        4 * np.pi * _VISCOSITY * 100.0 * 0.05**3 / _CLEARANCE * (1 + 2 * e**2) / ((2 + e**2) * np.sqrt(1 - e**2))
    )
    return [1e5 / carried, float(np.degrees(states.attitudes[0])), float(states.torques[0]) / torque]


CHECKS: tuple[Check, ...] = (
    Check(
        "spinning-disc-calculix",
        "CalculiX 2.20 on the same mesh (benchmarks/calculix_disc.py)",
        "solid steel disc 40/200 mm, 20 mm thick, clamped bore, 300 turns/s, stress and Coriolis, turning frame",
        tuple(Reference(f"{n + 1}. frequency [Hz]", f, 5e-3) for n, f in enumerate(_CALCULIX)),
        _stressed_disc,
    ),
    Check(
        "mathieu-chart",
        "characteristic values of Mathieu's functions at q = 1 (scipy.special.mathieu_a, mathieu_b)",
        "column of one element under a pulsating load, ends of unstable ranges solved",
        tuple(Reference(name, value, 1e-8, scale=1.0) for name, value in _CHARACTERISTIC),
        _mathieu,
    ),
    Check(
        "internal-damping-by-multipliers",
        "exact: 1 + c_ext/c_int; unequal springs: c_iΩ/m = √(δ² + s²κ) of the characteristic polynomial",
        "Floquet multipliers of half a turn; ω₀ 10 Hz, c_int 4, c_ext 6 and 1 N s/m",
        (
            Reference("threshold Ω/ω₀", 1 + _OUTER / _INNER, 1e-8),
            Reference("threshold Ω/ω₀, springs in space k/10 and 3k/10", _threshold(), 1e-8),
        ),
        _internal_damping,
    ),
    Check(
        "isolated-mass-in-both-frames",
        "exact: ω₀ ∓ Ω on the rotor, ω₀ in space, critical at ω₀",
        "2 kg on isotropic springs of 10 Hz that turn with it, Ω = 5 turns/s, all terms",
        (
            Reference("forward, rotating frame [Hz]", 5.0, 1e-10),
            Reference("backward, rotating frame [Hz]", 15.0, 1e-10),
            Reference("forward, inertial frame [Hz]", 10.0, 1e-10),
            Reference("backward, inertial frame [Hz]", 10.0, 1e-10),
            Reference("critical speed [turns/s]", 10.0, 1e-10),
        ),
        _both_frames,
    ),
    Check(
        "jeffcott-rotor",
        "exact: 1 + c_ext/c_int; e r²/√((1 − r²)² + (2ζr)²)",
        "ω₀ 10 Hz; c_int 4, c_ext 6 N s/m; unbalance e 1 mm with ζ = 0.05 in space",
        (
            Reference("stability limit Ω/ω₀", 1 + _OUTER / _INNER, 1e-9),
            Reference("orbit at r = 0.5 [m]", 1e-3 * 0.25 / float(np.hypot(0.75, 0.05)), 1e-10),
            Reference("orbit at r = 1 [m]", 1e-3 / 0.1, 1e-10),
        ),
        _jeffcott,
    ),
    Check(
        "rayleigh-shaft-critical-speeds",
        "exact simply supported Rayleigh shaft, EIk⁴ = Ω²(ρA − ρIk²) forward, Ω²(ρA + 3ρIk²) backward",
        "d 50 mm, L 1 m, steel, 24 elements; solved as eigenvalues of Ω²",
        tuple(
            Reference(f"{word} {order} [rad/s]", _rayleigh_critical(order, factor), 1e-5)
            for word, factor in (("forward", -1), ("backward", 3))
            for order in (1, 2)
        ),
        _shaft,
    ),
    Check(
        "film-two-axial-grooves",
        "Lund & Thomsen 1978, table of the two-axial-groove bearing",
        "two grooves of 20° at ±90° to the load, L/D 0.5, S 0.580, Reynolds' condition, zero pressure in the "
        "grooves; x along the load; K c/W, B cΩ/W, errors as parts of the largest entry",
        (
            Reference("eccentricity ε", 0.477, 3e-3),
            Reference("attitude φ [deg]", 51.01, 3e-3),
            *(
                Reference(name, value, 0.02, scale=max(map(abs, _ROW[:4] if name[0] == "K" else _ROW[4:])))
                for name, value in zip(_NAMES, _ROW, strict=True)
            ),
        ),
        _two_grooves,
    ),
    Check(
        "film-long-bearing",
        "exact: Sommerfeld 1904",
        "sealed bearing, full film, cells of 2°: flow between points is that of one dimension",
        (
            Reference("load over the closed form at its ε", 1.0, 1e-8),
            Reference("attitude [deg]", 90.0, 1e-8),
            Reference("friction over the closed form", 1.0, 1e-8),
        ),
        _sommerfeld,
    ),
)
