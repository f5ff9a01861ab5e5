"""From a system of bodies, liaisons, drives and loads to flat tables for compiled integration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.dynamics.bodies import elastic_body, rigid_body, to_second_order, with_modal_damping
from flexframe.dynamics.contract import DynamicBody, DynamicState, DynamicSystem
from flexframe.dynamics.equations import equations_at
from flexframe.dynamics.laws import LawCollection, law_tables
from flexframe.dynamics.rough_start import rough_assembly
from flexframe.dynamics.system_kernels import FRICTION, MOTOR, SPRING, TORSION
from flexframe.dynamics.tables import BodyTables, ForceTables, FrameTables, RowTables, Tables
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.mechanisms.closure import scaled_jacobian
from flexframe.mechanisms.condition_set import ConditionSet
from flexframe.mechanisms.linear import rank
from flexframe.mechanisms.mechanism import Mechanism, mechanism
from flexframe.mechanisms.mobility import named_rows
from flexframe.mechanisms.tables import BoundFrames, condition_table
from flexframe.model.conditions import Along, Distance, Perpendicular, RimHeight, RimSlip, TimeLaw, Turn, time_law
from flexframe.model.drives import Drive
from flexframe.model.liaisons import Liaison
from flexframe.model.system import GROUND, System
from flexframe.model.system_loads import CoordinateForce, Friction, Motor, PlaceForce, Spring, TorsionSpring
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint
from flexframe.reduction.second_order import SecondOrderFields

_PLANAR, _SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)
_SLACK = 1e-9


def dynamic_system(
    system: System,
    elastic: Mapping[str, ReducedBody] | None = None,
    *,
    geometric: bool = True,
    second_order: Mapping[str, SecondOrderFields] | None = None,
    modal_damping: Mapping[str, float | Array] | None = None,
    deflection_limit: float = 0.3,
) -> DynamicSystem:
    """Make a system ready for two-way dynamics.

    `elastic` holds the reduced bodies by name, the others are rigid. A place "body.point" of an elastic body is
    the interface or sensor of that name, "body" alone the origin of its frame. `geometric` keeps the quadratic
    displacement field (stiffening by rotation and loads). `modal_damping` are damping ratios, in addition to the
    damping of the reduced bodies. A section that turns by more than `deflection_limit` [rad] ends the run.
    """
    elastic, second_order, modal_damping = elastic or {}, second_order or {}, modal_damping or {}
    ready = mechanism(system)
    for name in (*elastic, *second_order, *modal_damping):
        system.body(name)
    bodies = _bodies(ready, elastic, second_order, geometric=geometric)
    bodies = tuple(
        with_modal_damping(body, modal_damping[body.name]) if body.name in modal_damping else body
        for body in bodies
    )
    starts, sizes = _numbering(bodies, planar=ready.planar)
    frames = _Frames(ready, elastic, geometric=geometric)
    laws = LawCollection()
    constraints, forces = ready.constraints, ready.forces
    links: dict[str, Liaison | Drive] = {link.name: link for link in (*system.liaisons, *system.drives)}
    rows = [frames.bound(e, links[o]) for e, o in zip(constraints.entries, constraints.owners, strict=True)]
    coordinates = [frames.bound(e, law) for e, law in zip(forces.entries, ready.force_laws, strict=True)]
    placed = [load for load in system.loads if isinstance(load, PlaceForce)]
    force_tables = _force_tables(ready, placed, frames, laws)
    body_tables = _body_tables(bodies, starts, planar=ready.planar)
    ground = frames.count
    tables = Tables(
        bodies=body_tables,
        frames=frames.tables(max(1, *(body.size for body in bodies))),
        rows=_row_tables(rows, constraints, ready, laws, ground),
        coordinates=_row_tables(coordinates, forces, ready, laws, ground),
        laws=law_tables(laws.laws, 0.0, 1.0),
        forces=force_tables,
        gravity=ready.gravity,
        size=int(starts[-1]),
        scales=_scales(bodies, starts, ready.length, planar=ready.planar),
        slack=np.array([0.0]),
    )
    made = DynamicSystem(
        system=system,
        mechanism=ready,
        bodies=bodies,
        geometric=geometric,
        size=int(starts[-1]),
        rigid_starts=starts[:-1],
        elastic_starts=np.concatenate([[0], np.cumsum(sizes)]),
        owners=constraints.owners,
        length=ready.length,
        deflection_limit=deflection_limit,
        notices=(),
        laws=tuple(laws.laws),
        tables=tables,
    )
    return _with_redundancy(made)


def _bodies(
    ready: Mechanism,
    elastic: Mapping[str, ReducedBody],
    second_order: Mapping[str, SecondOrderFields],
    *,
    geometric: bool,
) -> tuple[DynamicBody, ...]:
    made = []
    rigid = [body for body in ready.system.bodies if body.name not in elastic]
    masses = ready.masses if rigid else None
    for number, body in enumerate(ready.system.bodies):
        if body.name in elastic:
            reduced = elastic[body.name]
            own = elastic_body(reduced, geometric=geometric, second_order=second_order.get(body.name))
            driven = geometric and body.name not in second_order and _frame_is_driven(ready, reduced, number)
            made.append(to_second_order(own) if driven else own)
        else:
            assert masses is not None
            made.append(
                rigid_body(body.name, float(masses.mass[number]), masses.centre[number], masses.inertia[number])
            )
    return tuple(made)


def _frame_is_driven(ready: Mechanism, reduced: ReducedBody, number: int) -> bool:
    """Whether liaisons and drives between the ground and places fixed in the frame prescribe all of its motion."""
    still = {p.name for p in (*reduced.interfaces, *reduced.sensors) if not p.rows.any()} | {""}
    links = {link.name: link for link in (*ready.system.liaisons, *ready.system.drives)}
    conditions, ground = ready.constraints, ready.bodies
    kept = []
    for row, (entry, owner) in enumerate(zip(conditions.entries, conditions.owners, strict=True)):
        link = links[owner]
        place = link.first if entry.first == number else link.second
        if {entry.first, entry.second} == {number, ground} and place.partition(".")[2] in still:
            kept.append(row)
    rigid = len(_PLANAR if ready.planar else _SPATIAL)
    if len(kept) < rigid:
        return False
    J = scaled_jacobian(ready, conditions, rough_assembly(ready, 0.0, elastic=True))[0]
    own = J[kept, rigid * number : rigid * (number + 1)]
    return rank(np.linalg.svd(own, compute_uv=False)) == rigid


def _with_redundancy(system: DynamicSystem) -> DynamicSystem:
    """The system ready for rows that follow from the others where it starts, which is said."""
    if not system.rows:
        return system
    c = rough_assembly(system.mechanism, 0.0, elastic=bool(system.elastic_starts[-1]))
    bodies, total = len(system.bodies), int(system.elastic_starts[-1])
    none = np.zeros((bodies, 3))
    state = DynamicState(
        time=0.0,
        positions=c.positions[0, :-1],
        quaternions=quaternion_from_rotation(c.rotations[0, :-1]),
        deformation=np.zeros(total),
        velocities=none,
        angular_velocities=none,
        rates=np.zeros(total),
        angles=np.zeros(bodies),
    )
    A = equations_at(system, state).constraint * system.tables.rows.scales[:, None] * system.tables.scales
    U, s, _ = np.linalg.svd(A)
    known = rank(s)
    redundant = system.rows - known
    if not redundant:
        return system
    notice = (
        f"{redundant} redundant condition{'s' if redundant > 1 else ''} among "
        f"{', '.join(named_rows(U[:, known:], system.owners))}: the motion and the resultant on each body are "
        "unique, the share of each liaison is not; the smallest forces are given"
    )
    return replace(system, notices=(notice,), tables=system.tables._replace(slack=np.array([_SLACK])))


def _numbering(bodies: Sequence[DynamicBody], *, planar: bool) -> tuple[IntArray, list[int]]:
    sizes = [body.size for body in bodies]
    rigid = len(_PLANAR if planar else _SPATIAL)
    return np.concatenate([[0], np.cumsum([rigid + size for size in sizes])]).astype(np.int64), sizes


def _body_tables(bodies: Sequence[DynamicBody], starts: IntArray, *, planar: bool) -> BodyTables:
    count = len(bodies)
    M = max(1, *(body.size for body in bodies))
    N = max(1, *(body.fields for body in bodies))
    K = max(1, *(len(body.products) for body in bodies))
    columns = _PLANAR if planar else _SPATIAL
    t = BodyTables(
        sizes=np.array([body.size for body in bodies], dtype=np.int64),
        fields=np.array([body.fields for body in bodies], dtype=np.int64),
        mass=np.array([body.mass for body in bodies], dtype=float),
        first_moment=np.array([body.first_moment for body in bodies], dtype=float),
        second_moment=np.array([body.second_moment for body in bodies], dtype=float),
        origin_coupling=np.zeros((count, 3, N)),
        position_coupling=np.zeros((count, 3, 3, N)),
        shape_products=np.zeros((count, 3, 3, N, N)),
        coriolis=np.zeros((count, 3, N, N)),
        elastic_mass=np.zeros((count, N, N)),
        products=np.zeros((count, K, M, M)),
        stiffness=np.zeros((count, M, M)),
        damping=np.zeros((count, M, M)),
        numbers=np.full((count, 6 + M), -1, dtype=np.int64),
        lengths=np.ones(count),
    )
    for b, body in enumerate(bodies):
        m, n, k, Y = body.size, body.fields, len(body.products), body.shape_products
        t.origin_coupling[b, :, :n] = body.origin_coupling
        t.position_coupling[b, :, :, :n] = body.position_coupling
        t.shape_products[b, :, :, :n, :n] = Y
        t.coriolis[b, :, :n, :n] = [Y[2, 1] - Y[1, 2], Y[0, 2] - Y[2, 0], Y[1, 0] - Y[0, 1]]
        t.elastic_mass[b, :n, :n] = np.einsum("kkrt->rt", Y)
        t.products[b, :k, :m, :m] = body.products
        t.stiffness[b, :m, :m] = body.stiffness
        t.damping[b, :m, :m] = body.damping
        first = int(starts[b])
        t.numbers[b, list(columns)] = first + np.arange(len(columns))
        t.numbers[b, 6 : 6 + m] = first + len(columns) + np.arange(m)
        if body.mass > 0:
            t.lengths[b] = np.sqrt(3 * np.trace(body.second_moment) / body.mass) or 1.0
    return t


def _scales(bodies: Sequence[DynamicBody], starts: IntArray, length: float, *, planar: bool) -> Array:
    """One length, one radian, and the elastic coordinate that moves a body by one length on average."""
    scales = np.ones(int(starts[-1]))
    for b, body in enumerate(bodies):
        first, rigid = int(starts[b]), len(_PLANAR if planar else _SPATIAL)
        scales[first : first + (2 if planar else 3)] = length
        own = np.einsum("kkrr->r", body.shape_products)[: body.size]
        usual = np.where(own > 0, own, 1.0)
        scales[first + rigid : first + rigid + body.size] = length * np.sqrt(max(body.mass, 1e-300) / usual)
    return scales


@dataclass(eq=False)
class _Frames:
    """Frames of places: body origins, then points of elastic bodies in the order they are asked for."""

    ready: Mechanism
    elastic: Mapping[str, ReducedBody]
    geometric: bool
    points: list[tuple[int, ReducedPoint]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    turning: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """Number of frames, which is the number of the ground."""
        return self.ready.bodies + len(self.points)

    def number(self, place: str, wanted_by: str, *, turning: bool) -> tuple[int, Array, Array]:
        """Frame of a place, with the point and the axes in that frame."""
        owner, frame = self.ready.system.frame(place, wanted_by) if self._rigid(place) else ("", None)
        if frame is not None:
            number = -1 if owner == GROUND else self.ready.names.index(owner)
            return number, frame.point, frame.axes
        owner, _, name = place.partition(".")
        reduced = self.elastic[owner]
        there = next((p for p in (*reduced.interfaces, *reduced.sensors) if p.name == name), None)
        if there is None:
            names = ", ".join(p.name for p in (*reduced.interfaces, *reduced.sensors)) or "none"
            raise InputError(
                f"{wanted_by}: the elastic body {owner} has no interface '{name}'; known are {names}: "
                "name it as an interface of its reduction"
            )
        spins = (2,) if self.ready.planar else (0, 1, 2)
        if turning and not all(there.present[3 + axis] for axis in spins) and there.rows.any():
            raise InputError(
                f"{wanted_by}: the point {place} has no rotation of its own, which this liaison needs; take an "
                "interface of several nodes that are not on one line"
            )
        if place not in self.known:
            self.known[place] = self.count
            self.points.append((self.ready.names.index(owner), there))
        if turning:
            self.turning.add(self.known[place])
        return self.known[place], np.zeros(3), np.eye(3)

    def _rigid(self, place: str) -> bool:
        owner, _, point = place.partition(".")
        return owner not in self.elastic or not point

    def bound(self, entry: BoundFrames, link: "Liaison | Drive | CoordinateForce") -> BoundFrames:
        """A condition between two frames."""
        turning = isinstance(entry.condition, Perpendicular | Turn | RimHeight | RimSlip)
        carries = turning or (isinstance(entry.condition, Along) and not entry.condition.in_space)
        a, first_point, first_axes = self.number(link.first, link.name, turning=carries)
        b, second_point, second_axes = self.number(link.second, link.name, turning=turning)
        return BoundFrames(entry.condition, a, b, first_point, second_point, first_axes, second_axes)

    def tables(self, most: int) -> FrameTables:
        """Flat tables, the ground last."""
        count = self.count + 1
        bodies = np.full(count, -1, dtype=np.int64)
        bodies[: self.ready.bodies] = np.arange(self.ready.bodies)
        elastic, curved = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        places = np.zeros((count, 3))
        rows, quadratic = np.zeros((count, 6, most)), np.zeros((count, 6, most, most))
        for number, (body, point) in enumerate(self.points, start=self.ready.bodies):
            m = point.rows.shape[1]
            bodies[number], places[number] = body, point.position
            elastic[number] = 2 if number in self.turning else 1
            rows[number, :, :m] = point.rows
            if self.geometric:
                quadratic[number, :, :m, :m] = (point.quadratic + point.quadratic.swapaxes(1, 2)) / 2
                curved[number] = quadratic[number].any()
        return FrameTables(bodies, elastic, curved, places, rows, quadratic)


def _row_tables(
    entries: Sequence[BoundFrames], conditions: ConditionSet, ready: Mechanism, laws: LawCollection, ground: int
) -> RowTables:
    numbered = [
        BoundFrames(
            e.condition,
            e.first if e.first >= 0 else ground,
            e.second if e.second >= 0 else ground,
            e.first_point,
            e.second_point,
            e.first_axes,
            e.second_axes,
        )
        for e in entries
    ]
    table = condition_table(numbered, ground)
    followed: list[TimeLaw] = [
        e.condition.law if isinstance(e.condition, Along | Turn | Distance) else time_law(0.0) for e in entries
    ]
    return RowTables(
        sorts=table.sorts,
        frames=table.bodies,
        places=table.places,
        directions=table.directions,
        radii=table.radii,
        laws=np.array([laws.number(law) for law in followed], dtype=np.int64),
        holonomic=conditions.holonomic.astype(np.int64),
        scales=ready.row_scale(conditions) if conditions.count else np.zeros(0),
    )


def _force_tables(
    ready: Mechanism, placed: Sequence[PlaceForce], frames: _Frames, laws: LawCollection
) -> ForceTables:
    count = len(placed)
    numbers, in_body = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    arms, law_numbers = np.zeros((count, 3)), np.zeros((count, 6), dtype=np.int64)
    for k, load in enumerate(placed):
        parts = [time_law(p) for p in ((*load.force, 0.0, 0.0)[:3] + (*load.moment, 0.0, 0.0)[:3])]
        law_numbers[k] = [laws.number(part) for part in parts]
        numbers[k], arms[k], _ = frames.number(load.on, load.name, turning=bool(law_numbers[k, 3:].any()))
        in_body[k] = load.axes == "body"
    kept = numbers >= 0  # forces on the ground do nothing
    kinds, constants = np.zeros(len(ready.force_laws), dtype=np.int64), np.zeros((len(ready.force_laws), 3))
    starts, curve = [0], [np.zeros((0, 2))]
    for k, law in enumerate(ready.force_laws):
        match law:
            case Spring():
                kinds[k], constants[k] = SPRING, (law.stiffness, law.free, law.damping)
            case TorsionSpring():
                kinds[k], constants[k] = TORSION, (law.stiffness, law.free, law.damping)
            case Friction():
                kinds[k], constants[k] = FRICTION, (law.limit, law.velocity, 0.0)
            case Motor():
                kinds[k] = MOTOR
                curve.append(np.stack([law.speeds, law.torques], axis=1).astype(float))
            case _:
                raise InputError(f"{law.name}: forces of kind '{law.kind}' are not known to two-way dynamics")
        starts.append(sum(map(len, curve)))
    return ForceTables(
        frames=numbers[kept],
        arms=arms[kept],
        in_body=in_body[kept],
        laws=law_numbers[kept],
        kinds=kinds,
        constants=constants,
        curve_starts=np.array(starts, dtype=np.int64),
        curve=np.concatenate(curve),
    )
