"""Work that is not finished, kept in a file without pickle so that it can go on after an interruption."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import AnalysisError, InputError
from flexframe.files import Folder
from flexframe.keeping import keeping
from flexframe.maths.array_archives import DAMAGED

_KEY = "fingerprint"


@dataclass(frozen=True)
class Checkpoint:
    """A file of plain arrays beside the results; `resume` says whether an earlier one may be used."""

    path: Path
    resume: bool = False

    def load(self, fingerprint: str) -> dict[str, NDArray[Any]] | None:
        """What was kept of the same computation; None where there is nothing, or something else."""
        if not self.resume:
            return None
        try:
            beside = Folder(self.path.parent, confined=True)
            with beside.open(self.path.name) as file, np.load(file.stream, allow_pickle=False) as kept:
                if str(kept[_KEY]) != fingerprint:
                    return None
                return {name: kept[name] for name in kept.files if name != _KEY}
        except (InputError, *DAMAGED):
            return None  # absent, cut short or not ours: the computation begins anew

    def save(self, fingerprint: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the arrays in place of the earlier ones, whole or not at all."""
        fresh = self.path.with_name(f"{self.path.name}.{token_hex(4)}")
        try:
            with fresh.open("wb") as file:
                kept: dict[str, Any] = {_KEY: np.array(fingerprint), **arrays}
                np.savez(file, **kept)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AnalysisError(
                f"{self.path}: the unfinished motion cannot be kept ({reason}); free space or give another --out"
            ) from error
        finally:
            fresh.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget what was kept."""
        self.path.unlink(missing_ok=True)


def checkpoint_beside(folder: Path, analysis: str, *, resume: bool = False) -> Checkpoint:
    """The checkpoint of an analysis whose results will be in that folder."""
    return Checkpoint(folder.with_name(f".{folder.name}.{analysis}.unfinished.npz"), resume)


_OWN = "flexframe."


def flatten(value: Any, arrays: list[NDArray[Any]]) -> Any:  # noqa: PLR0911 - a line for each kind of value
    """What JSON can hold of a value; its arrays are added to the list."""
    match value:
        case None | bool() | str():
            return value
        case np.generic():
            return flatten(np.asarray(value), arrays) | {"scalar": True}
        case int() | float():
            return value
        case complex():
            return {"complex": [value.real, value.imag]}
        case np.ndarray():
            arrays.append(value)
            return {"array": len(arrays) - 1}
        case tuple() if hasattr(value, "_fields"):
            return {"named": _name(type(value)), "parts": [flatten(part, arrays) for part in value]}
        case tuple():
            return {"tuple": [flatten(part, arrays) for part in value]}
        case list():
            return {"list": [flatten(part, arrays) for part in value]}
        case Mapping():
            return {"mapping": [[flatten(part, arrays) for part in pair] for pair in value.items()]}
        case _:
            assert is_dataclass(value), f"{type(value).__name__} is no plain value"
            parts = {field.name: flatten(getattr(value, field.name), arrays) for field in fields(value)}
            return {"class": _name(type(value)), "parts": parts}


def restore(found: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:  # noqa: PLR0911 - the same
    """The value again; ValueError where it is none of ours."""
    if not isinstance(found, dict):
        return found
    if "array" in found:
        array = arrays[str(found["array"])]
        return array[()] if found.get("scalar") else array
    if "complex" in found:
        return complex(*found["complex"])
    if "mapping" in found:
        return {restore(key, arrays): restore(part, arrays) for key, part in found["mapping"]}
    if "class" in found:
        kind = _class(found["class"])
        return kind(**{name: restore(part, arrays) for name, part in found["parts"].items()})
    if "named" in found:
        return _class(found["named"])(*(restore(part, arrays) for part in found["parts"]))
    parts = [restore(part, arrays) for part in found["tuple" if "tuple" in found else "list"]]
    return tuple(parts) if "tuple" in found else parts


def _name(kind: type) -> str:
    assert kind.__module__.startswith(_OWN), f"{kind} is not of this package"
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str) -> Any:
    """A class of values of this package; a file cannot name anything else."""
    module, _, kind = name.partition(":")
    if not module.startswith(_OWN):
        raise ValueError(name)
    found = getattr(sys.modules.get(module) or import_module(module), kind, None)
    if not isinstance(found, type) or not (is_dataclass(found) or hasattr(found, "_fields")):
        raise ValueError(name)
    return found


QUIET_SECONDS = 2.0  # between two savings, or more where one takes long
SHARE = 20  # of the time, savings take at most one part
_MOST = 1_000_000_000  # bytes that are kept
_INDEX = "index"


@dataclass(eq=False)
class KeptWork:
    """Values by key, of the analysis that the fingerprint describes.

    What is kept already is found again at once; a later value takes the place of an earlier one with its key.
    """

    checkpoint: Checkpoint
    fingerprint: str = ""
    _values: dict[str, Any] = field(init=False)
    _bytes: int = field(init=False, default=0)
    _new: bool = field(init=False, default=False)
    _saved: float = field(init=False, default_factory=monotonic)
    _pause: float = field(init=False, default_factory=lambda: QUIET_SECONDS)

    def __post_init__(self) -> None:
        self._values = self._load()

    def _load(self) -> dict[str, Any]:
        """What the file holds; nothing where it is another computation's, or damaged."""
        arrays = self.checkpoint.load(self.fingerprint)
        if arrays is None or _INDEX not in arrays:
            return {}
        try:
            index = json.loads(str(arrays[_INDEX]))
            return {str(key): restore(value, arrays) for key, value in index.items()}
        except (ValueError, KeyError, TypeError, AttributeError, ImportError):
            return {}

    def find(self, key: str) -> Any | None:
        """The value of this key, if there is one."""
        return self._values.get(key)

    def keep(self, key: str, value: Any) -> None:
        """Remember a value, and write all to the file if the last time is a while ago."""
        self._bytes += _size(value) - (_size(self._values[key]) if key in self._values else 0)
        if self._bytes > _MOST:
            return
        self._values[key] = value
        self._new = True
        if monotonic() - self._saved > self._pause:
            self.save()

    def save(self) -> None:
        """Write what is new."""
        if not self._new:
            return
        began = monotonic()
        arrays: list[NDArray[Any]] = []
        index = {key: flatten(value, arrays) for key, value in self._values.items()}
        named = {str(number): array for number, array in enumerate(arrays)}
        self.checkpoint.save(self.fingerprint, {_INDEX: np.array(json.dumps(index)), **named})
        self._new, self._saved = False, monotonic()
        self._pause = max(QUIET_SECONDS, SHARE * (self._saved - began))


def _size(value: Any) -> int:
    """Bytes of the arrays of a value."""
    arrays: list[NDArray[Any]] = []
    flatten(value, arrays)
    return sum(array.nbytes for array in arrays)


@contextmanager
def keep_in(checkpoint: Checkpoint | None, fingerprint: str = "") -> Iterator[None]:
    """What takes long inside is kept in the checkpoint, and is found there again by the same computation."""
    if checkpoint is None:
        yield
        return
    work, began = KeptWork(checkpoint, fingerprint), monotonic()
    try:
        with keeping(work):
            yield
    except KeyboardInterrupt:
        work.save()
        raise
    if monotonic() - began > QUIET_SECONDS:
        work.save()
