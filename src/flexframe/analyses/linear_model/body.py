"""The linear model of one body on a frame whose motion is frozen.

With the modes at rest V of the body, VᵀMV = 1, and δ = V z

    z̈ + VᵀCV ż + VᵀKV z = Vᵀf w,      y = r V z   (or r V ż of a rate),

C and K with the terms of the moving frame, damping and bearings; f are unit forces, and what a unit of
acceleration of the base pushes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.analyses.body_state import linear_sensors
from flexframe.analyses.linear_model.record import Channel, LinearModel
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import SPEED, OperatingPoint, Terms
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, dense
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.factorisation import definite_factors, factorise
from flexframe.model.bearings import Bearing
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.rest_basis import RestBasis, rest_basis
from flexframe.sensors.contract import Rate, Sensor
from flexframe.spectra.rotation.bearings import bearing_parts, require_known
from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, force_amplitude
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_equations
from flexframe.stages import begin_work

WHOLE = 300  # unknowns up to which no mode is left out
MODES = 30  # of larger bodies, where no number is given
_BASES = {
    f"base.{name}": (vector, axis)
    for vector, names in (("origin_acceleration", "xyz"), ("angular_acceleration", ("rx", "ry", "rz")))
    for axis, name in enumerate(names)
}
"""Accelerations of the frame that may be inputs: field and axis of the motion."""


@dataclass(frozen=True, eq=False)
class BodyChannels:
    """What a body's model is given and shows, in the coordinates that supports leave."""

    inputs: tuple[Channel, ...]
    forces: Array  # (q, m)
    outputs: tuple[Channel, ...]
    rows: Array  # (p, q)
    rates: tuple[bool, ...]  # whether an output is a rate: (p,)

    def matrices(self, basis: Array) -> tuple[Array, Array, Array]:
        """B, C and D on x = (z, ż), δ = V z."""
        r, seen = basis.shape[1], self.rows @ basis
        moving = np.array(self.rates, dtype=bool)[:, None]
        B = np.vstack([np.zeros((r, len(self.inputs))), basis.T @ self.forces])
        C = np.hstack([np.where(moving, 0.0, seen), np.where(moving, seen, 0.0)])
        return B, C, np.zeros((len(self.outputs), len(self.inputs)))


def body_model(
    discrete: DiscreteBody,
    motion: FrameMotion,
    *,
    forces: Mapping[str, NodeForce],
    inputs: Sequence[str] | None,
    sensors: Mapping[str, Sensor],
    terms: Terms,
    bearings: Sequence[Bearing],
    modes: int | None,
) -> LinearModel:
    """ẋ = A x + B w, y = C x of a body, x = (z, ż)."""
    model = rotor_model(discrete, bearings, motion.angular_velocity if motion.speed else None)
    discrete = model.discrete
    discrete.require_freedom()
    known = require_known(model.bearings, np.array([motion.speed]))
    body = turning_equations(model, terms).extend(bearing_parts(discrete, model.bearings, model.axis))
    if len(body.merge().of_order(MASS)) > 1:
        raise InputError(
            "the mass of a bearing is unsymmetric or depends on the speed, which a linear model of modes has no "
            "place for; leave it out",
            field="bearings",
        )
    if body.depends_on_frequency:
        raise InputError(
            "a table of a bearing depends on the frequency of the motion, and a linear model has constant "
            "matrices; give a table over the speed",
            field="bearings",
        )
    point = replace(OperatingPoint.of(motion), amounts={SPEED: motion.speed})
    equations = body.project(discrete.supports)
    channels = body_channels(discrete, equations, motion, forces=forces, inputs=inputs, sensors=sensors)
    begin_work()
    basis = model_basis(equations, channels.forces, modes)
    small = equations.frozen(point).project(basis.vectors)
    C, K = (dense(small.matrix(order)) for order in (DAMPING, STIFFNESS))
    r = basis.size
    A = np.block([[np.zeros((r, r)), np.eye(r)], [-K, -C]])
    B, seen, D = channels.matrices(basis.vectors)
    return LinearModel(
        name=discrete.body.name,
        subject="body",
        point=_words(motion),
        time=0.0,
        states=modal_states(r),
        inputs=channels.inputs,
        outputs=channels.outputs,
        A=A,
        B=B,
        C=seen,
        D=D,
        notices=(*_notices(discrete, basis, motion), *known),
    )


def modal_states(count: int) -> tuple[Channel, ...]:
    """Amounts of modes of unit mass and their rates."""
    amounts = [Channel(f"mode {k + 1}", "m kg^0.5") for k in range(count)]
    return (*amounts, *(Channel(f"rate of {each.name}", "m kg^0.5/s") for each in amounts))


def model_basis(equations: AffineEquations, forces: Array, modes: int | None) -> RestBasis:
    """All modes at rest of a small body; else the lowest ones and the static shape of every input."""
    stiffness, mass = equations.constant_stiffness, equations.constant_mass
    n = mass.shape[0]
    count = modes or (n if n <= WHOLE else MODES)
    basis = rest_basis(stiffness, mass, min(count, n))
    if basis.size == n or not forces.shape[1]:
        return basis
    factors = definite_factors(stiffness)
    if factors is None:  # a body that is free to move has no static answer
        return basis
    factors.close()
    with factorise(stiffness, "spd") as solved:
        answers = solved.solve(forces)
    return basis.with_static_shapes(answers, mass, "{count} static shapes of the inputs").diagonal(stiffness, mass)


def body_channels(
    discrete: DiscreteBody,
    equations: AffineEquations,
    motion: FrameMotion,
    *,
    forces: Mapping[str, NodeForce],
    inputs: Sequence[str] | None,
    sensors: Mapping[str, Sensor],
) -> BodyChannels:
    """Forces, accelerations of the base and sensors as vectors of a body."""
    named = list(forces) if inputs is None else list(inputs)
    columns, channels = [], []
    for place, name in enumerate(named):
        if name in forces:
            load = forces[name]
            vector = force_amplitude(discrete, [HarmonicForce(load.on, load.force, load.moment)]).real
            columns.append(discrete.supports.reduce_vector(vector))
            channels.append(Channel(name, "1"))
        elif name in _BASES:
            columns.append(_base_load(equations, motion, name))
            channels.append(Channel(name, "m/s²" if len(name) == len("base.x") else "rad/s²"))
        else:
            known = ", ".join((*forces, *_BASES))
            raise InputError(f"'{name}' is no input of a body; known are {known}", field=("inputs", place))
    rates = {name: sensor.of for name, sensor in sensors.items() if isinstance(sensor, Rate)}
    found = linear_sensors("a linear model of a body", discrete, {**sensors, **rates})
    sized = discrete.supports.size
    return BodyChannels(
        tuple(channels),
        np.array(columns).reshape(-1, sized).T,
        tuple(Channel(each.name, f"{each.unit}/s" if _is_rate(each.name, rates) else each.unit) for each in found),
        np.array([discrete.supports.reduce_vector(each.row) for each in found]).reshape(-1, sized),
        tuple(_is_rate(each.name, rates) for each in found),
    )


def _is_rate(name: str, rates: Mapping[str, Sensor]) -> bool:
    """Whether a component belongs to the rate of a sensor."""
    return any(name == own or name.startswith(f"{own} ") for own in rates)


def _base_load(equations: AffineEquations, motion: FrameMotion, name: str) -> Array:
    """What a unit of acceleration of the base adds to the load: (q,)."""
    vector, axis = _BASES[name]
    if vector == "angular_acceleration" and motion.speed:
        raise InputError(
            f"{name} changes the speed at which the frame turns, and with it the coefficients; take it on a frame "
            "that does not turn, or take base.x, base.y, base.z",
            field="inputs",
        )
    rest, unit = OperatingPoint(), np.eye(3)[axis]
    moved = (
        replace(rest, origin_acceleration=unit)
        if vector == "origin_acceleration"
        else replace(rest, angular_acceleration=unit)
    )
    return equations.load(moved) - equations.load(rest)


def _words(motion: FrameMotion) -> str:
    if not motion.speed:
        return "at rest on its frame"
    return f"on a frame that turns at {motion.speed:.6g} rad/s"


def _notices(discrete: DiscreteBody, basis: RestBasis, motion: FrameMotion) -> tuple[str, ...]:
    found = []
    if basis.size < discrete.supports.size:
        found.append(f"{basis.description} of {discrete.supports.size} unknowns; give modes for more")
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        found.append("the coefficients are frozen at one instant of a motion that changes")
    return tuple(found)
