"""Free flight of a very flexible beam, in plane and space."""

from functools import cache
from typing import Any

import numpy as np
from tests.exact_beams.cantilevers import Stiffness, beam_along, straight

from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.maths.arrays import Array
from flexframe.model.system import Space, System
from flexframe.model.system_loads import MarkerForce
from flexframe.sensors import MarkerSensor

EXACT = ReductionChoice(exact=True)
SPACES: tuple[Space, Space] = ("planar", "spatial")
SOFT = Stiffness(1e3, 500.0, 0.8, 1.0, 2.0).property()


@cache
def flight(
    space: Space,
    divisions: int = 8,
    parts: int = 0,
    *,
    sharp: bool = False,
    duration: float = 1.5,
    **way: Any,
) -> CoupledMotion:
    """A beam of 1 m and 1 kg that is kicked at its end for half a second and flies on for a second.

    Of exact beams, or divided into floating frames where `parts` are given. It bends by more than a radian during
    the kick and by 0.3 after it; after a `sharp` one, of 0.15 s and twice as strong, by 2 as long as it flies.
    """
    kick = "2*sin(pi*min(t/0.15, 1))^2" if sharp else "sin(2*pi*min(t, 0.5))^2"
    moments = (0.0, 0.0, f"2.5*{kick}") if space == "planar" else (f"0.025*{kick}", f"-1.7*{kick}", f"2.5*{kick}")
    system = System(
        [beam_along(straight(1.0, divisions), SOFT, space=space)],
        loads=[MarkerForce("kick", "beam.end", (f"2*{kick}", 0.0, 0.0), moments)],
        space=space,
    )
    return simulate(
        system,
        duration=duration,
        samples=61,
        sensors={f"node {k}": MarkerSensor("position", f"beam.{k}") for k in ("start", "end")},
        reductions={"beam": ReductionChoice(parts=parts) if parts else EXACT},
        initial_deformation="undeformed",
        **way,
    )


def departures(found: CoupledMotion) -> Array:
    """Largest changes of energy, momentum and moment of momentum after the kick, as parts of their sizes."""
    free = found.times >= 0.5
    energy = (found.energies["kinetic"] + found.energies["strain"])[free, None]
    kept = (energy, found.linear_momentum[free], found.angular_momentum[free])
    return np.array([np.abs(v - v[0]).max() / np.linalg.norm(v[0]) for v in kept])
