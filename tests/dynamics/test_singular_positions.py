"""Chains of parallelograms (IFToMM benchmark A02) pass the positions in which all their links lie on one line.

There the rank of the constraints falls by the number of loops: rounding in them no longer fixes the positions to
rounding. The motion has one freedom, so that an ordinary differential equation is the reference.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import Simulation
from flexframe.multibody.system import dynamic_system

from .samples import simulate

UPRIGHT = np.pi / 2


def chain(loops: int) -> System:
    """Posts and bars of 1 m and 1 kg, upright at the start, pushed with 1 rad/s."""
    posts = [RigidBody.rod(f"post{i}", length=1.0, mass=1.0) for i in range(loops + 1)]
    bars = [RigidBody.rod(f"bar{i}", length=1.0, mass=1.0) for i in range(loops)]
    start = {f"post{i}": Placement(np.array([i, 0.0, 0.0]), np.array([0, 0, UPRIGHT])) for i in range(loops + 1)}
    start |= {f"bar{i}": Placement(np.array([i, 1.0, 0.0])) for i in range(loops)}
    hinges = [Revolute(f"foot{i}", f"ground.p{i}", f"post{i}.start") for i in range(loops + 1)]
    hinges += [Revolute(f"left{i}", f"post{i}.end", f"bar{i}.start") for i in range(loops)]
    hinges += [Revolute(f"right{i}", f"post{i + 1}.end", f"bar{i}.end") for i in range(loops)]
    return System(
        [*posts, *bars],
        hinges,
        ground={f"p{i}": np.array([i, 0.0, 0.0]) for i in range(loops + 1)},
        start=start,
        initial=[AngleDrive("push", "ground", "post0", f"{UPRIGHT!r} - t")],
        loads=[SystemGravity()],
    )


def errors(motion: Simulation, loops: int) -> tuple[float, float]:
    """Of the angle against ((N + 1)/3 + N) θ̈ = −g cos θ ((N + 1)/2 + N), and of posts that are parallel."""
    ratio = ((loops + 1) / 2 + loops) / ((loops + 1) / 3 + loops)
    reference = solve_ivp(
        lambda _, y: [y[1], -9.81 * np.cos(y[0]) * ratio],
        (0.0, motion.times[-1]),
        [UPRIGHT, -1.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=motion.times,
    )
    posts = motion.angles[:, : loops + 1]
    return float(np.abs(posts[:, 0] - reference.y[0]).max()), float(np.abs(posts - posts[:, :1]).max())


@pytest.mark.parametrize(("loops", "duration"), [(20, 1.6), pytest.param(40, 10.0, marks=pytest.mark.slow)])
def test_generalised_alpha_passes(loops: int, duration: float) -> None:
    """The step of 1 ms stopped at 1.243 s with 20 loops, at 0.722 s with 40; the error is of second order.

    Gaps of 1e-14 at a distance of a step's rotation, 4e-3 rad, and loops that add up leave posts parallel to 1e-8.
    """
    system = dynamic_system(chain(loops))
    found = [errors(simulate(system, duration=duration, step=step, samples=41), loops) for step in (2.5e-3, 1e-3)]
    assert found[0][0] / found[1][0] == pytest.approx(2.5**2, rel=0.2)
    assert max(spread for _, spread in found) < 1e-8


def test_a_lattice_in_space_with_redundant_hinges_passes() -> None:
    """Each loop of hinges in space has three rows too many; the regularisation of these must not show elsewhere.

    With 1e-9 of A M⁻¹ Aᵀ on every row 40 loops stopped at 1.244 s, beside the first singular position. The rods have
    an inertia about their axes, so that no body is singular by itself, and stay in the plane to rounding.
    """
    loops = 40
    plane = chain(loops)
    bodies = [RigidBody(b.name, 1.0, np.array([1e-3, 1 / 3, 1 / 3]), points={"start": (0, 0), "end": (1, 0)},
                        centre=(0.5, 0.0)) for b in plane.bodies]  # fmt: skip
    space = replace(plane, bodies=tuple(bodies), space="spatial")
    motion = simulate(dynamic_system(space), duration=1.35, step=1e-3, samples=28)
    assert np.abs(motion.positions[..., 2]).max() < 1e-12
    angles = np.unwrap(2 * np.arctan2(motion.quaternions[..., 3], motion.quaternions[..., 0]), axis=0)
    posts = angles[:, : loops + 1]
    assert np.abs(posts - posts[:, :1]).max() < 1e-8


def test_a_step_ends_in_the_singular_position() -> None:
    """Without weight the chain turns steadily, and lies on one line after 1 s, up to rounding."""
    loops = 5
    whole = chain(loops)
    free = System(
        whole.bodies,
        whole.joints,
        ground=whole.ground,
        start=whole.start,
        initial=[AngleDrive("push", "ground", "post0", f"{UPRIGHT!r} - {UPRIGHT!r}*t")],
    )
    motion = simulate(dynamic_system(free), duration=2.0, step=1e-3, samples=21)
    expected = UPRIGHT * (1 - motion.times)
    np.testing.assert_allclose(motion.angles[:, 0], expected, atol=1e-5)  # (ωh)² = 2.5e-6
    assert np.abs(motion.angles[:, : loops + 1] - motion.angles[:, :1]).max() < 1e-8
