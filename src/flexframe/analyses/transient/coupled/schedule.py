"""Steps and stored samples of a motion with equal steps: what was asked for, and what is taken."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.multibody.contract import SimulationOptions

SAMPLES = 401


@dataclass(frozen=True, eq=False)
class Schedule:
    """Instants that are stored, and the step, which divides the time between them."""

    times: Array  # s: (samples,)
    step: float | None  # s, taken; None with error control
    asked: float | None  # s
    notices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The step, and the one that was asked for where it is another."""
        if self.step is None or self.asked is None:
            return ""
        if abs(self.step - self.asked) <= 1e-6 * self.asked:
            return f"step {self.step:.4g} s"
        return f"step {self.step:.4g} s ({self.asked:.4g} s asked for)"


def schedule(options: SimulationOptions) -> Schedule:
    """Samples at step ends, each after the same number of steps.

    A step is never longer than asked for, and shorter only as far as a whole number of steps has to fit between
    two samples. Where more samples are asked for than there are steps, every step is stored.
    """
    duration, step, samples = options.duration, options.equal_step, options.samples
    if step is None:
        return Schedule(np.linspace(0.0, duration, samples or SAMPLES), None, None)
    steps = options.equal_steps
    notices: tuple[str, ...] = ()
    if samples is None:
        least = -(-steps // (SAMPLES - 1))
        # a number of steps that divides theirs, if one is near
        stride = next((n for n in range(least, 2 * least + 1) if steps % n == 0), least)
        intervals = -(-steps // stride)
    else:
        intervals = min(samples - 1, steps)
        stride = -(-steps // intervals)
        if intervals < samples - 1:
            notices = (
                f"{samples} samples were asked for and there are {steps} steps: every step is stored; take a "
                "smaller step for more",
            )
    return Schedule(np.linspace(0.0, duration, intervals + 1), duration / (intervals * stride), step, notices)
