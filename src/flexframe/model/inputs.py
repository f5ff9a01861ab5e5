"""Inputs: values that come from outside while a system moves, such as the command of a controller elsewhere."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.model.controllers.checking import require_name


@dataclass(frozen=True)
class Input(Described):
    """A number in SI that formulas use under its name, and that whoever steps the system sets between steps.

    In an ordinary run it keeps its value. `unit` is for tables and files.
    """

    name: str
    value: float = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_name(self.name)
        if not np.isfinite(self.value):
            raise InputError(f"input {self.name} is {self.value:g}; give a finite number", field="value")
