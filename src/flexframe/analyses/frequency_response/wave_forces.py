"""Response of a body of revolution, by its section, to forces spread around it in n periods: engine orders.

A force on a ring is (F_r, F_y, F_t)/2π per radian along the radius, the axis and the circumference, times
cos(ωt − nθ + φ) where its wave runs forward, as θ grows with the spin, cos(ωt + nθ + φ) where it runs backward,
and cos nθ cos(ωt + φ) where it stays on the body. F is the sum of all that acts at its crest: N equal blades with
the force F₁ make F = N F₁. Waves of space that run forward at ω do so at ω − nΩ on the body; those that rest in
space run backward at nΩ, the engine order n.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import linear_sensors
from flexframe.analyses.frequency_response.analysis import (
    MODES,
    TOLERANCE,
    Method,
    check_abscissa,
    nodal_shapes,
    peak_samples,
    residual_notices,
    solve_samples,
)
from flexframe.analyses.frequency_response.record import FrequencyResponse, ResponseCurve
from flexframe.analyses.harmonics import require_own_axis, spin_notices
from flexframe.analyses.judging import judge
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody, wave_body
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion, vector3
from flexframe.sensors.contract import Sensor
from flexframe.spectra.rotation.bearings import require_known
from flexframe.spectra.rotation.harmonic_loads import WaveForce
from flexframe.spectra.rotation.harmonic_solution import HarmonicProblem, Sample
from flexframe.spectra.rotation.rotor_model import RotorModel, rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_waves


@judge
def engine_order_response(
    body: Body | DiscreteBody,
    speeds: ArrayLike,
    load: Sequence[WaveForce],
    sensors: Mapping[str, Sensor],
    *,
    axis: ArrayLike | None = None,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    method: Method = "auto",
    modes: int = MODES,
    tolerance: float = TOLERANCE,
) -> FrequencyResponse:
    """Amplitudes on a turning body of revolution over its speeds [rad/s], by forces with n periods that rest in
    space.

    Each is seen by the body as a wave that runs backward at nΩ. Sensors show the displacements on the body, where
    the section lies: x along the radius, y along the axis, z across both.

    Parameters
    ----------
    body
        A body of revolution by its section.
    speeds
        Speeds of rotation [rad/s].
    load
        Forces with one number of nodal diameters.
    sensors
        Degrees of freedom of the section, by name.
    axis
        Axis of rotation, along y or against it.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Bearings beside those of the body; they act on one nodal diameter.
    method, modes
        "direct", "modal" with this many modes, or "auto".
    tolerance
        Largest relative error of the modal method.

    Returns
    -------
    FrequencyResponse
        Complex amplitudes [m] over the speeds.

    Examples
    --------
    >>> disc = ff.Body.of_revolution("disc", ff.mesh.rectangle(0.2, 0.01, (4, 1)), material=ff.STEEL)
    >>> found = ff.rotors.engine_order_response(
    ...     disc,
    ...     [100.0, 200.0],
    ...     [ff.rotors.WaveForce("right", (0.0, 100.0, 0.0), 2)],
    ...     {"rim": ff.sensors.DofSensor("right", "uy")},
    ... )
    >>> found.over, found.curves["rim"].values.shape
    ('speed', (2,))
    """
    given = check_abscissa(speeds, "speeds")
    model = _section_model(body, bearings, axis)
    n, _ = _common(load)
    # at rest in space, a wave runs backward on the body at nΩ
    samples = [Sample(1j * n * speed, float(speed), (1.0, 1.0j)) for speed in given]
    sweep = _Sweep(
        "speed", given, f"forces with {n} nodal diameters at rest in space, engine order {n}", "backward", samples
    )
    return _response(model, load, sweep, terms, sensors, method=method, modes=modes, tolerance=tolerance)


def wave_response(
    body: Body | DiscreteBody,
    motion: FrameMotion,
    frequencies_hz: ArrayLike,
    load: Sequence[WaveForce],
    sensors: Mapping[str, Sensor],
    *,
    terms: Terms | None,
    bearings: Sequence[Bearing],
    method: Method,
    modes: int,
    tolerance: float,
) -> FrequencyResponse:
    """The same over frequencies at a steady speed; see `frequency_response`."""
    frequencies = check_abscissa(frequencies_hz, "frequencies")
    model = _section_model(body, bearings, motion.angular_velocity if motion.speed else None)
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        raise InputError(
            f"body {model.discrete.body.name} of revolution turns steadily about a point at rest; give a spin",
            field="motion",
        )
    n, moves = _common(load)
    sense = {"forward": 1.0, "backward": -1.0, "with body": 0.0}[moves]
    rates = 2 * np.pi * frequencies - sense * n * motion.speed
    samples = [Sample(1j * rate, motion.speed, (1.0, 1.0j)) for rate in rates]
    where = "that stay on the body" if moves == "with body" else f"that run {moves} in space"
    sweep = _Sweep("frequency", frequencies, f"forces with {n} nodal diameters {where}", moves, samples)
    return _response(model, load, sweep, terms, sensors, method=method, modes=modes, tolerance=tolerance)


def _section_model(body: Body | DiscreteBody, bearings: Sequence[Bearing], axis: ArrayLike | None) -> RotorModel:
    model = rotor_model(body, bearings, axis)
    if not isinstance(model.discrete, SectionBody):
        raise InputError(
            f"body {model.discrete.body.name} is not the section of a body of revolution (plane: axisymmetric), "
            "and a force with nodal diameters is on a ring of one; give forces at nodes",
            field="loads",
        )
    require_own_axis(model.discrete.body, model.axis, "axis")
    return model


def _common(load: Sequence[WaveForce]) -> tuple[int, str]:
    """Nodal diameters and motion of all forces; each pair of them has a frequency of its own on the body."""
    if not load:
        raise InputError("no load is given; give at least one force", field="loads")
    kinds = {(force.nodal_diameters, force.moves) for force in load}
    if len(kinds) > 1:
        raise InputError(
            "forces differ in their nodal diameters or in how they move, and so in their frequencies on the body; "
            "give them in two analyses",
            field="loads",
        )
    return kinds.pop()


@dataclass(frozen=True, eq=False)
class _Sweep:
    """What is varied, and what acts: how the forces move as the body turns."""

    over: Literal["frequency", "speed"]
    abscissa: Array
    excitation: str
    moves: str
    samples: Sequence[Sample]


def _response(
    model: RotorModel,
    load: Sequence[WaveForce],
    sweep: _Sweep,
    terms: Terms | None,
    sensors: Mapping[str, Sensor],
    *,
    method: Method,
    modes: int,
    tolerance: float,
) -> FrequencyResponse:
    assert isinstance(model.discrete, SectionBody)
    n, samples = load[0].nodal_diameters, sweep.samples
    section, speeds = model.discrete.waves.section, np.array([sample.speed for sample in samples])
    view = wave_body(section.harmonics.at(n))
    view.require_freedom()
    known = require_known(model.bearings, speeds) if n == 1 else ()
    equations = turning_waves(model, n, terms).project(view.map).homogeneous.about(model.axis)
    if equations.depends_on_frequency:
        raise InputError(
            "a table of a bearing depends on the frequency of the motion in space, which the turning frame sees "
            "otherwise; give a table over the speed",
            field="bearings",
        )
    equations = equations.project(view.supports)
    force = _amplitude(view, load, sweep.moves, model.axis)
    problem = HarmonicProblem(
        equations,
        view.supports.reduce_vector(np.column_stack([force.real, force.imag])),
        samples,
        equations.constant_stiffness,
        equations.constant_mass,
    )
    rows = linear_sensors("a frequency response", view, sensors)
    solution = solve_samples(problem, method, modes, tolerance)
    table = np.array([row.row for row in rows]).reshape(len(rows), -1)
    values = np.array(
        [table @ view.supports.expand(solution.displacements(k)) for k in range(len(samples))]
    ).reshape(len(samples), len(rows))
    snapshots = peak_samples(values)
    fastest = float(np.abs(speeds).max(initial=0.0))
    return FrequencyResponse(
        body=section.body.name,
        mesh=view.surface.mesh,
        over=sweep.over,
        abscissa=sweep.abscissa,
        excitation=sweep.excitation,
        curves={row.name: ResponseCurve(row.unit, values[:, k]) for k, row in enumerate(rows)},
        snapshots=snapshots,
        shapes=nodal_shapes(view, solution, snapshots),
        frame="rotating" if fastest else "fixed",
        speed_rad_s=None if sweep.over == "speed" else samples[0].speed,
        terms=terms or Terms(),
        method=solution.method,
        error=solution.error,
        notices=(
            *residual_notices(solution, tolerance),
            *spin_notices(section, fastest, terms or Terms()),
            *known,
        ),
    )


def _amplitude(view: SectionBody, load: Sequence[WaveForce], moves: str, axis: Array) -> ComplexArray:
    """f̂ on the coordinates of the waves: the work of F/2π cos nθ on cos nθ is F/2, with n = 0 it is F.

    On (a + i b) e^{inθ} a wave cos(ωt ∓ nθ) is F(cos ωt ∓ i sin ωt): F on a and ±iF on b. Across the section the
    displacement is Re[i w e^{inθ}], so that it is −iF on w.
    """
    own, half = view.waves.section.dofs.numbers, view.waves.section.dofs.count
    n = view.waves.n
    sense = {"forward": 1.0, "backward": -1.0, "with body": 0.0}[moves] * float(axis[1])
    total = np.zeros(view.waves.size, dtype=complex)
    for number, each in enumerate(load):
        with at_field("loads", number):
            nodes = view.body.selected_nodes(each.on)
            value = vector3(each.force, "force") * np.exp(1j * each.phase) / len(nodes)
        numbers = own[nodes]
        for column in range(3):
            if n == 0:
                np.add.at(total, numbers[:, column], value[column])
                continue
            real, imaginary = value[column] / 2, 1j * sense * value[column] / 2
            if column == 2:  # (1, ±i) times −i
                real, imaginary = imaginary, -real
            np.add.at(total, numbers[:, column], real)
            np.add.at(total, numbers[:, column] + half, imaginary)
    return np.asarray(view.map.basis.T @ total)
