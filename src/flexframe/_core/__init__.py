"""The compiled core: loops over bodies, joints and elements, built for several sets of instructions.

The widest set that the processor has is taken; FLEXFRAME_INSTRUCTIONS=baseline asks for the one that all have. The
stub (`__init__.pyi`) beside this file lists what the core offers; `core/` holds its sources.
"""

import os
from importlib import import_module
from typing import Any

from flexframe._core.processor import instructions

LEVEL = os.environ.get("FLEXFRAME_INSTRUCTIONS") or instructions()
_module = import_module(f"flexframe._core.{LEVEL}")


def __getattr__(name: str) -> Any:
    return getattr(_module, name)
