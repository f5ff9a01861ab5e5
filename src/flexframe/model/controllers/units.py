"""Units of other simulators (FMI, co-simulation) as blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from flexframe.errors import AnalysisError, InputError, at_field
from flexframe.fmi import Exponents, UnitFile, UnitInstance, UnitVariable, read_unit
from flexframe.given import Described
from flexframe.model.constraints import Law
from flexframe.model.controllers.contract import Controller, Outputs, SignalBuilder, require_sampling

_SAME = 1e-9  # relative, of instants that are the same but for rounding


@dataclass(frozen=True, eq=False)
class FMU(Described):
    """A functional mock-up unit that is stepped with the system and whose outputs are held in between.

    At every instant offset + k · period it goes on by a period with the inputs of the instant before, takes those
    of this one, and gives its outputs, which formulas read as `name`, or as `name.output` of several. All values
    are in SI; numbers in the units that it declares are converted. A unit is a program: use it if you trust its
    maker.

    Parameters
    ----------
    name
        Of the block.
    file
        The unit, `.fmu`, for co-simulation by FMI 2.0 or 3.0.
    inputs
        Numbers or formulas by the names of its inputs; those that are left out keep their start values.
    period
        Communication step [s].
    outputs
        Names of its outputs by the names that they have in formulas, or those that are read under their own
        names; without it all that are real numbers.
    parameters
        Values by the names of its parameters.
    offset
        The first instant [s], at which it starts.
    """

    kind: ClassVar[str] = "fmu"
    name: str
    file: UnitFile | str | Path
    inputs: Mapping[str, Law]
    period: float
    outputs: Mapping[str, str] | tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_sampling(self.name, self.period, self.offset)
        with at_field("fmu"):
            unit = self.file if isinstance(self.file, UnitFile) else read_unit(self.file)
        object.__setattr__(self, "file", unit)
        with at_field("inputs"):
            for each in self.inputs:
                unit.variable(each, "input")
        with at_field("outputs"):
            for each in self.read.values():
                unit.variable(each, "output")
            if not self.read:
                raise InputError(f"controller {self.name}: {unit.name} has no output that is a real number")
        with at_field("parameters"):
            for each, value in self.parameters.items():
                unit.variable(each, "parameter")
                if not np.isfinite(value):
                    raise InputError(
                        f"controller {self.name}: parameter {each} is {value:g}; give a finite number"
                    )

    @property
    def unit_file(self) -> UnitFile:
        """The unit that was read."""
        assert isinstance(self.file, UnitFile)
        return self.file

    @property
    def read(self) -> dict[str, str]:
        """Its outputs by component; '' is the name of a single one."""
        if isinstance(self.outputs, Mapping) and self.outputs:
            return dict(self.outputs)
        names = tuple(self.outputs) or self.unit_file.of("output")
        return {"": names[0]} if len(names) == 1 else {name: name for name in names}

    @property
    def dimensions(self) -> dict[str, Exponents]:
        """Of the outputs that say it, by component."""
        found = {part: self.unit_file.variable(each, "output").exponents for part, each in self.read.items()}
        return {part: each for part, each in found.items() if each is not None}

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        outputs = {part: builder.hold(0.0) for part in self.read}
        yield outputs
        variables = [self.unit_file.variable(each, "input") for each in self.inputs]
        signals = []
        for variable, law in zip(variables, self.inputs.values(), strict=True):
            with at_field("inputs"):
                self._require_dimension(variable, builder.dimension(law))
                signals.append(builder.input(law, (self.period, self.offset)))
        stepped = SteppedUnit(self, variables)
        builder.call(self.name, self.period, self.offset, stepped, signals, list(outputs.values()))

    def _require_dimension(self, variable: UnitVariable, given: Exponents | None) -> None:
        if given is None or variable.exponents is None or given == variable.exponents:
            return
        raise InputError(
            f"controller {self.name}: the input {variable.name} of {self.unit_file.name} is in {variable.unit}, "
            f"and what is given has the dimension {dimension_in_words(given)}; give another sensor, or a formula"
        )


class SteppedUnit:
    """An instance of a unit along a motion; it begins anew where the motion does."""

    def __init__(self, block: FMU, inputs: list[UnitVariable]) -> None:
        self.block, self.inputs = block, inputs
        self.outputs = [block.unit_file.variable(each, "output") for each in block.read.values()]
        self.instance: UnitInstance | None = None
        self.time = self.begun = 0.0
        self.first: Mapping[int, float] = {}

    def __call__(self, time: float, *values: float) -> list[float]:
        """Its outputs at an instant [s] with inputs in SI."""
        given = {each.reference: each.own(value) for each, value in zip(self.inputs, values, strict=True)}
        close = _SAME * self.block.period
        if self.instance is None or time <= self.begun + close:
            self._begin(time, given)
        else:
            if time < self.time - close:
                self._begin_again(time, close)
            if time > self.time + close:
                self._step(time, close)
            self.instance.set(given)
        self.time = time
        assert self.instance is not None
        numbers = self.instance.get([each.reference for each in self.outputs])
        return [each.si(number) for each, number in zip(self.outputs, numbers, strict=True)]

    def _begin(self, time: float, given: Mapping[int, float]) -> None:
        unit = self.block.unit_file
        asked = ((unit.variable(each, "parameter"), value) for each, value in self.block.parameters.items())
        self.instance = unit.instance(self.block.name)
        self.instance.begin(time, {each.reference: each.own(value) for each, value in asked}, given)
        self.begun = self.time = time
        self.first = given

    def _begin_again(self, time: float, close: float) -> None:
        """Back to the start, with the inputs of then; what came after it is known to the unit alone."""
        if abs(time - self.begun - self.block.period) > close:
            raise AnalysisError(
                f"controller {self.block.name}: the motion went back from t = {self.time:g} s to {time:g} s, and "
                "a unit goes back to its start only; reset the motion"
            )
        self._begin(self.begun, self.first)

    def _step(self, time: float, close: float) -> None:
        assert self.instance is not None
        length = time - self.time
        if abs(length - self.block.period) > close:
            raise AnalysisError(
                f"controller {self.block.name}: the motion goes on at t = {time:g} s, and its unit is at "
                f"{self.time:g} s; begin the motion anew"
            )
        self.instance.step(self.time, self.block.period)


_OF_LOADS: Mapping[str, Exponents] = {"N": (1, 1, -2), "N m": (2, 1, -2)}


def require_dimensions(
    controllers: Sequence[Controller],
    outputs: Mapping[str, Mapping[str, int]],
    readers: Sequence[tuple[str, str, Sequence[int]]],
) -> None:
    """Refuse loads that follow an output alone whose dimension is not theirs.

    `outputs` are the signals of controllers by component, `readers` names, units and signals of loads.
    """
    for block in controllers:
        if not isinstance(block, FMU):
            continue
        for component, exponents in block.dimensions.items():
            signal = outputs[block.name][component]
            for name, unit, signals in readers:
                wanted = _OF_LOADS.get(unit)
                if signal in signals and wanted is not None and wanted != exponents:
                    read = f"{block.name}.{component}" if component else block.name
                    raise InputError(
                        f"{name} is in {unit}, and {read} of {block.unit_file.name} has the dimension "
                        f"{dimension_in_words(exponents)}; read another output, or write a formula",
                        part=("loads", name.removesuffix(" moment")),
                    )


def dimension_in_words(exponents: Exponents) -> str:
    """m, kg and s with their powers; 1 of a number or an angle."""
    parts = [
        f"{base}^{power}" if power != 1 else base
        for base, power in zip(("m", "kg", "s"), exponents, strict=True)
        if power
    ]
    return " ".join(parts) or "1"
