"""A body of exact beams on a frame that moves periodically, under forces that repeat.

At every instant the body is where its loads, the forces and the inertia of the frame hold it, as if they stayed;
the tangent there has periodic M, C and K. That is what the small-deflection body has, whose stress follows its
loads, carried to equilibria that are far from the mesh. Where they move to and fro in a period by more than a
small part of the body, its own inertia would have a say in where it is: this is refused.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import linalg

from flexframe.analyses.stability.body_cycle import Excitation
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.motion.frame import REST, FrameMotion, Steady
from flexframe.multibody.equilibria.known_frame import DeformedBody, KnownFrame
from flexframe.reduction.rest_basis import MODES
from flexframe.spectra.floquet.combined import CombinedSystem

_FEWEST, _MOST = 16, 256  # instants of a period
_TAIL = 1e-8  # of the largest amplitude: what the highest harmonics may have
_STEADY = 0.02  # part of the size of the body by which its equilibrium may move in a period
_FLAT = 1e-10  # change of the inertia, as part of it, that is none


@dataclass(frozen=True, eq=False)
class HarmonicPiece:
    """C(t) and K(t) by their harmonics."""

    period: float
    damping: ComplexArray  # (harmonics, r, r)
    stiffness: ComplexArray

    @property
    def start(self) -> float:
        return 0.0

    @property
    def end(self) -> float:
        return self.period

    def coefficients(self, times: Array) -> tuple[Array, Array]:
        """(t, r, r) each."""
        waves = np.exp(2j * np.pi / self.period * np.outer(times, np.arange(len(self.stiffness))))
        C, K = (np.tensordot(waves, part, axes=1).real for part in (self.damping, self.stiffness))
        return C, K


@dataclass(eq=False)
class ExactBodyCycle:
    """A body of exact beams under an excitation that depends on named parameters."""

    discrete: DiscreteBody
    excitation: Callable[[Mapping[str, float]], Excitation]
    modes: int | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    _frame: KnownFrame | None = None

    @property
    def name(self) -> str:
        """Of the body."""
        return self.discrete.body.name

    @property
    def description(self) -> str:
        """How the equations were made."""
        return f"{self._count} modes of the mean tangent of exact beams, about the equilibrium of each instant"

    @property
    def unknowns(self) -> int:
        """Coordinates that the supports leave."""
        return self.discrete.supports.size

    @property
    def _count(self) -> int:
        return min(self.modes or MODES, self.unknowns)

    def unit(self, parameter: str) -> str:
        """Unit of a parameter, empty where it is not known."""
        return self.units.get(parameter, "")

    def with_modes(self, count: int) -> "ExactBodyCycle":
        """The same with another number of modes."""
        return replace(self, modes=count)

    def require(self, parameters: Mapping[str, float]) -> Excitation:
        """What these parameters give, if it can be."""
        given = self.excitation(parameters)
        if not (np.isfinite(given.period) and given.period > 0):
            raise InputError(f"the period is {given.period:g} s; give a positive time", field="period")
        motions, forces = self._amounts(given, given.period * np.array([0.03, 0.41, 1.03, 1.41]))
        ahead = [
            np.concatenate([m.angular_velocity, m.angular_acceleration, m.origin_acceleration]) for m in motions
        ]
        for values in (np.array(ahead), forces.reshape(4, -1)):
            largest = float(np.abs(values).max(initial=0.0))
            if float(np.abs(values[:2] - values[2:]).max(initial=0.0)) > 1e-9 * largest:
                raise InputError(
                    f"motion and forces do not repeat after {given.period:g} s; give the time after which all of "
                    "them come back",
                    field="period",
                )
        return given

    def system(self, parameters: Mapping[str, float]) -> CombinedSystem[HarmonicPiece]:
        """The equations at given parameters."""
        given, count, known = self.require(parameters), _FEWEST, dict[float, DeformedBody]()
        self._frame = self._frame or KnownFrame(self.discrete)
        while True:
            parts = np.arange(count) / count
            found = self._equilibria(given, parts, known)
            C, K = self._reduce(found)
            spectra = [np.fft.rfft(values, axis=0) / count for values in (C, K)]
            tails = [np.abs(s[-count // 8 :]).max() / (np.abs(s).max() or 1.0) for s in spectra]
            if max(tails) <= _TAIL or count >= _MOST:
                break
            count *= 2
        for spectrum in spectra:
            spectrum[1:] *= 2
            spectrum[-1] /= 2
        piece = HarmonicPiece(given.period, spectra[0], spectra[1])
        fastest = float(np.sqrt(np.linalg.norm(K, 2, axis=(1, 2)).max()))
        return CombinedSystem(piece, max(fastest, float(np.linalg.norm(C, 2, axis=(1, 2)).max())))

    def _amounts(self, given: Excitation, times: Array) -> tuple[list[FrameMotion], Array]:
        """Motions of the frame, and forces at nodes in its axes: (t, nodes, 6)."""
        law = Steady(given.motion) if isinstance(given.motion, FrameMotion) else given.motion
        body = self.discrete.body
        forces = np.zeros((len(times), body.mesh.node_count, 6))
        for number, force in enumerate(given.forces):
            values = np.asarray(force.force(times), dtype=float)
            if values.shape != (len(times), 3) or not np.isfinite(values).all():
                raise InputError(
                    f"the force on '{force.on}' is not three finite numbers at all times; correct it",
                    field=("loads", number, "force"),
                )
            nodes = body.selected_nodes(force.on)
            forces[:, nodes, :3] += values[:, None] / len(nodes)
        return [law.at(float(t)) for t in times], forces

    def _equilibria(self, given: Excitation, parts: Array, known: dict[float, DeformedBody]) -> list[DeformedBody]:
        """At parts of the period, each from the one before."""
        assert self._frame is not None
        motions, forces = self._amounts(given, given.period * parts)
        near: DeformedBody | None = None
        for part, motion, force in zip(parts, motions, forces, strict=True):
            if float(part) not in known:
                known[float(part)] = self._frame.equilibrium(motion, force, near)
            near = known[float(part)]
        found = [known[float(part)] for part in parts]
        moved = np.array([each.displacements[:, :3] for each in found])
        apart = float(np.ptp(moved, axis=0).max()) / self.discrete.size
        if apart > _STEADY:
            raise AnalysisError(
                f"the equilibrium of body {self.name} moves by {100 * apart:.2g} % of its size within a period, "
                f"more than {100 * _STEADY:g} %: where the body is then depends on its own inertia, and the "
                "stability of its equilibria is not that of its motion; run a transient of a system with a small "
                "disturbance",
                field="loads",
            )
        return found

    def _reduce(self, found: list[DeformedBody]) -> tuple[Array, Array]:
        """M⁻¹C and M⁻¹K on modes of the mean tangent: (instants, r, r) each."""
        reduce = self.discrete.supports.reduce_matrix
        sets = []
        for each in found:
            here = each.equations.at(REST)
            sets.append([reduce(matrix).toarray() for matrix in (here.mass, here.damping, here.stiffness)])
        M, C, K = (np.array(each) for each in zip(*sets, strict=True))
        mean = [(each.mean(axis=0) + each.mean(axis=0).T) / 2 for each in (K, M)]
        V = linalg.eigh(*mean, subset_by_index=(0, self._count - 1))[1]
        M, C, K = (np.einsum("ir,tij,js->trs", V, each, V, optimize=True) for each in (M, C, K))
        if np.abs(M - np.eye(self._count)).max() > _FLAT:
            C, K = np.linalg.solve(M, C), np.linalg.solve(M, K)
        return C, K
