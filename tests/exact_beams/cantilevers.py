"""Clamped beams of given section stiffness, and their equilibria by exact beams while loads grow."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion, vector_from_rotation
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region
from flexframe.model.joints import Joint, Weld
from flexframe.model.loads import Load
from flexframe.model.supports import Support
from flexframe.model.system import Space, System
from flexframe.model.system_loads import SystemLoad
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equilibria.load_path import LoadPath, load_path
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system

CLAMP = Weld("root", "ground", "beam.start")


@dataclass(frozen=True)
class Stiffness:
    """EA, GA of both shears, GJ and both EI of a section."""

    EA: float
    GA: float
    GJ: float
    EI: float
    EI_across: float | None = None

    def property(self, density: float = 1.0) -> BeamProperty:
        """ρA = density; A = 1, so that ρI = density · EI/EA."""
        poisson = self.EA / (2 * self.GA) - 1
        across = self.EI if self.EI_across is None else self.EI_across
        section = GeneralSection(1.0, self.EI / self.EA, across / self.EA, self.GJ / self.GA, 1.0)
        return BeamProperty(Material(self.EA, poisson, density, idealised=True), section)


def beam_along(
    points: Array,
    prop: BeamProperty,
    *,
    space: Space = "spatial",
    theory: str = "timoshenko",
    supports: Sequence[Support] = (),
    loads: Sequence[Load] = (),
) -> Body:
    """Elements between points (n, 3) in a row, with node sets "start" and "end"."""
    mesh = polyline(points, 1).with_sets(node_sets={"start": [0], "end": [len(points) - 1]})
    region = Region(prop, family=f"{theory}_beam")
    return Body("beam", mesh, (region,), tuple(supports), tuple(loads), space=space)


def straight(length: float, divisions: int, direction: Sequence[float] = (1.0, 0.0, 0.0)) -> Array:
    return np.linspace(0.0, length, divisions + 1)[:, None] * np.asarray(direction)


def exact_system(system: System) -> DynamicSystem:
    """The system, its body "beam" of exact beams, ready for the core."""
    made = elastic_system(system, {"beam": ReductionChoice(exact=True)}, watched={})
    return dynamic_system(made.system, {name: part.reduced for name, part in made.parts.items()})


def clamped(body: Body, loads: Sequence[SystemLoad], joints: Sequence[Joint] = (CLAMP,)) -> DynamicSystem:
    return exact_system(System([body], list(joints), loads=list(loads), space=body.space))


def equilibria(system: DynamicSystem, until: float = 1.0) -> LoadPath:
    return load_path(system, rigid_start(system), until=until)


@dataclass(frozen=True, eq=False)
class Sections:
    """Where the sections of the nodes are."""

    places: Array  # (nodes, 3)
    rotations: Array  # (nodes, 3, 3)

    @property
    def tip(self) -> Array:
        return np.asarray(self.places[-1])

    @property
    def turn(self) -> float:
        """By how much the last section is turned [rad]."""
        return float(np.linalg.norm(vector_from_rotation(self.rotations[-1])))


def sections(path: LoadPath, step: int = -1) -> Sections:
    """Of an equilibrium of a system with one body."""
    state = path.steps[step].state
    return Sections(state.positions, rotation_from_quaternion(state.quaternions))


def elastica(load: float) -> tuple[Array, float]:
    """Tip and its angle of an inextensible cantilever under a dead force P across it, P L²/EI = load.

    With K(m) − F(φ, m) = √load and sin²φ = 1/2m, sin θ = 2m − 1, x = √(2 sin θ/load) and
    y = 1 − 2 (E(m) − E(φ, m))/√load in lengths of the beam (Bisshopp and Drucker 1945).
    """
    root = np.sqrt(load)

    def amplitude(m: float) -> float:
        return float(np.arcsin(1 / np.sqrt(2 * m)))

    m = brentq(lambda m: ellipk(m) - ellipkinc(amplitude(m), m) - root, 0.5 + 1e-14, 1 - 1e-14, xtol=1e-15)
    across = 1 - 2 * (ellipe(m) - ellipeinc(amplitude(m), m)) / root
    return np.array([np.sqrt(2 * (2 * m - 1) / load), across]), float(np.arcsin(2 * m - 1))
