"""Linear equations in the time as signals, continuous or sampled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.controllers.contract import Outputs, Sampling, SignalBuilder


@dataclass(frozen=True, eq=False)
class Matrices:
    """ẋ = A x + B u, or x_{k+1} = A x_k + B u_k where discrete; y = C x + D u."""

    A: Array  # (n, n)
    B: Array  # (n, inputs)
    C: Array  # (outputs, n)
    D: Array  # (outputs, inputs)
    discrete: bool = False

    def sampled(self, period: float) -> "Matrices":
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
            made = self.sampled(sampling[0])
            x = [builder.held(float(value)) for value in initial]
            y = [builder.held(float(value)) for value in made.C @ initial]
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
