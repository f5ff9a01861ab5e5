"""Stress of a body of a mechanism over every step of its elastic motion."""

import numpy as np

from flexframe.analyses.stress_watch import StressWatch, block_size
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.interior_forces import DeformationInertia, InteriorForces
from flexframe.assembly.stress_series import StressOperators
from flexframe.equations.coefficients import Terms
from flexframe.maths.rotations import skew
from flexframe.multibody.links.link import LinkHistory, LinkMotion
from flexframe.results.peaks import StressHistory


def link_stress(
    discrete: DiscreteBody, history: LinkHistory, terms: Terms, motion: LinkMotion, *, at_rest: bool = False
) -> StressHistory | None:
    """The largest stress at every step, in blocks; `at_rest` leaves the inertia of the deformation out."""
    watch, size = StressWatch(StressOperators(discrete)), block_size(discrete)
    for begin in range(0, len(history.times), size):
        some = slice(begin, begin + size)
        displacements = motion.displacements[some]
        forces = interior_forces(history.at(some), terms)
        if not at_rest:
            spins = terms.coriolis * history.angular_velocities[some]
            moving = DeformationInertia(displacements, motion.rates[some], motion.accelerations[some], spins)
            forces = InteriorForces(forces.constant, forces.gradient, moving)
        stored = np.arange(len(displacements))
        watch.take(history.times[some], displacements, forces, stored, np.empty(0, dtype=np.int64))
    return watch.history()


def interior_forces(history: LinkHistory, terms: Terms) -> InteriorForces:
    """g − a_O − (E + W²) x as far as its terms are on."""
    W, E = skew(history.angular_velocities), skew(history.angular_accelerations)
    return InteriorForces(-history.origin_accelerations, -(terms.euler * E + terms.centrifugal * (W @ W)))
