"""Equations of a whole body by a formalism: assembled, broken into its elements, or in a reduced basis."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.pattern import assembled
from flexframe.assembly.projection import Projection
from flexframe.errors import InputError
from flexframe.formalisms.contract import BodyEquations, ElementRoute, MovingElements
from flexframe.formalisms.mass_points import Work, equal_masses
from flexframe.formalisms.moving_elements import ElementGroup, LooseTerms, element_groups, loose_terms
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.motion.frame import FrameMotion

POINTS = 20_000  # mass points above which a reduced body is condensed to as many as its moments need


def assembled_equations(
    route: ElementRoute,
    discrete: DiscreteBody,
    motion: FrameMotion,
    *,
    geometric: float = 1.0,
    work: Work | None = None,
) -> BodyEquations:
    """Element equations by a formalism, added up at the nodes; supports stay as constraints."""
    work = work or Work()
    size = discrete.dofs.count
    total: list[SparseMatrix] = []
    load = np.zeros(size)
    for group in element_groups(discrete, motion, geometric=geometric):
        made = route.element_equations(group.elements, motion, work)
        parts = [assembled(m, group.numbers, size) for m in (made.mass, made.damping, made.stiffness)]
        total = [sparse.csr_array(a + b) for a, b in zip(total, parts, strict=True)] if total else parts
        kept = group.numbers >= 0
        np.add.at(load, group.numbers[kept], made.load[kept])
    unit = sparse.csr_array(sparse.eye_array(size))
    mass, damping, stiffness = total
    whole = BodyEquations(mass, damping, stiffness, load, support_constraint(discrete.supports), unit, unit)
    return _with_loose(whole, loose_terms(discrete, motion, geometric=geometric))


def broken_equations(
    route: ElementRoute,
    discrete: DiscreteBody,
    motion: FrameMotion,
    *,
    geometric: float = 1.0,
    work: Work | None = None,
) -> BodyEquations:
    """All elements side by side with coordinates of their own; A joins them and holds the supports."""
    work = work or Work()
    groups = list(element_groups(discrete, motion, geometric=geometric))
    made = [route.element_equations(group.elements, motion, work) for group in groups]
    numbers = np.concatenate([group.numbers.ravel() for group in groups])
    present = numbers >= 0
    place = np.cumsum(present) - 1
    size = discrete.dofs.count
    loose = np.setdiff1d(np.arange(size), numbers[present])  # references of couplings, which have no element
    owner = np.concatenate([numbers[present], loose])
    count = len(owner)
    local, start = [], 0
    for group in groups:
        stop = start + group.numbers.size
        local.append(np.where(present[start:stop], place[start:stop], -1).reshape(group.numbers.shape))
        start = stop

    def beside(matrices: Iterable[Array]) -> SparseMatrix:
        parts = [assembled(m, n, count) for m, n in zip(matrices, local, strict=True)]
        return sparse.csr_array(sum(parts[1:], parts[0]))

    load = np.zeros(count)
    load[: int(present.sum())] = np.concatenate([equations.load.ravel() for equations in made])[present]
    first = np.unique(owner, return_index=True)[1]
    copies = np.setdiff1d(np.arange(count), first)
    ones = np.ones(len(copies))
    rows = np.arange(len(copies))
    joins = sparse.coo_array(
        (
            np.concatenate([ones, -ones]),
            (np.tile(rows, 2), np.concatenate([first[np.searchsorted(owner[first], owner[copies])], copies])),
        ),
        shape=(len(copies), count),
    )
    spread = sparse.csr_array(sparse.coo_array((np.ones(count), (np.arange(count), owner)), shape=(count, size)))
    lift = sparse.csr_array(sparse.coo_array((np.ones(size), (owner[first], first)), shape=(size, count)))
    held = support_constraint(discrete.supports) @ lift
    whole = BodyEquations(
        beside(e.mass for e in made),
        beside(e.damping for e in made),
        beside(e.stiffness for e in made),
        load,
        sparse.csr_array(sparse.vstack([sparse.csr_array(joins), held])),
        lift,
        spread,
    )
    return _with_loose(whole, loose_terms(discrete, motion, geometric=geometric))


def _with_loose(equations: BodyEquations, loose: LooseTerms) -> BodyEquations:
    """The equations with what belongs to no element."""
    lift = equations.lift
    return replace(
        equations,
        damping=sparse.csr_array(equations.damping + lift.T @ (loose.damping @ lift)),
        stiffness=sparse.csr_array(equations.stiffness + lift.T @ (loose.stiffness @ lift)),
        load=equations.load + lift.T @ loose.load,
    )


def require_elements(discrete: DiscreteBody, *, field: str) -> None:
    """Refuse a body with matrices of a file, of which no formalism knows mass points and forces."""
    if discrete.body.matrices is not None:
        raise InputError(
            f"body {discrete.body.name} has matrices that a file gives, and a formalism derives the equations of "
            f"elements; leave the {field} out, or make the body of its mesh",
            field="kind" if field == "crosscheck" else field,
        )


def is_damped(discrete: DiscreteBody) -> bool:
    """Whether the motion of a body loses energy: in its material, or in dampers at its nodes."""
    structural = discrete.body.damping
    return bool(structural.mass or structural.stiffness) or discrete.spring_damping is not None


def support_constraint(supports: Projection) -> SparseMatrix:
    """Independent rows A with A δ = 0 for what the supports hold: (m, p)."""
    B = supports.basis
    size = B.shape[0]
    held = sparse.csr_array(sparse.eye_array(size) - B @ B.T)
    held.data[np.abs(held.data) < 1e-12] = 0.0
    held.eliminate_zeros()
    touched = np.flatnonzero(np.diff(held.indptr))
    labels = connected_components(held, directed=False)[1][touched]
    order = np.argsort(labels, kind="stable")
    rows: list[IntArray] = []
    columns: list[IntArray] = []
    values: list[Array] = []
    count = 0
    for members in np.split(touched[order], np.flatnonzero(np.diff(labels[order])) + 1):
        if not len(members):
            continue
        strengths, directions = np.linalg.eigh(held[members][:, members].toarray())
        for direction in directions[:, strengths > 0.5].T:
            rows.append(np.full(len(members), count))
            columns.append(members)
            values.append(direction)
            count += 1
    if not count:
        return sparse.csr_array((0, size), dtype=float)
    triplets = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(count, size)))


def reduced_elements(
    discrete: DiscreteBody, motion: FrameMotion, basis: Array, *, geometric: float = 1.0
) -> MovingElements:
    """The whole body as one element with the coordinates of a basis (p, r): δ = basis · y."""
    padded = np.vstack([basis, np.zeros(basis.shape[1])])
    size = basis.shape[1]
    pieces: list[tuple[Array, Array, Array]] = []
    k, d, q = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    for group in element_groups(discrete, motion, geometric=geometric):
        own = padded[group.numbers]  # (elements, p, r)
        part = group.elements
        shape = np.einsum("egip,epr->egir", part.shape, own, optimize=True)
        pieces.append((part.weights.ravel(), part.positions.reshape(-1, 3), shape.reshape(-1, 3, size)))
        k += np.einsum("epr,epq,eqs->rs", own, part.stiffness, own, optimize=True)
        d += np.einsum("epr,epq,eqs->rs", own, part.damping, own, optimize=True)
        q += np.einsum("epr,ep->r", own, part.load)
        if sum(len(piece[0]) for piece in pieces) > POINTS:
            pieces = [condensed_points(pieces)]
    loose = loose_terms(discrete, motion, geometric=geometric)
    k, d = (a + basis.T @ np.asarray(b @ basis) for a, b in ((k, loose.stiffness), (d, loose.damping)))
    q = q + basis.T @ loose.load
    weights, positions, shape = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return MovingElements(weights[None], positions[None], shape[None], k[None], d[None], q[None])


def condensed_points(pieces: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """As few mass points as there are functions with the same integrals of ρ, ρx, ρN, ρxx, ρxN, ρNN."""
    rows = np.concatenate(
        [np.sqrt(w)[:, None] * np.hstack([np.ones((len(w), 1)), x, N.reshape(len(w), -1)]) for w, x, N in pieces]
    )
    weight, moved = equal_masses(rows)
    return np.full(len(moved), weight), moved[:, :3], moved[:, 3:].reshape(len(moved), 3, -1)


def selected_groups(
    discrete: DiscreteBody,
    motion: FrameMotion,
    *,
    per_family: int,
    rng: np.random.Generator,
    geometric: float = 1.0,
) -> list[ElementGroup]:
    """At most `per_family` elements of each family and property, chosen at random."""
    cells = [
        rng.choice(batch.cells, size=min(per_family, batch.count), replace=False) for batch in discrete.batches
    ]
    return list(element_groups(discrete, motion, geometric=geometric, chosen=np.concatenate(cells)))
