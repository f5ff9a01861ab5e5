"""Rigid mechanisms by every formalism: accelerations and joint forces are those of the known motion."""

import numpy as np
import pytest
from scipy import sparse
from tests.mechanism_equations import mechanism_equations
from tests.mechanisms.linkages import four_bar, slider_crank, two_freedom_linkage

from flexframe.formalisms.contract import ConstrainedSystem, bound_motion
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.kinematics import follow
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.states import as_vector

SYSTEMS = {
    "slider-crank": lambda: slider_crank("3*t + t^2", loads=[SystemGravity()]),
    "spatial slider-crank": lambda: slider_crank("3*t + t^2", loads=[SystemGravity()], space="spatial"),
    "four-bar": lambda: four_bar("5*t"),
    "two freedoms": lambda: two_freedom_linkage("pi/3 + 10*t + 2.5*t^2", "110*pi/180 - 2*t + 1.5*t^2"),
}


@pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_formalism_gives_the_known_motion_and_forces(name, formalism):
    """Kinematics fixes q̈ and Newton–Euler the forces, both without any formalism; redundant rows leave Q_L unique.

    Tolerance 1e-9 of the largest: solutions of systems of some tens of unknowns with condition about 1e5.
    """
    forces = inverse_dynamics(follow(mechanism(SYSTEMS[name]()), np.linspace(0.001, 0.005, 5)))
    motion, k = forces.motion, 2
    one = mechanism_equations(
        motion.mechanism, motion.times[k], motion.configuration.at([k]), motion.velocities.at([k])
    )
    system = ConstrainedSystem(
        mass=sparse.csr_array(one.mass),
        force=one.applied_force - one.inertia_force,
        constraint=sparse.csr_array(one.constraint),
        bias=one.bias,
    )
    found = bound_motion(formalism, system)
    expected = as_vector(motion.accelerations, motion.mechanism.planar)[k]
    reaction = one.constraint.T @ forces.multipliers[k]
    assert np.abs(found.accelerations - expected).max() < 1e-9 * np.abs(expected).max()
    assert np.abs(found.joint_forces - reaction).max() < 1e-9 * np.abs(reaction).max()


@pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_every_formalism_frees_the_crank_alike(space, formalism):
    """Without its motor the slider-crank falls: the same answer as multipliers by dense least squares.

    In space the planar loop has redundant joints; the least squares then leave accelerations and Aᵀλ unique.
    """
    driven = follow(mechanism(slider_crank("3*t + t^2", space=space)), np.linspace(0.3, 1, 5))
    free = mechanism(slider_crank(drives=[], loads=[SystemGravity()], space=space))
    one = mechanism_equations(free, driven.times[2], driven.configuration.at([2]), driven.velocities.at([2]))
    force = one.applied_force - one.inertia_force
    A, size = one.constraint, len(force)
    saddle = np.block([[one.mass, -A.T], [A, np.zeros((len(A), len(A)))]])
    solution = np.linalg.lstsq(saddle, np.concatenate([force, -one.bias]), rcond=1e-12)[0]
    found = bound_motion(
        formalism, ConstrainedSystem(sparse.csr_array(one.mass), force, sparse.csr_array(A), one.bias)
    )
    reaction = A.T @ solution[size:]
    assert np.abs(found.accelerations - solution[:size]).max() < 1e-8 * np.abs(solution[:size]).max()
    assert np.abs(found.joint_forces - reaction).max() < 1e-8 * np.abs(reaction).max()
