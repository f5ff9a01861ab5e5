"""Symbolic derivations: one element in a moving frame by every formalism, as formulas or as code.

Names are loaded on first use, because SymPy is slow to import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flexframe.formalisms.registry import NAMES as FORMALISMS
from flexframe.symbolic.names import ELEMENTS, GAUGES, MOTIONS, PLANE_STATES

if TYPE_CHECKING:
    from flexframe.symbolic.code import to_c, to_python
    from flexframe.symbolic.counts import operation_counts, published_counts
    from flexframe.symbolic.deriving import derive
    from flexframe.symbolic.printing import to_latex
    from flexframe.symbolic.record import Derivation

_HOMES = {
    "Derivation": "record",
    "derive": "deriving",
    "operation_counts": "counts",
    "published_counts": "counts",
    "to_c": "code",
    "to_latex": "printing",
    "to_python": "code",
}

__all__ = [
    "ELEMENTS",
    "FORMALISMS",
    "GAUGES",
    "MOTIONS",
    "PLANE_STATES",
    "Derivation",
    "derive",
    "operation_counts",
    "published_counts",
    "to_c",
    "to_latex",
    "to_python",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
