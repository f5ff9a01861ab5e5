"""Torsional vibration of shafts and of geared trains that engine orders excite.

Everything but the rotation about the axes is held, so that bearings do not act, and gears join the rotations of
their shafts. A torque of the order e on a shaft that turns at rΩ has the frequency ω = e|r|Ω:

    (K(1 + 2iζ) + iωC − ω²M) θ̂ = T̂ .

The torque between two stations is what the elastic forces of the shaft on one side of it sum up to. Critical
speeds are Ω = ω_j/(e|r|). API 617 asks for 10 % between them and the operating speeds, or for harmless
stresses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.judging import judge
from flexframe.analyses.torsional_response.record import (
    REQUIRED,
    ShaftSegment,
    TorsionalCritical,
    TorsionalResponse,
)
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS
from flexframe.errors import InputError, at_field
from flexframe.given import Described, numbers
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.model.body import Body
from flexframe.model.supports import Fix, NodeSelection
from flexframe.model.trains import RotorTrain, TrainMember
from flexframe.spectra.rotation.free_motions import free_motions
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.stages import begin_work

ORDERS = (1.0, 2.0)
"""Engine orders whose critical speeds are listed beside those of the torques, as API 617 asks."""

_AXIS = np.array([1.0, 0.0, 0.0])
_TURNING = "rx"
_HELD = ("ux", "uy", "uz", "ry", "rz")
_CHUNK = 2_000_000  # numbers of matrices that are solved together


@dataclass(frozen=True)
class EngineTorque(Described):
    """A torque [N m] about the axis at each selected node, amplitude · cos(e φ + phase) of the shaft's angle φ.

    The order e may be a half, as of four-stroke engines; in a train `on` is "member.set".
    """

    on: NodeSelection
    order: float
    amplitude: float
    phase: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.order) and self.order > 0 and float(2 * self.order).is_integer()):
            raise InputError(
                f"engine torque: its order is {self.order:g}; give a positive multiple of one half", field="order"
            )
        if not (np.isfinite(self.amplitude) and self.amplitude > 0):
            raise InputError(
                f"engine torque: its amplitude is {self.amplitude:g} N m; give a positive one", field="amplitude"
            )


@judge
def torsional_response(
    rotor: Rotor,
    speeds: ArrayLike,
    torques: Sequence[EngineTorque],
    *,
    damping_ratio: float = 0.0,
    operating_speeds: tuple[float, float] | None = None,
    engine_orders: Sequence[float] = ORDERS,
    modes: int = 6,
) -> TorsionalResponse:
    """Torsional natural frequencies, critical speeds of engine orders, and torques in the shafts over the speed.

    Whatever motions the rotor has elsewhere, here its shafts only twist; bearings and casings are left out.

    Parameters
    ----------
    rotor
        A rotor of beams along x, or a train whose gears join several.
    speeds
        Speeds of rotation [rad/s], of a train those of the train.
    torques
        What excites, by engine orders.
    damping_ratio
        Of the material and all else that is not in the model: K(1 + 2iζ).
    operating_speeds
        Lowest and highest speed at which the machine works [rad/s].
    engine_orders
        Orders whose critical speeds are listed beside those of the torques.
    modes
        Number of natural frequencies above zero.

    Returns
    -------
    TorsionalResponse
        Frequencies [Hz], critical speeds [rad/s], amplitudes of twist [rad] and torque [N m].

    Examples
    --------
    >>> rotor = ff.rotors.rotor_body(
    ...     "shaft",
    ...     [ff.rotors.ShaftPiece(1.0, (ff.rotors.ShaftLayer(0.05),), elements=8)],
    ...     material=ff.STEEL,
    ...     discs=[ff.rotors.Disc(x, 20.0, 0.4, 0.2, name) for x, name in ((0.0, "engine"), (1.0, "pump"))],
    ... )
    >>> torque = ff.rotors.EngineTorque("engine", order=2, amplitude=100.0)
    >>> found = ff.rotors.torsional_response(rotor, [100.0, 200.0], [torque], damping_ratio=0.01, modes=1)
    >>> found.frequencies_hz.round(1).tolist()
    [79.1]
    """
    given = numbers(speeds, "speeds")
    if not given.size or not (np.isfinite(given) & (given > 0)).all() or (np.diff(given) <= 0).any():
        raise InputError("the speeds are not positive and increasing; give them in rad/s", field="speeds")
    if not torques:
        raise InputError("no torque is given; give at least one", field="torques")
    if not 0 <= damping_ratio < 1:
        raise InputError(f"the damping ratio is {damping_ratio:g}; give one from 0 to 1", field="damping_ratio")
    if modes < 1:
        raise InputError(f"the number of modes is {modes}; ask for at least one", field="modes")
    if operating_speeds is not None and not 0 < operating_speeds[0] <= operating_speeds[1] < np.inf:
        raise InputError(
            f"the operating speeds are {operating_speeds}; give the lowest and the highest one in rad/s",
            field="operating_speeds",
        )
    model = rotor_model(_twisting(rotor))
    shafts = [_Shaft.of(model, place) for place in range(len(model.members))]
    ratios = []
    loads = np.zeros((model.discrete.supports.size, len(torques)), dtype=complex)
    for number, torque in enumerate(torques):
        with at_field("torques", number):
            nodes = model.discrete.body.selected_nodes(torque.on)
            ratios.append(_ratio(model, nodes))
            full = np.zeros(model.discrete.dofs.count)
            full[model.discrete.dofs.numbers[nodes, 3]] = torque.amplitude
            loads[:, number] = np.exp(1j * torque.phase) * model.discrete.supports.reduce_vector(full)
    equations = inertial_equations(model)
    M, C, K = (np.asarray(equations.at_speed(order, 0.0).todense()) for order in (MASS, DAMPING, STIFFNESS))
    begin_work()
    natural, vectors = _modes(model, equations, modes)
    expand = np.asarray(model.discrete.supports.basis.toarray())
    stations = np.concatenate([shaft.turning for shaft in shafts])
    twists = expand[stations] @ vectors
    angles, inside = [], []
    for number, (torque, ratio) in enumerate(zip(torques, ratios, strict=True)):
        omega = torque.order * abs(ratio) * given
        full = _answers(K * (1 + 2j * damping_ratio), C, M, omega, loads[:, number]) @ expand.T
        angles.append(full[:, stations])
        inside.append(np.hstack([shaft.torques(full, omega, damping_ratio) for shaft in shafts]))
    damped = bool(damping_ratio) or np.abs(C).max(initial=0.0) > 0
    asked = {(e, r) for e, r in zip((t.order for t in torques), ratios, strict=True)}
    listed = asked | {(float(e), shaft.ratio) for e in engine_orders for shaft in shafts}
    return TorsionalResponse(
        body=model.discrete.body.name,
        speeds=given,
        frequencies_hz=natural / (2 * np.pi),
        shapes=(twists / np.abs(twists).max(axis=0)).T,
        stations=tuple((shaft.name, float(x)) for shaft in shafts for x in shaft.places),
        names=tuple(f"{torque.on}, order {torque.order:g}" for torque in torques),
        orders=tuple(float(torque.order) for torque in torques),
        ratios=tuple(ratios),
        angles=np.array(angles),
        segments=tuple(segment for shaft in shafts for segment in shaft.segments),
        torques=np.array(inside),
        criticals=tuple(_criticals(natural, listed, asked, shafts, given, operating_speeds)),
        operating_speeds=operating_speeds,
        damped=damped,
        method=f"{len(K)} rotations, solved directly at {len(given)} speeds",
        notices=() if damped else ("nothing damps the twist: peaks are as high as the speeds happen to be near",),
    )


def _twisting(rotor: Rotor) -> Body | RotorTrain:
    """The rotor with nothing but its rotation about the axis left free."""
    if isinstance(rotor, RotorTrain):
        ratios = rotor.ratios
        members = tuple(
            TrainMember(_twisting_body(member.body), ratios[member.body.name], member.at)
            for member in rotor.members
            if ratios[member.body.name]
        )
        return replace(rotor, members=members, bearings=())
    return _twisting_body(rotor.body if isinstance(rotor, DiscreteBody) else rotor)


def _twisting_body(body: Body) -> Body:
    """Supports that hold a rotation of the ends stay; those of all nodes are what the rotor was described with."""
    axis = np.zeros(3) if body.axis is None else np.asarray(body.axis, dtype=float)
    if body.space == "planar" or not np.allclose(np.abs(axis), _AXIS):
        raise InputError(
            f"body {body.name} is no rotor along x; describe it by the pieces of its shaft", field="body"
        )
    own = tuple(
        support
        for support in body.supports
        if isinstance(support, Fix) and support.on != "all" and _TURNING in support.dofs
    )
    held = tuple(replace(support, dofs=(_TURNING,)) for support in own)
    return replace(body, supports=(Fix("all", _HELD), *held), bearings=(), prestress=())


@dataclass(frozen=True, eq=False)
class _Shaft:
    """A member by its stations from left to right."""

    name: str
    ratio: float
    places: Array  # x [m]: (stations,)
    turning: IntArray  # numbers of the rotations of the stations in the whole: (stations,)
    stiffness: Array  # elastic, of the rotations of the stations: (stations, stations)
    material_damping: float  # β of K [s]
    segments: tuple[ShaftSegment, ...]

    @classmethod
    def of(cls, model: RotorModel, place: int) -> "_Shaft":
        member = model.members[place]
        discrete = member.discrete
        body = discrete.body
        own = discrete.dofs.numbers[:, 3]
        order = np.argsort(body.mesh.points[:, 0], kind="stable")
        order = order[own[order] >= 0]
        rows = own[order]
        x = body.mesh.points[order, 0]
        stress = _unit_stress(body, x)
        return cls(
            body.name,
            member.ratio,
            x,
            member.numbers[rows],
            np.asarray(discrete.element_stiffness[rows][:, rows].todense()),
            body.damping.stiffness,
            tuple(
                ShaftSegment(body.name, float(low), float(high), float(value))
                for low, high, value in zip(x[:-1], x[1:], stress, strict=True)
            ),
        )

    def torques(self, full: ComplexArray, omega: Array, ratio: float) -> ComplexArray:
        """Between the stations, of twists of the whole (speeds, p): (speeds, segments)."""
        elastic = full[:, self.turning] @ self.stiffness.T
        factor = 1 + 2j * ratio + 1j * omega * self.material_damping
        return np.asarray(-factor[:, None] * np.cumsum(elastic, axis=1)[:, :-1])


def _unit_stress(body: Body, x: Array) -> Array:
    """Largest shear stress of a unit torque between the stations, layers sharing it by their GJ: (segments,)."""
    stiff = np.zeros(len(x) - 1)
    largest = np.zeros(len(x) - 1)
    middles = (x[:-1] + x[1:]) / 2
    for region in body.regions:
        twisted = region.prop.unit_twist()
        if twisted is None:
            raise InputError(
                f"body {body.name} has sections that are no circles; a torsional response is of round shafts",
                field="body",
            )
        cells = body.mesh.cell_sets[region.cells] if region.cells is not None else None
        lines = body.mesh.blocks[0].nodes if cells is None else body.mesh.blocks[0].nodes[cells]
        ends = body.mesh.points[lines][:, :, 0]
        inside = (middles[:, None] > ends.min(axis=1)) & (middles[:, None] < ends.max(axis=1))
        here = inside.any(axis=1)
        stiff[here] += twisted[0]
        largest[here] = np.maximum(largest[here], twisted[1])
    return largest / stiff


def _ratio(model: RotorModel, nodes: IntArray) -> float:
    """Speed of the shaft on which nodes lie, over that of the whole."""
    used = model.discrete.dofs.numbers[nodes, 3]
    return next(member.ratio for member in model.members if np.isin(used, member.numbers).any())


def _modes(model: RotorModel, equations: AffineEquations, count: int) -> tuple[Array, Array]:
    """Natural frequencies above zero [rad/s] and shapes: (modes,), (n, modes)."""
    rigid = free_motions(model, equations).all
    free = rigid.shape[1]
    K, M = equations.constant_stiffness, equations.constant_mass
    wanted = min(free + count, equations.size)
    found = symmetric_modes(K, M, wanted, rigid_modes=rigid if free else None, confirm=False)
    elastic = np.linalg.norm(rigid.T @ np.asarray(M @ found.vectors), axis=0) < 0.5
    return np.sqrt(np.maximum(found.eigenvalues[elastic], 0.0))[:count], found.vectors[:, elastic][:, :count]


def _answers(K: ComplexArray, C: Array, M: Array, omega: Array, load: ComplexArray) -> ComplexArray:
    """Of one load at several frequencies: (frequencies, n)."""
    out = np.empty((len(omega), len(K)), dtype=complex)
    step = max(1, _CHUNK // K.size)
    for first in range(0, len(omega), step):
        w = omega[first : first + step, None, None]
        right = np.broadcast_to(load[:, None], (len(w), len(K), 1))
        out[first : first + step] = np.linalg.solve(K + 1j * w * C - w**2 * M, right)[..., 0]
    return out


def _criticals(  # noqa: PLR0917
    natural: Array,
    listed: set[tuple[float, float]],
    asked: set[tuple[float, float]],
    shafts: Sequence[_Shaft],
    speeds: Array,
    operating: tuple[float, float] | None,
) -> Iterator[TorsionalCritical]:
    """Crossings of orders and modes from half the lowest to twice the highest speed, ascending."""
    ends = (float(speeds[0]), float(speeds[-1]), *(operating or ()))
    reach = (min(ends) / 2, 2 * max(ends))
    found = []
    for order, ratio in listed:
        names = ", ".join(shaft.name for shaft in shafts if shaft.ratio == ratio)
        for mode, omega in enumerate(natural, start=1):
            speed = float(omega / (order * abs(ratio)))
            if reach[0] <= speed <= reach[1]:
                judged_ = _verdict(speed, operating)
                excited = (order, ratio) in asked
                hz = float(omega / (2 * np.pi))
                found.append(TorsionalCritical(speed, order, names, mode, hz, excited, *judged_))
    yield from sorted(found, key=lambda critical: (critical.speed_rad_s, critical.order))


def _verdict(speed: float, operating: tuple[float, float] | None) -> tuple[float | None, str]:
    if operating is None:
        return None, "no operating speed is given"
    low, high = operating
    if low <= speed <= high:
        return 0.0, "within the operating speeds: show that stresses are harmless"
    margin = speed / high - 1 if speed > high else 1 - speed / low
    return margin, "meets API 617" if margin >= REQUIRED else "fails API 617: show that stresses are harmless"
