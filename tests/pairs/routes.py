"""The routes to the equations of a body in a moving frame, each as M, C, K on the same coordinates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

import flexframe as ff
from flexframe.analyses.formalism_equations import choose_equations
from flexframe.analyses.transient.coupled.motion import require_whole_terms
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.projection import Projection
from flexframe.equations.bodies import affine_equations
from flexframe.equations.cycle import Combination
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.multibody.equations import equations_at
from flexframe.multibody.links.link import ElasticLink, given_history
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.equations import reduced_equations
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import Modal
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

STEADY = ff.FrameMotion(angular_velocity=(40.0, -70.0, 150.0))
UNSTEADY = ff.FrameMotion(
    angular_velocity=(40.0, -70.0, 150.0),
    angular_acceleration=(2e3, 5e3, -8e3),
    origin_acceleration=(300.0, 500.0, -400.0),
)
Matrices = tuple[Array, Array, Array, Array | None]
"""M, C, K and f; routes to eigenvalues have no f."""


@dataclass(frozen=True, eq=False)
class Ready:
    """A body with all its elastic modes as common coordinates."""

    discrete: DiscreteBody
    terms: ff.Terms
    reduced: ReducedBody

    @classmethod
    def of(cls, body: ff.Body, terms: ff.Terms) -> "Ready":
        discrete = ff.discretise(body)
        attached = attach(discrete)
        count = discrete.supports.size - discrete.equilibrium.rigid.shape[1]
        basis = reduction_basis(attached, Modal(count, attachments=False))
        return cls(discrete, terms, reduced_body(attached, basis))

    @property
    def basis(self) -> Array:
        """V, M-orthonormal: (p, m)."""
        return self.reduced.basis.vectors

    def small(self, matrices: Iterable[SparseMatrix], load: Array | None = None) -> Matrices:
        """VᵀMV, VᵀCV, VᵀKV, Vᵀf."""
        V = self.basis
        M, C, K = (V.T @ np.asarray(matrix @ V) for matrix in matrices)
        return M, C, K, None if load is None else V.T @ load


def closed_form(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    made = ff.bodies.equations_of_motion(ready.discrete, motion, ready.terms)
    return ready.small((made.mass, made.damping, made.stiffness), made.load)


def by_formalism(name: str) -> Callable[[Ready, ff.FrameMotion], Matrices]:
    def route(ready: Ready, motion: ff.FrameMotion) -> Matrices:
        made = choose_equations(ready.discrete, motion, ready.terms, name)
        return ready.small((made.mass, made.damping, made.stiffness), made.load)

    return route


def transient(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    """The coefficients that motion in time combines."""
    made = Combination(affine_equations(ready.discrete, ready.terms)).at(motion)
    return ready.small((ready.discrete.mass, made.damping, made.stiffness), made.load)


def reduced(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    """The reduced body with all its modes."""
    made = reduced_equations(ready.reduced, motion, ready.terms)
    return made.mass, made.damping, made.stiffness, made.load


def coupled(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    """Derivatives of the compiled equations of coupled motion at the undeformed body, its frame moved as asked.

    The residual M_δr(δ) a + h − Q is a polynomial of low degree in (δ, δ̇); the formula of five points is exact.
    """
    require_whole_terms(ready.terms)
    system = ff.System([ready.discrete.body], [ff.Weld("hub", "ground", "plate")], space="spatial")
    made = dynamic_system(system, {"plate": ready.reduced}, geometric=bool(ready.terms.geometric))
    start = initial_state(made)
    size, frame = ready.reduced.size, np.concatenate([motion.origin_acceleration, motion.angular_acceleration])

    def residual(deformation: Array, rates: Array) -> tuple[Array, Array]:
        state = start.__class__(
            0.0,
            start.positions,
            start.quaternions,
            deformation,
            start.velocities,
            motion.angular_velocity[None],
            rates,
            start.angles,
        )
        found = equations_at(made, state)
        force = found.mass[6:, :6] @ frame + found.inertia_force[6:] - found.applied_force[6:]
        return force, found.mass[6:, 6:]

    nothing = np.zeros(size)
    # lengths at which linear and quadratic terms are both far above rounding: M = 1 on these coordinates
    step, rate = 1e-3, 1e2
    K, C = np.zeros((size, size)), np.zeros((size, size))
    for k, unit in enumerate(np.eye(size)):
        for weight, places in ((8 / 12, 1.0), (-1 / 12, 2.0)):
            for sign in (1.0, -1.0):
                K[:, k] += sign * weight / step * residual(sign * places * step * unit, nothing)[0]
                C[:, k] += sign * weight / rate * residual(nothing, sign * places * rate * unit)[0]
    force, M = residual(nothing, nothing)
    return M, C, K, -force


def link(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    """What cycle spectrum, elastic response and their Floquet multipliers combine, for a body held or joined."""
    history = given_history(
        [0.0],
        angular_velocity=motion.angular_velocity,
        angular_acceleration=motion.angular_acceleration,
        origin_acceleration=motion.origin_acceleration,
    )
    made = ElasticLink(ready.discrete).equations(
        history, ready.terms, supports=Projection.identity(ready.discrete.dofs.count)
    )
    C, K = (made.matrix_at(order, 0) for order in (1, 0))
    return ready.small((made.mass, C, K), made.load_at(slice(None))[0])


def campbell(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    """What Campbell diagram, critical speeds, frequency response and run-up combine."""
    if motion is not STEADY:
        raise ff.InputError("a Campbell diagram is for steady spin")
    made = spinning_equations(rotor_model(ready.discrete, (), motion.angular_velocity), terms=ready.terms)
    S = ready.discrete.supports.basis
    parts = (made.at_speed(rate, motion.speed) for rate in (2, 1, 0))
    return ready.small(S @ part @ S.T for part in parts)
