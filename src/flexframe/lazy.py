"""Public modules: names that the stub beside a module imports, loaded when they are first used."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from flexframe.signatures import shorten

Attached = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def attach(module: str, file: str) -> Attached:
    """`__getattr__`, `__dir__` and `__all__` of a public module, from its stub.

    `module` and `file` are `__name__` and `__file__` of the module. The stub is the file of the same name with the
    ending `.pyi`; its lines are `from SOURCE import NAME as NAME`. Type checkers read the same file.
    """
    stub = Path(file).with_suffix(".pyi")
    package = module if stub.stem == "__init__" else module.rpartition(".")[0]
    sources: dict[str, str] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            sources |= {alias.name: source for alias in node.names}
    names = sorted(sources)

    def load(name: str) -> Any:
        if name not in sources:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        source = sources[name]
        if source == module:  # a public module inside this one
            return import_module(f"{module}.{name}")
        value = shorten(getattr(import_module(source), name))
        setattr(sys.modules[module], name, value)
        return value

    return load, lambda: list(names), names
