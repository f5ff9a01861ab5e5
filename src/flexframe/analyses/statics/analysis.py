"""Equilibrium of a body under applied loads and the inertia of its frame motion."""

from dataclasses import replace
from typing import Literal

import numpy as np

from flexframe.analyses.body_forces import frame_body_force
from flexframe.analyses.judging import judge
from flexframe.analyses.small_deformation import deformation_notices
from flexframe.analyses.statics.record import Statics, StressMaximum
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.assembly.stress_error import stress_error
from flexframe.assembly.stress_recovery import RecoveredStress, along_beam, averaged_at_nodes, recovered_stress
from flexframe.elements.integration import measure_unit
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.maths.factorisation import factorise
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion
from flexframe.stages import begin_work

_ROUND_OFF = 1e-12
_SIGNS = {"principal_max": 1.0, "principal_min": -1.0}


@judge
def statics(
    body: Body | DiscreteBody,
    motion: FrameMotion = REST,
    *,
    terms: Terms | None = None,
    second_order: bool = False,
) -> Statics:
    """Displacements relative to the frame and stress.

    First order: the loads act on the undeformed body, K is the elastic stiffness. `second_order` keeps the
    geometric, Euler and centrifugal stiffness of the frozen motion too (supported bodies only). Terms of the
    relative order of the strains are beyond second order.

    Parameters
    ----------
    body
        A supported body, described or discretised.
    motion
        Frozen motion of its frame; at rest if not given.
    terms
        Multipliers of the terms; all 1 if not given.
    second_order
        Whether K contains the geometric, Euler and centrifugal parts.

    Returns
    -------
    Statics
        Displacements relative to the frame [m, rad], support forces [N, N m] and stress [Pa].

    Examples
    --------
    >>> bar = ff.Body.beam(
    ...     "bar",
    ...     length=1.0,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ...     loads=(ff.NodeForce("end", (0.0, 10.0)),),
    ... )
    >>> round(float(ff.statics(bar).support_forces[0, 1]), 6)  # the clamp balances 10 N
    -10.0
    """
    discrete = ensure_discrete(body)
    terms = terms or Terms()
    equations = equations_of_motion(discrete, motion, terms)
    load = equations.load
    equilibrium = discrete.equilibrium
    notices = list(discrete.body.mesh.notices)
    relief = np.zeros(6)
    if second_order:
        discrete.require_freedom()
        if equilibrium.rigid.shape[1]:
            raise AnalysisError(
                f"body {discrete.body.name} is free to move; second-order statics needs supports that hold it",
                part=("bodies", discrete.body.name, "supports"),
            )
        begin_work()
        K = discrete.supports.reduce_matrix(equations.stiffness)
        kind: Literal["general", "symmetric"] = "general" if "euler" in equations.stiffness_parts else "symmetric"
        factors = factorise(K, kind)
        if kind == "symmetric" and factors.negative_pivots:
            raise AnalysisError(
                f"body {discrete.body.name} is loaded beyond buckling: its stiffness with the stress of loads "
                f"and rotation has {factors.negative_pivots} negative eigenvalue(s), so that no stable "
                "equilibrium is near the undeformed shape; lower the loads or the speed, or hold the body"
            )
        solved = factors.solve(discrete.supports.reduce_vector(load))
        displacements = discrete.supports.expand(solved)
        stiffness = equations.stiffness
    else:
        begin_work()
        solution = equilibrium.solve(load)
        displacements, relief = solution.displacements[:, 0], solution.relief[:, 0]
        stiffness = discrete.stiffness
        if len(equations.stiffness_parts) > 1:
            notices.append(
                "first-order statics: geometric, Euler and centrifugal stiffness are left out; "
                "set second_order to include them"
            )
    if equilibrium.rigid.shape[1]:
        notices.append(
            "the body is free: loads are balanced by its own inertia (inertia relief) and "
            "displacements exclude rigid motion"
        )
        load = load + discrete.inertia.origin_load(relief[:3]) + discrete.inertia.position_load(skew(relief[3:]))
    reactions = discrete.supports.reactions(stiffness @ displacements - load)
    body_force = frame_body_force(motion, equations.terms, discrete.loads.gravity, relief)
    recovered = recovered_stress(discrete, displacements, body_force)
    measures = _join(recovered)
    notices += deformation_notices(discrete, discrete.dofs.nodal(displacements), recovered)
    return Statics(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=discrete.body,
        displacements=discrete.dofs.nodal(displacements),
        support_forces=discrete.dofs.nodal(reactions),
        stress_positions=np.concatenate(
            [np.empty((0, 3)), *(part.positions.reshape(-1, 3) for part in recovered)]
        ),
        stress_values=measures,
        maxima=tuple(
            replace(m, strength=discrete.body.strength(m.cell))
            for m in _without_round_off(_maxima(recovered), discrete.size)
        ),
        relief=relief,
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        nodal_stress=averaged_at_nodes(discrete, recovered),
        error=stress_error(discrete, displacements),
        notices=tuple(notices),
    )


def _join(recovered: tuple[RecoveredStress, ...]) -> dict[str, Array]:
    """Every measure over all recovery points, NaN where a batch does not have it."""
    names = list(dict.fromkeys(name for part in recovered for name in part.measures))
    return {
        name: np.concatenate(
            [part.measures.get(name, np.full(part.positions.shape[:2], np.nan)).ravel() for part in recovered]
        )
        for name in names
    }


def _maxima(recovered: tuple[RecoveredStress, ...]) -> tuple[StressMaximum, ...]:
    """Largest magnitude of each measure with its place; of principal stresses the largest and smallest value."""
    best: dict[str, StressMaximum] = {}
    rank: dict[str, float] = {}
    for part in recovered:
        for name, values in part.measures.items():
            ranked = _SIGNS[name] * values if name in _SIGNS else np.abs(values)
            place = tuple(int(i) for i in np.unravel_index(int(np.argmax(ranked)), values.shape))
            if name not in rank or ranked[place] > rank[name]:
                rank[name] = float(ranked[place])
                x, y, z = (float(c) for c in part.positions[place])
                unit, cell = measure_unit(part.batch.family, name), int(part.cells[place[0]])
                fibre = part.fibre(*place) if name == "fibre" else None
                along = along_beam(part.batch, place[1])
                best[name] = StressMaximum(name, float(values[place]), unit, (x, y, z), cell, along, fibre)
    return tuple(best.values())


def _without_round_off(maxima: tuple[StressMaximum, ...], size: float) -> tuple[StressMaximum, ...]:
    """Moments and forces that are round-off beside each other, over the size of the body, set to zero."""
    shells = any(m.unit == "N/m" for m in maxima)
    lengths = {"N/m": 1, "N": 0} if shells else {"N": 1, "N m": 0}  # powers of length up to the moment
    scale = max((abs(m.value) * size ** lengths[m.unit] for m in maxima if m.unit in lengths), default=0.0)

    def is_noise(m: StressMaximum) -> bool:
        return m.unit in lengths and abs(m.value) * size ** lengths[m.unit] < _ROUND_OFF * scale

    return tuple(replace(m, value=0.0) if is_noise(m) else m for m in maxima)
