"""Couplings of grid points in Nastran: rigid elements, means, and multipoint constraints."""

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.exchange.equations import rigid_rows
from flexframe.exchange.nastran.attachments import (
    ALL,
    Attachments,
    chosen_constraints,
    components,
    refuse_others,
)
from flexframe.exchange.nastran.cards import Card, Deck
from flexframe.exchange.nastran.coordinates import Grid
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import MeanCoupling, RigidCoupling

_SAME = 1e-9  # of weights of a mean coupling, relative
_LINEAR = "is read as linear equations, which follow rotations to first order"
Ends = list[tuple[int, list[int]]]
"""Grid points by label, and components 0 … 5 of each."""


def read_couplings(deck: Deck, grid: Grid, made: Attachments) -> None:
    """Add what ties grid points to each other."""
    for card in deck.of("RBE2"):
        points = _rigid_followers(card)
        _add_rigid(made, grid, card, reference=card.integer(2), followers=points, digits=card.text(3))
    for card in deck.of("RBAR"):
        _add_bar(made, grid, card)
    for card in deck.of("RTRPLT"):
        corners = [card.integer(f) for f in (2, 3, 4)]
        places = _place(card)
        groups = [[components(card.text(f + k), places) for k in range(3)] for f in (5, 9)]
        led, tied = (list(zip(corners, group, strict=True)) for group in groups)
        _add_rows(made, grid, card, led, tied)
    for card in deck.of("RBE1"):
        _add_rows(made, grid, card, *_listed_ends(card))
    for card in deck.of("RROD"):
        nodes = grid.nodes.of(np.array([card.integer(2), card.integer(3)]), _place(card))
        line = grid.points[nodes[1]] - grid.points[nodes[0]]
        made.equations.add(np.repeat(nodes, 3), np.tile(np.arange(3), 2), np.concatenate([line, -line]))
    for card in deck.of("RBE3"):
        _add_mean(made, grid, card)
    _read_equations(deck, grid, made)
    refuse_others(deck, made, ("RSPLINE", "RSSCON", "RJOINT"), "are not read")


def _place(card: Card) -> str:
    return f"{card.place}: {card.name}"


# ---------------------------------------------------------------------- rigid elements


def _rigid_followers(card: Card) -> list[int]:
    """The grid points behind the components; a real at the end is a coefficient of expansion."""
    shorter = card.fields
    while shorter and ("." in shorter[-1] or not shorter[-1]):
        shorter = shorter[:-1]
    return Card(card.name, card.place, shorter).labels(4)


def _add_rigid(
    made: Attachments, grid: Grid, card: Card, *, reference: int, followers: list[int], digits: str
) -> None:
    label, place = card.integer(1), _place(card)
    columns = components(digits, place)
    nodes = grid.nodes.of(np.array(followers, dtype=np.int64), place)
    leader = grid.nodes.of(np.array([reference]), place)
    if not nodes.size or not columns:
        raise InputError(f"{place} {label} has no dependent points or components; complete it")
    if _depends_on_axes(columns) and _is_turned(grid, nodes):
        _add_rows(made, grid, card, [(reference, list(range(6)))], [(node, columns) for node in followers])
        return
    name = f"{card.name} {label}"
    made.node_sets[name], made.node_sets[f"{name} nodes"] = leader, np.unique(nodes)
    made.couplings.append(RigidCoupling(name, f"{name} nodes", tuple(NODE_DOFS[c] for c in columns)))


def _depends_on_axes(columns: list[int]) -> bool:
    """Whether components are single ones: three together are the same in all axes."""
    return any(0 < len(part & set(columns)) < 3 for part in ({0, 1, 2}, {3, 4, 5}))


def _is_turned(grid: Grid, nodes: IntArray) -> bool:
    return bool(np.abs(grid.axes_of(nodes) - np.eye(3)).max(initial=0.0) > _SAME)


def _add_bar(made: Attachments, grid: Grid, card: Card) -> None:
    """RBAR: led by all components of one of its points, or by some of both."""
    ends = [card.integer(2), card.integer(3)]
    led, tied = [card.text(f) for f in (4, 5)], [card.text(f) for f in (6, 7)]
    for one in (0, 1):
        if sorted(led[one]) == list(ALL) and not led[1 - one]:
            digits = tied[1 - one] or ALL
            _add_rigid(made, grid, card, reference=ends[one], followers=[ends[1 - one]], digits=digits)
            return
    independent = [components(digits, _place(card)) for digits in led]
    dependent = [components(digits, _place(card)) for digits in tied]
    if not any(dependent):
        dependent = [sorted(set(range(6)) - set(own)) for own in independent]
    _add_rows(made, grid, card, list(zip(ends, independent, strict=True)), list(zip(ends, dependent, strict=True)))


def _listed_ends(card: Card) -> tuple[Ends, Ends]:
    """RBE1: independent points with their components, and dependent ones behind UM."""
    found: tuple[Ends, Ends] = ([], [])
    side, at = 0, 2
    while at <= len(card.fields):
        if card.text(at) == "UM":
            side = 1
        elif card.text(at) and "." not in card.text(at):
            found[side].append((card.integer(at), components(card.text(at + 1), _place(card))))
            at += 1
        at += 1
    return found


def _add_rows(made: Attachments, grid: Grid, card: Card, led: Ends, tied: Ends) -> None:
    """A rigid piece whose motion six independent components say: d = D q, i = I q, hence d − D I⁻¹ i = 0."""
    label, place = card.integer(1), _place(card)
    nodes, columns, axes = _components(grid, led, place)
    followers, follower_columns, follower_axes = _components(grid, tied, place)
    if not len(followers):
        raise InputError(f"{place} {label} has no dependent components; complete it")
    centre = grid.points[nodes].mean(axis=0) if len(nodes) else np.zeros(3)
    size = max(float(np.abs(grid.points[np.concatenate([nodes, followers])] - centre).max()), 1e-300)
    independent = rigid_rows((grid.points[nodes] - centre) / size, columns, axes)
    independent[columns >= 3] /= size
    if independent.shape[0] != 6 or np.linalg.cond(independent / np.abs(independent).max()) > 1e10:
        made.lacks.append(
            f"{place} {label}: its independent components do not say how a rigid piece moves; give six that do"
        )
        return
    dependent = rigid_rows((grid.points[followers] - centre) / size, follower_columns, follower_axes)
    dependent[follower_columns >= 3] /= size
    _notice(made, f"{card.name} {_LINEAR}")
    for row, factors in enumerate(dependent @ np.linalg.inv(independent)):
        made.equations.add_turned(
            np.append(followers[row], nodes),
            np.append(follower_columns[row], columns),
            np.append(1.0, -factors),
            np.concatenate([follower_axes[row : row + 1], axes]),
        )


def _components(grid: Grid, ends: Ends, place: str) -> tuple[IntArray, IntArray, Array]:
    """Node, column and axes of each component: (n,), (n,), (n, 3, 3)."""
    labels = np.array([label for label, columns in ends for _ in columns], dtype=np.int64)
    nodes = grid.nodes.of(labels, place)
    columns = np.array([column for _, columns in ends for column in columns], dtype=np.int64)
    return nodes, columns, grid.axes_of(nodes)


def _notice(made: Attachments, sentence: str) -> None:
    if sentence not in made.notices:
        made.notices.append(sentence)


# ---------------------------------------------------------------------- means


def _add_mean(made: Attachments, grid: Grid, card: Card) -> None:
    """RBE3: a mean of displacements as a coupling; with components or axes of its own as equations."""
    label, reference, place = card.integer(1), card.integer(3), _place(card)
    columns = components(card.text(4), place)
    weights: dict[int, float] = {}
    ends: Ends = []
    at = 5
    while at <= len(card.fields) and card.text(at) not in ("UM", "ALPHA"):
        if not card.text(at):
            at += 1
            continue
        weight, digits = card.real(at), card.text(at + 1)
        followed = components(digits, place)
        at += 2
        while at <= len(card.fields) and (not card.text(at) or card.text(at).isdigit()):
            if card.text(at):
                weights[card.integer(at)] = weight
                ends.append((card.integer(at), followed))
            at += 1
    if not weights or min(weights.values()) <= 0:
        raise InputError(
            f"{place} {label} follows no grid point, or with a weight that is not positive; correct it"
        )
    nodes = grid.nodes.of(np.array(list(weights), dtype=np.int64), place)
    leader = grid.nodes.of(np.array([reference]), place)
    if any(followed != [0, 1, 2] for _, followed in ends) or (
        _depends_on_axes(columns) and _is_turned(grid, leader)
    ):
        _add_mean_rows(made, grid, card, [(reference, columns), *ends], weights)
        return
    order = np.argsort(nodes)
    values = np.array(list(weights.values()))[order]
    name = f"RBE3 {label}"
    made.node_sets[name], made.node_sets[f"{name} nodes"] = leader, nodes[order]
    equal = np.ptp(values) <= _SAME * np.abs(values).max()
    dofs = tuple(NODE_DOFS[c] for c in columns)
    given = None if equal else tuple(float(v) for v in values)
    made.couplings.append(MeanCoupling(name, f"{name} nodes", dofs, weights=given))


def _add_mean_rows(made: Attachments, grid: Grid, card: Card, ends: Ends, weights: dict[int, float]) -> None:
    """q of the rigid motion nearest to the components c, (SᵀWS)⁻¹SᵀW c; rotations weigh with the mean distance².

    The distance is that of the points from the reference, the first of the ends.
    """
    reference, *ends = ends
    label, place = card.integer(1), _place(card)
    leader, columns, axes = _components(grid, [reference], place)
    nodes, followed, own = _components(grid, ends, place)
    at = grid.points[leader[0]]
    size = float(np.linalg.norm(grid.points[np.unique(nodes)] - at, axis=1).mean()) or 1.0
    weight = np.array([weights[one] for one, members in ends for _ in members])
    weight = weight * np.where(followed >= 3, size**2, 1.0)
    S = rigid_rows(grid.points[nodes] - at, followed, own)
    scale = np.array([1.0, 1, 1, *[1 / size] * 3])
    normal = (S * scale).T @ (weight[:, None] * S * scale)
    if np.linalg.cond(normal) > 1e10:
        made.lacks.append(f"{place} {label}: the components that it follows have no mean motion; follow 123")
        return
    motion = scale[:, None] * np.linalg.solve(normal, (S * scale).T * weight)
    means = rigid_rows(np.zeros((len(columns), 3)), columns, axes) @ motion
    for factors, column, turn in zip(means, columns, axes, strict=True):
        made.equations.add_turned(
            np.append(leader[0], nodes),
            np.append(column, followed),
            np.append(1.0, -factors),
            np.concatenate([turn[None], own]),
        )


# ---------------------------------------------------------------------- multipoint constraints


def _read_equations(deck: Deck, grid: Grid, made: Attachments) -> None:
    """MPC: Σ A u = 0 over components of grid points; terms of scalar points cannot be had."""
    chosen = chosen_constraints(deck, made, "MPC", ("MPC",))
    scalar = {label for card in deck.of("SPOINT") for label in card.labels(1)}
    for card in deck.of("MPC"):
        if card.integer(1) not in chosen:
            continue
        place = _place(card)
        ends: Ends = []
        factors: list[float] = []
        for f in (start + k for start in range(2, len(card.fields) + 1, 8) for k in (0, 3)):
            if not card.text(f):
                continue
            columns = components(card.text(f + 1), place)
            if card.integer(f) in scalar or len(columns) != 1:
                made.lacks.append(f"{place} joins a scalar point or several components; give one of a grid point")
                break
            ends.append((card.integer(f), columns))
            factors.append(card.real(f + 2, 0.0))
        else:
            nodes, columns_of, axes = _components(grid, ends, place)
            if not len(nodes) or not any(factors):
                raise InputError(f"{place} {card.integer(1)} has no factor other than zero; complete it")
            made.equations.add_turned(nodes, columns_of, np.array(factors), axes)
