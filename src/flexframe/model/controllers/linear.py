"""Linear blocks: transfer functions and what is made of them, and matrices, also those of other programs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import comb, factorial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.constraints import Law
from flexframe.model.controllers.contract import (
    Block,
    Outputs,
    Sampling,
    SignalBuilder,
    read_all,
    require_discrete,
    require_sampling,
)


@dataclass(frozen=True, eq=False)
class Matrices:
    """ẋ = A x + B u, or x_{k+1} = A x_k + B u_k where discrete; y = C x + D u."""

    A: Array  # (n, n)
    B: Array  # (n, inputs)
    C: Array  # (outputs, n)
    D: Array  # (outputs, inputs)
    discrete: bool = False

    def sample(self, period: float) -> "Matrices":
        """The same at sampling instants, exact for inputs that are held in between."""
        if self.discrete:
            return self
        from scipy.linalg import expm  # slow to import

        # exp([[A, B], [0, 0]] T) = [[A_d, B_d], [0, 1]]
        n, m = self.B.shape
        power = expm(np.block([[self.A, self.B], [np.zeros((m, n + m))]]) * period)
        return Matrices(power[:n, :n], power[:n, n:], self.C, self.D, discrete=True)

    def connect(
        self,
        builder: SignalBuilder,
        inputs: Callable[[], Sequence[int]],
        names: Sequence[str],
        initial: Array,
        sampling: Sampling | None,
    ) -> Iterator[Outputs]:
        """Signals of these equations."""
        if sampling is not None:
            made = self.sample(sampling[0])
            x = [builder.hold(float(value)) for value in initial]
            y = [builder.hold(float(value)) for value in made.C @ initial]
            yield dict(zip(names, y, strict=True))
            u = inputs()
            after = [_sum(builder, made.A[i], x, made.B[i], u) for i in range(len(x))]
            out = [_sum(builder, made.C[i], x, made.D[i], u) for i in range(len(y))]
            builder.sample(*sampling, [*zip(y, out, strict=True), *zip(x, after, strict=True)])
            return
        x = [builder.state(float(value)) for value in initial]
        u = inputs() if self.D.any() else []
        yield {name: _sum(builder, self.C[i], x, self.D[i], u) for i, name in enumerate(names)}
        u = u or inputs()
        for i, state in enumerate(x):
            builder.derive(state, _sum(builder, self.A[i], x, self.B[i], u))


def _sum(builder: SignalBuilder, a: Array, x: Sequence[int], b: Array, u: Sequence[int]) -> int:
    """a · x + b · u; inputs that do not count may be missing."""
    pairs = [*zip(a, x, strict=True), *zip(b, u, strict=False)]
    return builder.linear([(float(factor), signal) for factor, signal in pairs if factor != 0.0])


_MOST_DELAYED = 100_000
_LARGEST_PADE = 10
_WHOLE = 1e-9  # relative, of a number of periods


class _Linear(Block):
    """A block with one input that is a transfer function of s."""

    def matrices(self) -> Matrices:
        """Its equations in the time."""
        raise NotImplementedError

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        made = self.matrices()
        rest = np.zeros(len(made.A))
        return made.connect(builder, lambda: [self._read(builder)], ("",), rest, self.sampling)


def _transfer_matrices(
    numerator: ArrayLike, denominator: ArrayLike, *, unit: float = 1.0, discrete: bool = False
) -> Matrices:
    """Observable canonical form of b(s)/a(s), highest powers first, for a time in the given unit [s]."""
    a, b = (np.trim_zeros(np.atleast_1d(np.asarray(x, dtype=float)), "f") for x in (denominator, numerator))
    n = len(a) - 1
    b = np.concatenate([np.zeros(n + 1 - len(b)), b]) / a[0]
    a = a / a[0]
    # y = x₁ + b₀ u, ẋ_i = x_{i+1} − a_i y + b_i u
    A = np.eye(n, k=1)
    A[:, :1] -= a[1:, None]
    B = (b[1:] - a[1:] * b[0])[:, None]
    C = np.eye(1, n)
    return Matrices(A / unit, B / unit, C, b[:1, None], discrete)


@dataclass(frozen=True, eq=False)
class TransferFunction(_Linear):
    """b(s)/a(s) by coefficients of the powers of s, highest first; sampled, with its input held: exact.

    With `discrete` they are powers of z, and the block has a period.
    """

    kind: ClassVar[str] = "transfer_function"
    numerator: Sequence[float]
    denominator: Sequence[float]
    discrete: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"controller {self.name}"
        for name, given in (("numerator", self.numerator), ("denominator", self.denominator)):
            values = np.asarray(given, dtype=float)
            if values.ndim != 1 or not values.size or not np.isfinite(values).all() or not values.any():
                raise InputError(f"{who}: {name} has no coefficient other than zero; give some", field=name)
        top, bottom = (len(np.trim_zeros(np.asarray(x), "f")) - 1 for x in (self.numerator, self.denominator))
        if top > bottom:
            raise InputError(
                f"{who}: the numerator has degree {top} and the denominator {bottom}, so that the output would "
                "need derivatives of the input; add a pole, such as that of a filter",
                field="numerator",
            )
        require_discrete(self.name, self.period, discrete=self.discrete)

    def matrices(self) -> Matrices:
        return _transfer_matrices(self.numerator, self.denominator, discrete=self.discrete)


@dataclass(frozen=True, eq=False)
class LeadLag(_Linear):
    """gain (T_1 s + 1)/(T_2 s + 1) with the times lead T_1 and lag T_2 [s]."""

    kind: ClassVar[str] = "lead_lag"
    lead: float = 0.0
    lag: float = 0.0
    gain: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.lag > 0.0:
            raise InputError(f"controller {self.name}: lag is {self.lag:g} s; give a time above zero", field="lag")

    def matrices(self) -> Matrices:
        return _transfer_matrices([self.gain * self.lead, self.gain], [self.lag, 1.0])


@dataclass(frozen=True, eq=False)
class Notch(_Linear):
    """(s² + 2 depth ω s + ω²)/(s² + 2 width ω s + ω²): depth/width at the frequency ω [rad/s], one far from it."""

    kind: ClassVar[str] = "notch"
    frequency: float
    width: float = 0.5
    depth: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("frequency", "width"):
            if not getattr(self, name) > 0.0:
                value = getattr(self, name)
                raise InputError(f"controller {self.name}: {name} is {value:g}; give one above zero", field=name)
        if not self.depth >= 0.0:
            raise InputError(f"controller {self.name}: depth is {self.depth:g}; give zero or more", field="depth")

    def matrices(self) -> Matrices:
        # in the time ω t, so that numbers of every frequency are of order one
        return _transfer_matrices([1.0, 2 * self.depth, 1.0], [1.0, 2 * self.width, 1.0], unit=1 / self.frequency)


@dataclass(frozen=True, eq=False)
class Delay(_Linear):
    """The input as it was a time ago [s]; zero before there was any.

    Sampled, the time is a whole number of periods, and the delay exact. Continuous, it is Padé's approximation of
    e^{−Ts} of an order n: its gain is one, and its phase is off by about (n!)²/((2n)! (2n+1)!) (ωT)^{2n+1}; see
    `error`.
    """

    kind: ClassVar[str] = "delay"
    time: float
    order: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"controller {self.name}"
        if not (self.time > 0.0 and np.isfinite(self.time)):
            raise InputError(f"{who}: time is {self.time:g} s; give one above zero", field="time")
        if not 1 <= self.order <= _LARGEST_PADE:
            raise InputError(f"{who}: order is {self.order}; give 1 to {_LARGEST_PADE}", field="order")
        if self.period is None:
            return
        periods = self.time / self.period
        if abs(periods - round(periods)) > _WHOLE * periods or round(periods) < 1:
            raise InputError(
                f"{who}: a delay of {self.time:g} s is {periods:g} periods; give a whole number of them",
                field="time",
            )
        if periods > _MOST_DELAYED:
            raise InputError(
                f"{who}: {periods:.0f} delayed values are too many; lengthen the period", field="period"
            )

    def error(self, frequency: float) -> float:
        """|e^{−iωT} − approximation| at a frequency ω [rad/s], exact; zero of a sampled delay."""
        if self.period is not None:
            return 0.0
        s = 1j * frequency * self.time
        top, bottom = (np.polyval(given, s) for given in self._pade())
        return float(abs(np.exp(-s) - top / bottom))

    def _pade(self) -> tuple[Array, Array]:
        """Coefficients of Σ c_k (∓s)^k, highest powers first, for T = 1."""
        n = self.order
        c = np.array([comb(n, k) * factorial(2 * n - k) / factorial(2 * n) for k in range(n + 1)])
        signs = (-1.0) ** np.arange(n + 1)
        return (c * signs)[::-1], c[::-1]

    def matrices(self) -> Matrices:
        return _transfer_matrices(*self._pade(), unit=self.time)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        if self.period is None:
            yield from super().connect(builder)
            return
        chain = [builder.hold(0.0) for _ in range(round(self.time / self.period))]
        output = builder.hold(0.0)
        yield {"": output}
        stages = [self._read(builder), *chain]
        builder.sample(self.period, self.offset, list(zip([*chain, output], stages, strict=True)))


_SAME = 1e-9  # relative, of periods


@dataclass(frozen=True, eq=False)
class StateSpace(Described):
    """ẋ = A x + B u, y = C x + D u, of one or more inputs; outputs are name.component where there are several.

    Sampled, it is exact for inputs that are held between instants. With `discrete` the matrices are those of
    x_{k+1} = A x_k + B u_k, and the block has a period.
    """

    kind: ClassVar[str] = "state_space"
    name: str
    input: Law | tuple[Law, ...]
    A: ArrayLike
    B: ArrayLike
    C: ArrayLike
    D: ArrayLike | None = None
    components: tuple[str, ...] = ()
    initial: ArrayLike | None = None
    discrete: bool = False
    period: float | None = field(default=None, kw_only=True)
    offset: float = field(default=0.0, kw_only=True)
    unit: str = field(default="", kw_only=True)  # of the outputs, for tables and figures

    @classmethod
    def from_system(
        cls,
        name: str,
        input: Law | tuple[Law, ...],
        system: Any,
        *,
        components: tuple[str, ...] = (),
        period: float | None = None,
        offset: float = 0.0,
    ) -> "StateSpace":
        """A block of an object with A, B, C, D and dt, such as a state space of python-control or scipy.signal.

        A dt above zero makes it discrete, with dt as its period; without dt it is continuous, and sampled where a
        period is given.

        Parameters
        ----------
        name, input
            Of the block; as many inputs as the system has.
        system
            Object with matrices A, B, C, D, and dt (None or 0: continuous; True: discrete of any period).
        components
            Names of its outputs, where it has several.
        period, offset
            Of the sampling [s].

        Returns
        -------
        StateSpace
            The block.

        Examples
        --------
        >>> from scipy.signal import StateSpace
        >>> lag = StateSpace([[-2.0]], [[2.0]], [[1.0]], [[0.0]])
        >>> ff.controllers.StateSpace.from_system("lag", "u", lag).outputs
        ('',)
        """
        missing = [part for part in "ABCD" if not hasattr(system, part)]
        if missing:
            raise InputError(
                f"controller {name}: {type(system).__name__} has no matrix {missing[0]}; convert it to a state "
                "space, such as control.ss(system)",
                field="system",
            )
        step = getattr(system, "dt", None)
        if step and step is not True:
            if period is not None and abs(period - step) > _SAME * step:
                raise InputError(
                    f"controller {name}: a period of {period:g} s is not the system's {step:g} s; leave it out",
                    field="period",
                )
            period = float(step)
        A, B, C, D = (np.asarray(getattr(system, part), dtype=float) for part in "ABCD")
        return cls(name, input, A, B, C, D, components, discrete=bool(step), period=period, offset=offset)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_sampling(self.name, self.period, self.offset)
        require_discrete(self.name, self.period, discrete=self.discrete)
        made, who = self.matrices(), f"controller {self.name}"
        n, inputs, outputs = len(made.A), len(self._inputs), len(made.C)
        shapes = {"A": (n, n), "B": (n, inputs), "C": (outputs, n), "D": (outputs, inputs)}
        for part, shape in shapes.items():
            matrix = getattr(made, part)
            if matrix.shape != shape:
                raise InputError(
                    f"{who}: {part} has shape {matrix.shape} and should have {shape} for {n} states, "
                    f"{inputs} input{'s' * (inputs != 1)} and {outputs} output{'s' * (outputs != 1)}",
                    field=part,
                )
            if not np.isfinite(matrix).all():
                raise InputError(f"{who}: {part} has an entry that is not finite; correct it", field=part)
        if len(self.components or ("",)) != outputs:
            raise InputError(
                f"{who}: {len(self.components)} components do not name {outputs} outputs; give a name for each",
                field="components",
            )
        if self._start.shape != (n,):
            raise InputError(f"{who}: initial has not {n} values; give one for each state", field="initial")

    @property
    def _inputs(self) -> tuple[Law, ...]:
        return self.input if isinstance(self.input, tuple) else (self.input,)

    @property
    def _start(self) -> Array:
        n = len(np.atleast_2d(np.asarray(self.A, dtype=float)))
        return np.zeros(n) if self.initial is None else np.asarray(self.initial, dtype=float)

    @property
    def outputs(self) -> tuple[str, ...]:
        return self.components or ("",)

    def matrices(self) -> Matrices:
        """Its matrices as arrays of two dimensions; D is zero if not given."""
        A, B, C = (np.atleast_2d(np.asarray(x, dtype=float)) for x in (self.A, self.B, self.C))
        D = np.zeros((len(C), B.shape[1])) if self.D is None else np.atleast_2d(np.asarray(self.D, dtype=float))
        return Matrices(A, B, C, D, self.discrete)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        sampling = None if self.period is None else (self.period, self.offset)
        return self.matrices().connect(
            builder,
            lambda: read_all(builder, self.kind, self._inputs, sampling),
            self.outputs,
            self._start,
            sampling,
        )
