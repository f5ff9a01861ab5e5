"""Campbell diagrams of systems: the modes of bodies that turn together, over their speed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.campbell.analysis import ENGINE_ORDERS, check_orders, check_speeds
from flexframe.analyses.campbell.steady_spin import SteadySpin, steady_spin
from flexframe.analyses.campbell.system_branches import (
    SystemBranches,
    critical_speeds,
    growing_branches,
    stability_limits,
    system_branches,
    turning_load_speeds,
)
from flexframe.analyses.campbell.system_labels import shape_label
from flexframe.analyses.campbell.system_record import Spin, SystemCampbell
from flexframe.analyses.campbell.system_shapes import BodyShapes, body_shapes, normalise_shapes
from flexframe.analyses.campbell.system_spectrum import SystemSpectrum
from flexframe.analyses.judging import judge
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicState
from flexframe.multibody.equilibria.turning import RelativeEquilibrium
from flexframe.multibody.integrators.recording import gaps_at
from flexframe.results.record import thin
from flexframe.spectra.growth import UNSTABLE
from flexframe.stages import begin_work

_NO_TORQUE = 1e-9  # of the kinetic energy
_GUARDS = 4  # modes followed beyond those asked for, so that a branch may cross out of the lowest ones
_PICTURES = 8
_ROOM = 12_000_000  # numbers that the kept shapes may hold


@judge
def system_campbell(
    system: System,
    speeds: ArrayLike,
    *,
    drive: str | None = None,
    spin: Spin = "held",
    modes: int = 10,
    engine_orders: Sequence[int] = ENGINE_ORDERS,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> SystemCampbell:
    """Follow the `modes` lowest modes of a system that one drive of an angle turns at increasing speeds [rad/s].

    At each speed the steady state is found (deformation and free coordinates under centrifugal forces), and the
    two-way coupled equations are linearised about it, joints eliminated. The other drives hold their value of
    t = 0. With `spin` "free" the drive only gives the torque of the steady state, and the speed may change in the
    small motions. Meshed bodies are reduced as in a coupled motion. A system whose equations change with the angle
    is refused.

    Parameters
    ----------
    system
        Bodies with joints; one drive of an angle turns it.
    speeds
        Increasing speeds [rad/s].
    drive
        Name of the drive that turns; the only one if not given.
    spin
        Whether the speed is "held" by the drive, or "free".
    modes
        Number of branches.
    engine_orders
        Multiples of the speed whose critical speeds are searched.
    reductions
        Coordinates of each meshed body, or "rigid".
    geometric
        Whether the geometric stiffness takes part.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    SystemCampbell
        Frequencies [Hz] by speed and branch, in the rotating frame, and critical speeds [rad/s].

    Examples
    --------
    >>> hub = ff.RigidBody("hub", 2.0, np.ones(3), points={"rim": [0.3, 0, 0]})
    >>> blade = ff.RigidBody("blade", 3.0, np.array([0, 0.7, 0.7]), np.array([0.8, 0, 0]))
    >>> hinge = ff.Revolute("hinge", "hub.rim", "blade", axis=(0, 1, 0))
    >>> fan = ff.System(
    ...     [hub, blade],
    ...     [ff.Revolute("axle", "ground", "hub"), hinge],
    ...     [ff.AngleDrive("motor", "ground", "hub", 0.0)],
    ...     start={"blade": ff.Placement([0.3, 0, 0])},
    ...     space="spatial",
    ... )
    >>> ff.system_campbell(fan, [0, 10, 20], modes=1).labels
    ('flap of blade',)
    """
    given, orders = check_speeds(speeds), check_orders(engine_orders)
    if modes < 1:
        raise InputError(f"the number of modes is {modes}; ask for at least one", field="modes")
    ready = steady_spin(
        system, drive=drive, spin=spin, reductions=reductions, geometric=geometric, discrete=discrete
    )
    ascending = sorted((float(speed) for speed in given), key=abs)
    spectrum = SystemSpectrum(ready, ascending[-1])
    slowest = next((speed for speed in ascending if speed), 0.0)
    spectrum.require_steady(slowest)
    spectrum.at(slowest)
    begin_work()
    for speed in ascending:
        spectrum.at(speed)
    try:
        spectrum.require_steady(ascending[-1])
    except InputError as error:  # seen at the fastest speed only, when the work is done
        raise AnalysisError(str(error)) from error
    size = len(spectrum.at(ascending[0]).eigenvalues)
    branches = system_branches(spectrum, given, min(modes, size), min(modes + _GUARDS, size))
    criticals, doubts = critical_speeds(spectrum, branches, orders)
    if ready.conservative:
        criticals = tuple(sorted((*criticals, *turning_load_speeds(spectrum, given)), key=lambda c: c.speed_rad_s))
    snapshots, shapes = _shapes(ready, spectrum, branches)
    found = [spectrum.at(float(speed)).equilibrium for speed in given]
    assert ready.drive is not None, "what turns has a drive"
    row = ready.dynamic.owners.index(ready.drive.name)
    deflections = np.array([_deflection(ready, each.state) for each in found])
    return SystemCampbell(
        system=system,
        drive=ready.drive.name,
        spin=spin,
        speeds=given,
        axis=ready.spinning.axis.direction,
        point=ready.spinning.axis.point,
        eigenvalues=branches.eigenvalues,
        labels=_labels(ready, spectrum, branches),
        torques=np.array([_torque(each.multipliers[row], each) for each in found]),
        deflections=deflections,
        critical_speeds=criticals,
        stability_limits=stability_limits(spectrum, branches),
        engine_orders=orders,
        snapshots=snapshots,
        shapes=shapes,
        reductions=ready.elastic.figures,
        geometric=geometric,
        method=f"{size} coordinates of {_bodies(system)} about the steady state of every speed",
        notices=(
            *ready.notices,
            *_notices(ready, branches, deflections, doubts, geometric=geometric),
            *_stops(ready, given, found),
        ),
    )


def _stops(ready: SteadySpin, speeds: Array, found: Sequence[RelativeEquilibrium]) -> Iterator[str]:
    """At which speeds stops of joints are pressed, and take part with their tangents."""
    contacts = ready.dynamic.system.all_contacts
    if not contacts:
        return
    pressed = np.array([gaps_at(ready.dynamic, each.state) < 0 for each in found])
    for contact, there in zip(contacts, pressed.T, strict=True):
        if there.any() and not there.all():
            among = ", ".join(f"{speed:.5g}" for speed in speeds[there])
            yield f"stop {contact.name} is pressed at {among} rad/s, with its tangent, and open at other speeds"
        else:
            yield f"stop {contact.name} is {'pressed, with its tangent,' if there.any() else 'open'} at all speeds"


def _bodies(system: System) -> str:
    count = len(system.bodies)
    return "1 body" if count == 1 else f"{count} bodies"


def _torque(torque: float, found: RelativeEquilibrium) -> float:
    """The torque of the drive unless it is the rounding of the forces of rotation."""
    return float(torque) if abs(torque) > _NO_TORQUE * found.kinetic_energy else 0.0


def _labels(ready: SteadySpin, spectrum: SystemSpectrum, branches: SystemBranches) -> tuple[str, ...]:
    """What each branch is at the last speed where it is known, and whether it is free or unstable."""
    labels = []
    grows = growing_branches(branches)
    for b, values in enumerate(branches.eigenvalues.T):
        known = np.flatnonzero(np.isfinite(values.real))
        modes = spectrum.at(float(branches.speeds[known[-1]]))
        words = [shape_label(ready, modes, int(branches.numbers[known[-1], b]))]
        if (values[known] == 0).all():
            words = [f"free motion of {words[0].partition(' of ')[2]}"]
        if grows[:, b].any():
            unstable = values[grows[:, b]]
            slow = (np.abs(unstable.imag) <= UNSTABLE * np.abs(unstable)).all()
            words.append("divergence" if slow else "flutter")
        labels.append(", ".join(words))
    return tuple(labels)


def _shapes(
    ready: SteadySpin, spectrum: SystemSpectrum, branches: SystemBranches
) -> tuple[IntArray, tuple[BodyShapes, ...]]:
    """How all bodies move at a few speeds, each branch scaled so that its largest displacement is 1 (real)."""
    count, size = branches.eigenvalues.shape
    nodes = sum(part.nodes for part in ready.parts.values())
    room = max(1, _ROOM // max(6 * size * nodes, 1))
    snapshots = thin(count, min(_PICTURES, room)) if room > 1 else np.array([count - 1])
    found = [spectrum.at(float(branches.speeds[k])) for k in snapshots]
    vectors = [
        np.where(branches.numbers[k] >= 0, modes.vectors[:, branches.numbers[k]], 0.0)
        for k, modes in zip(snapshots, found, strict=True)
    ]
    shapes = body_shapes(ready.dynamic, ready.parts, [modes.equilibrium.state for modes in found], vectors)
    return snapshots, normalise_shapes(ready.dynamic, shapes)


def _deflection(ready: SteadySpin, state: DynamicState) -> float:
    """Largest root-mean-square displacement of a body in its frame over the length of the body."""
    largest = 0.0
    for b, body in enumerate(ready.dynamic.bodies):
        if body.size:
            delta = state.deformation[ready.dynamic.elastic(b)]
            square = np.einsum("kkrt,r,t", body.shape_products[..., : body.size, : body.size], delta, delta)
            length = ready.dynamic.tables.bodies.lengths[b]
            largest = max(largest, float(np.sqrt(max(square, 0.0) / body.mass) / length))
    return largest


def _notices(
    ready: SteadySpin,
    branches: SystemBranches,
    deflections: Array,
    doubts: Sequence[str],
    *,
    geometric: bool,
) -> list[str]:
    notices = []
    if ready.parts:
        sizes = ", ".join(f"{found.body} {found.size}" for found in ready.elastic.figures)
        notices.append(f"elastic bodies have few coordinates ({sizes}); more modes show what that leaves out")
    if not geometric:
        notices.append(
            "geometric stiffness is off on turning bodies: the stress of rotation is left out, and softening "
            "without it can show divergence that does not exist"
        )
    limit = ready.dynamic.deflection_limit
    if 2 * deflections.max(initial=0.0) > limit:
        first = branches.speeds[int(np.argmax(2 * deflections > limit))]
        notices.append(f"from {first:.6g} rad/s on the steady deflection leaves the range of small deflections")
    for low, high in branches.doubtful:
        notices.append(
            f"between {low:.6g} and {high:.6g} rad/s it is not beyond doubt which branch continues which"
        )
    if np.isnan(branches.eigenvalues.real).any():
        notices.append("branches are shown only where they are among the modes asked for or little above them")
    notices += doubts
    if growing_branches(branches).any():
        notices.append("the system is unstable (positive real part) at some of the speeds")
    return notices
