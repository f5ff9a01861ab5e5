"""Natural frequencies of elastic bodies along the cycle of a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.cycle_spectrum.record import FROZEN, CycleSpectrum
from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.analysis import kinematics
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.branch_tracking import Branches, sampled_branches
from flexframe.model.body import Body
from flexframe.model.constraints import Rotation, time_law
from flexframe.model.drives import AngleDrive
from flexframe.model.system import System, unknown
from flexframe.multibody.inverse_dynamics import MechanismForces, inverse_dynamics
from flexframe.multibody.links.assembly import assembly_modes, elastic_assembly
from flexframe.multibody.links.cycle_modes import cycle_modes
from flexframe.multibody.links.link import ElasticLink, link_history, resting_history
from flexframe.multibody.motion import MechanismMotion

GUARDS = 2  # modes followed beyond those asked for, so that a branch may cross out of the lowest ones


@dataclass(frozen=True, eq=False)
class _Found:
    branches: Branches
    eigenvalues: ComplexArray  # (instants, branches)
    unknowns: int
    method: str
    error_estimate: float
    checked: int

    @property
    def ambiguous(self) -> IntArray:
        """Instants at which a branch was continued with doubt."""
        return np.array(sorted({k + 1 for k, _ in self.branches.doubtful}), dtype=np.int64)


@judge
def cycle_spectrum(
    system: System,
    times: ArrayLike,
    *,
    body: str | None = None,
    count: int = 6,
    terms: Terms | None = None,
    at_rest: bool = False,
    branch: int | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> CycleSpectrum:
    """The `count` lowest eigenvalues of the equations frozen at each of the times [s], followed as branches.

    With `body` that link alone vibrates in its frame, held by its own supports and loaded by inertia and joint
    forces; without it all elastic bodies are joined by the joints. `at_rest` lets the mechanism stand still in
    each position. `branch` chooses among several assemblies as for kinematics.

    Parameters
    ----------
    system
        Bodies with joints, and drives for every freedom.
    times
        Increasing times [s].
    body
        The link that vibrates; all meshed bodies if not given.
    count
        Number of branches.
    terms
        Multipliers of the terms; all 1 if not given.
    at_rest
        Whether the mechanism stands still in each position.
    branch
        Number of the assembly, from 1.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    CycleSpectrum
        Eigenvalues [rad/s] and frequencies [Hz] by time and branch.

    Examples
    --------
    >>> crank = ff.Body.beam(
    ...     "crank",
    ...     length=0.3,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.02, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> motor = ff.AngleDrive("motor", "ground", "crank", "10*t")
    >>> system = ff.System([crank], [ff.Revolute("A", "ground", "crank.start")], [motor])
    >>> ff.cycle_spectrum(system, [0.0, 0.1], body="crank", count=2).frequencies_hz.round(1)
    array([[ 92.8, 579.1],
           [ 92.8, 579.1]])
    """
    if count < 1:
        raise InputError(f"the number of modes is {count}; ask for at least one", field="count")
    system.require_smooth("a spectrum over a cycle")
    system.require_free_of_reactions("a spectrum over a cycle")
    began = perf_counter()
    terms = terms or Terms()
    motion = kinematics(system, times, branch=branch).motion
    forces = None if at_rest else inverse_dynamics(motion)
    if body is None:
        bodies = tuple(each.name for each in system.bodies if isinstance(each, Body))
        if not bodies:
            raise InputError("no body of the system is elastic; give at least one a mesh", field="kind")
        found = _join(motion, forces, terms, count, discrete)
    else:
        bodies = (body,)
        found = _alone(motion, forces, terms, count, elastic_body(system, body, discrete))
    return CycleSpectrum(
        motion=motion,
        bodies=bodies,
        eigenvalues=found.eigenvalues,
        assurance=found.branches.shares,
        ambiguous=found.ambiguous,
        drive_angles=drive_angles(motion),
        at_rest=at_rest,
        terms=terms,
        unknowns=found.unknowns,
        method=found.method,
        error_estimate=found.error_estimate,
        checked_instants=found.checked,
        seconds=perf_counter() - began,
        notices=(*motion.notices, *_notices(found, motion, terms, at_rest=at_rest)),
    )


def elastic_body(system: System, name: str, discrete: Mapping[str, DiscreteBody] | None) -> DiscreteBody:
    """A body of the system with its matrices."""
    meshed = [body.name for body in system.bodies if isinstance(body, Body)]
    if name not in [body.name for body in system.bodies]:
        raise InputError(unknown("body", name, meshed), field="body")
    described = system.body(name)
    if not isinstance(described, Body):
        known = f": {', '.join(meshed)}" if meshed else ""
        raise InputError(f"body {name} is rigid and has no deformation; name one with a mesh{known}", field="body")
    return (discrete or {}).get(name) or discretise(described)


def drive_angles(motion: MechanismMotion) -> dict[str, Array]:
    """Angles that drives prescribe [rad]."""
    angles = {}
    for drive in motion.mechanism.system.drives:
        if isinstance(drive, AngleDrive) and not drive.follows:
            (constraint,) = drive.constraints()
            assert isinstance(constraint, Rotation)
            angles[drive.name] = time_law(constraint.law).jet(motion.times)[0]
    return angles


def _alone(
    motion: MechanismMotion, forces: MechanismForces | None, terms: Terms, count: int, discrete: DiscreteBody
) -> _Found:
    link = ElasticLink.attach(discrete)
    history = resting_history(motion.times) if forces is None else link_history(forces, discrete.body.name)
    equations = link.equations(history, terms)
    count = min(count, equations.size)
    modes = cycle_modes(equations, min(count + GUARDS, equations.size))
    states = modes.vectors  # of unit length: shares are the modal assurance of neighbouring instants
    shares = (np.abs(a.conj().T @ b) ** 2 for a, b in pairwise(states))
    branches = sampled_branches(modes.eigenvalues, shares).chosen(np.arange(count))
    method = (
        f"{modes.basis.shape[1]} shapes from modes of {len(modes.snapshots) + 1} instants; "
        f"{modes.directly} instants by the companion matrix"
    )
    values = branches.values(modes.eigenvalues)
    return _Found(branches, values, equations.size, method, modes.error_estimate, len(modes.checked))


def _join(
    motion: MechanismMotion,
    forces: MechanismForces | None,
    terms: Terms,
    count: int,
    discrete: Mapping[str, DiscreteBody] | None,
) -> _Found:
    assembly = elastic_assembly(motion, forces, terms, discrete=discrete)
    unknowns = assembly.size - assembly.rank
    count = min(count, unknowns)
    modes = assembly_modes(assembly, min(count + GUARDS, unknowns))
    branches = sampled_branches(modes.eigenvalues, modes.overlaps).chosen(np.arange(count))
    error = 2 * float(modes.bounds.max(initial=0.0)) ** 2
    method, values = (
        "every position on its own, bodies joined by the joint map",
        branches.values(modes.eigenvalues),
    )
    return _Found(branches, values, unknowns, method, error, len(modes.bounds))


def _notices(found: _Found, motion: MechanismMotion, terms: Terms, *, at_rest: bool) -> list[str]:
    notices = [] if at_rest else [FROZEN]
    if terms.geometric == 0 and not at_rest:
        notices.append("geometric stiffness is off: frequencies do not follow the forces in the bodies")
    if not terms.physical:
        changed = ", ".join(
            f"{name} {getattr(terms, name):g}"
            for name in ("coriolis", "euler", "centrifugal", "geometric")
            if getattr(terms, name) != 1
        )
        notices.append(f"not the complete physics: term multipliers {changed}")
    values = found.eigenvalues
    growing = (values.real > 1e-6 * np.abs(values).max()).any(axis=1)
    if growing.any():
        when = motion.times[int(np.argmax(growing))]
        notices.append(
            f"a frozen eigenvalue grows at {int(growing.sum())} instants, first at t = {when:g} s; a response "
            "over several cycles, or the multipliers of a period, show whether the motion is unstable"
        )
    if len(found.ambiguous):
        notices.append(
            f"{len(found.ambiguous)} steps where shapes change so much that a branch was continued with "
            "doubt; use more instants to follow branches through close frequencies"
        )
    return notices
