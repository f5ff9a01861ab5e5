"""Every kind of controller; here are those that are not linear equations or units of other simulators."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import Pieces
from flexframe.model.constraints import Law, Piecewise
from flexframe.model.controllers.contract import (
    Block,
    Controller,
    Outputs,
    SignalBuilder,
    limit,
    read_all,
    require_limits,
    require_sampling,
)
from flexframe.model.controllers.linear import Delay, LeadLag, Notch, StateSpace, TransferFunction
from flexframe.model.controllers.units import FMU
from flexframe.model.events import Switch


@dataclass(frozen=True, eq=False)
class PythonFunction(Described):
    """Any function of Python at a sampling rate: function(time, *inputs) returns the output, or all of them.

    It is called once at each instant, in the order of time, and may keep a memory of its own; a run that goes on
    from a checkpoint does not restore that. A call takes some microseconds, beside what the function itself does.
    """

    kind: ClassVar[str] = "python_function"
    name: str
    input: Law | tuple[Law, ...]
    function: Callable[..., Any]
    period: float
    offset: float = 0.0
    components: tuple[str, ...] = ()
    initial: float = 0.0
    unit: str = ""  # of the outputs, for tables and figures

    def __post_init__(self) -> None:
        super().__post_init__()
        require_sampling(self.name, self.period, self.offset)

    @property
    def outputs(self) -> tuple[str, ...]:
        return self.components or ("",)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        held = [builder.hold(self.initial) for _ in self.outputs]
        yield dict(zip(self.outputs, held, strict=True))
        laws = self.input if isinstance(self.input, tuple) else (self.input,)
        inputs = read_all(builder, self.kind, laws, (self.period, self.offset))
        builder.call(self.name, self.period, self.offset, self.function, inputs, held)


@dataclass(frozen=True, eq=False)
class RateOfLaw:
    """The derivative of a law that is made of polynomials."""

    of: Piecewise

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        return self.of.pieces.derivative

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        return self.pieces.jet(times)


@dataclass(frozen=True, eq=False)
class Reference(Block):
    """A law of time under a name: a setpoint that several formulas read.

    Of a trajectory or recording, name.rate is its derivative.
    """

    kind: ClassVar[str] = "reference"

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        law = self.input
        if not isinstance(law, Piecewise):
            return self._direct(builder, lambda: self._read(builder))
        return self._with_rate(builder, RateOfLaw(law))

    def _with_rate(self, builder: SignalBuilder, rate: RateOfLaw) -> Iterator[Outputs]:
        if self.period is None:
            yield {"": self._read(builder), "rate": builder.input(rate)}
            return
        held = builder.hold(0.0), builder.hold(0.0)
        yield dict(zip(("", "rate"), held, strict=True))
        values = self._read(builder), builder.input(rate)
        builder.sample(self.period, self.offset, list(zip(held, values, strict=True)))


@dataclass(frozen=True, eq=False)
class Gain(Block):
    """factor × input."""

    kind: ClassVar[str] = "gain"
    factor: float = 1.0

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: builder.linear([(self.factor, self._read(builder))]))


@dataclass(frozen=True, eq=False)
class Saturation(Block):
    """The input between two limits."""

    kind: ClassVar[str] = "saturation"
    limits: tuple[float, float]

    def __post_init__(self) -> None:
        super().__post_init__()
        require_limits(self.name, self.limits)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: limit(builder, self._read(builder), self.limits))


@dataclass(frozen=True, eq=False)
class ZeroOrderHold(Block):
    """The input as it was at the last sampling instant."""

    kind: ClassVar[str] = "hold"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.period is None:
            raise InputError(f"controller {self.name}: a hold needs a period; give it", field="period")

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: self._read(builder))


@dataclass(frozen=True, eq=False)
class PID(Block):
    """kp e + ki ∫e dt + kd ė, where e is the input, or setpoint − input.

    The derivative is that of e through a lag of the filter time T_f, kd s/(T_f s + 1), or kd times a `rate` that
    is given as a formula, such as −speed (through the same lag, if any). With limits, the integral follows
    İ = ki e + (u − v)/T_t (back-calculation), v being the output before and u after the limits; the tracking time
    T_t is √(kd/ki), or kp/ki without kd, unless given.

    Sampled with the period T, it is its own difference equation:

        D_k = (T_f D_{k−1} + kd (e_k − e_{k−1}))/(T_f + T),      v_k = kp e_k + I_k + D_k,
        I_{k+1} = I_k + ki T e_k + min(T/T_t, 1) (u_k − v_k) .

    There, `anti_windup: conditional` is another choice: the integral stays where v is beyond a limit and e would
    drive it further; `none` leaves it to grow.
    """

    kind: ClassVar[str] = "pid"
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    filter: float = 0.0
    rate: Law | None = None
    setpoint: Law | None = None
    limits: tuple[float, float] | None = None
    tracking: float | None = None
    anti_windup: Literal["back_calculation", "conditional", "none"] = "back_calculation"

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"controller {self.name}"
        if not self.filter >= 0.0:
            raise InputError(f"{who}: filter is {self.filter:g} s; give a time of zero or more", field="filter")
        if self.limits is not None:
            require_limits(self.name, self.limits)
        if self.kd and self.period is None and self.rate is None and self.filter == 0.0:
            raise InputError(
                f"{who}: the derivative of its input needs a lag; give filter, a time, or rate, a formula of the "
                "derivative",
                field="kd",
            )
        if self.anti_windup == "conditional" and self.period is None:
            raise InputError(
                f"{who}: conditional integration jumps, which only a sampled controller can; give a period, or "
                "use back_calculation",
                field="anti_windup",
            )
        if self.limits is None or not self.ki or self.anti_windup != "back_calculation":
            return
        if self.tracking is None and not (self.kd / self.ki > 0.0 or self.kp / self.ki > 0.0):
            raise InputError(f"{who}: no tracking time follows from its gains; give tracking", field="tracking")
        if self.tracking is not None and not self.tracking > 0.0:
            raise InputError(f"{who}: tracking is {self.tracking:g} s; give a time above zero", field="tracking")

    @property
    def tracking_time(self) -> float:
        """T_t of the back-calculation [s]."""
        if self.tracking is not None:
            return self.tracking
        return float(np.sqrt(self.kd / self.ki)) if self.kd / self.ki > 0.0 else self.kp / self.ki

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._continuous(builder) if self.period is None else self._build_sampled(builder, self.period)

    def _error(self, builder: SignalBuilder) -> int:
        value = self._read(builder)
        if self.setpoint is None:
            return value
        return builder.linear([(1.0, self._read(builder, "setpoint")), (-1.0, value)])

    def _continuous(self, builder: SignalBuilder) -> Iterator[Outputs]:
        terms: list[tuple[float, int]] = []
        slopes: list[tuple[int, int]] = []
        integral = builder.state(0.0) if self.ki else None
        if integral is not None:
            terms.append((1.0, integral))
        error = self._error(builder) if self.kp or self.kd else None
        if error is not None:
            terms.append((self.kp, error))
        if self.kd and self.filter == 0.0:
            terms.append((self.kd, self._read(builder, "rate")))
        elif self.kd and error is not None:
            # T_f ẋ = e − x; kd ẋ is the filtered derivative of e, kd x the lagged rate
            lag = builder.state(0.0)
            source = error if self.rate is None else self._read(builder, "rate")
            slope = builder.linear([(1.0 / self.filter, source), (-1.0 / self.filter, lag)])
            terms.append((self.kd, slope if self.rate is None else lag))
            slopes.append((lag, slope))
        before = builder.linear(terms)
        output = before if self.limits is None else limit(builder, before, self.limits)
        yield {"": output}
        if integral is not None:
            growth = [(self.ki, self._error(builder) if error is None else error)]
            if self.limits is not None and self.anti_windup == "back_calculation":
                growth += [(1.0 / self.tracking_time, output), (-1.0 / self.tracking_time, before)]
            slopes.append((integral, builder.linear(growth)))
        for state, slope in slopes:
            builder.derive(state, slope)

    def _build_sampled(self, builder: SignalBuilder, period: float) -> Iterator[Outputs]:
        held = builder.hold(0.0)
        yield {"": held}
        error = self._error(builder)
        terms, updates = [(self.kp, error)], []
        integral = builder.hold(0.0) if self.ki else None
        if integral is not None:
            terms.append((1.0, integral))
        if self.kd:
            last, total = builder.hold(0.0), self.filter + period
            parts = [(self.filter / total, last)]
            if self.rate is None:
                earlier = builder.hold(0.0)
                parts += [(self.kd / total, error), (-self.kd / total, earlier)]
                updates.append((earlier, error))
            else:
                parts.append((self.kd * period / total, self._read(builder, "rate")))
            slope = builder.linear(parts)
            terms.append((1.0, slope))
            updates.append((last, slope))
        before = builder.linear(terms)
        output = before if self.limits is None else limit(builder, before, self.limits)
        updates.append((held, output))
        if integral is not None:
            updates.append((integral, self._integral(builder, integral, error, before, output)))
        builder.sample(period, self.offset, updates)

    def _integral(self, builder: SignalBuilder, integral: int, error: int, before: int, output: int) -> int:
        """The integral at the next instant."""
        assert self.period is not None
        gain = self.ki * self.period
        if self.limits is not None and self.anti_windup == "conditional":
            # held where v − u and ki e have the same sign
            free = Formula.parse("step(-(v - u)*g*e)", ("v", "u", "e"), {"g": float(np.sign(gain))})
            allowed = builder.formula(free, [before, output, error])
            growth = builder.formula(Formula.parse("a*e", ("a", "e")), [allowed, error])
            return builder.linear([(1.0, integral), (gain, growth)])
        parts = [(1.0, integral), (gain, error)]
        if self.limits is not None and self.anti_windup == "back_calculation":
            part = min(self.period / self.tracking_time, 1.0)
            parts += [(part, output), (-part, before)]
        return builder.linear(parts)


CONTROLLERS: tuple[type[Controller], ...] = (
    Reference,
    Gain,
    PID,
    TransferFunction,
    StateSpace,
    LeadLag,
    Notch,
    Saturation,
    Delay,
    ZeroOrderHold,
    PythonFunction,
    FMU,
    Switch,
)
"""Every kind of controller; adding one is a class and its name here."""
