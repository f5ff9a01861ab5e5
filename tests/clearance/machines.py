"""Mechanisms whose joints are ideal, or have play."""

from collections.abc import Sequence
from dataclasses import replace

from flexframe.model.clearance import JointClearance
from flexframe.model.contacts import NormalLaw
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Joint, Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

CRANK, ROD = 0.05, 0.12
FLORES = JointClearance(
    0.5e-3, 9.5e-3, law=NormalLaw("lankarani_nikravesh", 6.6e10, restitution=0.9, least_speed=1e-2)
)


def slider_crank(clearance: JointClearance | None, speed: float) -> System:
    """Crank, rod and slider of Flores and Ambrósio at a speed [rad/s], with play between rod and slider."""
    bodies = [
        RigidBody("crank", 0.30, 1e-5, points={"A": (0.0, 0.0), "B": (CRANK, 0.0)}),
        RigidBody("rod", 0.21, 25e-5, centre=(ROD / 2, 0.0), points={"B": (0.0, 0.0), "C": (ROD, 0.0)}),
        RigidBody("slider", 0.14, 1e-4),
    ]
    joints: Sequence[Joint] = [
        Revolute("A", "ground", "crank.A"),
        Revolute("B", "crank.B", "rod.B"),
        Revolute("C", "rod.C", "slider", clearance=clearance),
        Prismatic("guide", "ground", "slider"),
    ]
    start = {"rod": Placement((CRANK, 0.0)), "slider": Placement((CRANK + ROD, 0.0))}
    return System(bodies, joints, [AngleDrive("motor", "ground", "crank", f"{speed!r}*t")], start=start)


def motion(
    system: System, duration: float, samples: int, step: float | None = None, **options: object
) -> Simulation:
    """By generalised-α with a step, or with the options given."""
    given = {"integrator": "generalised_alpha", "step": step} if step else options
    return integrate(dynamic_system(system), SimulationOptions(duration=duration, samples=samples, **given))  # type: ignore[arg-type]


def ideal(system: System) -> System:
    """The same without clearance."""
    return replace(
        system, joints=[replace(j, clearance=None) if hasattr(j, "clearance") else j for j in system.joints]
    )  # type: ignore[type-var]
