"""The instants of an analysis in time."""

from typing import Annotated

import numpy as np

from flexframe.cases import quantities as q
from flexframe.cases.fields import Time, count, quantity
from flexframe.maths.arrays import Array

Duration = Annotated[float, quantity(q.TIME, "positive")]
Samples = Annotated[int, count(2, 1_000_000)]


def instants(start: Time, duration: float, samples: int) -> Array:
    """Evenly spread, both ends included: (samples,)."""
    return start + duration * np.linspace(0.0, 1.0, samples)
