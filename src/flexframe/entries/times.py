"""The instants of an analysis in time."""

from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from flexframe.entries import quantities as q
from flexframe.entries.entry import refusal
from flexframe.entries.fields import Time, count, quantity
from flexframe.maths.arrays import Array

SHORTEST = 1e-30  # s; squares of steps in it stay far inside the range of numbers

ANNOUNCED_STEPS = 1_000_000
"""Above so many a run says before it begins that it takes long."""


def _long_enough(value: float) -> float:
    if value < SHORTEST:
        raise refusal(f"is {value:g} s; nothing moves in that time, check its unit")
    return value


Duration = Annotated[float, quantity(q.TIME, "positive"), AfterValidator(_long_enough)]
Samples = Annotated[int, count(2, 1_000_000)]


def instants(start: Time, duration: float, samples: int) -> Array:
    """Evenly spread, both ends included: (samples,)."""
    return start + duration * np.linspace(0.0, 1.0, samples)
