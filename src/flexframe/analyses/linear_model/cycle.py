"""Linear models along a period of a body whose coefficients repeat: parametric excitation, rotors.

Equations are those of `stability`, ÿ + C(t)ẏ + K(t)y = 0 in amounts y of modes at rest, so that multipliers are
the same; forces and sensors are projected on the same modes.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from flexframe.analyses.linear_model.body import body_channels, modal_states
from flexframe.analyses.linear_model.record import LinearModel, PeriodicModels
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import affine_equations
from flexframe.maths.arrays import Array
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import FrameMotion
from flexframe.sensors.contract import Sensor
from flexframe.spectra.floquet.combined import CombinedPiece, CombinedSystem
from flexframe.spectra.floquet.period_map import period_map


class BodyProblem(Protocol):
    """A body with periodic coefficients, as `BodyCycle` and `RotorCycle` are."""

    @property
    def name(self) -> str: ...
    @property
    def discrete(self) -> DiscreteBody: ...
    @property
    def basis(self) -> Array: ...
    @property
    def description(self) -> str: ...

    def system(self, parameters: Mapping[str, float]) -> CombinedSystem[CombinedPiece]: ...


def problem_model(
    problem: BodyProblem,
    at: Mapping[str, float],
    *,
    forces: Mapping[str, NodeForce],
    inputs: Sequence[str] | None,
    sensors: Mapping[str, Sensor],
    instants: int,
) -> LinearModel:
    """Models at evenly spread instants of a period, and the map of that."""
    periodic = problem.system(at)
    times = periodic.period * np.arange(instants) / instants
    C, K = periodic.piece.coefficients(times)
    r = C.shape[1]
    A = np.zeros((instants, 2 * r, 2 * r))
    A[:, :r, r:] = np.eye(r)
    A[:, r:, :r], A[:, r:, r:] = -K, -C
    discrete = problem.discrete
    equations = affine_equations(discrete).project(discrete.supports)
    channels = body_channels(discrete, equations, FrameMotion(), forces=forces, inputs=inputs, sensors=sensors)
    B, seen, D = channels.matrices(problem.basis)
    found = period_map(periodic)
    every = [np.broadcast_to(each, (instants, *each.shape)) for each in (B, seen, D)]
    return LinearModel(
        name=problem.name,
        subject="body",
        point=f"cycle of {periodic.period:.6g} s",
        time=0.0,
        states=modal_states(r),
        inputs=channels.inputs,
        outputs=channels.outputs,
        A=A[0],
        B=B,
        C=seen,
        D=D,
        cycle=PeriodicModels(periodic.period, times, A, every[0], every[1], every[2], found.matrix, found.error),
        notices=(f"{problem.description}; outputs in the frame of the body",),
    )
