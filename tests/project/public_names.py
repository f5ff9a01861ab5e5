"""The public names of flexframe, as users meet them."""

import inspect
from types import ModuleType
from typing import Any

import flexframe

MODULES: dict[str, ModuleType] = {
    name: value
    for name in flexframe.__all__  # type: ignore[attr-defined]
    if isinstance(value := getattr(flexframe, name), ModuleType)
}
"""Public modules by name, as in `ff.joints`."""

TOP: dict[str, Any] = {name: getattr(flexframe, name) for name in flexframe.__all__ if name not in MODULES}  # type: ignore[attr-defined]
"""Names at the top, as in `ff.Body`."""


def public_names() -> dict[str, Any]:
    """Everything public by the path after `ff.`, such as `Body` and `joints.Revolute`."""
    inner = {
        f"{where}.{name}": getattr(module, name) for where, module in MODULES.items() for name in module.__all__
    }
    return {**TOP, **inner}


def public_functions() -> dict[str, Any]:
    """Public functions, each once, under the shortest path."""
    found: dict[Any, str] = {}
    for path, value in public_names().items():
        if inspect.isfunction(value):
            found.setdefault(value, path)
    return {path: value for value, path in found.items()}


def public_constructors() -> dict[str, Any]:
    """Public class methods of public classes, such as `Body.beam`."""
    found: dict[Any, str] = {}
    for path, value in public_names().items():
        if inspect.isclass(value) and value.__module__.startswith("flexframe"):
            for name, method in vars(value).items():
                if isinstance(method, classmethod) and not name.startswith("_"):
                    found.setdefault(getattr(value, name).__func__, f"{path}.{name}")
    return {path: value for value, path in found.items()}


def public_members() -> dict[str, str]:
    """Docstrings of methods and properties of public classes, by path; one without its own has that of a base.

    Fields of dataclasses are described by the docstring of their class.
    """
    found: dict[str, str] = {}
    for path, value in public_names().items():
        if inspect.isclass(value):
            classes = [each for each in value.__mro__ if each.__module__.partition(".")[0] == "flexframe"]
            for name in dict.fromkeys(name for each in classes for name in vars(each) if name[0] != "_"):
                defined = [vars(each)[name] for each in classes if name in vars(each)]
                if _is_member(defined[0]):
                    docstrings = (each.__doc__ for each in defined if _is_member(each))
                    found[f"{path}.{name}"] = next(filter(None, docstrings), "").strip()
    return found


def _is_member(value: Any) -> bool:
    """Whether it is a method or a property of any kind, not a value or the slot of a field."""
    return hasattr(value, "__get__") and not inspect.isclass(value) and not inspect.ismemberdescriptor(value)
