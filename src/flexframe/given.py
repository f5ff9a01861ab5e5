"""What a user hands over: a value of the wrong type is refused in one line, whether Python or a case file gave it.

Annotations say which type a field or a parameter has; arrays and what has no simple annotation are left to those
who use them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from inspect import isclass, isroutine, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import numpy as np

from flexframe.errors import InputError

Array = np.ndarray[Any, np.dtype[np.float64]]

_NUMBERS = (int, float, np.integer, np.floating)
_WORDS: dict[Any, str] = {
    float: "a number",
    int: "a whole number",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
}
_EXAMPLES = {
    "Material": "ff.STEEL",
    "OrthotropicMaterial": "",
    "Section": "ff.Rectangle(0.02, 0.01)",
    "Support": 'ff.Clamp("start")',
    "NodeForce": 'ff.NodeForce("end", (0.0, 1.0))',
    "Mesh": "ff.mesh.line(1.0, 10)",
    "Region": "ff.Region(property)",
    "Joint": 'ff.Revolute("A", "ground", "crank")',
    "Drive": 'ff.AngleDrive("motor", "ground", "crank", "10*t")',
    "FrameMotion": "ff.FrameMotion.spin(30.0)",
    "System": "ff.System(bodies, joints)",
    "Sensor": 'ff.sensors.DofSensor("end", "uy")',
    "TimeLaw": "ff.motion.smooth(times, values), which has value and two derivatives",
}


class Described:
    """A description whose fields are checked when it is made; a subclass with more to check calls this first."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        hints, name = _field_hints(kind), getattr(self, "name", "")
        owner = type(self).__name__ + (f" '{name}'" if isinstance(name, str) and name else "")
        for field, hint in hints.items():
            _require(getattr(self, field), hint, f"{owner}: {field}", field)


def require_arguments(function: Any, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments of a function that are not of the sort that its annotations say."""
    hints = _parameter_hints(function)
    for name, value in arguments.items():
        if name in hints:
            _require(value, hints[name], f"{function.__name__}: {name}", name)


def require_number(value: object, what: str, *, field: str = "") -> None:
    """Refuse what is not a number."""
    _require(value, float, what, field or what)


def numbers(values: object, what: str) -> Array:
    """One or more numbers in a row: (n,)."""
    try:
        found = np.array(values, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{what} is {_show(values)}; give numbers", field=what) from None
    if not found.size or isinstance(values, str):
        raise InputError(f"{what} is {_show(values)}; give one number or more", field=what)
    return found


def _require(value: object, hint: Any, what: str, field: str) -> None:
    if not _fits(value, hint):
        raise InputError(f"{what} is {_show(value)}; give {_words(hint)}", field=field)


@cache
def _field_hints(kind: Any) -> dict[str, Any]:
    hints = _hints(kind)
    return {field.name: hints[field.name] for field in fields(kind) if field.name in hints}


@cache
def _parameter_hints(function: Any) -> dict[str, Any]:
    hints = _hints(function)
    return {name: hints[name] for name in signature(function).parameters if name in hints}


def _hints(thing: Any) -> dict[str, Any]:
    """Annotations; none where they name what is known to type checkers only."""
    try:
        return get_type_hints(thing)
    except NameError:
        return {}


# ---------------------------------------------------------------------- whether a value fits


def _fits(value: object, hint: Any) -> bool:  # noqa: PLR0911 - a line for each sort
    origin = get_origin(hint)
    if origin is Annotated:
        return _fits(value, get_args(hint)[0])
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if origin is Literal:
        return isinstance(value, str | int | float | None) and value in get_args(hint)
    if origin is not None:
        return _fits_container(value, origin, get_args(hint))
    if hint is float:
        return (isinstance(value, _NUMBERS) and not isinstance(value, bool)) or _is_scalar(value)
    if hint is int:
        return isinstance(value, int | np.integer) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if not isclass(hint) or hint in (object, np.ndarray, Any):
        return True
    return _has(value, hint) if Protocol in hint.__bases__ else isinstance(value, hint)


def _is_scalar(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 0


def _fits_container(value: object, origin: Any, arguments: tuple[Any, ...]) -> bool:  # noqa: PLR0911
    if not isclass(origin) or origin is np.ndarray:
        return True
    if issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_fits(each, arguments[-1]) for each in value.values())
    if issubclass(origin, Sequence):
        if isinstance(value, np.ndarray):
            return value.ndim > 0
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            return False
        several = origin is not tuple or (len(arguments) == 2 and arguments[1] is Ellipsis)
        if several:
            return all(_fits(each, arguments[0]) for each in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    return True  # callables and others


def _has(value: object, protocol: Any) -> bool:
    """Whether a value has what a protocol asks for."""
    if isinstance(value, str | bytes | int | float | tuple | list | dict | NoneType) or isclass(value):
        return False
    wanted = {name for base in protocol.__mro__ if Protocol in base.__bases__ for name in _members(base)}
    return all(hasattr(value, name) for name in wanted)


def _members(base: Any) -> list[str]:
    return [name for name in (*vars(base), *getattr(base, "__annotations__", ())) if not name.startswith("_")]


# ---------------------------------------------------------------------- words


def _show(value: object) -> str:
    if isroutine(value):
        return "a function"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    name = getattr(value, "name", None)
    if isinstance(name, str) and not isclass(value):
        return f"the {type(value).__name__} '{name}'"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _choice(members: Sequence[Any]) -> str:
    """Words for one of several; what numpy takes for an array is numbers."""
    if any(getattr(one, "__name__", "") == "TimeLaw" for one in members):
        return (
            "a formula of t as a text, a number, or a law with value and two derivatives such as "
            "ff.motion.smooth(times, values)"
        )
    words = [
        "numbers" if getattr(one, "__module__", "").startswith("numpy") or one in (bytes, complex) else _words(one)
        for one in members
        if one is not NoneType
    ]
    if "numbers" in words:
        words = [word for word in words if word not in ("a text", "True or False", "a number", "a whole number")]
    return " or ".join(dict.fromkeys(words))


def _words(hint: Any) -> str:  # noqa: PLR0911 - a line for each sort
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _words(arguments[0])
    if origin in (Union, UnionType):
        return _choice(arguments)
    if origin is Literal:
        return " or ".join(repr(one) for one in arguments)
    if isclass(origin) and issubclass(origin, Mapping):
        return f"a dict of {_words(arguments[-1])} by name"
    if isclass(origin) and issubclass(origin, Sequence):
        several = origin is not tuple or arguments[-1] is Ellipsis
        return f"a list, each {_words(arguments[0])}" if several else f"{len(arguments)} values"
    if hint in _WORDS:
        return _WORDS[hint]
    name = getattr(hint, "__name__", str(hint))
    example = _EXAMPLES.get(name, "")
    article = "an" if name[0] in "AEIOU" else "a"
    return f"{article} {name}" + (f" such as {example}" if example else "")
