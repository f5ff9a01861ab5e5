"""An elastic link: a body that its supports attach to its frame, moved and loaded by a mechanism.

Frame motion and forces at the markers of the link make, at every instant,

    m δ̈ + 2c(ω) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = −q_i(ε) − q_i(ω²) − M_Oᵀ(a_O − g) + forces at the markers,

with k_g the sum of the geometric stiffness of the inertia field and of the unit forces k_g^(P,i), each computed
once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.loads import AppliedLoads
from flexframe.assembly.projection import Projection
from flexframe.elements.contract import NODE_DOFS
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.cycle import CycleEquations, along
from flexframe.equations.operating_point import OperatingPoint
from flexframe.equations.parts import LOAD, STIFFNESS, Once, Part
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mechanisms.elastic.link_history import LinkHistory, require_no_own_loads

_NEGLIGIBLE = 1e-9  # part of the largest force below which a component is rounding


@dataclass(frozen=True)
class MarkerLoad:
    """A unit force (column 0, 1, 2) shared by the nodes of a marker, or a unit moment (3, 4, 5) on its node."""

    column: int
    nodes: tuple[int, ...]

    def __str__(self) -> str:
        nodes = ", ".join(str(node) for node in self.nodes)
        return f"{'force' if self.column < 3 else 'moment'} {'xyz'[self.column % 3]} at node {nodes}"


@dataclass(frozen=True, eq=False)
class ElasticLink:
    """A supported body with its unit loads; each unit is computed when first needed and then kept."""

    discrete: DiscreteBody
    _geometric: dict[MarkerLoad, SparseMatrix] = field(default_factory=dict)

    @classmethod
    def attached(cls, discrete: DiscreteBody) -> "ElasticLink":
        """A link whose supports hold it in its frame; others are refused."""
        if discrete.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {discrete.body.name} can move in its own frame; give it supports that tie it to the frame, "
                "as few as hold it (a pin at one end, a roller at the other)"
            )
        return cls(discrete)

    def equations(
        self, history: LinkHistory, terms: Terms | None = None, *, supports: Projection | None = None
    ) -> CycleEquations:
        """The equations along a history; `supports` replaces those of the body (none: every degree of freedom)."""
        require_no_own_loads(self.discrete.body)
        units = marker_amounts(self.discrete, history)
        loads = [part for unit in units for part in self._marker_parts(unit)]
        body = affine_equations(self.discrete, terms).extended(loads)
        found = along(body, self.points(history), history.times)
        return replace(found, equations=found.equations.project(supports or self.discrete.supports))

    def points(self, history: LinkHistory) -> OperatingPoint:
        """What the coefficients depend on along a history."""
        amounts = marker_amounts(self.discrete, history)
        return history.points({str(unit): amount for unit, amount in amounts.items()})

    def _marker_parts(self, unit: MarkerLoad) -> Iterator[Part[SparseMatrix]]:
        """A unit force at a marker, and the stiffness of the stress that it causes."""
        coefficient = Monomial((str(unit),))
        yield Part("geometric", STIFFNESS, Once(lambda: self.geometric(unit)), coefficient)
        yield Part("marker", LOAD, Once(lambda: unit_marker_load(self.discrete, unit)), coefficient)

    def geometric(self, unit: MarkerLoad) -> SparseMatrix:
        """Geometric stiffness of a unit load at a marker: (p, p)."""
        if unit not in self._geometric:
            known, forces = self.discrete.geometric, unit_marker_load(self.discrete, unit)
            if not self.discrete.supports.reduce_vector(forces).any():
                self._geometric[unit] = self.discrete.stiffness * 0.0  # it goes straight into a support
            else:
                alone = replace(
                    known, applied=AppliedLoads(forces, np.zeros(3), np.zeros_like(known.applied.line)), _known={}
                )
                self._geometric[unit] = alone.invariant(("applied", 0, 0))
        return self._geometric[unit]


def marker_amounts(discrete: DiscreteBody, history: LinkHistory) -> dict[MarkerLoad, Array]:
    """How much of each unit load at a marker a history brings, over time; those that never occur are left out."""
    amounts: dict[MarkerLoad, Array] = {}
    for load in history.loads:
        _add_marker(discrete, load.name, load.nodes, np.hstack([load.force, load.moment]), amounts)
    return {unit: amount for unit, amount in amounts.items() if amount.any()}


def _add_marker(
    discrete: DiscreteBody, name: str, nodes: IntArray, wrench: Array, amounts: dict[MarkerLoad, Array]
) -> None:
    low, high = discrete.body.mesh.bounding_box
    length = float(np.linalg.norm(high - low))
    largest = np.abs(wrench[:, :3]).max(initial=0.0) + np.abs(wrench[:, 3:]).max(initial=0.0) / length
    for column in range(6):
        amount = wrench[:, column]
        if np.abs(amount).max(initial=0.0) <= _NEGLIGIBLE * largest * (1.0 if column < 3 else length):
            continue
        missing = (discrete.dofs.numbers[nodes, column] < 0).any() or (column >= 3 and len(nodes) > 1)
        if missing:
            what = "force" if column < 3 else "moment"
            raise InputError(
                f"{name} puts a {what} along {NODE_DOFS[column]} on body {discrete.body.name}, whose nodes there "
                "cannot take it; tie them to a reference node by a coupling and link that one"
            )
        unit = MarkerLoad(column, tuple(int(node) for node in nodes))
        amounts[unit] = amounts.get(unit, 0.0) + amount


def unit_marker_load(discrete: DiscreteBody, unit: MarkerLoad) -> Array:
    """A unit force shared by the nodes of a marker, or a unit moment on its node: (p,)."""
    vector = np.zeros(discrete.dofs.count)
    numbers = discrete.dofs.numbers[list(unit.nodes), unit.column]
    np.add.at(vector, numbers, 1.0 / len(numbers))
    return vector
