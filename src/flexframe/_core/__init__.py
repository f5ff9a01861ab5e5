"""The compiled core: loops over bodies, joints and elements, built for several sets of instructions.

The widest set that the processor has is taken; FLEXFRAME_INSTRUCTIONS=baseline asks for the one that all have. The
stub (`__init__.pyi`) beside this file lists what the core offers; `core/` holds its sources.
"""

import os
from importlib import import_module
from typing import Any

from flexframe.errors import FlexframeError, InputError

LEVELS = ("baseline", "avx2")
"""Sets of instructions, each with those before it."""


def _choose_level() -> str:
    """What FLEXFRAME_INSTRUCTIONS asks for, else the widest that this processor can run."""
    try:
        widest = import_module("flexframe._core.processor").instructions()
    except ImportError as error:
        raise FlexframeError(
            f"the compiled core of flexframe cannot be loaded ({error}); build it with `make core` in a clone, "
            "or install flexframe again with pip"
        ) from error
    possible = LEVELS[: LEVELS.index(widest) + 1]
    level = os.environ.get("FLEXFRAME_INSTRUCTIONS") or widest
    if level not in possible:
        raise InputError(f"FLEXFRAME_INSTRUCTIONS is {level!r}; here it may be {' or '.join(possible)}")
    return level


LEVEL = _choose_level()
_module = import_module(f"flexframe._core.{LEVEL}")


def __getattr__(name: str) -> Any:
    return getattr(_module, name)
