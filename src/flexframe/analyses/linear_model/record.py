"""The record of a linear model: matrices with names and units, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.maths.state_space import StateSpace, balanced_truncation, hankel_values, modal_truncation
from flexframe.reduction.flexible_solid import FlexibleSolid
from flexframe.results.record import NamedArrays, Record, complex_pairs

if TYPE_CHECKING:
    from scipy import signal

Subject = Literal["body", "system"]
Stability = Literal["stable", "neutral", "unstable"]

_STILL = 1e-5  # rad/s, slower than what any machine does
_ROUNDING = 1e-8  # of the fastest pole, which rounding leaves of a double pole at zero
_AT_ONE = 1e-6  # |z − 1| that rounding leaves of a double pole at one
_GROWING = 1e-10  # |Re λ| beside |λ| that is more than rounding


@dataclass(frozen=True)
class Channel:
    """A state, input or output: its name, its unit, and its value at the point (a model holds changes from it)."""

    name: str
    unit: str
    value: float = 0.0


@dataclass(frozen=True, eq=False)
class ModelReduction:
    """How a model was made smaller, and by how much its frequency response may differ at most."""

    method: str  # "balanced" or "modal"
    full_order: int
    error_bound: float  # of the largest singular value over all frequencies
    hankel_values: Array  # of the stable part of the full model; none of a modal reduction


@dataclass(frozen=True, eq=False)
class PeriodicModels:
    """Models along a cycle, and the map of one period of its free motion."""

    period: float  # s
    times: Array  # s: (T,)
    A: Array  # (T, n, n)
    B: Array  # (T, n, m)
    C: Array  # (T, p, n)
    D: Array  # (T, p, m)
    monodromy: Array  # x(period) = Φ x(0): (n, n)
    error: float  # change of Φ in the last refinement, relative

    @property
    def multipliers(self) -> ComplexArray:
        """Eigenvalues of Φ, the largest first."""
        values = np.linalg.eigvals(self.monodromy).astype(complex)
        return values[np.lexsort((-values.imag, np.round(-np.abs(values), 9)))]


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(Record):
    """ẋ = A x + B w, y = C x + D w: changes of states x, inputs w and outputs y from a point.

    Along a cycle A … D are those of its start, and `cycle` holds all of them with the map of one period. With a
    `sample_period` it is x_{k+1} = A x_k + B w_k, y_k = C x_k + D w_k from one instant of sampled controllers to
    the next, x_k before and y_k after the instant, and its poles are those in the z plane.
    """

    kind: ClassVar[str] = "linear_model"
    presented_by: ClassVar[str] = ".presentation:LinearModelPresentation"

    name: str  # of the body or system
    subject: Subject
    point: str  # in words
    time: float  # s
    states: tuple[Channel, ...]
    inputs: tuple[Channel, ...]
    outputs: tuple[Channel, ...]
    A: Array  # (n, n)
    B: Array  # (n, m)
    C: Array  # (p, n)
    D: Array  # (p, m)
    error: float = 0.0  # part of a column by which two differences differ; 0 where nothing is a difference
    reduction: ModelReduction | None = None
    cycle: PeriodicModels | None = None
    flexible_solid: FlexibleSolid | None = None  # the same body for programs that take K, M and frames
    frequencies: Array = field(default_factory=lambda: np.zeros(0))  # Hz, at which a report shows the response
    duration: float | None = None  # s, of the step response in a report
    sample_period: float | None = None  # s, between instants of sampled controllers; none: continuous time
    notices: tuple[str, ...] = ()

    @property
    def order(self) -> int:
        """Number of states."""
        return len(self.A)

    @property
    def state_space(self) -> StateSpace:
        """The matrices alone."""
        return StateSpace(self.A, self.B, self.C, self.D, self.sample_period)

    # ------------------------------------------------------------------ what follows

    @property
    def poles(self) -> ComplexArray:
        """Eigenvalues of A by ascending size, of a pair the one above the real axis first: rad/s, or z."""
        return self.state_space.poles

    @property
    def exponents(self) -> ComplexArray:
        """λ [1/s] of the motions e^{λt} of the poles: these themselves, or ln z over the period."""
        return self.state_space.exponents

    @property
    def shown(self) -> BoolArray:
        """Which poles are one of each conjugate pair."""
        return self.poles.imag >= 0

    @property
    def frequencies_hz(self) -> Array:
        """|Im λ|/2π of the poles."""
        return np.abs(self.exponents.imag) / (2 * np.pi)

    @property
    def damping_ratios(self) -> Array:
        """−Re λ/|λ| of the poles; 0 of a motion that stays."""
        size = np.abs(self.exponents)
        return -self.exponents.real / np.where(size > 0, size, 1.0)

    @property
    def rest(self) -> float:
        """Size of λ [rad/s] below which a pole is that of a motion that nothing holds, zero but for rounding."""
        if self.sample_period is not None:
            return max(_STILL, _AT_ONE / self.sample_period)
        return max(_STILL, _ROUNDING * float(np.abs(self.poles).max(initial=0.0)))

    @property
    def stability(self) -> Stability:
        """Whether free motions die away, grow, or neither ("neutral": undamped, or held by nothing)."""
        moving = self.exponents[np.abs(self.exponents) > self.rest]
        if (moving.real > _GROWING * np.abs(moving)).any():
            return "unstable"
        dying = moving.real < -_GROWING * np.abs(moving)
        return "stable" if len(moving) == self.order and dying.all() else "neutral"

    @property
    def hankel_values(self) -> Array:
        """Hankel singular values of the stable part, descending."""
        return hankel_values(self.state_space)

    def response(self, frequencies_hz: Any) -> ComplexArray:
        """Complex amplitudes of outputs for a unit amplitude of each input: (frequencies, outputs, inputs)."""
        return self.state_space.response(2 * np.pi * np.atleast_1d(np.asarray(frequencies_hz, dtype=float)))

    def step_response(self, times: Any) -> Array:
        """Outputs after a unit step of each input at t = 0, at evenly spread times: (T, outputs, inputs).

        Of a model with a sample period at as many of its instants.
        """
        return self.state_space.step_response(np.asarray(times, dtype=float))

    def discrete(self, period: float) -> StateSpace:
        """The model of a sampled loop, exact for inputs that are held for a period [s]."""
        if not period > 0:
            raise InputError(f"the period is {period:g} s; give a positive time", field="period")
        if self.sample_period is not None:
            raise InputError(
                f"the model is one of instants {self.sample_period:g} s apart already; take state_space",
                field="period",
            )
        A, B = self.state_space.held(period)
        return StateSpace(A, B, self.C, self.D, period)

    def select(self, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None) -> "LinearModel":
        """The model with some of its inputs and outputs."""
        i, o = _channel_numbers("input", self.inputs, inputs), _channel_numbers("output", self.outputs, outputs)
        return replace(
            self,
            inputs=tuple(self.inputs[k] for k in i),
            outputs=tuple(self.outputs[k] for k in o),
            B=self.B[:, i],
            C=self.C[o],
            D=self.D[np.ix_(o, i)],
            cycle=None,
        )

    def reduce(
        self,
        order: int | None = None,
        *,
        method: Literal["balanced", "modal"] = "balanced",
        tolerance: float | None = None,
    ) -> "LinearModel":
        """A smaller model with the same inputs and outputs, and a bound of what it changes.

        Parameters
        ----------
        order
            Number of states that are kept.
        method
            "balanced": the states that inputs reach and outputs see most; "modal": the slowest poles, with the
            static answer of the others in D.
        tolerance
            Instead of `order` (balanced): as few states as keep 2Σσ below it.

        Returns
        -------
        LinearModel
            With `reduction.error_bound`: no singular value of the frequency response changes by more.
        """
        if (order is None) == (tolerance is None):
            raise InputError("give one of order and tolerance", field="order")
        if method == "modal":
            if order is None:
                raise InputError("a modal reduction takes an order", field="tolerance")
            found = modal_truncation(self.state_space, order)
        else:
            found = balanced_truncation(self.state_space, order, tolerance)
        small = found.system
        word = "balanced state" if method == "balanced" else "slow state"
        return replace(
            self,
            states=tuple(Channel(f"{word} {k + 1}", "") for k in range(small.order)),
            A=small.A,
            B=small.B,
            C=small.C,
            D=small.D,
            cycle=None,
            reduction=ModelReduction(method, self.order, found.error_bound, found.hankel_values),
        )

    # ------------------------------------------------------------------ to other programs

    def to_scipy(self) -> "signal.StateSpace":
        """As `scipy.signal.StateSpace`."""
        from scipy import signal

        timing = {} if self.sample_period is None else {"dt": self.sample_period}
        return signal.StateSpace(self.A, self.B, self.C, self.D, **timing)

    def to_control(self) -> Any:
        """As `control.StateSpace` of python-control, with the names of states, inputs and outputs."""
        try:
            import control
        except ImportError:
            raise InputError("python-control is not installed; install it with: pip install control") from None
        return control.StateSpace(
            self.A,
            self.B,
            self.C,
            self.D,
            self.sample_period or 0,
            states=_names(self.states, "."),
            inputs=_names(self.inputs, "."),
            outputs=_names(self.outputs, "."),
            name=_plain(self.name),
        )

    def write_mat(self, path: str | Path) -> Path:
        """Write A, B, C, D with names and units as a MATLAB file."""
        from flexframe.analyses.linear_model.files import write_mat

        return write_mat(self.arrays().to_xarray(), Path(path))

    def write_csv(self, folder: str | Path) -> tuple[Path, ...]:
        """Write one table for each matrix, with names and units, into a folder."""
        from flexframe.analyses.linear_model.files import write_matrices

        return write_matrices(self.arrays().to_xarray(), Path(folder), "model")

    def write_simscape(self, path: str | Path) -> Path:
        """Write origins of the frames, K, M and damping as Simscape's Reduced Order Flexible Solid takes them."""
        from flexframe.analyses.linear_model.files import write_simscape

        return write_simscape(self.arrays().to_xarray(), Path(path))

    # ------------------------------------------------------------------ storage

    def summary(self) -> dict[str, Any]:
        shown = self.shown
        out: dict[str, Any] = {
            "kind": self.kind,
            **({"body": self.name} if self.subject == "body" else {"system": self.name}),
            "point": self.point,
            "time_s": self.time,
            "order": self.order,
            "stability": self.stability,
            "poles": complex_pairs(self.poles[shown]),
            "frequencies_hz": self.frequencies_hz[shown].tolist(),
            "damping_ratios": self.damping_ratios[shown].tolist(),
            "states": [_channel_fields(each) for each in self.states],
            "inputs": [_channel_fields(each) for each in self.inputs],
            "outputs": [_channel_fields(each) for each in self.outputs],
            "error": self.error,
            "notices": list(self.notices),
        }
        if self.sample_period is not None:
            out["sample_period_s"] = self.sample_period
        if self.reduction is not None:
            out["reduction"] = {
                "method": self.reduction.method,
                "full_order": self.reduction.full_order,
                "error_bound": self.reduction.error_bound,
                "hankel_values": self.reduction.hankel_values.tolist(),
            }
        if self.cycle is not None:
            out["cycle"] = {
                "period_s": self.cycle.period,
                "models": len(self.cycle.times),
                "multipliers": complex_pairs(self.cycle.multipliers),
                "error": self.cycle.error,
            }
        return out

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "A": (("state", "to_state"), self.A),
            "B": (("state", "input"), self.B),
            "C": (("output", "to_state"), self.C),
            "D": (("output", "input"), self.D),
            "pole": (("pole_number", "part"), np.stack([self.poles.real, self.poles.imag], -1)),
        }
        coords: dict[str, Any] = {"part": ["re", "im"]}
        for word, channels in (("state", self.states), ("input", self.inputs), ("output", self.outputs)):
            coords[word] = [each.name for each in channels]
            coords[f"{word}_unit"] = (word, [each.unit for each in channels])
            coords[f"{word}_at_point"] = (word, np.array([each.value for each in channels], dtype=float))
        coords["to_state"] = [each.name for each in self.states]
        if self.cycle is not None:
            data |= {
                "cycle_A": (("time", "state", "to_state"), self.cycle.A),
                "cycle_B": (("time", "state", "input"), self.cycle.B),
                "cycle_C": (("time", "output", "to_state"), self.cycle.C),
                "cycle_D": (("time", "output", "input"), self.cycle.D),
                "monodromy": (("state", "to_state"), self.cycle.monodromy),
            }
            coords["time"] = ("time", self.cycle.times, {"units": "s"})
        if self.flexible_solid is not None:
            solid = self.flexible_solid
            square = ("coordinate", "to_coordinate")
            data |= {
                "solid_stiffness": (square, solid.stiffness),
                "solid_mass": (square, solid.mass),
                "solid_damping": (square, solid.damping),
                "solid_origin": (("solid_frame", "axis"), solid.origins, {"units": "m"}),
            }
            coords |= {"solid_frame": list(solid.frames), "axis": ["x", "y", "z"]}
        return NamedArrays(
            data,
            coords=coords,
            attrs={
                "kind": self.kind,
                "name": self.name,
                "point": self.point,
                "point_time": self.time,
                "sample_period": self.sample_period or 0.0,
            },
        )


def _channel_fields(channel: Channel) -> Mapping[str, Any]:
    return {"name": channel.name, "unit": channel.unit, "value": channel.value}


def _plain(name: str) -> str:
    """A name as python-control takes it, which has a meaning for dots."""
    return name.replace(".", "_")


def _names(channels: Sequence[Channel], mark: str) -> list[str]:
    return [channel.name.replace(mark, "_") for channel in channels]


def _channel_numbers(what: str, channels: Sequence[Channel], names: Sequence[str] | None) -> list[int]:
    known = [channel.name for channel in channels]
    if names is None:
        return list(range(len(known)))
    for name in names:
        if name not in known:
            raise InputError(f"the model has no {what} '{name}'; it has {', '.join(known) or 'none'}")
    return [known.index(name) for name in names]
