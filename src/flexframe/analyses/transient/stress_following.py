"""Stress of a body through its motion in time on a frame that moves in a known way."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.analyses.stress_watch import StressWatch, block_size
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.interior_forces import DeformationInertia, InteriorForces
from flexframe.assembly.stress_series import StressOperators
from flexframe.elements.contract import is_loaded_inside
from flexframe.equations.coefficients import Terms
from flexframe.formalisms.time_stepping import BodyInstant
from flexframe.maths.arrays import Array, IntArray
from flexframe.motion.frame import MotionLaw
from flexframe.results.peaks import StressRecord
from flexframe.results.record import thin

_INSTANTS = 4000  # whose largest stress is stored


@dataclass(eq=False)
class FollowedStress:
    """Looks at the stress of every step, in blocks, and stores that of evenly spread instants.

    `snapshots` are always among these. `accelerated` says whether the instants come with accelerations: the forces
    in beams are then in equilibrium with the inertia of the deformation too.
    """

    discrete: DiscreteBody
    law: MotionLaw
    terms: Terms
    times: Array
    snapshots: IntArray  # numbers of the times whose nodal stress is kept
    accelerated: bool
    chosen: IntArray = field(init=False)
    _watch: StressWatch = field(init=False)
    _size: int = field(init=False)
    _numbers: list[int] = field(default_factory=list)
    _block: list[tuple[Array, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chosen = np.union1d(thin(len(self.times), _INSTANTS), self.snapshots)
        self._watch, self._size = StressWatch(StressOperators(self.discrete)), block_size(self.discrete)

    @property
    def wants_accelerations(self) -> bool:
        """Whether accelerations matter: in beams only."""
        return self.accelerated and any(is_loaded_inside(b.family) for b in self.discrete.batches)

    def take(self, number: int, instant: BodyInstant, accelerations: Array | None) -> None:
        """The body at the time of that number; numbers come in order."""
        self._numbers.append(number)
        moving = () if accelerations is None else (instant.rates.copy(), accelerations)
        self._block.append((instant.displacements.copy(), *moving))
        if len(self._numbers) == self._size:
            self._look()

    def _look(self) -> None:
        if not self._numbers:
            return
        numbers, parts = np.array(self._numbers), [np.array(part) for part in zip(*self._block, strict=True)]
        times = self.times[numbers]
        stored, snapshots = (np.flatnonzero(np.isin(numbers, some)) for some in (self.chosen, self.snapshots))
        self._watch.take(times, parts[0], self._forces(times, parts), stored, snapshots)
        self._numbers, self._block = [], []

    def _forces(self, times: Array, parts: list[Array]) -> InteriorForces:
        """g − a_O − (E + W²) x as far as its terms are on, and what deforms in it."""
        motions = [self.law.at(float(t)) for t in times]
        turning = [self.terms.euler * m.E + self.terms.centrifugal * (m.W @ m.W) for m in motions]
        origin = np.array([m.origin_acceleration for m in motions])
        deformation = None
        if len(parts) > 1:
            spins = self.terms.coriolis * np.array([m.angular_velocity for m in motions])
            deformation = DeformationInertia(parts[0], parts[1], parts[2], spins)
        return InteriorForces(self.discrete.loads.gravity - origin, -np.array(turning), deformation)

    def record(self) -> StressRecord | None:
        """Every measure over time; None where the body has none."""
        self._look()
        return self._watch.record()
