"""Values of arrays, numbers, texts and dataclasses as plain arrays and a JSON text, and back, without pickle."""

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

_OWN = "flexframe."


def flattened(value: Any, arrays: list[NDArray[Any]]) -> Any:  # noqa: PLR0911 - a line for each kind of value
    """What JSON can hold of a value; its arrays are added to the list."""
    match value:
        case None | bool() | str():
            return value
        case np.generic():
            return flattened(np.asarray(value), arrays) | {"scalar": True}
        case int() | float():
            return value
        case complex():
            return {"complex": [value.real, value.imag]}
        case np.ndarray():
            arrays.append(value)
            return {"array": len(arrays) - 1}
        case tuple() if hasattr(value, "_fields"):
            return {"named": _name(type(value)), "parts": [flattened(part, arrays) for part in value]}
        case tuple():
            return {"tuple": [flattened(part, arrays) for part in value]}
        case list():
            return {"list": [flattened(part, arrays) for part in value]}
        case Mapping():
            return {"mapping": [[flattened(part, arrays) for part in pair] for pair in value.items()]}
        case _:
            assert is_dataclass(value), f"{type(value).__name__} is no plain value"
            parts = {field.name: flattened(getattr(value, field.name), arrays) for field in fields(value)}
            return {"class": _name(type(value)), "parts": parts}


def restored(found: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:  # noqa: PLR0911 - the same
    """The value again; ValueError where it is none of ours."""
    if not isinstance(found, dict):
        return found
    if "array" in found:
        array = arrays[str(found["array"])]
        return array[()] if found.get("scalar") else array
    if "complex" in found:
        return complex(*found["complex"])
    if "mapping" in found:
        return {restored(key, arrays): restored(part, arrays) for key, part in found["mapping"]}
    if "class" in found:
        kind = _class(found["class"])
        return kind(**{name: restored(part, arrays) for name, part in found["parts"].items()})
    if "named" in found:
        return _class(found["named"])(*(restored(part, arrays) for part in found["parts"]))
    parts = [restored(part, arrays) for part in found["tuple" if "tuple" in found else "list"]]
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
