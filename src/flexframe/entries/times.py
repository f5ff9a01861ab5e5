"""The instants of an analysis in time."""

from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from flexframe.entries import quantities as q
from flexframe.entries.entry import refusal
from flexframe.entries.fields import Time, count, quantity
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.solver_settings import memory_limit

SHORTEST = 1e-30  # s; squares of steps in it stay far inside the range of numbers

SAMPLE_BYTES = 1000.0
"""Of one body at one instant, from the integrator to the report: measured on chains of rigid bodies."""
ANNOUNCED_STEPS = 1_000_000
"""Above so many a run says before it begins that it takes long."""


def _long_enough(value: float) -> float:
    if value < SHORTEST:
        raise refusal(f"is {value:g} s; nothing moves in that time, check its unit")
    return value


Duration = Annotated[float, quantity(q.TIME, "positive"), AfterValidator(_long_enough)]
Samples = Annotated[int, count(2, 1_000_000)]


def require_room(samples: int | None, bodies: int) -> None:
    """Refuse more samples of so many bodies than the memory holds that may be used."""
    needed, limit = (samples or 0) * bodies * SAMPLE_BYTES, memory_limit()
    if limit is not None and needed > limit:
        raise InputError(
            f"{samples:,} samples of {bodies} bodies take about {needed / 1e9:.2g} GB, and {limit / 1e9:.2g} GB "
            f"may be used; give at most {int(limit / (bodies * SAMPLE_BYTES)):,}"
        )


def instants(start: Time, duration: float, samples: int) -> Array:
    """Evenly spread, both ends included: (samples,)."""
    return start + duration * np.linspace(0.0, 1.0, samples)
