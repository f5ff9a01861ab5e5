"""Harmonic response of a system: small vibrations about its equilibrium or its steady rotation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from flexframe.analyses.campbell.system_shapes import body_shapes
from flexframe.analyses.exact_bodies import EXACT_TANGENT, strain_notices, strains_at
from flexframe.analyses.frequency_response.analysis import check_abscissa, peak_samples
from flexframe.analyses.frequency_response.record import ResponseCurve
from flexframe.analyses.frequency_response.system_record import SystemResponse
from flexframe.analyses.judging import judge
from flexframe.analyses.linear_model.record import LinearModel
from flexframe.analyses.linear_model.system import question, spinning_model, system_model
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.events import Input
from flexframe.model.system import System, unknown
from flexframe.model.system_loads import MarkerForce
from flexframe.motion.frame import vector3
from flexframe.multibody.equilibria.rest import has_exact_beams
from flexframe.sensors.contract import Sensor
from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, HarmonicSignal

_DRIVES = "drives."
_UNDAMPED = 1e-9  # −Re λ/|λ| below which a pole is not damped


SystemExcitation = HarmonicForce | HarmonicSignal


@judge
def system_response(
    system: System,
    frequencies_hz: ArrayLike,
    excitation: Sequence[SystemExcitation],
    sensors: Mapping[str, Sensor],
    *,
    time: float = 0.0,
    drive: str | None = None,
    speed: float | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> SystemResponse:
    """Amplitude and phase of what sensors see where a system is shaken a little about its equilibrium.

    At rest that is the equilibrium with drives and loads as they are at `time`, with a `speed` the steady rotation
    by one drive. The equations are those of a linear model (`linearise`), controllers included; of exact beams
    they are the full tangent, however far they are bent.

    Parameters
    ----------
    system
        Bodies with joints, drives and loads.
    frequencies_hz
        Frequencies of the excitation [Hz].
    excitation
        Harmonic forces at markers ("body.point"), in axes of space at rest and of the body in rotation; inputs,
        loads and drives by their names.
    sensors
        What is recorded, by name.
    time
        Of drives and loads of a system at rest [s].
    drive, speed
        Name of the drive that turns the system (the only one if not given) and its speed [rad/s].
    reductions
        Coordinates of each meshed body, or "rigid".
    geometric
        Whether the geometric stiffness takes part.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    SystemResponse
        Complex amplitudes of every component of every sensor over the frequencies.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> push = ff.loads.HarmonicForce("rod.end", (1.0, 0.0))
    >>> found = ff.system_response(pendulum, [0.0], [push], {"angle": ff.sensors.RotationSensor("angle", "rod")})
    >>> round(float(found.curves["angle"].amplitude[0]) * 2 * 9.81 / 2, 3)  # F l / (m g l/2)
    1.0
    """
    frequencies = check_abscissa(frequencies_hz, "frequencies")
    shaken, names = _add_inputs(system, excitation, turning=speed is not None)
    asked = question(
        shaken,
        inputs=names,
        outputs=tuple(sensors),
        sensors=sensors,
        reductions=reductions or {},
        discrete=discrete,
        geometric=geometric,
    )
    if not sensors:
        raise InputError("no sensor is given; give what is to be seen", field="sensors")
    if speed is None:
        if drive is not None:
            raise InputError("drive names what turns the system; give its speed too", field="drive")
        solved = system_model(asked, point="equilibrium", time=time, step=None, tolerance=None)
    else:
        solved = spinning_model(asked, drive=drive, speed=speed)
    model, found = solved.model, solved.changes
    if model.sample_period:
        raise InputError(
            "sampled controllers have no harmonic answer of one frequency; ask for a linear_model, or make them "
            "continuous",
            field="controllers",
        )
    rates = 2 * np.pi * frequencies
    amplitudes = _amplitudes(excitation, names, rates)
    values = np.einsum("kpm,km->kp", model.response(frequencies), amplitudes)
    snapshots = peak_samples(values)
    moved = np.array([_states(model, rates[k], amplitudes[k]) for k in snapshots]).T
    shapes = body_shapes(found.system, solved.elastic.parts, [found.state], [found.changes.positions @ moved])
    strains = strains_at(solved.elastic, found.system, found.state)
    exact = f"; {EXACT_TANGENT}" if has_exact_beams(found.system) else ""
    return SystemResponse(
        system=system,
        abscissa=frequencies,
        excitation=_words(excitation),
        curves={each.name: ResponseCurve(each.unit, values[:, k]) for k, each in enumerate(model.outputs)},
        snapshots=snapshots,
        shapes=tuple(shapes),
        frame="rotating" if speed else "fixed",
        time=time if speed is None else 0.0,
        speed_rad_s=speed or 0.0,
        drive=drive or (found.system.system.drives[0].name if speed is not None else ""),
        reductions=solved.elastic.figures,
        method=f"linear model with {model.order} states about the {model.point}{exact}",
        error=model.error,
        strains=strains,
        notices=(*model.notices, *strain_notices(strains), *_notices(model, frequencies)),
    )


def _add_inputs(
    system: System, excitation: Sequence[SystemExcitation], *, turning: bool
) -> tuple[System, list[str]]:
    """The system with an input for every harmonic force, zero at the point, and the names of all inputs."""
    if not excitation:
        raise InputError("nothing shakes the system; give a load, an input or a drive", field="loads")
    inputs, loads, names = list(system.inputs), list(system.loads), list[str]()
    taken = {each.name for each in system.inputs} | set(system.sensors) | {c.name for c in system.controllers}
    known = [each.name for each in system.inputs]
    known += [f"drives.{each.name}" for each in system.drives] + [f"loads.{each.name}" for each in system.loads]
    for number, each in enumerate(excitation):
        if isinstance(each, HarmonicSignal):
            if each.name not in known:
                raise InputError(unknown("part of the system", each.name, known), field=("loads", number))
            names.append(each.name)
            continue
        if not isinstance(each.on, str):
            raise InputError(
                f"a force acts on {each.on!r}; name a marker such as 'rod.end'", field=("loads", number)
            )
        name = next(text for k in range(len(taken) + 1) if (text := f"shaker{number + 1}{'x' * k}") not in taken)
        taken.add(name)
        with at_field("loads", number):
            force, moment = (
                tuple(f"{value!r}*{name}" if value else 0.0 for value in vector3(given, word).tolist())
                for given, word in ((each.force, "force"), (each.moment, "moment"))
            )
            system.frame(each.on, "a harmonic force")
        loads.append(MarkerForce(name, each.on, force, moment, axes="body" if turning else "space"))
        inputs.append(Input(name))
        names.append(name)
    return replace(system, inputs=inputs, loads=loads), names


def _amplitudes(excitation: Sequence[SystemExcitation], names: Sequence[str], rates: Array) -> ComplexArray:
    """ŵ of the inputs of the model at every rate, of a drive the acceleration of its offset: (k, m)."""
    out = np.empty((len(rates), len(names)), dtype=complex)
    for k, (each, name) in enumerate(zip(excitation, names, strict=True)):
        amplitude = each.amplitude if isinstance(each, HarmonicSignal) else 1.0
        out[:, k] = amplitude * np.exp(1j * each.phase)
        if name.startswith(_DRIVES):
            out[:, k] *= -(rates**2)
    return out


def _states(model: LinearModel, rate: float, amplitude: ComplexArray) -> ComplexArray:
    """x̂ at one rate: (n,)."""
    shifted = 1j * rate * np.eye(model.order) - model.A
    return np.asarray(linalg.lstsq(shifted, model.B @ amplitude)[0])


def _words(excitation: Sequence[SystemExcitation]) -> str:
    return ", ".join(
        f"{each.amplitude:g} of {each.name}" if isinstance(each, HarmonicSignal) else f"force at {each.on}"
        for each in excitation
    )


def _notices(model: LinearModel, frequencies: Array) -> Iterator[str]:
    if model.stability == "unstable":
        yield "the equilibrium is unstable: vibrations about it grow, and the steady answer is never reached"
    poles = model.poles[model.shown]
    inside = (np.abs(poles.imag) > 2 * np.pi * frequencies.min()) & (
        np.abs(poles.imag) < 2 * np.pi * frequencies.max()
    )
    bare = np.count_nonzero(inside & (-poles.real < _UNDAMPED * np.abs(poles)))
    if bare:
        yield f"{bare} resonances among the frequencies have no damping: their peaks depend on the samples"
