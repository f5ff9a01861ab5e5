"""Units that others wrote (FMI 2.0 and 3.0, co-simulation): what they say of themselves, and instances to step.

FMPy reads and loads them. A unit is a program: its description is data, an instance runs its code.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

from flexframe.errors import AnalysisError, InputError
from flexframe.files import ANYWHERE, Folder

Exponents = tuple[int, int, int]
"""Powers of m, kg and s."""

_BEYOND = ("A", "K", "mol", "cd")  # units that mechanics has no use for
_REALS = ("Real", "Float64")


@dataclass(frozen=True)
class UnitVariable:
    """A number of a unit: value in SI = factor · its number + offset."""

    name: str
    reference: int
    causality: str
    variability: str
    unit: str = ""
    exponents: Exponents | None = None  # none where the unit does not say
    factor: float = 1.0
    offset: float = 0.0

    def own(self, value: float) -> float:
        """A value in SI as the number that the unit takes."""
        return (value - self.offset) / self.factor

    def si(self, number: float) -> float:
        """A number of the unit in SI."""
        return self.factor * number + self.offset


@dataclass(frozen=True, eq=False)
class UnitFile:
    """A unit for co-simulation in a file."""

    name: str  # for messages
    content: bytes

    @cached_property
    def description(self) -> Any:
        """What FMPy reads of it."""
        with self._reading():
            return _fmpy().read_model_description(str(self._archive))

    @cached_property
    def variables(self) -> Mapping[str, UnitVariable]:
        """Its real numbers by name."""
        units = {each.name: each for each in self.description.unitDefinitions or ()}
        numbers = (each for each in self.description.modelVariables if each.type in _REALS)
        found = [_variable(each, units) for each in numbers if not getattr(each, "dimensions", None)]
        return {each.name: each for each in found}

    def of(self, *causalities: str) -> list[str]:
        """Names of the variables that are inputs, outputs or parameters."""
        return [each.name for each in self.variables.values() if each.causality in causalities]

    def variable(self, name: str, *causalities: str) -> UnitVariable:
        """An input, an output or a parameter by its name."""
        found = self.variables.get(name)
        if found is None or found.causality not in causalities:
            known = self.of(*causalities)
            what = f"no {causalities[0]} '{name}' that is a real number"
            raise InputError(f"{self.name} has {what}; it has {', '.join(known) or 'none'}")
        return found

    def instance(self, name: str) -> "UnitInstance":
        """Load the unit."""
        return UnitInstance(self, name)

    # ------------------------------------------------------------------ inside

    def _reading(self) -> "_Reading":
        return _Reading(self.name)

    @cached_property
    def _folder(self) -> Path:
        """A private folder, as long as somebody has the unit."""
        try:
            folder = mkdtemp(prefix="flexframe-unit-")
        except OSError:
            raise InputError(
                f"{self.name}: units are unpacked, and there is no folder for that; set TMPDIR to one that can be "
                "written to"
            ) from None
        finalize(self, rmtree, folder, ignore_errors=True)
        return Path(folder)

    @cached_property
    def _archive(self) -> Path:
        """A private copy of the file, which FMPy opens by its name."""
        path = self._folder / "unit.fmu"
        path.write_bytes(self.content)
        return path

    @cached_property
    def unzipped(self) -> str:
        """The folder with its library and resources."""
        folder = self._folder / "unit"
        with self._reading():
            _fmpy().extract(str(self._archive), unzipdir=str(folder))
        return str(folder)

    def __post_init__(self) -> None:
        if not zipfile.is_zipfile(io.BytesIO(self.content)):
            raise InputError(f"{self.name} is no unit; give a file that ends in .fmu, which is a zip file")
        kind = self.description.coSimulation
        if kind is None:
            raise InputError(
                f"{self.name} is for model exchange only, and blocks are stepped; export it for co-simulation"
            )


def read_unit(name: str | Path, folder: Folder = ANYWHERE) -> UnitFile:
    """Read a unit; a confined folder refuses it, since a unit is a program."""
    if folder.confined:
        raise InputError(
            f"{name}: a unit is a program, which is not run for a case that may not leave its folder; run the "
            "case without --confined if you trust its author"
        )
    return UnitFile(str(name), folder.read(name))


class UnitInstance:
    """A unit that runs."""

    def __init__(self, file: UnitFile, name: str) -> None:
        self.file = file
        self.said: list[str] = []
        description = file.description
        self._second = description.fmiVersion == "2.0"
        library = import_module(f"fmpy.fmi{2 if self._second else 3}")
        made = library.FMU2Slave if self._second else library.FMU3Slave
        with self._calling("cannot be loaded"):
            self._unit = made(
                guid=description.guid if self._second else description.instantiationToken,
                unzipDirectory=file.unzipped,
                modelIdentifier=description.coSimulation.modelIdentifier,
                instanceName=name,
            )
            if self._second:
                self._unit.instantiate(callbacks=self._callbacks(library))
            else:
                self._unit.instantiate(logMessage=self._hear_third)
        self._end = finalize(self, _free, self._unit)

    def begin(self, time: float, parameters: Mapping[int, float], inputs: Mapping[int, float]) -> None:
        """Initialise at a time [s] with values by reference."""
        with self._calling("cannot start"):
            if self._second:
                self._unit.setupExperiment(startTime=time)
            self._set(parameters)
            if self._second:
                self._unit.enterInitializationMode()
            else:
                self._unit.enterInitializationMode(startTime=time)
            self._set(inputs)
            self._unit.exitInitializationMode()

    def step(self, time: float, length: float) -> None:
        """Go on from a time by a length [s]."""
        with self._calling(f"failed in its step from t = {time:g} s"):
            done = self._unit.doStep(currentCommunicationPoint=time, communicationStepSize=length)
        if not self._second and any(done[1:3]):  # it ends, or returned early
            raise AnalysisError(f"{self.file.name} ended its simulation at t = {done[3]:g} s{self._words()}")

    def set(self, values: Mapping[int, float]) -> None:
        """Values by reference."""
        with self._calling("refuses a value"):
            self._set(values)

    def get(self, references: Sequence[int]) -> list[float]:
        """Values of references."""
        with self._calling("gives no values"):
            read = self._unit.getReal if self._second else self._unit.getFloat64
            return [float(value) for value in read(list(references))] if references else []

    def _set(self, values: Mapping[int, float]) -> None:
        if values:
            write = self._unit.setReal if self._second else self._unit.setFloat64
            write(list(values), list(values.values()))

    # ------------------------------------------------------------------ what it says

    def _callbacks(self, library: Any) -> Any:
        callbacks = library.fmi2CallbackFunctions()
        callbacks.logger = library.fmi2CallbackLoggerTYPE(self._hear_second)
        callbacks.allocateMemory = library.fmi2CallbackAllocateMemoryTYPE(library.calloc)
        callbacks.freeMemory = library.fmi2CallbackFreeMemoryTYPE(library.free)
        import_module("fmpy.logging").addLoggerProxy(import_module("ctypes").byref(callbacks))
        return callbacks

    def _hear_second(self, _environment: Any, _name: Any, _status: Any, _category: Any, message: bytes) -> None:
        self.said.append(message.decode("utf-8", "replace"))

    def _hear_third(self, _environment: Any, _status: Any, _category: Any, message: bytes) -> None:
        self.said.append(message.decode("utf-8", "replace"))

    def _words(self) -> str:
        said = " ".join(" ".join(self.said).split())
        return f": {said[:300]}" if said else ""

    def _calling(self, what: str) -> "_Calling":
        self.said.clear()
        return _Calling(self, what)


def _free(unit: Any) -> None:
    """End an instance; whatever it says of that, the motion is over."""
    try:
        unit.terminate()
        unit.freeInstance()
    except Exception:
        return


@dataclass(frozen=True)
class _Calling:
    """What a unit or FMPy raises becomes one line."""

    instance: UnitInstance
    what: str

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, AnalysisError | InputError):
            said = self.instance._words() or f": {' '.join(str(error).split())[:300]}"
            raise AnalysisError(f"the unit {self.instance.file.name} {self.what}{said}") from None


@dataclass(frozen=True)
class _Reading:
    """What FMPy raises where a file is no unit becomes one line."""

    name: str

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, InputError):
            words = " ".join(str(error).split())[:300]
            raise InputError(f"{self.name} cannot be read as a unit: {words}") from None


def _fmpy() -> Any:
    try:
        return import_module("fmpy")
    except ImportError:
        raise InputError("units are read by FMPy, which is not installed; pip install 'flexframe[fmi]'") from None


def _variable(given: Any, units: Mapping[str, Any]) -> UnitVariable:
    name = given.unit or getattr(given.declaredType, "unit", None) or ""
    base = getattr(units.get(name), "baseUnit", None)
    exponents: Exponents | None = None
    factor, offset = 1.0, 0.0
    if base is not None and not any(getattr(base, each) for each in _BEYOND):
        exponents = (int(base.m), int(base.kg), int(base.s))
        factor, offset = float(base.factor), float(base.offset)
    return UnitVariable(
        given.name, given.valueReference, given.causality, given.variability, name, exponents, factor, offset
    )
