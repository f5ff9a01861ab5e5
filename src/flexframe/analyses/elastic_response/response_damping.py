"""Damping of deformations about the rigid motion of a mechanism: of a link alone, or of all bodies joined."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import linalg

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.damping import DeformationModes, deformation_modes
from flexframe.equations.parts import DAMPING, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.system_damping import ModalDamping, SystemDamping, fitted_ratios
from flexframe.multibody.links.assembly import ElasticAssembly
from flexframe.multibody.links.joined_bodies import JoinedBody
from flexframe.results.motion_damping import SHOWN, MotionDamping, element_words

_MANY = 400  # unknowns beyond which ratios are not looked at


@dataclass(frozen=True, eq=False)
class ResponseDamping:
    """What is asked for beside the damping of the bodies: ratios of single bodies by name, and of the whole."""

    ratios: Mapping[str, float] = field(default_factory=dict)
    system: SystemDamping | None = None

    def instant(self, times: Array) -> int:
        """The number of the instant about which modes are damped."""
        at = 0.0 if self.system is None else self.system.at
        if not times[0] <= at <= times[-1]:
            raise InputError(
                f"damping is asked for about t = {at:g} s, outside the response up to {times[-1]:g} s; choose a "
                "time in it",
                field=("damping", "at"),
            )
        return int(np.argmin(np.abs(times - at)))

    def whole(self, modes: DeformationModes, record: MotionDamping) -> tuple[Array, MotionDamping]:
        """C (e, e) of the modes of the whole, and what it does in words."""
        assert self.system is not None
        if isinstance(self.system, ModalDamping):
            word = f"{self.system.ratio:.3g} of critical damping in every mode of the whole"
            return modes.damping(self.system.ratio), replace(record, parts=(word, *record.parts))
        ratios, alpha, beta = fitted_ratios(self.system, modes.omegas)
        word = f"ζ = (α/ω + βω)/2 in every mode of the whole, α {alpha:.4g} 1/s, β {beta:.4g} s"
        return modes.damping(ratios), replace(record, parts=(word, *record.parts), alpha=alpha, beta=beta)

    def words(self, body: Body, modes: str) -> tuple[str, ...]:
        """What damps one body of its own."""
        words, ratio = element_words(body), self.ratios.get(body.name)
        if not ratio:
            return words
        return (*words, f"body {body.name}: {ratio:.3g} of critical damping in its {modes}")


def damped_link(
    equations: CycleEquations[Array], discrete: DiscreteBody, damping: ResponseDamping
) -> tuple[CycleEquations[Array], MotionDamping]:
    """The equations of a link with the damping of its modes in its frame, and what they have then."""
    M, K, body = equations.mass, equations.stiffness, discrete.body
    instant = damping.instant(equations.times)
    record = MotionDamping(damping.words(body, "modes in its frame"), float(equations.times[instant]))
    added, unit = np.zeros_like(M), np.eye(len(M))
    if damping.ratios.get(body.name):
        added = added + deformation_modes(M, K, unit).damping(damping.ratios[body.name])
    if damping.system is not None:
        here = equations.stiffness_at(np.array([instant]))[0]
        more, record = damping.whole(deformation_modes(M, here, unit), record)
        added = added + more
    modal = Part[Array].constant("modal", DAMPING, added)
    equations = replace(equations, equations=equations.equations.extend([modal]))
    if record.parts:
        now = np.array([instant])
        C, K = equations.damping_at(now)[0], equations.stiffness_at(now)[0]
        record = _looked_at(record, M, C, K)
    return equations, record


def damped_assembly(assembly: ElasticAssembly, damping: ResponseDamping) -> tuple[ElasticAssembly, MotionDamping]:
    """The joined bodies with damping of their deformation, and the ratios of their modes at an instant."""
    elastic = [part.discrete.body for part in assembly.parts if part.discrete is not None]
    words = [word for body in elastic for word in damping.words(body, "free modes, not in those of the whole")]
    instant = damping.instant(assembly.motion.times)
    record = MotionDamping(tuple(words), float(assembly.motion.times[instant]))
    deformations = [_deformation(part) for part in assembly.parts]
    added = np.zeros((assembly.size, assembly.size))
    for part, equations, P in zip(assembly.parts, assembly.equations, deformations, strict=True):
        if damping.ratios.get(part.name) and part.discrete is not None:
            modes = deformation_modes(equations.mass.toarray(), equations.stiffness.toarray(), P)
            added[part.columns, part.columns] += P.T @ modes.damping(damping.ratios[part.name]) @ P
    if damping.system is not None:
        now, P = assembly.at(instant), linalg.block_diag(*deformations)
        C, record = damping.whole(deformation_modes(now.mass, now.stiffness, P @ now.basis), record)
        added += P.T @ C @ P
    if added.any():
        assembly = replace(assembly, added_damping=added)
    if record.parts and assembly.size - assembly.rank <= _MANY:
        now = assembly.at(instant)
        record = _looked_at(record, now.mass, now.damping, now.stiffness)
    return assembly, record


def _deformation(part: JoinedBody) -> Array:
    """P, what is left of the coordinates of a body when its rigid motion is taken away: (n, n)."""
    if part.discrete is None:
        return np.zeros((part.columns.stop - part.columns.start,) * 2)
    R, M = part.discrete.equilibrium.rigid, part.discrete.equilibrium.mass
    MR = np.asarray(M @ R)
    return np.asarray(np.eye(len(R)) - R @ np.linalg.solve(R.T @ MR, MR.T))


def _looked_at(record: MotionDamping, M: Array, C: Array, K: Array) -> MotionDamping:
    size = len(M)
    L = linalg.cholesky(M, lower=True)
    C, K = (linalg.solve_triangular(L, linalg.solve_triangular(L, A, lower=True).T, lower=True).T for A in (C, K))
    scale = float(np.sqrt(np.abs(K).max())) or 1.0
    companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
    values = scale * linalg.eigvals(companion)
    values = values[values.imag > 1e-6 * np.abs(values)]
    values = values[np.argsort(np.abs(values))][:SHOWN]
    return replace(record, frequencies_hz=np.abs(values) / (2 * np.pi), ratios=-values.real / np.abs(values))
