"""Linear blocks: transfer functions, and what is made of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.controllers.contract import Block, Outputs, SignalBuilder, require_discrete
from flexframe.model.controllers.matrices import Matrices

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
        chain = [builder.held(0.0) for _ in range(round(self.time / self.period))]
        output = builder.held(0.0)
        yield {"": output}
        stages = [self._read(builder), *chain]
        builder.sample(self.period, self.offset, list(zip([*chain, output], stages, strict=True)))
