"""A million steps of a tumbling elastic frame in free flight: nothing drifts, and repetitions give equal bits.

Usage: python -m benchmarks.free_flight [steps]
"""

import sys
from pathlib import Path
from time import process_time

import numpy as np
from benchmarks.harness import Figure, write

from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.maths.arrays import Array

EXAMPLE = Path(__file__).parents[1] / "examples" / "free_flight.yaml"
STEP = 4e-4  # s
STEPS, REPEATED = 1_000_000, 10_000


def flight(steps: int) -> CoupledMotion:
    """The example over this many steps."""
    case = load_case(EXAMPLE, [f"analyses.run.duration={steps * STEP!r} s", "analyses.run.samples=201"])
    record = case.analyses["run"].run(case)
    assert isinstance(record, CoupledMotion)
    return record


def departure(values: Array) -> float:
    """Largest change of a vector, relative to its size."""
    return float(np.abs(values - values[0]).max() / np.linalg.norm(values[0]))


def different_numbers(first: CoupledMotion, second: CoupledMotion) -> int:
    """How many numbers of two records are not the same to the last bit."""
    pairs = [(first.coordinates[name], second.coordinates[name]) for name in first.coordinates]
    pairs += [(first.angular_momentum, second.angular_momentum), (first.linear_momentum, second.linear_momentum)]
    return sum(int(np.count_nonzero(a != b)) for a, b in pairs)


def measured(steps: int) -> list[Figure]:
    name = f"free flight, {steps:,} steps"
    began = process_time()
    record = flight(steps)
    rate = steps / (process_time() - began)
    assert record.figures.steps == steps
    return [
        Figure(name, rate, "steps/s of the processor"),
        # one rounding of 1e-16 in a step at worst; a million of them at random are 1e-13
        Figure(f"{name}, drift of the energy", record.energy_drift, "of the energy", 1e-11),
        Figure(f"{name}, drift of the momentum", departure(record.linear_momentum), "of its size", 1e-11),
        Figure(
            f"{name}, drift of the moment of momentum", departure(record.angular_momentum), "of its size", 1e-11
        ),
        Figure(
            f"free flight, {REPEATED:,} steps repeated, numbers that differ",
            different_numbers(flight(REPEATED), flight(REPEATED)),
            "",
            0,
        ),
    ]


if __name__ == "__main__":
    write("free_flight", figures=measured(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS))
