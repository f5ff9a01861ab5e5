"""A finite element as a set of weighted points in a moving frame.

The quadrature points of a real element turn every inertia integral into a finite sum, so the identities
of the element equations hold to working precision and no discretisation error hides a slip. The truth is
always a time derivative of the *positions* r = r_O(t) + R(t) (x + N δ(t)), taken by differences at three
times the working precision; nothing in it knows about ω, ε, Coriolis or centrifugal terms.

Index letters follow the papers: i, j, k, m, n run over the axes, r, t over the coordinates δ, and g over
the points.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from mpmath import mp, mpf

from .precision import TimeFunction, Vector, array, contract, derivative, identity

# --- the element -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PointElement:
    """Weights (g), reference positions (g, axes), shape matrices (g, axes, p) and a stiffness (p, p)."""

    weight: Vector
    position: Vector
    shape: Vector
    stiffness: Vector

    def integral(self, subscripts: str, *fields: Vector) -> Any:
        """∫ρ of a product of fields; ``subscripts`` name the point index g of every field."""
        return contract("g," + subscripts, self.weight, *fields)

    @cached_property
    def total_mass(self) -> mpf:
        """∫ρ = m."""
        return sum(self.weight)

    @cached_property
    def static_moment(self) -> Vector:
        """∫ρ x_k = S_k."""
        return self.integral("gk->k", self.position)

    @cached_property
    def second_moment(self) -> Vector:
        """∫ρ x_k x_m = J_km."""
        return self.integral("gk,gm->km", self.position, self.position)

    @cached_property
    def M_O(self) -> Vector:
        """∫ρ N_kr = m_O,kr, indices k, r."""
        return self.integral("gkr->kr", self.shape)

    @cached_property
    def X(self) -> Vector:
        """∫ρ x_k N_mr = m_k,mr, indices k, m, r."""
        return self.integral("gk,gmr->kmr", self.position, self.shape)

    @cached_property
    def Y(self) -> Vector:
        """∫ρ N_kr N_nt = m_kr,nt, indices k, r, n, t."""
        return self.integral("gkr,gnt->krnt", self.shape, self.shape)

    @cached_property
    def m(self) -> Vector:
        """∫ρ NᵀN, the mass matrix."""
        return contract("krkt->rt", self.Y)

    def sandwich(self, operator: Vector) -> Vector:
        """∫ρ Nᵀ (operator) N: c, k(ε), k(ω²) for W, E, W²."""
        return contract("ik,irkt->rt", operator, self.Y)

    def load(self, operator: Vector) -> Vector:
        """∫ρ Nᵀ (operator) x: q(ε), q(ω²) for E, W²."""
        return contract("ik,kir->r", operator, self.X)


@dataclass(frozen=True)
class Motion:
    """Position of the frame origin, rotation of the frame and nodal coordinates as functions of time."""

    origin: TimeFunction
    rotation: TimeFunction
    coordinates: TimeFunction

    def boosted(self, velocity: Vector) -> "Motion":
        """The same motion seen by an observer with a constant velocity."""
        return Motion(lambda t: self.origin(t) + velocity * t, self.rotation, self.coordinates)


@dataclass(frozen=True)
class Snapshot:
    """Everything about an element in motion at one instant, from derivatives of positions."""

    element: PointElement
    motion: Motion
    t: mpf

    def at(self, t: mpf) -> "Snapshot":
        """The same motion at another instant."""
        return Snapshot(self.element, self.motion, t)

    def along(self, quantity: Callable[["Snapshot"], Any], order: int = 1) -> Any:
        """The total time derivative of a quantity of the motion."""
        return derivative(lambda t: quantity(self.at(t)), self.t, order)

    # the truth: positions and their derivatives, in space axes

    @property
    def points(self) -> Vector:
        """r of every point."""
        local = self.element.position + contract("gkr,r->gk", self.element.shape, self.motion.coordinates(self.t))
        return self.motion.origin(self.t) + contract("ij,gj->gi", self.motion.rotation(self.t), local)

    @cached_property
    def velocities(self) -> Vector:
        """ṙ of every point."""
        return self.along(lambda snapshot: snapshot.points)

    @cached_property
    def accelerations(self) -> Vector:
        """r̈ of every point."""
        return self.along(lambda snapshot: snapshot.points, 2)

    @cached_property
    def R(self) -> Vector:
        """The rotation from local to global axes."""
        return self.motion.rotation(self.t)

    @cached_property
    def R1(self) -> Vector:
        """Ṙ."""
        return derivative(self.motion.rotation, self.t)

    @cached_property
    def R2(self) -> Vector:
        """R̈."""
        return derivative(self.motion.rotation, self.t, 2)

    @cached_property
    def local_velocities(self) -> Vector:
        """Rᵀṙ of every point."""
        return contract("ji,gj->gi", self.R, self.velocities)

    @cached_property
    def local_accelerations(self) -> Vector:
        """Rᵀr̈ of every point."""
        return contract("ji,gj->gi", self.R, self.accelerations)

    @cached_property
    def kinetic_energy(self) -> mpf:
        """½∫ρ|ṙ|²."""
        return self.element.integral("gi,gi->", self.velocities, self.velocities) / 2

    @cached_property
    def acceleration_energy(self) -> mpf:
        """½∫ρ|r̈|²."""
        return self.element.integral("gi,gi->", self.accelerations, self.accelerations) / 2

    @cached_property
    def momentum(self) -> Vector:
        """∂T/∂δ̇ = ∫ρ (RN)ᵀ ṙ, because ∂ṙ/∂δ̇ = RN."""
        return self.element.integral("gir,gi->r", self.element.shape, self.local_velocities)

    @cached_property
    def kinetic_gradient(self) -> Vector:
        """∂T/∂δ = ∫ρ (ṘN)ᵀ ṙ, because ∂ṙ/∂δ = ṘN."""
        dragged = contract("ij,gjr->gir", self.R1, self.element.shape)
        return self.element.integral("gir,gi->r", dragged, self.velocities)

    @cached_property
    def inertia(self) -> Vector:
        """∫ρ (RN)ᵀ r̈, what the generalised forces must balance (d'Alembert)."""
        return self.element.integral("gir,gi->r", self.element.shape, self.local_accelerations)

    @cached_property
    def applied(self) -> Vector:
        """The loads q + q* that produce this motion: inertia + k δ."""
        return self.inertia + self.element.stiffness @ self.d

    # local description of the frame motion and of the deformation

    @cached_property
    def v(self) -> Vector:
        """Rᵀṙ_O."""
        return self.R.T @ derivative(self.motion.origin, self.t)

    @cached_property
    def a(self) -> Vector:
        """Rᵀr̈_O."""
        return self.R.T @ derivative(self.motion.origin, self.t, 2)

    @cached_property
    def W(self) -> Vector:
        """RᵀṘ."""
        return self.R.T @ self.R1

    @cached_property
    def E(self) -> Vector:
        """Ẇ, differentiated as it stands."""
        return self.along(lambda snapshot: snapshot.W)

    @cached_property
    def A(self) -> Vector:
        """RᵀR̈, differentiated as it stands."""
        return self.R.T @ self.R2

    @cached_property
    def d(self) -> Vector:
        """δ."""
        return self.motion.coordinates(self.t)

    @cached_property
    def d1(self) -> Vector:
        """δ̇."""
        return derivative(self.motion.coordinates, self.t)

    @cached_property
    def d2(self) -> Vector:
        """δ̈."""
        return derivative(self.motion.coordinates, self.t, 2)

    @cached_property
    def xi(self) -> Vector:
        """x + N δ of every point."""
        return self.element.position + contract("gkr,r->gk", self.element.shape, self.d)

    # element matrices at this instant

    @cached_property
    def c(self) -> Vector:
        """∫ρ NᵀWN, without the factor two."""
        return self.element.sandwich(self.W)

    @cached_property
    def k_eps(self) -> Vector:
        """∫ρ NᵀEN."""
        return self.element.sandwich(self.E)

    @cached_property
    def k_w2(self) -> Vector:
        """∫ρ NᵀW²N."""
        return self.element.sandwich(self.W @ self.W)

    @cached_property
    def q_eps(self) -> Vector:
        """∫ρ NᵀEx."""
        return self.element.load(self.E)

    @cached_property
    def q_w2(self) -> Vector:
        """∫ρ NᵀW²x."""
        return self.element.load(self.W @ self.W)

    @cached_property
    def s(self) -> Vector:
        """∫ρ Nᵀ(v + Wx)."""
        return self.element.M_O.T @ self.v + self.element.load(self.W)

    @cached_property
    def inertia_loads(self) -> Vector:
        """q(ε) + q(ω²) + M_Oᵀa."""
        return self.q_eps + self.q_w2 + self.element.M_O.T @ self.a


# --- generic data ----------------------------------------------------------------------------------------


def _element(seed: int, axes: int, points: int, coordinates: int) -> PointElement:
    """Exact dyadic rationals of order one; the stiffness is BᵀB + 1."""
    random = Random(seed)

    def numbers(*shape: int) -> Vector:
        values = [mpf(random.choice((-1, 1)) * random.randint(16, 96)) / 64 for _ in range(int(np.prod(shape)))]
        return array(values).reshape(shape)

    root = numbers(coordinates, coordinates)
    return PointElement(
        weight=abs(numbers(points)),
        position=numbers(points, axes),
        shape=numbers(points, axes, coordinates),
        stiffness=root.T @ root + identity(coordinates),
    )


def planar_element() -> PointElement:
    """Four points in the plane with five coordinates."""
    return _element(seed=2, axes=2, points=4, coordinates=5)


def spatial_element() -> PointElement:
    """Five points in space with six coordinates."""
    return _element(seed=3, axes=3, points=5, coordinates=6)


def _oscillation(coordinates: int) -> TimeFunction:
    def values(t: mpf) -> Vector:
        return array(
            [(r + 2) * mp.sin((r + 3) * t / 4 + r) / 8 + mp.cos((2 + r) * t) / 8 for r in range(coordinates)]
        )

    return values


def planar_rotation(angle: mpf) -> Vector:
    """The rotation matrix of an angle."""
    cosine, sine = mp.cos(angle), mp.sin(angle)
    return array([[cosine, -sine], [sine, cosine]])


def planar_motion() -> Motion:
    """General plane motion: ω, ε and every component of v and a differ from zero."""
    return Motion(
        origin=lambda t: array([mp.sin(5 * t / 4) + t / 2, t * t / 4 - mp.cos(3 * t / 4)]),
        rotation=lambda t: planar_rotation(3 * t / 4 + mp.sin(7 * t / 4) / 2),
        coordinates=_oscillation(5),
    )


def spatial_rotation(yaw: mpf, pitch: mpf, roll: mpf) -> Vector:
    """Rotation about 3, then 2, then 1 of the moving axes."""
    zero, one = mpf(0), mpf(1)
    first, second, third = (planar_rotation(angle) for angle in (yaw, pitch, roll))
    about_3 = array([[first[0, 0], first[0, 1], zero], [first[1, 0], first[1, 1], zero], [zero, zero, one]])
    about_2 = array([[second[0, 0], zero, second[1, 0]], [zero, one, zero], [second[0, 1], zero, second[1, 1]]])
    about_1 = array([[one, zero, zero], [zero, third[0, 0], third[0, 1]], [zero, third[1, 0], third[1, 1]]])
    return about_3 @ about_2 @ about_1


def spatial_motion() -> Motion:
    """General motion in space: no component of ω, ε, v or a vanishes."""
    return Motion(
        origin=lambda t: array([mp.sin(5 * t / 4) + t / 2, t * t / 4 - mp.cos(3 * t / 4), mp.exp(-t) + t]),
        rotation=lambda t: spatial_rotation(
            3 * t / 4 + mp.sin(7 * t / 4) / 2, mp.sin(3 * t / 2) / 2 + t / 4, t * t / 2 - t + mpf(1) / 4
        ),
        coordinates=_oscillation(6),
    )
