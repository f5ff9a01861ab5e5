"""Short signatures of public names: what `help` and editors show, without the modules that types live in."""

import re
from collections.abc import Callable
from inspect import Parameter, Signature, formatannotation, isfunction, signature
from typing import Any

_MODULES = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")
_LONGEST = 40  # of a default value


class _Words:
    """A text that is shown as it is, without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def shorten(public: Any) -> Any:
    """The same function or class, with short signatures (its own and those of its methods)."""
    if isfunction(public):
        _shorten_one(public)
    elif isinstance(public, type):
        for name, member in vars(public).items():
            function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if isfunction(function) and (name == "__init__" or not name.startswith("_")):
                _shorten_one(function)
    return public


def _shorten_one(function: Callable[..., Any]) -> None:
    try:
        found = signature(function)
    except ValueError:
        return
    parameters = [
        p.replace(annotation=_type(p.annotation), default=_default(p)) for p in found.parameters.values()
    ]
    returned = _type(found.return_annotation)
    function.__signature__ = Signature(parameters, return_annotation=returned)  # type: ignore[attr-defined]


def _type(annotation: Any) -> Any:
    if annotation is Signature.empty or isinstance(annotation, _Words):
        return annotation
    text = annotation if isinstance(annotation, str) else formatannotation(annotation)
    return _Words(_MODULES.sub("", text))


def _default(parameter: Parameter) -> Any:
    """A default value; of one that is long to read its type."""
    value = parameter.default
    if value is Parameter.empty or len(repr(value)) <= _LONGEST:
        return value
    return _Words(f"{type(value).__name__}(…)")
