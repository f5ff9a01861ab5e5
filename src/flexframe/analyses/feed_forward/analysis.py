"""Commands of an elastic system as they are, shaped, and inverted: what the tip does with each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import linalg

from flexframe.analyses.feed_forward.inversion import StaticBending, quasi_static, stable_inversion
from flexframe.analyses.feed_forward.plant import Plant, Run, later
from flexframe.analyses.feed_forward.record import Command, FeedForward, TipMode
from flexframe.analyses.judging import judge
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError, InputError
from flexframe.model.drives import AngleDrive
from flexframe.model.system import System
from flexframe.motion.shapers import Shaper, fitted_shaper, shape_trajectory, shaper
from flexframe.motion.trajectories import Trajectory
from flexframe.multibody.contract import SimulationOptions
from flexframe.stages import begin_work

Method = Literal["none", "zv", "zvd", "ei", "fitted", "quasi_static", "stable_inversion"]
METHODS: tuple[Method, ...] = get_args(Method)

_STEPS = 200  # in a period of the slowest mode, unless a step is given
_KNOTS = 20  # of the inversion in that period
_WINDOW = 2.0  # periods before and after the path
_INSTANTS = 9  # along the motion at which modes are sought for a fitted shaper
_SEEN = 1e-4  # part of a mode in the answer of the tip, beside the largest, that is none
_UNDAMPED = 1e-12  # damping ratio that is rounding


@judge
def feed_forward(
    system: System,
    tip: str,
    *,
    duration: float,
    methods: Sequence[Method] = ("none", "zv", "zvd", "quasi_static", "stable_inversion"),
    step: float | None = None,
    frequency: float | None = None,
    damping: float | None = None,
    modes: int = 1,
    vibration: float = 0.05,
    spread: float = 0.1,
    window: float | None = None,
    band: float | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> FeedForward:
    """What the tip of an elastic machine does with commands that are shaped or inverted, beside those given.

    Parameters
    ----------
    system
        With drives that follow motions from rest to rest, such as `ff.motion.polynomial` or a tool on a path.
    tip
        The marker that is watched.
    duration
        Time that is shown [s], from the beginning of the commands.
    methods
        "none": commands as they are; "zv", "zvd", "ei": shaped for the `modes` that the tip shows most; "fitted":
        the shortest shaper for their ranges along the motion; "quasi_static": joints make up for the static
        bending; "stable_inversion": the tip follows the path of the rigid system.
    step
        Of the integration [s]; a 200th of the slowest period if not given.
    frequency, damping
        Of the mode that is shaped for [Hz], if it shall not be that of the system in its last position.
    modes
        How many modes are shaped for, one after the other.
    vibration, spread
        What "ei" and "fitted" leave of a vibration, and half the range that "fitted" adds to each frequency.
    window
        What an inverted command may begin earlier and end later [s]; two slowest periods if not given.
    band
        Within which the tip has settled [m]; a hundredth of the deflection without shaping if not given.
    reductions, discrete
        Of the meshed bodies, as in `simulate`.

    Returns
    -------
    FeedForward
        Tip, commands and torques of every method, with what is left of the vibration.

    Examples
    --------
    >>> arm = ff.Body.beam(
    ...     "arm",
    ...     length=1.0,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.03, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> move = ff.motion.polynomial((0.0, 0.5), duration=0.4)
    >>> system = ff.System(
    ...     [ff.RigidBody("hub", 1.0, 0.1), arm],
    ...     [ff.Revolute("axle", "ground", "hub"), ff.Weld("root", "hub", "arm.start")],
    ...     [ff.AngleDrive("motor", "ground", "hub", move)],
    ... )
    >>> found = ff.robots.feed_forward(system, "arm.end", duration=0.8, methods=("none", "zv"))
    >>> found.commands["zv"].residual < 0.01 * found.commands["none"].residual
    True
    """
    chosen = _methods(methods)
    plant = Plant.of(system, tip, reductions or {}, discrete)
    if not duration > plant.end:
        raise InputError(
            f"the duration of {duration:g} s ends before the commands, at {plant.end:.6g} s; give more",
            field="duration",
        )
    begin_work()
    found = tip_modes(plant, plant.end)
    own = _own_modes(found, frequency, damping, modes)
    period = 1 / own[0].frequency_hz
    options = SimulationOptions(duration=duration, step=step or period / _STEPS, integrator="generalised_alpha")
    task = _Task(plant, own, options, duration, vibration, spread, window or _WINDOW * period)
    made = {method: task.command(method) for method in chosen}
    if band is None:
        first = next(iter(made.values()))
        band = max(0.01 * first.deflection, 1e-9)
    return FeedForward(
        system=system.name,
        tip=tip,
        drives=tuple(drive.name for drive in plant.drives),
        turning=tuple(isinstance(drive, AngleDrive) for drive in plant.drives),
        commands={name: command.settled_within(band) for name, command in made.items()},
        modes=tuple(own),
        band=band,
        rigid_forces=plant.rigid_forces(plant.commands, task.times),
        times=task.times,
        notices=(*plant.ready.elastic.notices, *task.notices()),
    )


def _methods(methods: Sequence[Method]) -> tuple[Method, ...]:
    for place, method in enumerate(methods):
        if method not in METHODS:
            raise InputError(f"there is no method '{method}'; give {', '.join(METHODS)}", field=("methods", place))
    if not methods or len(set(methods)) < len(methods):
        raise InputError("a method is named twice, or none is; name each once", field="methods")
    return tuple(methods)


def tip_modes(plant: Plant, time: float) -> list[TipMode]:
    """Modes of the system with its commands as they are at a time, by what the tip shows of them after a push."""
    moving = plant.dynamic(plant.commands)
    state = plant.shape(moving, np.array([time]))[0]
    model = plant.models(moving, [state])[0]
    f, g, _, _ = model.sizes
    n = f + g
    values, vectors = linalg.eig(model.A[:n, :n])
    into = np.linalg.solve(vectors, model.B[:n].astype(complex))
    seen = model.C[:, :n] @ vectors
    sizes = np.linalg.norm(seen, axis=0) * np.linalg.norm(into, axis=1) / np.maximum(np.abs(values), 1e-300)
    found = [
        TipMode(float(abs(value)) / (2 * np.pi), float(-value.real / abs(value)), float(size))
        for value, size in zip(values, sizes, strict=True)
        if value.imag > 1e-9 * abs(value)
    ]
    largest = max((each.part for each in found), default=0.0)
    found = [each for each in found if each.part > _SEEN * largest]
    if not found:
        raise AnalysisError("nothing elastic vibrates at the tip; let a body be elastic", field="tip")
    return sorted(found, key=lambda each: -each.part)


def _own_modes(
    found: Sequence[TipMode], frequency: float | None, damping: float | None, count: int
) -> list[TipMode]:
    """The modes that are shaped for, the slowest first."""
    if frequency is not None:
        return [TipMode(frequency, found[0].damping if damping is None else damping, 1.0)]
    own = list(found[: max(count, 1)])
    if damping is not None:
        own = [TipMode(each.frequency_hz, damping, each.part) for each in own]
    return sorted(own, key=lambda each: each.frequency_hz)


@dataclass(eq=False)
class _Task:
    plant: Plant
    modes: Sequence[TipMode]
    options: SimulationOptions
    duration: float
    vibration: float
    spread: float
    window: float

    def __post_init__(self) -> None:
        step = self.options.equal_step
        assert step is not None
        count = int(np.clip(round(self.duration / (2 * step)), 200, 4000))
        self.times = np.linspace(0.0, self.duration, count + 1)
        self._bending: StaticBending | None = None
        self.least_left = 0.0

    def command(self, method: Method) -> Command:
        """The command of a method, and what the system does with it."""
        plant = self.plant
        if method == "none":
            return self._command_motion(method, plant.commands, plant.commands)
        if method in ("zv", "zvd", "ei", "fitted"):
            by = self._shaper(method)
            made = tuple(shape_trajectory(command, by) for command in plant.commands)
            return self._command_motion(method, made, made, by=by)
        if method == "quasi_static":
            return self._command_motion(method, self.bending.commands, plant.commands)
        found = stable_inversion(
            plant,
            self.bending,
            window=(self.window, self.window),
            spacing=1 / (self.modes[0].frequency_hz * _KNOTS),
            duration=self.duration,
            options=self.options,
        )
        self.least_left = found.errors[-1]
        wanted = tuple(later(command, found.before) for command in plant.commands)
        return self._command_motion(method, found.commands, wanted, before=found.before, rounds=len(found.errors))

    @property
    def bending(self) -> StaticBending:
        """Commands that make up for static bending, found once."""
        if self._bending is None:
            self._bending = quasi_static(self.plant)
        return self._bending

    def _shaper(self, method: Method) -> Shaper:
        if method == "fitted":
            return self._fit_shaper()
        whole: Shaper | None = None
        for mode in self.modes:
            kind = method if method in ("zv", "zvd", "ei") else "zv"
            damping = 0.0 if abs(mode.damping) < _UNDAMPED else min(mode.damping, 0.3)
            one = shaper(kind, mode.frequency_hz, damping=damping, vibration=self.vibration)
            whole = one if whole is None else whole.followed_by(one)
        assert whole is not None
        return whole

    def _fit_shaper(self) -> Shaper:
        """For the ranges of the modes along the motion."""
        begin = min(command.begin for command in self.plant.commands)
        ranges = [[mode.frequency_hz] for mode in self.modes]
        for time in np.linspace(begin, self.plant.end, _INSTANTS)[:-1].tolist():
            there = [each.frequency_hz for each in tip_modes(self.plant, time)]
            for known in ranges:
                known.append(min(there, key=lambda f, last=known[0]: abs(f - last)))  # type: ignore[misc]
        centres = [(min(known) + max(known)) / 2 for known in ranges]
        widest = max((max(known) - min(known)) / (2 * c) for known, c in zip(ranges, centres, strict=True))
        dampings = [min(mode.damping, 0.3) for mode in self.modes]
        return fitted_shaper(
            centres, dampings=dampings, spread=min(self.spread + widest, 0.9), vibration=self.vibration
        )

    def _command_motion(  # noqa: PLR0917 - all that is known of a command
        self,
        method: Method,
        commands: Sequence[Trajectory],
        wanted: Sequence[Trajectory],
        before: float = 0.0,
        by: Shaper | None = None,
        rounds: int = 0,
    ) -> Command:
        times = np.append(
            self.times, self.times[-1] + self.times[1] * np.arange(1, int(before / self.times[1]) + 1)
        )
        run: Run = self.plant.run(commands, times, self.options)
        end = max(command.end for command in commands)
        moving = self.plant.dynamic(commands)
        rest = self.plant.tip_at(moving, self.plant.shape(moving, np.array([0.0, end + 1.0])[1:]))[0]
        apart = run.tip - self.plant.rigid_tip(wanted, times)
        return Command(
            method=method,
            times=times,
            laws=tuple(commands),
            tip=run.tip,
            apart=apart,
            forces=run.forces,
            rest=rest,
            before=before,
            end=end,
            shaper=by,
            rounds=rounds,
        )

    def notices(self) -> list[str]:
        """What a reader of inversions must know."""
        freedom = len(self.plant.drives)
        space = 2 if self.plant.asked.system.space == "planar" else 3
        if self.least_left and freedom < space:
            return [
                f"{freedom} drive{'s' if freedom > 1 else ''} cannot lead the tip in all {space} directions: what "
                "the inversion leaves is mostly across those that they move"
            ]
        return []
