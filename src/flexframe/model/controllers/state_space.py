"""Linear blocks of several inputs and outputs by their matrices, also those of other programs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.constraints import Law
from flexframe.model.controllers.contract import (
    Outputs,
    SignalBuilder,
    read_all,
    require_discrete,
    require_sampling,
)
from flexframe.model.controllers.matrices import Matrices

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
