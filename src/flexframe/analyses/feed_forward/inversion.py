"""Commands that lead the tip of an elastic system along a path: quasi-static, and by stable inversion.

Quasi-static: the joints are moved by δq = J⁺(y_d − y_s), y_s being the tip where bodies are bent by the loads and
the inertia of the rigid motion, J the Jacobian of the rigid system.

Stable inversion: tips of elastic arms are non-minimum-phase, so that a command that follows the tip's path forward
in time runs away; the one that does not begins before the path and ends after it. It is sought as a whole:
offsets w(t) of the commands are quintic splines over a window before, along and after the path, at rest at both
ends, whose coefficients c make the tip's error least,

    min ‖e − G c‖² + ε²‖c‖²,      G from ẋ = A(t) x + B(t) ẅ,  y = C(t) x

along the motion; e is the error of the nonlinear motion with the commands so far. A few rounds of this
(Gauss–Newton) end where the error falls no more. Bounded solutions are the only ones that a window can hold: this
is the stable inverse of Devasia, Chen and Paden 1996 where the window is long beside the time constants of the
zero dynamics.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from flexframe.analyses.feed_forward.plant import Plant, Run, later
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import DEGREE, spline_pieces
from flexframe.motion.shapers import combine
from flexframe.motion.trajectories import Trajectory
from flexframe.multibody.contract import DynamicState, SimulationOptions

_ROUNDS = 6
_IN_KNOT = 8  # steps of the linear response from knot to knot
_EASE = 1e-3  # ε beside the largest singular value of G
_GAIN = 0.9  # of the error after a round beside that before, above which it falls no more
_STATIC_SAMPLES = 25  # instants of the motion at which bending and linear models are found


@dataclass(frozen=True, eq=False)
class Inversion:
    """Commands, begun `before` seconds earlier than the path, and the motion that they give."""

    commands: tuple[Trajectory, ...]
    before: float  # s by which the path begins later than the command
    run: Run
    errors: tuple[float, ...]  # root of the mean square of the tip's distance from the path in each round [m]
    knots: int


@dataclass(frozen=True, eq=False)
class StaticBending:
    """Commands that make up for static bending, and the bent states along the motion without vibration."""

    commands: tuple[Trajectory, ...]
    states: tuple[DynamicState, ...]


def quasi_static(plant: Plant) -> StaticBending:
    """Commands whose tip, bent by the inertia of the given ones, is on the path of the rigid one.

    The inertia of the correction itself is left out: to take it in again and again would differentiate twice each
    time, which only the inversion does soundly.
    """
    times = np.linspace(min(command.begin for command in plant.commands), plant.end, _STATIC_SAMPLES)
    moving = plant.dynamic(plant.commands)
    states = plant.shape(moving, times)
    left = plant.rigid_tip(plant.commands, times) - plant.tip_at(moving, states)
    J = plant.rigid_jacobians(plant.commands, times)
    offsets = np.einsum("tki,ti->tk", np.linalg.pinv(J, rcond=1e-6), left)
    commands = tuple(
        combine([(1.0, 0.0, command), (1.0, 0.0, through(times, offsets[:, k]))])
        for k, command in enumerate(plant.commands)
    )
    return StaticBending(commands, tuple(states))


def through(times: Array, values: Array) -> Trajectory:
    """The quintic spline through values, at rest at both ends."""
    from scipy.interpolate import make_interp_spline  # takes a third of a second to import

    unit = float(times[1] - times[0])
    rest = [(1, 0.0), (2, 0.0)]
    curve = make_interp_spline((times - times[0]) / unit, values, k=5, bc_type=(rest, rest))  # type: ignore[arg-type]
    breaks, rows = spline_pieces(curve.t, curve.c, 5)
    return Trajectory(
        times[0] + unit * breaks,
        rows / unit ** np.arange(DEGREE + 1),
        ((float(values[0]), 0.0), (float(values[-1]), 0.0)),
    )


def stable_inversion(
    plant: Plant,
    bending: StaticBending,
    *,
    window: tuple[float, float],
    spacing: float,
    duration: float,
    options: SimulationOptions,
) -> Inversion:
    """Commands by which the tip follows the path of the rigid one, from those that make up for static bending.

    `window` [s] is what they may begin earlier and end later; `spacing` [s] the distance of the knots; `duration`
    [s] the time that is shown.
    """
    before, after = window
    wanted_commands = [later(command, before) for command in plant.commands]
    span = (min(command.begin for command in plant.commands), plant.end + before + after)
    times = np.arange(0.0, duration + before + spacing / 4, spacing / 2)
    wanted = plant.rigid_tip(wanted_commands, times)
    offsets = _Splines.over(span, spacing, len(plant.commands))
    base = [later(command, before) for command in bending.commands]
    coefficients = np.zeros(offsets.count)
    commands, best = list(base), None
    errors: list[float] = []
    response: Array | None = None
    for _ in range(_ROUNDS):
        run = plant.run(commands, times, options)
        left = wanted - run.tip
        errors.append(float(np.sqrt((left**2).sum(axis=1).mean())))
        if best is not None and errors[-1] > best[1]:
            break
        stalls = len(errors) > 1 and errors[-1] > _GAIN * errors[-2]
        best = (tuple(commands), errors[-1], run)
        if stalls:
            break
        if response is None:
            response = _response(_Models.along(plant, bending, before), offsets, times)
        coefficients = coefficients + _least(response, left.ravel())
        commands = [
            combine([(1.0, 0.0, law), (1.0, 0.0, offsets.law(coefficients, k))]) for k, law in enumerate(base)
        ]
    assert best is not None
    if not np.isfinite(best[1]):
        raise AnalysisError("the inversion of the tip's motion does not settle; take a longer window")
    return Inversion(best[0], before, best[2], tuple(errors), offsets.each)


def _least(G: Array, e: Array) -> Array:
    """c with the least ‖e − G c‖² + ε²‖c‖²."""
    U, s, Vt = linalg.svd(G, full_matrices=False)
    ease = _EASE * s[0]
    return np.asarray(Vt.T @ (s / (s**2 + ease**2) * (U.T @ e)))


@dataclass(frozen=True, eq=False)
class _Splines:
    """Quintic B-splines over a span with equal knots, at rest (value and four derivatives zero) at both ends."""

    knots: Array
    each: int  # splines of one command
    commands: int

    @classmethod
    def over(cls, span: tuple[float, float], spacing: float, commands: int) -> "_Splines":
        pieces = max(int(np.ceil((span[1] - span[0]) / spacing)), 8)
        knots = np.linspace(*span, pieces + 1)
        return cls(knots, len(knots) - 6, commands)

    @property
    def count(self) -> int:
        """Number of all coefficients."""
        return self.each * self.commands

    @property
    def _wide(self) -> Array:
        """Knots with five more at both ends: beside the splines stand ones that are zero."""
        h = self.knots[1] - self.knots[0]
        more = h * np.arange(1, 6)
        return np.concatenate([self.knots[0] - more[::-1], self.knots, self.knots[-1] + more])

    def second_derivatives(self, times: Array) -> Array:
        """Of all splines of one command: (T, each)."""
        from scipy.interpolate import BSpline  # takes a third of a second to import

        none = np.zeros((5, self.each))
        curve = BSpline(self._wide, np.vstack([none, np.eye(self.each), none]), 5).derivative(2)
        inside = (times >= self.knots[0]) & (times <= self.knots[-1])
        return np.where(inside[:, None], curve(np.clip(times, self.knots[0], self.knots[-1])), 0.0)

    def law(self, coefficients: Array, command: int) -> Trajectory:
        """The offset of a command."""
        own = coefficients[command * self.each : (command + 1) * self.each]
        h = self.knots[1] - self.knots[0]  # in units of it numbers are of order one
        none = np.zeros(5)
        breaks, rows = spline_pieces((self._wide - self.knots[0]) / h, np.concatenate([none, own, none]), 5)
        powers = h ** np.arange(DEGREE + 1)
        return Trajectory(self.knots[0] + h * breaks, rows / powers, ((0.0, 0.0), (0.0, 0.0)))


@dataclass(frozen=True, eq=False)
class _Models:
    """A, B and C over time: cubic splines between models along the motion, constant before and after it."""

    times: Array
    splines: tuple[Any, Any, Any]

    @classmethod
    def along(cls, plant: Plant, bending: StaticBending, shift: float) -> "_Models":
        """Those of the states without vibration, which change no faster than the motion itself."""
        from scipy.interpolate import CubicSpline  # takes a third of a second to import

        models = plant.models(plant.dynamic(plant.commands), bending.states)
        times = np.array([state.time for state in bending.states]) + shift
        found = [CubicSpline(times, [getattr(each, name) for each in models], axis=0) for name in "ABC"]
        return cls(times, (found[0], found[1], found[2]))

    def at(self, time: float) -> tuple[Array, Array, Array]:
        """A, B and C at a time."""
        inside = float(np.clip(time, self.times[0], self.times[-1]))
        A, B, C = (np.asarray(spline(inside)) for spline in self.splines)
        return A, B, C


def _response(models: _Models, offsets: _Splines, times: Array) -> Array:
    """G: the tip at times for a unit of each coefficient, by linear models along the motion: (3 T, count)."""
    step = (times[1] - times[0]) / max(1, _IN_KNOT // 2)
    count = round((times[1] - times[0]) / step)
    A, _, C = models.at(float(times[0]))
    X = np.zeros((len(A), offsets.count))
    G = np.zeros((len(times), len(C), offsets.count))
    middles = times[:-1, None] + (np.arange(count) + 0.5) * step
    bends = offsets.second_derivatives(middles.ravel()).reshape(*middles.shape, offsets.each)
    for k, time in enumerate(times):
        G[k] = models.at(float(time))[2] @ X
        if k == len(times) - 1:
            break
        A, B, _ = models.at(float(time + times[k + 1]) / 2)
        propagate, drive = _hold_input(A, B, step)
        for bend in bends[k]:
            X = propagate @ X + np.kron(drive, bend)
    return G.reshape(-1, offsets.count)


def _hold_input(A: Array, B: Array, step: float) -> tuple[Array, Array]:
    n, m = B.shape
    both = np.zeros((n + m, n + m))
    both[:n, :n], both[:n, n:] = A, B
    made = linalg.expm(both * step)
    return made[:n, :n], made[:n, n:]
