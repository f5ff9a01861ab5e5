"""Systems for the tests of two-way dynamics."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexframe.elements.properties import GeneralSection, Material, Rectangle
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicState, DynamicSystem, Progress, Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.basis import ReductionBasis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint, reduce_body
from flexframe.reduction.strategies import Coordinate, CraigBampton, Modal


def double_pendulum() -> DynamicSystem:
    """References J: uniform rods of 1 m, released from the horizontal."""
    rods = [RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")]
    system = System(
        rods,
        [Revolute("pivot", "ground", "upper.start"), Revolute("hinge", "upper.end", "lower.start")],
        loads=[SystemGravity()],
        start={"lower": Placement(np.array([1.0, 0, 0]))},
    )
    return dynamic_system(system)


def flexible_pendulum(*, geometric: bool = True, modes: int = 2) -> DynamicSystem:
    """A soft beam of 1 m on a hinge, its frame clamped there, released from the horizontal."""
    body = Body.beam(
        "beam", length=1.0, divisions=8, section=Rectangle(0.02, 0.01), material=Material(2e9, 0.3, 2000.0)
    )
    reduced = reduce_body(
        body,
        CraigBampton(modes),
        interfaces=[Interface("tip", "end")],
        sensors=[Interface("root", "start")],
        reference=ClampedFrame("start"),
    )
    system = System([body], [Revolute("pivot", "ground", "beam")], loads=[SystemGravity()])
    return dynamic_system(system, {"beam": reduced}, geometric=geometric)


def spinning_beam(
    speed: str, *, geometric: bool = True, modes: int = 4, slender: float = 70.0, divisions: int = 16
) -> DynamicSystem:
    """A cantilever of unit length, mass and bending stiffness on a hub that turns as prescribed, in its plane."""
    area = 1.0
    inertia = area / slender**2
    material = Material(young=1 / inertia, poisson=0.0, density=1.0)
    body = Body.beam(
        "blade",
        length=1.0,
        divisions=divisions,
        section=GeneralSection(area, inertia, inertia, 2 * inertia),
        material=material,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
    )
    reduced = reduce_body(
        body, Modal(modes), interfaces=[Interface("tip", "end")], reference=ClampedFrame("start")
    )
    system = System([body], [Revolute("hub", "ground", "blade")], [AngleDrive("spin", "ground", "blade", speed)])
    return dynamic_system(system, {"blade": reduced}, geometric=geometric)


def spin_up() -> DynamicSystem:
    """References D: the beam of Kane, Ryan and Banerjee with the section constants of Simo and Vu-Quoc."""
    material = Material(young=2.8e7, poisson=2.8 / 2.4 - 1, density=1.2)  # κ G A = 1e7 with κ = 5/6
    body = Body.beam(
        "blade", length=10.0, divisions=16, section=GeneralSection(1.0, 5e-4, 5e-4, 1e-3), material=material
    )
    reduced = reduce_body(
        body, CraigBampton(4), interfaces=[Interface("tip", "end")], reference=ClampedFrame("start")
    )
    law = "6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))"
    system = System([body], [Revolute("hub", "ground", "blade")], [AngleDrive("spin", "ground", "blade", law)])
    return dynamic_system(system, {"blade": reduced})


def flexible_slider_crank(modes: int = 6) -> DynamicSystem:
    """References E, physical: rigid crank at 150 rad/s, elastic rod of 8 × 8 mm, slider."""
    rod = Body.beam(
        "rod", length=0.3, divisions=12, section=Rectangle(0.008, 0.008), material=Material(2e11, 0.3, 7870.0)
    )
    reduced = reduce_body(
        rod,
        Modal(modes),
        interfaces=[Interface("start", "start"), Interface("end", "end")],
        sensors=[Interface("middle", (0.15, 0.0, 0.0))],
    )
    crank = RigidBody.rod("crank", length=0.15, mass=0.36)
    slider = RigidBody("slider", 0.075552, np.array(1e-5))
    system = System(
        [crank, rod, slider],
        [
            Revolute("axle", "ground", "crank.start"),
            Revolute("pin", "crank.end", "rod.start"),
            Revolute("eye", "rod.end", "slider"),
            Prismatic("guide", "ground", "slider"),
        ],
        [AngleDrive("motor", "ground", "crank", "150*t")],
        start={
            "rod": Placement(np.array([0.15, 0, 0])),
            "slider": Placement(np.array([0.45, 0, 0])),
        },
    )
    return dynamic_system(system, {"rod": reduced})


def particle_body(seed: int = 3, size: int = 3, count: int = 12) -> tuple[ReducedBody, Array, Array, Array, Array]:
    """A body of mass points with random fields; masses, places x (P, 3), N (P, 3, m) and G (P, 3, m, m) of them.

    G is a linear function of the place, so that its projection on such functions is itself.
    """
    random = np.random.default_rng(seed)
    mass, x = random.uniform(0.5, 2.0, count), random.normal(size=(count, 3))
    N = random.normal(size=(count, 3, size))
    a, b = random.normal(size=(3, size, size)), random.normal(size=(3, 3, size, size))
    G = a + np.einsum("pk,kirt->pirt", x, b)
    G = (G + G.swapaxes(2, 3)) / 2
    k = random.normal(size=(size, size))
    coordinates = tuple(Coordinate("mode", str(i), 1.0) for i in range(size))
    point = ReducedPoint(
        "P", x[0], np.concatenate([N[0], 0.2 * N[1]]), np.concatenate([G[0], 0.2 * G[1]]), np.ones(6, dtype=bool)
    )
    body = ReducedBody(
        name="cloud",
        mass=float(mass.sum()),
        first_moment=mass @ x,
        second_moment=np.einsum("p,pi,pj->ij", mass, x, x),
        origin_coupling=np.einsum("p,pir->ir", mass, N),
        position_coupling=np.einsum("p,pk,pmr->kmr", mass, x, N),
        shape_products=np.einsum("p,par,pbt->abrt", mass, N, N),
        stiffness=k @ k.T,
        damping=np.zeros((size, size)),
        origin_quadratic=np.einsum("p,pirt->irt", mass, G),
        position_quadratic=np.einsum("p,pa,pbrt->abrt", mass, x, G),
        interfaces=(point,),
        sensors=(),
        basis=ReductionBasis(np.eye(size), coordinates, "random", "random"),
    )
    return body, mass, x, N, G


def simulate(
    system: DynamicSystem,
    start: DynamicState | None = None,
    *,
    samples: int | ArrayLike | None = None,
    progress: Progress | None = None,
    checkpoint: Callable[[DynamicState], None] | None = None,
    partial: bool = False,
    **options: Any,
) -> Simulation:
    """`integrate` with samples by number or by times, and with what the integrator needs of step and tolerance."""
    unused = "step" if options.get("integrator") == "dormand_prince" else "tolerance"
    if "step" in options and "tolerance" in options:
        options.pop(unused)
    if samples is None or isinstance(samples, int):
        made = SimulationOptions(samples=samples, **options)
        return integrate(system, made, start, progress=progress, checkpoint=checkpoint, partial=partial)
    times = np.array(samples, dtype=float)
    made = SimulationOptions(**({"duration": float(times[-1] - times[0])} | options))
    return integrate(system, made, start, times=times, progress=progress, checkpoint=checkpoint, partial=partial)
