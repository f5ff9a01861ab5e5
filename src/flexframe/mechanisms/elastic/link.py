"""An elastic link: a body that its supports attach to its frame, moved and loaded by a mechanism.

Frame motion and forces at the markers of the link make, at every instant,

    m δ̈ + 2c(ω) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = −q_i(ε) − q_i(ω²) − M_Oᵀ(a_O − g) + forces at the markers,

with k_g the sum of the geometric stiffness of the inertia field and of the unit forces k_g^(P,i), each computed
once.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.assembly.geometric import GeometricInvariants
from flexframe.assembly.loads import AppliedLoads
from flexframe.assembly.projection import Projection
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mechanisms.elastic.cycle_equations import CycleEquations
from flexframe.mechanisms.elastic.link_history import LinkHistory, require_no_own_loads

_NEGLIGIBLE = 1e-9  # part of the largest force below which a component is rounding


@dataclass(frozen=True)
class Unit:
    """A unit of inertia load ("centrifugal", "euler", "origin") or of a force at nodes ("marker")."""

    kind: str
    first: int = 0
    second: int = 0
    nodes: tuple[int, ...] = ()

    def __str__(self) -> str:
        axes = "xyz"
        match self.kind:
            case "centrifugal":
                return f"ω{axes[self.first]} ω{axes[self.second]}"
            case "euler":
                return f"ε{axes[self.first]}"
            case "origin":
                return f"a{axes[self.first]}"
        return f"{'force' if self.first < 3 else 'moment'} {axes[self.first % 3]} at node {self.nodes[0]}"


@dataclass(frozen=True, eq=False)
class ElasticLink:
    """A supported body with its unit loads; each unit is computed when first needed and then kept."""

    discrete: DiscreteBody
    _geometric: dict[Unit, SparseMatrix] = field(default_factory=dict)

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
        terms, discrete = terms or Terms(), self.discrete
        require_no_own_loads(discrete.body)
        supports = supports or discrete.supports
        amounts = unit_amounts(discrete, history)
        axes = [a for a in range(3) if history.angular_velocities[:, a].any() and terms.coriolis]
        reduce = supports.reduce_matrix
        inertia = discrete.inertia
        loads = [self._load(unit, terms) for unit in amounts]
        return CycleEquations(
            times=history.times,
            mass=reduce(discrete.mass),
            damping=reduce(discrete.dissipation),
            gyroscopic=tuple(2 * terms.coriolis * reduce(inertia.coriolis_invariant(a)) for a in axes),
            stiffness=reduce(discrete.stiffness),
            unit_stiffness=tuple(reduce(self._stiffness(unit, terms)) for unit in amounts),
            unit_loads=supports.reduce_vector(np.array(loads).reshape(-1, discrete.dofs.count).T),
            spins=history.angular_velocities[:, axes],
            amounts=np.array(list(amounts.values())).reshape(-1, len(history.times)).T,
            units=tuple(str(unit) for unit in amounts),
        )

    def geometric(self, unit: Unit) -> SparseMatrix:
        """Geometric stiffness of a unit load: (p, p)."""
        if unit not in self._geometric:
            known = self.discrete.geometric
            forces = unit_marker_load(self.discrete, unit) if unit.kind == "marker" else np.empty(0)
            if unit.kind != "marker":
                self._geometric[unit] = known.invariant((unit.kind, unit.first, unit.second))
            elif not self.discrete.supports.reduce_vector(forces).any():
                self._geometric[unit] = self.discrete.stiffness * 0.0  # it goes straight into a support
            else:
                lines = np.zeros_like(known.applied.line)
                alone = GeometricInvariants(
                    known.batches,
                    known.dofs,
                    known.pattern,
                    known.inertia,
                    known.equilibrium,
                    AppliedLoads(forces, np.zeros(3), lines),
                    known.elastic,
                    known.joins,
                    known.point_bodies,
                )
                self._geometric[unit] = alone.invariant(("applied", 0, 0))
        return self._geometric[unit]

    def _stiffness(self, unit: Unit, terms: Terms) -> SparseMatrix:
        """K_u: frame term and geometric stiffness, with their multipliers."""
        inertia = self.discrete.inertia
        total = terms.geometric * self.geometric(unit) if terms.geometric else self.discrete.stiffness * 0.0
        if unit.kind == "euler":
            total = total + terms.euler * inertia.coriolis_invariant(unit.first)
        if unit.kind == "centrifugal":
            total = total + terms.centrifugal * inertia.centrifugal_invariant(unit.first, unit.second)
        return sparse.csr_array(total)

    def _load(self, unit: Unit, terms: Terms) -> Array:
        inertia = self.discrete.inertia
        match unit.kind:
            case "euler":
                return -terms.euler * inertia.euler_load_invariant(unit.first)
            case "centrifugal":
                return -terms.centrifugal * inertia.centrifugal_load_invariant(unit.first, unit.second)
            case "origin":
                return -inertia.origin_load(np.eye(3)[unit.first])
        return unit_marker_load(self.discrete, unit)


def unit_amounts(discrete: DiscreteBody, history: LinkHistory) -> dict[Unit, Array]:
    """How much of each unit a history brings, over time; units that never occur are left out."""
    omega, epsilon = history.angular_velocities, history.angular_accelerations
    amounts: dict[Unit, Array] = {}
    for i in range(3):
        amounts[Unit("euler", i)] = epsilon[:, i]
        amounts[Unit("origin", i)] = history.origin_accelerations[:, i]
        for j in range(i, 3):
            amounts[Unit("centrifugal", i, j)] = omega[:, i] * omega[:, j] * (1 if i == j else 2)
    for load in history.loads:
        _add_marker(discrete, load.name, load.nodes, np.hstack([load.force, load.moment]), amounts)
    return {unit: amount for unit, amount in amounts.items() if amount.any()}


def _add_marker(
    discrete: DiscreteBody, name: str, nodes: IntArray, wrench: Array, amounts: dict[Unit, Array]
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
        unit = Unit("marker", column, nodes=tuple(int(node) for node in nodes))
        amounts[unit] = amounts.get(unit, 0.0) + amount


def unit_marker_load(discrete: DiscreteBody, unit: Unit) -> Array:
    """A unit force shared by the nodes of a marker, or a unit moment on its node: (p,)."""
    vector = np.zeros(discrete.dofs.count)
    numbers = discrete.dofs.numbers[list(unit.nodes), unit.first]
    np.add.at(vector, numbers, 1.0 / len(numbers))
    return vector
