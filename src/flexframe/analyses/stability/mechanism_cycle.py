"""Elastic bodies along the cycle of their mechanism: small vibrations about the rigid motion."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from flexframe.analyses.cycle_spectrum.analysis import elastic_body
from flexframe.analyses.kinematics.analysis import driven_motion
from flexframe.analyses.stability.cycle_frames import (
    CycleFrames,
    FramePiece,
    constant_frames,
    moving_frames,
)
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Terms
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.parts import DAMPING, STIFFNESS, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.constraints import time_law
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.inverse_dynamics import MechanismForces, inverse_dynamics
from flexframe.multibody.links.assembly import ElasticAssembly, elastic_assembly
from flexframe.multibody.links.joined_bodies import Interaction, JoinedBody, interactions
from flexframe.multibody.links.link import ElasticLink, link_history
from flexframe.multibody.motion import MechanismMotion, require_repeating_loads, require_repeating_motion
from flexframe.multibody.states import Rates
from flexframe.reduction.rest_basis import MODES, rest_basis
from flexframe.spectra.floquet.chebyshev import Chebyshev

FACTOR = "speed_factor"
JOINED_MODES = 8
PIECES = 12


@dataclass(frozen=True, eq=False)
class CyclePiece:
    """C and K at the points of a piece; between them by their polynomials."""

    grid: Chebyshev
    damping: Array  # (points, k, k)
    stiffness: Array  # (points, k, k)

    @property
    def start(self) -> float:
        return self.grid.start

    @property
    def end(self) -> float:
        return self.grid.end

    def coefficients(self, times: Array) -> tuple[Array, Array]:
        weights = self.grid.interpolation(times)
        return np.tensordot(weights, self.damping, axes=1), np.tensordot(weights, self.stiffness, axes=1)


@dataclass(frozen=True, eq=False)
class CycleSystem:
    """All pieces of a cycle."""

    pieces: tuple[CyclePiece, ...]
    seams: tuple[Array | None, ...]
    fastest: float
    tail: float  # how well the polynomials resolve the coefficients

    @property
    def period(self) -> float:
        return self.pieces[-1].end - self.pieces[0].start


@dataclass(eq=False)
class MechanismCycle:
    """The elastic bodies of a mechanism over one period [s] of its drives, joints joining them.

    With `link` that body alone vibrates in its frame, held by its own supports. A speed factor s lets the same
    cycle run s times as fast: velocities times s, accelerations times s², gravity and springs as they are.
    """

    given: System
    period: float
    link: str | None = None
    modes: int | None = None
    terms: Terms = field(default_factory=Terms)
    branch: int | None = None
    segments: int = PIECES
    discrete: Mapping[str, DiscreteBody] | None = None
    _base: "_Base | None" = field(default=None)

    @property
    def name(self) -> str:
        """Of the link, or of the system."""
        return self.link or self.given.name

    @property
    def unknowns(self) -> int:
        """Coordinates before the reduction to modes."""
        return self._ready().unknowns

    @property
    def description(self) -> str:
        """How the equations were made."""
        size = self._ready().frames.size
        if self.link is not None:
            return f"{size} modes of the link at rest"
        return f"{size} modes at rest in every position, followed along the cycle in {self.segments} pieces"

    def unit(self, parameter: str) -> str:  # noqa: ARG002 - there is one
        """A factor has none."""
        return ""

    def with_modes(self, count: int) -> "MechanismCycle":
        """The same with another number of modes."""
        return replace(self, modes=count, _base=None)

    def system(self, parameters: Mapping[str, float]) -> CycleSystem:
        """The equations at a speed factor (1 where none is given)."""
        self.require(parameters)
        return self._ready().system(float(parameters.get(FACTOR, 1.0)), self.terms)

    def require(self, parameters: Mapping[str, float]) -> None:
        """Refuse a speed factor that cannot be."""
        factor = float(parameters.get(FACTOR, 1.0))
        if not (np.isfinite(factor) and factor > 0):
            raise InputError(f"the speed factor is {factor:g}; give a positive number", field="speed_factors")
        if factor != 1.0:
            _require_constant_forces(self.given)

    def _ready(self) -> "_Base":
        if self._base is None:
            self._base = self._make()
        return self._base

    def _make(self) -> "_Base":
        if not (np.isfinite(self.period) and self.period > 0):
            raise InputError(f"the period is {self.period:g} s; give a positive time", field="period")
        ends = np.linspace(0.0, self.period, self.segments + 1)
        grids = tuple(Chebyshev(float(a), float(b)) for a, b in pairwise(ends))
        motion = _motion(self.given, grids, self.branch)
        require_repeating_motion(motion, self.period)
        require_repeating_loads(motion.mechanism, 0.0, self.period)
        if self.link is not None:
            discrete = elastic_body(self.given, self.link, self.discrete)
            link = ElasticLink.attach(discrete)
            reduce = discrete.supports.reduce_matrix
            basis = rest_basis(reduce(discrete.stiffness), reduce(discrete.mass), self.modes or MODES)
            part = JoinedBody(self.link, discrete, None, slice(0, discrete.supports.size))
            frames = constant_frames(grids, basis.vectors, basis.frequencies)
            return _Base(motion, (part,), (link,), frames, None, discrete.supports.size)
        resting = elastic_assembly(motion, None, self.terms, discrete=self.discrete)
        frames = moving_frames(grids, resting, self.modes or JOINED_MODES)
        links = tuple(None if p.discrete is None else ElasticLink(p.discrete) for p in resting.parts)
        return _Base(motion, resting.parts, links, frames, resting, resting.size - resting.rank)


@dataclass(eq=False)
class _Base:
    """What does not depend on the speed: positions, coordinates, projected matrices of every unit."""

    motion: MechanismMotion
    parts: tuple[JoinedBody, ...]
    links: tuple[ElasticLink | None, ...]
    frames: CycleFrames
    resting: ElasticAssembly | None  # None for a link alone
    unknowns: int
    _projected: dict[tuple[str, int, str], tuple[Array, Array]] = field(default_factory=dict)

    def system(self, factor: float, terms: Terms) -> CycleSystem:
        motion = _faster(self.motion, factor)
        forces = inverse_dynamics(motion)
        k = self.frames.size
        T = len(motion.times)
        C, mixed, K = (np.zeros((T, k, k)) for _ in range(3))  # FᵀCF, FᵀCḞ, FᵀKF
        for part, link in zip(self.parts, self.links, strict=True):
            equations = self._equations(part, link, motion, forces, terms)
            self._add(part, equations, C, mixed, K)
        if self.resting is not None:
            for between in interactions(motion, forces, self.parts, terms.geometric):
                self._add_between(between, C, mixed, K)
        pieces, start = [], 0
        for frame in self.frames.pieces:
            here = slice(start, start + len(frame.grid.points))
            start = here.stop
            grid = Chebyshev(frame.grid.start / factor, frame.grid.end / factor, frame.grid.degree)
            damping = 2 * factor * frame.gamma + C[here]
            stiffness = K[here] + factor * mixed[here] + factor**2 * (frame.gamma_rate - frame.turning)
            pieces.append(CyclePiece(grid, damping, stiffness))
        norms = [np.linalg.norm(piece.stiffness, 2, axis=(1, 2)).max() for piece in pieces]
        fastest = max(float(np.sqrt(max(norms))), float(self.frames.frequencies.max()))
        tail = max(p.grid.tail(np.concatenate([p.stiffness, fastest * p.damping], axis=2)) for p in pieces)
        return CycleSystem(tuple(pieces), self._seams(factor), fastest, tail)

    def _seams(self, factor: float) -> tuple[Array | None, ...]:
        """(z, ż) from the end of each piece to the start of the next."""
        if self.resting is None:
            return tuple(None for _ in self.frames.pieces)
        seams: list[Array | None] = []
        k = self.frames.size
        for i, U in enumerate(self.frames.turns):
            before: FramePiece = self.frames.pieces[i]
            after: FramePiece = self.frames.pieces[(i + 1) % len(self.frames.pieces)]
            seam = np.zeros((2 * k, 2 * k))
            seam[:k, :k] = seam[k:, k:] = U.T
            seam[k:, :k] = factor * (U.T @ before.gamma[-1] - after.gamma[0] @ U.T)
            seams.append(seam)
        return tuple(seams)

    def _equations(
        self,
        part: JoinedBody,
        link: ElasticLink | None,
        motion: MechanismMotion,
        forces: MechanismForces,
        terms: Terms,
    ) -> CycleEquations:
        if link is None:
            return part.equations(motion, forces, terms)
        return link.equations(link_history(forces, part.name), terms)

    def _small(self, part: JoinedBody, unit: Part[SparseMatrix]) -> tuple[Array, Array]:
        """FᵀAF and FᵀAḞ of a matrix of one part at all points, computed once for every coefficient."""
        key = (part.name, unit.order, unit.name)
        if key not in self._projected:
            F, rates = self._all(part)
            left = np.swapaxes(F, 1, 2) @ unit.matrix.toarray()
            self._projected[key] = (left @ F, left @ rates)
        return self._projected[key]

    def _all(self, part: JoinedBody) -> tuple[Array, Array]:
        F = np.concatenate([piece.frames for piece in self.frames.pieces])[:, part.columns]
        rates = np.concatenate([piece.rates for piece in self.frames.pieces])[:, part.columns]
        return F, rates

    def _add(self, part: JoinedBody, equations: CycleEquations, C: Array, mixed: Array, K: Array) -> None:
        body, points = equations.equations, equations.points
        for rates, weight in zip(body.of_order(DAMPING), body.weights(DAMPING, points).T, strict=True):
            projected, with_rate = self._small(part, rates)
            C += weight[:, None, None] * projected
            mixed += weight[:, None, None] * with_rate
        for unit, weight in zip(body.of_order(STIFFNESS), body.weights(STIFFNESS, points).T, strict=True):
            K += weight[:, None, None] * self._small(part, unit)[0]

    def _add_between(self, between: Interaction, C: Array, mixed: Array, K: Array) -> None:
        F = np.concatenate([piece.frames for piece in self.frames.pieces])
        rates = np.concatenate([piece.rates for piece in self.frames.pieces])
        row, row_rate = (np.einsum("tq,tqk->tk", between.rows, each) for each in (F, rates))
        C += between.damper[:, None, None] * row[:, :, None] * row[:, None, :]
        mixed += between.damper[:, None, None] * row[:, :, None] * row_rate[:, None, :]
        K += between.spring[:, None, None] * row[:, :, None] * row[:, None, :]
        if between.curved is not None:
            placed = between.markers @ F
            K += np.swapaxes(placed, 1, 2) @ between.curved @ placed


def _motion(system: System, grids: tuple[Chebyshev, ...], branch: int | None) -> MechanismMotion:
    """At the points of all grids one after the other; a time that ends one and starts the next occurs twice."""
    points = np.concatenate([grid.points for grid in grids])
    times, places = np.unique(points, return_inverse=True)
    motion, _ = driven_motion(system, times, branch)
    return replace(
        motion,
        times=points,
        configuration=motion.configuration.at(places),
        velocities=motion.velocities.at(places),
        accelerations=motion.accelerations.at(places),
    )


def _require_constant_forces(system: System) -> None:
    for load in system.loads:
        if not isinstance(load, MarkerForce):
            continue
        laws = [time_law(law).jet(np.linspace(0.0, 1.0, 65)) for law in (*load.force, *load.moment)]
        if any(np.ptp(value) > 0 or np.abs(rate).max() > 0 for value, rate, _ in laws):
            raise InputError(
                f"load {load.name} is a formula of t, which does not run faster with the mechanism; leave out the "
                "speed factors",
                field="speed_factors",
            )


def _faster(motion: MechanismMotion, factor: float) -> MechanismMotion:
    """The same positions, passed `factor` times as fast."""
    if factor == 1.0:
        return motion
    u, a = motion.velocities, motion.accelerations
    return replace(
        motion,
        times=motion.times / factor,
        velocities=Rates(factor * u.linear, factor * u.angular),
        accelerations=Rates(factor**2 * a.linear, factor**2 * a.angular),
    )
