"""A body on a frame that moves periodically, under forces that repeat: parametric excitation.

Periodic stiffness comes from the stress that forces and the motion bring (geometric stiffness), from the spin and
from its changes; a pulsating axial force makes each mode of a column an equation of Mathieu.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint, Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.supports import NodeSelection
from flexframe.motion.frame import FrameMotion, MotionLaw, Steady
from flexframe.multibody.links.link import ElasticLink, LinkHistory, MarkerLoad, given_history
from flexframe.reduction.rest_basis import rest_basis
from flexframe.spectra.floquet.combined import (
    CombinedPiece,
    CombinedSystem,
    highest_frequency,
    periodic_amounts,
    varying_amounts,
)

_SAMPLES = 64


@dataclass(frozen=True)
class PeriodicForce:
    """A force [N] in body axes over time, (t,) → (t, 3), shared by the selected nodes."""

    on: NodeSelection
    force: Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Excitation:
    """What a period brings: its length [s], the motion of the frame and the forces."""

    period: float
    motion: MotionLaw | FrameMotion = field(default_factory=FrameMotion)
    forces: Sequence[PeriodicForce] = ()


@dataclass(eq=False)
class BodyCycle:
    """A body under an excitation that depends on named parameters (those not given have their own values)."""

    body: Body | DiscreteBody
    excitation: Callable[[Mapping[str, float]], Excitation]
    modes: int | None = None
    terms: Terms = field(default_factory=Terms)
    units: Mapping[str, str] = field(default_factory=dict)
    _link: ElasticLink = field(init=False)
    _basis: tuple[Array, Array] | None = field(default=None)
    _known: dict[tuple[tuple[int, str], ...], AffineEquations[Array]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._link = ElasticLink.attach(ensure_discrete(self.body))

    @property
    def name(self) -> str:
        """Of the body."""
        return self._link.discrete.body.name

    @property
    def discrete(self) -> DiscreteBody:
        """The body."""
        return self._link.discrete

    @property
    def basis(self) -> Array:
        """Modes at rest, whose amounts are the coordinates of the equations: (unknowns, modes)."""
        return self._modes()[1]

    @property
    def description(self) -> str:
        """How the equations were made."""
        modes = self._modes()[1].shape[1]
        return f"{modes} mode{'s' * (modes > 1)} at rest; periodic stiffness of forces, stress and frame motion"

    @property
    def unknowns(self) -> int:
        """Coordinates that the supports leave."""
        return self._link.discrete.supports.size

    def unit(self, parameter: str) -> str:
        """Unit of a parameter, empty where it is not known."""
        return self.units.get(parameter, "")

    def with_modes(self, count: int) -> "BodyCycle":
        """The same with another number of modes."""
        return BodyCycle(self._link.discrete, self.excitation, count, self.terms, self.units)

    def require(self, parameters: Mapping[str, float]) -> Excitation:
        """What these parameters give, if it can be."""
        given = self.excitation(parameters)
        if not (np.isfinite(given.period) and given.period > 0):
            raise InputError(f"the period is {given.period:g} s; give a positive time", field="period")
        _history(self._link.discrete, given, given.period * np.arange(_SAMPLES) / _SAMPLES)
        return given

    def system(self, parameters: Mapping[str, float]) -> CombinedSystem[CombinedPiece]:
        """The equations at given parameters."""
        given = self.require(parameters)
        frequencies, V = self._modes()
        discrete = self._link.discrete
        sampled = _history(discrete, given, given.period * np.arange(_SAMPLES) / _SAMPLES)
        occurring = self._link.equations(sampled, self.terms).equations.homogeneous
        names = tuple((part.order, part.name) for part in occurring.parts)
        if names not in self._known:
            self._known[names] = occurring.project(V)
        equations = self._known[names]

        def points(times: Array) -> OperatingPoint:
            return self._link.points(_history(discrete, given, times))

        amounts = periodic_amounts(varying_amounts(equations, points), given.period)
        piece = CombinedPiece(0.0, given.period, equations, amounts)
        return CombinedSystem(piece, max(float(frequencies[-1]), highest_frequency(piece)))

    def _modes(self) -> tuple[Array, Array]:
        if self._basis is None:
            discrete = self._link.discrete
            reduce = discrete.supports.reduce_matrix
            made = rest_basis(reduce(discrete.stiffness), reduce(discrete.mass), self.modes)
            self._basis = made.frequencies, made.vectors
        return self._basis


def _history(discrete: DiscreteBody, given: Excitation, times: Array) -> LinkHistory:
    law = Steady(given.motion) if isinstance(given.motion, FrameMotion) else given.motion
    frames = [law.at(0.0)] * len(times) if isinstance(law, Steady) else [law.at(float(t)) for t in times]
    loads = []
    for number, force in enumerate(given.forces):
        values = np.asarray(force.force(times), dtype=float)
        if values.shape != (len(times), 3) or not np.isfinite(values).all():
            raise InputError(
                f"the force on '{force.on}' is not three finite numbers at all times; correct it",
                field=("loads", number, "force"),
            )
        nodes = discrete.body.selected_nodes(force.on)
        point = discrete.body.mesh.points[nodes].mean(axis=0)
        loads.append(MarkerLoad(str(force.on), str(force.on), point, nodes, values, np.zeros_like(values)))
    return given_history(
        times,
        angular_velocity=np.array([f.angular_velocity for f in frames]),
        angular_acceleration=np.array([f.angular_acceleration for f in frames]),
        origin_acceleration=np.array([f.origin_acceleration for f in frames]),
        loads=tuple(loads),
    )
