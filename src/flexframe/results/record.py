"""The base of all records: what was computed, with everything needed to read it, and how it shows itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError
from flexframe.maths.arrays import ComplexArray, IntArray
from flexframe.presentation.presentation import Presentation

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True, eq=False)
class Variable:
    """An array, the names of its dimensions, and what else there is to say about it."""

    dims: tuple[str, ...]
    values: NDArray[Any]
    attrs: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def build(cls, name: str, value: Any) -> "Variable":
        """From (dims, values) or (dims, values, attrs); values alone lie along a dimension of the same name."""
        dims, values, attrs = (*value, {})[:3] if isinstance(value, tuple) else (name, value, {})
        return cls((dims,) if isinstance(dims, str) else tuple(dims), np.asarray(values), attrs)


@dataclass(frozen=True, eq=False)
class NamedArrays:
    """Variables, coordinates and attributes in the notation of xarray, which is not needed to write them.

    xarray and pandas take longer to load than a small case takes to compute.
    """

    variables: Mapping[str, Any]  # name → (dims, values) or (dims, values, attrs)
    coords: Mapping[str, Any] = field(default_factory=dict)  # the same, or values along a dimension of that name
    attrs: Mapping[str, Any] = field(default_factory=dict)

    def extend(
        self,
        variables: Mapping[str, Any],
        coords: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> "NamedArrays":
        """The same with more in it."""
        return NamedArrays(
            {**self.variables, **variables}, {**self.coords, **(coords or {})}, {**self.attrs, **(attrs or {})}
        )

    def all_variables(self) -> dict[str, Variable]:
        """Variables and coordinates by name."""
        for name in self.variables.keys() & self.coords.keys():
            raise InputError(
                f"'{name}' is the name of a coordinate of the results; rename what has it in the case"
            )
        return {name: Variable.build(name, value) for name, value in {**self.variables, **self.coords}.items()}

    def to_xarray(self) -> "xarray.Dataset":
        """The dataset."""
        import xarray

        return xarray.Dataset(dict(self.variables), coords=dict(self.coords), attrs=dict(self.attrs))


Frame = Literal["fixed", "rotating", "inertial"]
Whirl = Literal["forward", "backward", "mixed", ""]


class Record(ABC):
    """The result of one analysis: a kind states summary, arrays and presentation, the rest follows from these.

    Records are frozen dataclasses (`eq=False, repr=False`) with a field `notices`: approximations and warnings
    that the reader must see.
    """

    kind: ClassVar[str]
    presented_by: ClassVar[str]  # "module:Class" of its presentation; the module relative to the record's package
    notices: tuple[str, ...]

    def __post_init__(self) -> None:
        """What was computed stays as it is: arrays are read-only."""
        keep_from_writing(self)

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """What goes into summary.json, ready for JSON, with its kind."""

    @abstractmethod
    def arrays(self) -> NamedArrays:
        """Everything that was computed; complex numbers as real and imaginary parts."""

    def presentation(self) -> Presentation[Any]:
        """What there is to see of it; loaded when first asked for."""
        module, _, name = self.presented_by.partition(":")
        package = type(self).__module__.rpartition(".")[0]
        made: Presentation[Any] = getattr(import_module(module, package), name)(self)
        return made

    def to_xarray(self) -> "xarray.Dataset":
        """Everything that was computed as a dataset of xarray."""
        return self.arrays().to_xarray()

    def to_dataframe(self, *choice: Any, **named: Any) -> "pandas.DataFrame":
        """The table that a reader would want first; `choice` where a kind has several, such as a matrix's name."""
        return self.presentation().data(*choice, **named).to_pandas()

    def plot(self, **choice: Any) -> Any:
        """Draw it with matplotlib; the axes, a list for several panels. `choice` where a kind has several."""
        from flexframe.presentation.figures import draw

        return draw(self.presentation().figure(**choice))

    def report(self, path: str | Path, title: str = "") -> Path:
        """Write it as one self-contained page with its tables, plots and moving pictures; where that is."""
        build = import_module("flexframe.reports.build")  # reports are built on records
        page = build.report_html(
            title or self.kind.replace("_", " "),
            description="",
            case_name="",
            case_text="",
            records={self.kind: self},
        )
        target = Path(path)
        target.write_text(page, encoding="utf-8")
        return target

    def animation(
        self, path: str | Path, *, seconds: float = 4.0, mode: int = 1, magnify: float | None = None
    ) -> Path:
        """Write its moving picture as .gif, .mp4 or .webm (by ffmpeg) or .html; where that is.

        A motion is played once in `seconds`, a `mode` (from 1) swings twice; `magnify` enlarges deformations.
        """
        target = Path(path)
        animation = import_module("flexframe.presentation.animation")
        scene = next(animation.moving_scenes(self.presentation().blocks(self.kind)), None)
        if scene is None:
            raise InputError(f"nothing moves in a record of {self.kind.replace('_', ' ')}; draw it with plot()")
        if target.suffix.lower() == ".html":
            html = import_module("flexframe.reports.build")  # reports are built on records
            target.write_text(html.scene_html(self.kind.replace("_", " "), scene), encoding="utf-8")
        else:
            animation.animate(scene, target, seconds=seconds, mode=mode, magnify=magnify)
        return target

    def __repr__(self) -> str:
        from flexframe.presentation.display import record_text

        return record_text(self.presentation())

    def _repr_html_(self) -> str:
        from flexframe.presentation.display import record_html

        return record_html(self.presentation())


_DESCRIBED = ("flexframe.model.", "flexframe.mesh.", "flexframe.assembly.", "flexframe.elements.")
_WORKING = ("flexframe.multibody.mechanism", "flexframe.multibody.constraints", "flexframe.multibody.contract")
"""Modules of what a record only refers to: the description of a model, and tables that analyses work with."""


def keep_from_writing(value: object) -> None:
    """Make all arrays of a record and of its parts read-only."""
    waiting, seen = [value], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
        elif isinstance(part, Mapping):
            waiting += part.values()
        elif isinstance(part, tuple | list):
            waiting += part
        elif is_dataclass(part) and not type(part).__module__.startswith((*_DESCRIBED, *_WORKING)):
            waiting += (getattr(part, field.name) for field in fields(part))


def complex_pairs(values: ComplexArray) -> list[list[float]]:
    """[re, im] of each number."""
    return [[float(value.real), float(value.imag)] for value in values]


def thin(count: int, most: int) -> IntArray:
    """At most `most` numbers from 0 to count − 1, evenly, the ends among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.rint(np.linspace(0, count - 1, most)).astype(np.int64))
