"""Signals in numpy, integrated by scipy: what controllers say of themselves, without the core."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from flexframe.controllers import Controller
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.constraints import state_law
from flexframe.model.controllers.contract import Connections


@dataclass(eq=False)
class Instant:
    """What signals are made of; `signals` are those before."""

    time: float
    measured: Mapping[str, float]
    states: Array
    held: Array
    signals: list[float] = field(default_factory=list)


Rule = Callable[[Instant], float]


@dataclass(eq=False)
class ReferenceSignals:
    """A builder that keeps every signal as a function of (time, measured values, states, held values, signals)."""

    sensors: Sequence[str]
    controllers: Sequence[Controller]
    rules: list[Rule] = field(default_factory=list)
    states: list[float] = field(default_factory=list)
    slopes: dict[int, int] = field(default_factory=dict)
    holds: list[float] = field(default_factory=list)
    groups: list[tuple[float, float, Callable[..., None]]] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)  # states and held values by signal

    def __post_init__(self) -> None:
        self.names = {name: self._add(lambda now, name=name: now.measured[name]) for name in self.sensors}
        self.connections = Connections(self.controllers, self)
        for owner, outputs in self.connections.all_outputs().items():
            self.names |= {f"{owner}.{part}" if part else owner: signal for part, signal in outputs.items()}

    def _add(self, rule: Rule) -> int:
        self.rules.append(rule)
        return len(self.rules) - 1

    def input(self, law: Any, sampling: Any = None) -> int:  # noqa: ARG002 - groups are sampled in their order
        made = state_law(law)
        if not isinstance(made, Formula):
            return self._add(lambda now: float(made.jet(now.time)[0]))
        used = [self._named(name) for name in made.names]
        return self._add(lambda now: float(made(now.time, *(now.signals[k] for k in used))))

    def _named(self, name: str) -> int:
        owner, _, component = name.partition(".")
        return self.connections.outputs(owner)[component] if owner in self.connections else self.names[name]

    def state(self, initial: float) -> int:
        k = len(self.states)
        self.states.append(initial)
        signal = self._add(lambda now: now.states[k])
        self.numbers[signal] = k
        return signal

    def derive(self, state: int, signal: int) -> None:
        assert self.numbers[state] not in self.slopes
        self.slopes[self.numbers[state]] = signal

    def linear(self, terms: Sequence[tuple[float, int]], constant: float = 0.0) -> int:
        kept = list(terms)
        assert all(signal < len(self.rules) for _, signal in kept)
        return self._add(lambda now: constant + sum(c * now.signals[k] for c, k in kept))

    def formula(self, formula: Formula, signals: Sequence[int]) -> int:
        return self._add(lambda now: float(formula(*(now.signals[k] for k in signals))))

    def hold(self, initial: float) -> int:
        k = len(self.holds)
        self.holds.append(initial)
        signal = self._add(lambda now: now.held[k])
        self.numbers[signal] = k
        return signal

    def sample(self, period: float, offset: float, values: Sequence[tuple[int, int]]) -> None:
        pairs = [(self.numbers[held], signal) for held, signal in values]

        def update(_: float, held: Array, signals: list[float]) -> None:
            held[[k for k, _ in pairs]] = [signals[signal] for _, signal in pairs]

        self.groups.append((period, offset, update))

    def call(
        self,
        _: str,
        period: float,
        offset: float,
        function: Callable[..., Any],
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        numbers = [self.numbers[held] for held in outputs]

        def update(t: float, held: Array, signals: list[float]) -> None:
            held[numbers] = function(t, *(signals[k] for k in inputs))

        self.groups.append((period, offset, update))

    # --- simulation ---------------------------------------------------------------------------------------------

    def evaluate(self, t: float, measured: Mapping[str, float], states: Array, held: Array) -> list[float]:
        """All signals in their order."""
        now = Instant(t, measured, states, held)
        for rule in self.rules:
            now.signals.append(rule(now))
        return now.signals

    def simulate(
        self,
        plant: Callable[[float, Array, Callable[[str], float]], Array],
        measure: Callable[[float, Array], Mapping[str, float]],
        start: Array,
        times: Array,
        watch: Sequence[str],
    ) -> tuple[Array, Array]:
        """States x of a plant, ẋ = plant(t, x, name → value), and watched signals, at the times."""
        n = len(start)
        x, held = np.concatenate([start, self.states]), np.array(self.holds, dtype=float)
        now, plants, watched = 0.0, [], []
        instants = self._instants(float(times[-1]))

        def rates(t: float, y: Array) -> Array:
            s = self.evaluate(t, measure(t, y[:n]), y[n:], held)
            own = [s[self.slopes[k]] for k in range(len(self.states))]
            return np.concatenate([plant(t, y[:n], lambda name: s[self.names[name]]), own])

        for t in _merged(times, instants):
            if t > now:
                x = solve_ivp(rates, (now, t), x, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
                now = t
            for period, offset, update in self.groups:  # in their order, each with what the last one left
                k = round((t - offset) / period)
                if k >= 0 and abs(t - offset - k * period) < 1e-9 * period:
                    update(t, held, self.evaluate(t, measure(t, x[:n]), x[n:], held))
            if np.abs(times - t).min() < 1e-12:
                s = self.evaluate(t, measure(t, x[:n]), x[n:], held)
                plants.append(x[:n])
                watched.append([s[self.names[name]] for name in watch])
        return np.array(plants), np.array(watched)

    def _instants(self, end: float) -> Array:
        found = [
            offset + period * np.arange(int((end - offset) / period + 1e-9) + 1)
            for period, offset, _ in self.groups
        ]
        return np.concatenate([np.zeros(0), *found])


def _merged(*times: Array) -> Array:
    """All times in order; what differs by rounding is one."""
    every = np.unique(np.concatenate(times))
    return every[np.diff(every, prepend=-1.0) > 1e-12]
