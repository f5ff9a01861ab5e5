"""Runs in threads of one process, and builds of the core for several sets of instructions."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe import _core
from flexframe.multibody.contract import DynamicSystem, Simulation
from flexframe.multibody.equations import accelerations_at, place_of
from flexframe.multibody.integrators.fixed_steps import Segment
from flexframe.multibody.integrators.recording import RUNNING, empty_samples
from flexframe.multibody.start import initial_state

from .random_systems import random_state, random_system
from .samples import double_pendulum, flexible_pendulum, simulate

OPTIONS = {
    "generalised_alpha": {"duration": 0.2, "step": 1e-3},
    "dormand_prince": {"duration": 0.2, "tolerance": 1e-7},
}


def run(system: DynamicSystem, integrator: str) -> Simulation:
    return simulate(system, samples=5, integrator=integrator, **OPTIONS[integrator])


@pytest.mark.parametrize("integrator", sorted(OPTIONS))
def test_runs_in_threads_give_the_same_bits(integrator: str) -> None:
    """Two systems at once, one of them twice, against one after the other."""
    systems = [double_pendulum(), flexible_pendulum(), double_pendulum()]
    alone = [run(system, integrator) for system in systems]
    together = threading.Barrier(len(systems), timeout=60)

    def start(system: DynamicSystem) -> Simulation:
        together.wait()
        return run(system, integrator)

    with ThreadPoolExecutor(len(systems)) as pool:
        found = list(pool.map(start, systems))
    for one, other in zip(alone, found, strict=True):
        for name in ("positions", "quaternions", "deformations", "velocities", "accelerations", "multipliers"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_python_goes_on_while_the_core_integrates() -> None:
    """A run without end is within the core for its whole budget; meanwhile another thread counts.

    With the lock of the interpreter held nothing could be counted between the beginning of the call and its end.
    """
    system = double_pendulum()
    start = initial_state(system)
    method = _core.GeneralisedAlpha(system.compiled, (1 / 3, 4 / 9, 0.25 * (10 / 9) ** 2, 0.5 + 1 / 9), 1.0)
    assert method.start(place_of(system, start), 0.0, 1e-4)
    one = np.ones(1)
    endless = Segment(
        0 * one,
        1e-4 * one,
        np.zeros(1, np.int64),
        np.full(1, 10**9),
        one,
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )
    begun, ended, counted = threading.Event(), threading.Event(), []

    def integrate() -> int:
        begun.set()
        status = method.run(endless, empty_samples(system, 1), 0, 0.5)[0]
        ended.set()
        return status

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(integrate)
        begun.wait()
        while not ended.is_set():
            counted.append(1)
            ended.wait(0.01)
        assert running.result() == RUNNING
    # two counts may fall before and after the call; half a second has room for fifty
    assert len(counted) > 3


HERE = Path(__file__).resolve()
PRINTED = (
    "import sys; sys.path.insert(0, {tests!r}); from dynamics.test_threads import print_accelerations as f; f()"
)


def print_accelerations() -> None:
    """u̇ of some random systems, exactly as they are."""
    for seed in range(4):
        system, _ = random_system(seed, planar=bool(seed % 2))
        found = accelerations_at(system, random_state(system, seed)).velocity_rate
        sys.stdout.write(" ".join(value.hex() for value in found) + "\n")


def test_all_instructions_give_the_same_accelerations() -> None:
    """Wider instructions take sums in another order: rounding, magnified by the condition of the equations."""
    found = []
    for level in _core.LEVELS[: _core.LEVELS.index(_core.LEVEL) + 1]:
        code = PRINTED.format(tests=str(HERE.parents[1]))
        settings = {**os.environ, "FLEXFRAME_INSTRUCTIONS": level}
        done = subprocess.run(
            [sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True
        )
        found.append(
            [np.array([float.fromhex(part) for part in line.split()]) for line in done.stdout.splitlines()]
        )
    for seed, results in enumerate(zip(*found, strict=True)):
        system, _ = random_system(seed, planar=bool(seed % 2))
        bound = rounding(system.size + system.rows, 1e3)  # conditions of the scaled equations are below 200
        for other in results[1:]:
            np.testing.assert_allclose(other, results[0], rtol=0, atol=bound * np.abs(results[0]).max())
