"""How much work each formalism is: the published counting rule, and honest counts of what is formed."""

from dataclasses import dataclass

from flexframe.errors import InputError
from flexframe.formalisms.registry import NAMES
from flexframe.symbolic.deriving import derive
from flexframe.symbolic.formalism import Operations

PUBLISHED_ELEMENTS = (5, 10, 15, 20, 25, 30, 40)
"""Numbers of elements of the published table (Vlase, Negrean, Marin, Năstac: Kane's method, 2020, Table 1)."""

VELOCITY_TERMS = ("v_O", "ω×x", "ω×Nδ", "Nδ̇")
ACCELERATION_TERMS = ("a_O", "(ε + ω²)x", "(ε + ω²)Nδ", "2ωNδ̇", "Nδ̈")
LAGRANGE_DERIVATIVES = ("∂/∂δ̇", "d/dt", "∂/∂δ")
GIBBS_APPELL_DERIVATIVES = ("∂/∂δ̈",)
KANE_DERIVATIVES = ("velocity → acceleration", "velocity → partial velocities")
DOFS_PER_NODE = 4


@dataclass(frozen=True)
class PublishedCounts:
    """Numbers of differentiations by the published rule for a chain of elements."""

    elements: int
    lagrange: int
    gibbs_appell: int
    kane: int


def published_counts(elements: int) -> PublishedCounts:
    """The rule behind the published table.

    Lagrange and Gibbs–Appell are counted for each scalar term and each of the 4(n + 1) degrees of freedom, Kane
    for each element on whole matrices; the comparison is not like for like, see `operation_counts`.
    """
    if elements < 1:
        raise InputError(f"{elements} elements cannot be counted; give at least one")
    dofs = DOFS_PER_NODE * (elements + 1)
    return PublishedCounts(
        elements=elements,
        lagrange=len(LAGRANGE_DERIVATIVES) * len(VELOCITY_TERMS) * dofs,
        gibbs_appell=len(GIBBS_APPELL_DERIVATIVES) * len(ACCELERATION_TERMS) * dofs,
        kane=len(KANE_DERIVATIVES) * elements,
    )


@dataclass(frozen=True)
class OperationCount:
    """What one formalism forms for one element."""

    formalism: str
    operations: Operations
    conditions: tuple[str, ...]  # under which it applies


def operation_counts(
    element: str, motion: str = "planar", *, plane_state: str = "stress"
) -> tuple[OperationCount, ...]:
    """Additions, multiplications and differentiations of each route, on the same element and the same integrals.

    Every primitive is counted as the expanded sum of products that the route writes down, an integral of the
    element counting as one symbol; a differentiation is one derivative of one such sum by one variable in it.
    """
    derivations = (derive(element, motion, name, plane_state=plane_state) for name in NAMES)
    return tuple(OperationCount(d.formalism, d.operations, d.conditions) for d in derivations)
