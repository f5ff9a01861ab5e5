"""Exact beams on a frame whose motion is known: their equilibrium there, and small motions about it.

Sections are at H = (r, R) relative to the frame, which moves with V = (v, ω) and V̇ = (v̇, ε) in its own axes. A
section that does not move in the frame has the twist u₀ and its rate x₀ in its own axes,

    u₀ = (Rᵀ(v + ω × r), Rᵀω),      x₀ = (Rᵀ(v̇ + ε × r), Rᵀε),

and with the forces F = M x + h − Q of the system the equilibrium is R F(H, u₀, x₀) = 0 wherever supports leave the
nodes free. A small change η of H (in section axes) changes u by [u₀, η] + η̇ and x by [x₀, η] + [u₀, η̇] + η̈, so
that

    M η̈ + (M [u₀, ·] + ∂F/∂u) η̇ + (∂F/∂q + ∂F/∂u [u₀, ·] + M [x₀, ·]) η = 0 .

All is then turned to the axes of the frame, δ = R η: displacements and rotations of nodes as those of a body with
small deflections, so that every linear analysis of a body takes it. Loads of the body keep their direction in the
frame, as they do there.

Newton's method takes what a force does as an element turns with the force that the iteration before foretold
(Magisano, Leonetti and Garcea 2017): stiff beams, whose forces are far off while they are moved, then converge as
quickly as soft ones.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexframe import _core
from flexframe.assembly.discrete import DiscreteBody, displaced_body
from flexframe.equations.affine import AffineEquations
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_quaternion,
    skew,
    vector_from_rotation,
)
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.model.system import System
from flexframe.model.system_loads import BodyLoads
from flexframe.motion.frame import FrameMotion
from flexframe.multibody.division.exact import element_screws, exact_beams
from flexframe.multibody.division.pieces import divided_system
from flexframe.multibody.equations import OF_STRAIN, STRIDE, place_of
from flexframe.multibody.equilibria.load_path import without_loads
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.multibody.tables import Place

_FINE = 1e-11  # last correction, in lengths of the body and radians
_ENOUGH = 1e-7  # the same where rounding ends the iteration
_ROUNDS = 25
_LARGEST = 3.0  # correction beyond which the iteration is lost
_CAREFUL = 1 / 32  # part of the loads by which they grow where more at once leads to an unstable equilibrium
_SHORTEST = 1e-4  # part of the loads by which they grow at least
_TURNED = 0.01  # rad up to which a section may turn whose rotation is held about some axes only


@dataclass(frozen=True, eq=False)
class DeformedBody:
    """A body of exact beams in equilibrium on a frame, and M δ̈ + C δ̇ + K δ = 0 about it.

    The matrices are those of all degrees of freedom of the discrete body; its supports reduce them.
    """

    discrete: DiscreteBody  # undeformed
    equations: AffineEquations
    displacements: Array  # of the nodes, with rotation vectors: (nodes, 6)
    strain: float  # the largest component of any element

    @property
    def body(self) -> Body:
        """The body with its nodes where the equilibrium has them, to be drawn; undeformed where that cannot be."""
        body = self.discrete.body
        return displaced_body(body, body.mesh.points + self.displacements[:, :3])


class KnownFrame:
    """A body of exact beams whose frame moves as it is told."""

    def __init__(self, discrete: DiscreteBody) -> None:
        body = replace(discrete.body, supports=())
        self.discrete, self._division = discrete, exact_beams(body)
        loads = [BodyLoads("loads in the frame", body.name, axes="space")] if body.loads else []
        lone = System([body], loads=loads, space=body.space)
        self._system = dynamic_system(divided_system(lone, {body.name: self._division}))
        self._evaluations = tuple(
            _core.Evaluation(each.compiled) for each in (without_loads(self._system), self._system)
        )
        self._start = place_of(self._system, rigid_start(self._system))
        self._start.velocities[:] = 0.0
        # numbers of the coordinates of the core and of the degrees of freedom of the body, node by node
        core, dofs = self._system.tables.bodies.numbers[:, :6], discrete.dofs.numbers
        if ((core >= 0) != (dofs >= 0)).any():
            raise InputError(f"the nodes of body {body.name} do not have the freedoms of exact beams")
        self._core, self._dofs = core, dofs
        self._nothing = np.zeros((len(core), 6))

    def equilibrium(
        self, motion: FrameMotion, forces: Array | None = None, near: DeformedBody | None = None
    ) -> DeformedBody:
        """Where the body is in equilibrium, with forces (nodes, 6) in frame axes beside its own loads.

        The search begins at the undeformed body, loads and motion growing together if need be, or near an
        equilibrium for a motion and forces that are nearly these.
        """
        added = self._nothing if forces is None else forces
        body = self.discrete.body
        driven = bool(motion.angular_velocity.any() or motion.angular_acceleration.any())
        driven = driven or bool(motion.origin_acceleration.any() or body.loads or added.any())
        if driven and self.discrete.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {body.name} of exact beams is under loads or in motion and can move as a whole, so that it "
                "has no equilibrium in its frame; give supports that hold it, or let a system of it move freely",
                part=("bodies", body.name, "supports"),
            )
        if not driven:
            return self._about(self._start, motion, added, driven=False)
        if near is not None:
            try:
                found = self._solve(self._displace(near.displacements), motion, added, 1.0)
                return self._about(found, motion, added, driven=True)
            except _LostError:
                pass
        found = self._grow(motion, added, 1.0)
        if not self._holds(found, motion):  # at once is not the way on which loads grow
            found = self._grow(motion, added, _CAREFUL)
        return self._about(found, motion, added, driven=True)

    def _grow(self, motion: FrameMotion, added: Array, longest: float) -> Place:
        """The equilibrium by loads and motion that grow by such parts of them, smaller ones where need be."""
        here, factor, step = self._start, 0.0, longest
        while factor < 1.0:
            try:
                here = self._solve(here, motion, added, min(1.0, factor + step))
                factor, step = min(1.0, factor + step), min(2 * step, longest)
            except _LostError:
                step /= 4
                if step < _SHORTEST:
                    name = self.discrete.body.name
                    raise AnalysisError(
                        f"no equilibrium of body {name} is found beyond {factor:.3g} of its loads and motion; the "
                        "path of equilibria ends there: statics of a system with `path: true` shows where",
                        field="body",
                    ) from None
        return here

    def _holds(self, place: Place, motion: FrameMotion) -> bool:
        """Whether the stiffness resists every change."""
        K = self._stiffness(place, motion, self._forces(place, motion, 1.0), 1.0, OF_STRAIN)
        try:
            np.linalg.cholesky(self.discrete.supports.reduce_matrix(_symmetric(K)).toarray())
        except np.linalg.LinAlgError:
            return False
        return True

    # ------------------------------------------------------------------ Newton's method

    def _solve(self, place: Place, motion: FrameMotion, added: Array, factor: float) -> Place:
        """The equilibrium under a part of loads and motion."""
        supports, before, foretold = self.discrete.supports, np.inf, OF_STRAIN
        for _ in range(_ROUNDS):
            force = self._forces(place, motion, factor)
            left = supports.reduce_vector(self._vector(force - factor * added))
            K = self._stiffness(place, motion, force, factor, foretold)
            reduced = sparse.csc_matrix(supports.reduce_matrix(K))
            try:
                step = supports.expand(-splu(reduced).solve(left))
            except RuntimeError:
                raise _LostError from None
            nodal = np.where(self._dofs >= 0, step[self._dofs], 0.0)
            size = max(
                float(np.abs(nodal[:, :3]).max()) / self.discrete.size,
                float(np.abs(nodal[:, 3:]).max(initial=0.0)),
            )
            if not np.isfinite(size) or size > _LARGEST:
                raise _LostError
            foretold = self._foretold(place, nodal)
            place = self._move(place, nodal)
            if size <= _FINE or (size <= _ENOUGH and size > 0.3 * before):
                return place
            before = size
        raise _LostError

    def _move(self, place: Place, nodal: Array) -> Place:
        """After displacements and rotations (nodes, 6) in frame axes."""
        turned = quaternion_product(quaternion_exponential(nodal[:, 3:]), place.quaternions)
        return place._replace(
            positions=np.ascontiguousarray(place.positions + nodal[:, :3]),
            quaternions=np.ascontiguousarray(turned),
            angles=place.angles + nodal[:, 5],
        )

    def _displace(self, displacements: Array) -> Place:
        return self._move(self._start, displacements)

    def _evaluate(
        self, place: Place, motion: FrameMotion, *, loaded: bool
    ) -> tuple[_core.Evaluation, Place, Array]:
        """The equations without loads at rest, or with loads in motion, with the place and x of that."""
        local, rate = self._nothing, self._nothing
        if loaded:
            local, rate = self._rigid(place, motion)
        return self._evaluations[loaded], place._replace(velocities=local), self._core_vector(rate)

    def _rigid(self, place: Place, motion: FrameMotion) -> tuple[Array, Array]:
        """u₀ and x₀ of all sections: (nodes, 6) each. A velocity of the origin changes nothing."""
        R, r = rotation_from_quaternion(place.quaternions), place.positions
        w, e, a = motion.angular_velocity, motion.angular_acceleration, motion.origin_acceleration
        velocity = np.concatenate([np.cross(w, r), np.broadcast_to(w, r.shape)], axis=1)
        rate = np.concatenate([a + np.cross(e, r), np.broadcast_to(e, r.shape)], axis=1)
        both = [np.einsum("nji,nkj->nki", R, v.reshape(-1, 2, 3)).reshape(-1, 6) for v in (velocity, rate)]
        return np.ascontiguousarray(both[0]), both[1]

    def _forces(self, place: Place, motion: FrameMotion, factor: float) -> Array:
        """R F of the core at the nodes, which forces beside the loads of the body hold: (nodes, 6)."""
        sides = []
        for loaded in (False, True):
            own, there, x = self._evaluate(place, motion, loaded=loaded)
            own.evaluate(there, 0.0, x, np.zeros(0), False)
            sides.append(np.where(self._core >= 0, own.residual()[self._core], 0.0))
        local = (1 - factor) * sides[0] + factor * sides[1]
        R = rotation_from_quaternion(place.quaternions)
        return np.einsum("nij,nkj->nki", R, local.reshape(-1, 2, 3)).reshape(-1, 6)

    def _stiffness(
        self, place: Place, motion: FrameMotion, force: Array, factor: float, foretold: Array
    ) -> SparseMatrix:
        """∂(R F)/∂δ, δ in frame axes: a force that is left turns with the section."""
        total = sparse.csr_array((self._system.size, self._system.size))
        for loaded, weight in ((False, 1 - factor), (True, factor)):
            if weight:
                total = total + weight * self._tangents(place, motion, foretold, loaded=loaded)[0]
        return sparse.csr_array(self._in_frame(place, total) + self._turning(force))

    def _turning(self, force: Array) -> SparseMatrix:
        """What forces (nodes, 6) of the core, in axes of the sections, do to R F as the sections turn: ψ × f."""
        nothing = np.zeros((6, 3))
        blocks = [np.hstack([nothing, np.vstack([-skew(f[:3]), -skew(f[3:])])]) for f in force]
        chosen = np.flatnonzero(self._dofs >= 0)
        whole = sparse.csr_array(sparse.block_diag(blocks, format="csr"))
        return self._renumber(whole[chosen][:, chosen], self._dofs)

    def _tangents(
        self, place: Place, motion: FrameMotion, foretold: Array, *, loaded: bool
    ) -> tuple[SparseMatrix, SparseMatrix, SparseMatrix]:
        """K, C and M along changes of position in section axes."""
        n = self._system.size
        own, there, x = self._evaluate(place, motion, loaded=loaded)
        found = own.tangents(there, 0.0, x, np.zeros(0), STRIDE, loaded, foretold)
        by_position, by_velocity = (
            sparse.csr_array((values, (rows.astype(int), columns.astype(int))), (n, n))
            for rows, columns, values in (found[:3], found[3:])
        )
        if not loaded:
            return by_position, by_velocity, by_velocity
        own.evaluate(there, 0.0, x, np.zeros(0), False)
        M = sparse.csr_array(own.matrices()[:n])
        u = self._brackets(there.velocities)
        rate = np.where(self._core >= 0, x[self._core], 0.0)
        stiffness = by_position + by_velocity @ u + M @ self._brackets(rate)
        return sparse.csr_array(stiffness), sparse.csr_array(by_velocity + M @ u), M

    def _brackets(self, twists: Array) -> SparseMatrix:
        """[u, ·] of every section, as a matrix: (d, θ) ↦ (ω × d + v × θ, ω × θ)."""
        nothing = np.zeros((3, 3))
        blocks = [np.block([[skew(t[3:6]), skew(t[:3])], [nothing, skew(t[3:6])]]) for t in twists]
        whole = sparse.csr_array(sparse.block_diag(blocks, format="csr"))
        chosen = np.flatnonzero(self._core >= 0)
        return self._renumber(whole[chosen][:, chosen], self._core)

    def _renumber(self, matrix: SparseMatrix, numbers: IntArray) -> SparseMatrix:
        """Node by node as it is, in the order of `numbers`."""
        order, entries = numbers[numbers >= 0], sparse.coo_array(matrix)
        shape = (len(order), len(order))
        return sparse.csr_array(sparse.coo_array((entries.data, (order[entries.row], order[entries.col])), shape))

    def _turns(self, place: Place) -> SparseMatrix:
        """η = T δ: changes in section axes of those in frame axes."""
        R = rotation_from_quaternion(place.quaternions)
        whole = sparse.csr_array(sparse.block_diag([block.T for r in R for block in (r, r)], format="csr"))
        chosen = np.flatnonzero(self._core >= 0)
        entries = sparse.coo_array(whole[chosen][:, chosen])
        rows, columns = self._core[self._core >= 0], self._dofs[self._dofs >= 0]
        shape = (len(rows), len(columns))
        return sparse.csr_array(sparse.coo_array((entries.data, (rows[entries.row], columns[entries.col])), shape))

    def _in_frame(self, place: Place, matrix: SparseMatrix) -> SparseMatrix:
        T = self._turns(place)
        return sparse.csr_array(T.T @ (matrix @ T))

    def _foretold(self, place: Place, nodal: Array) -> Array:
        """Forces of the beams after a step, by their linear change: (beams, 6)."""
        R = rotation_from_quaternion(place.quaternions)
        local = np.einsum("nji,nkj->nki", R, nodal.reshape(-1, 2, 3)).reshape(-1, 6)
        own = self._evaluations[False]
        there = place._replace(velocities=np.ascontiguousarray(local))
        own.evaluate(there, 0.0, np.zeros(self._system.size), np.zeros(0), False)
        return own.extrapolated_beam_forces()

    # ------------------------------------------------------------------ what is found

    def _about(self, place: Place, motion: FrameMotion, added: Array, *, driven: bool) -> DeformedBody:
        K, C, M = (self._in_frame(place, m) for m in self._tangents(place, motion, OF_STRAIN, loaded=True))
        K = sparse.csr_array(K + self._turning(self._forces(place, motion, 1.0)))
        body, spun = self.discrete.body, bool(motion.angular_velocity.any())
        circulating = bool(motion.angular_acceleration.any()) or self._has_moments(added)
        parts = [Part.constant("mass", MASS, _symmetric(M))]
        if spun:
            parts.append(Part.constant("coriolis", DAMPING, _skew(C)))
        if body.damping.stiffness:
            parts.append(Part.constant("structural", DAMPING, _symmetric(C)))
        parts.append(Part.constant("tangent" if driven else "elastic", STIFFNESS, _symmetric(K)))
        if circulating:
            parts.append(Part.constant("circulatory", STIFFNESS, _skew(K)))
        turned = vector_from_rotation(rotation_from_quaternion(place.quaternions))
        moved = np.concatenate([place.positions - self._start.positions, turned], axis=1)
        self._require_upright(moved)
        beams = self._division.exact
        assert beams is not None, "it was divided into exact beams"
        R = rotation_from_quaternion(place.quaternions)
        apart = element_screws(beams, place.positions[None], R[None]) - beams.law.references
        strains = apart / beams.law.lengths[:, None]
        return DeformedBody(
            self.discrete, AffineEquations(K.shape[0], tuple(parts)), moved, float(np.abs(strains).max())
        )

    def _has_moments(self, added: Array) -> bool:
        """Whether moments act, which in space have no potential."""
        given = any(isinstance(load, NodeForce) and np.any(load.moment) for load in self.discrete.body.loads)
        return self.discrete.body.space == "spatial" and (given or bool(added[:, 3:].any()))

    def _require_upright(self, moved: Array) -> None:
        """Refuse sections that are held about some axes only and turn far: the axes would turn too."""
        if self.discrete.body.space == "planar":
            return
        basis = sparse.csr_array(abs(self.discrete.supports.basis))
        free = np.asarray(basis.sum(axis=1)).ravel() > 0
        rotations = np.where(self._dofs[:, 3:] >= 0, free[self._dofs[:, 3:]], False)
        partly = rotations.any(axis=1) & ~rotations.all(axis=1)
        far = partly & (np.linalg.norm(moved[:, 3:], axis=1) > _TURNED)
        if far.any():
            label = self.discrete.body.mesh.node_label(int(np.flatnonzero(far)[0]))
            raise InputError(
                f"node {label} of body {self.discrete.body.name} is held against rotation about some axes only "
                "and turns far about the others; hold all of its rotations or none, or use joints of a system",
                part=("bodies", self.discrete.body.name, "supports"),
            )

    def _vector(self, nodal: Array) -> Array:
        out = np.zeros(int(self._dofs.max()) + 1)
        out[self._dofs[self._dofs >= 0]] = nodal[self._dofs >= 0]
        return out

    def _core_vector(self, local: Array) -> Array:
        out = np.zeros(self._system.size)
        out[self._core[self._core >= 0]] = local[self._core >= 0]
        return out


class _LostError(AnalysisError):
    """Newton's method does not converge from here."""

    def __init__(self) -> None:
        super().__init__("no equilibrium is found near")


def _symmetric(matrix: SparseMatrix) -> SparseMatrix:
    return sparse.csr_array((matrix + matrix.T) / 2)


def _skew(matrix: SparseMatrix) -> SparseMatrix:
    return sparse.csr_array((matrix - matrix.T) / 2)


def deformed_body(discrete: DiscreteBody, motion: FrameMotion) -> DeformedBody:
    """A body of exact beams in equilibrium with its loads on a frame that moves, and small motions about it."""
    return KnownFrame(discrete).equilibrium(motion)
