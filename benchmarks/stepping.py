"""A running system stepped from Python as hardware in the loop wants it: time of a step and its jitter.

Usage: python -m benchmarks.stepping [steps]

A rigid arm and an elastic one (eight elastic coordinates) with a torque that changes at every step of 1 ms, one
internal step each. What Python adds is the time of a step beside that of the call of the core inside it, medians
of both. A maximum tells of the machine as much as of the program: nobody else may work on it.
"""

import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from benchmarks.harness import Figure, write

import flexframe as ff
from flexframe.loads import Actuator, TorsionSpring

STEP = 1e-3  # s
PYTHON_LIMIT = 50.0  # µs that Python may add


def arm(body: ff.RigidBody | ff.Body, at: str) -> ff.System:
    """An arm on a hinge with a torque from outside and a spring to rest."""
    return ff.System(
        [body],
        [ff.Revolute("axis", "ground", at)],
        loads=[
            Actuator("motor", "ground", at, "torque"),
            TorsionSpring("spring", "ground", at, stiffness=20.0, damping=0.5),
            ff.SystemGravity("weight", (0.0, -9.81)),
        ],
        sensors={
            "angle": ff.sensors.RotationSensor("angle", body.name),
            "speed": ff.sensors.RotationSensor("angular_velocity", body.name),
        },
        inputs=[ff.Input("torque", 0.0, "N m")],
    )


def rigid() -> ff.System:
    return arm(ff.RigidBody("arm", 1.0, np.array(0.02), np.array([0.2, 0.0, 0.0])), "arm")


def elastic() -> ff.System:
    section = ff.Rectangle(0.03, 0.006)
    beam = ff.Body.beam("arm", length=0.6, divisions=8, section=section, material=ff.STEEL)
    return arm(beam, "arm.start")


def measured(make: Callable[[], ff.System], name: str, steps: int) -> list[Figure]:
    """Mean, 99 %, jitter and maximum of a step, and what Python adds."""
    sim = ff.Simulation(make(), step=STEP)
    torques = 0.5 * np.sin(0.02 * np.arange(steps))
    times = np.zeros(steps)
    for k, torque in enumerate(torques.tolist()):
        began = perf_counter()
        sim.step(STEP, {"torque": torque})
        times[k] = perf_counter() - began
    core, outputs = np.zeros(steps), np.zeros(2)
    for k, torque in enumerate(torques):
        inputs = np.array([torque])
        began = perf_counter()
        sim._stepper.step(STEP, inputs, outputs)
        core[k] = perf_counter() - began
    late = times[steps // 100 :] * 1e6  # without the first ones
    added = float(np.median(late) - np.median(core[steps // 100 :]) * 1e6)
    return [
        Figure(f"{name}: mean of a step", float(late.mean()), "µs"),
        Figure(f"{name}: median of a step", float(np.median(late)), "µs"),
        Figure(f"{name}: 99 % of steps below", float(np.quantile(late, 0.99)), "µs"),
        Figure(f"{name}: jitter, 99 % less the median", float(np.quantile(late, 0.99) - np.median(late)), "µs"),
        Figure(f"{name}: longest step", float(late.max()), "µs"),
        Figure(f"{name}: what Python adds to a step", added, "µs", PYTHON_LIMIT),
    ]


def main(steps: int = 20_000) -> None:
    write("stepping", figures=[*measured(rigid, "rigid arm", steps), *measured(elastic, "elastic arm", steps)])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
