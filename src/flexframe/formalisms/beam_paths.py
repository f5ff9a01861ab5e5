"""Accelerations of the mass points of exact beams from their places alone, in complex time.

r = H_A exp(ξ log(H_A⁻¹H_B)) x is an analytic function of time. Its second derivative is an integral over a circle
(Cauchy), so that no velocity, no tangent operator and no rate of either is used: brute force that judges the rest.
"""

import numpy as np

from flexframe.formalisms.beam_sections import GAUSS, BeamMotion
from flexframe.formalisms.screws import cross_matrix, exponential, logarithm, quaternion_product
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion

CIRCLE = 24  # points; the first derivative taken for the second is the 26th
_WIDE = 0.3  # rad, or parts of a beam, that ends move on the circle


def path_accelerations(beam: BeamMotion, accelerations: Array) -> Array:
    """r̈ in axes of the sections for (v̇, ω̇) of both bodies (beams, 12): (beams, points, 3)."""
    own, count = beam.sections, len(beam.d)
    twist = (own.to_ends @ beam.velocity[..., None])[..., 0].reshape(count, 2, 6)
    rate = (own.to_ends @ accelerations[..., None])[..., 0].reshape(count, 2, 6)
    v, spin, turn = twist[..., :3], twist[..., 3:], rate[..., 3:]
    second = rate[..., :3] + np.cross(spin, v)
    length = own.lengths[:, None, None]
    apart = v[:, 1:] - v[:, :1]  # of both ends, as far as it bends the beam
    swift = max(
        float(np.abs(spin).max()),
        float(np.sqrt(np.abs(turn).max())),
        float(np.sqrt((np.abs(second) / length).max())),
        float((np.abs(apart) / length).max()),
        float((np.abs(v) / length).max()),
        1e-3,
    )
    radius = _WIDE / swift
    still = _places(
        beam, *(np.zeros((1, *x.shape), dtype=complex) for x in (v, spin))
    )  # drops out with its rounding
    steps = np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE)
    t = (radius * steps)[:, None, None, None]
    moved = _places(beam, v * t + second * t**2 / 2, spin * t + turn * t**2 / 2) - still
    total = np.einsum("t,tepi->epi", steps**-2, moved)
    back = np.swapaxes(_rotations(beam), -1, -2)
    local = np.einsum("exij,exgj->exgi", back, (2 * total.real / (CIRCLE * radius**2)).reshape(count, 2, -1, 3))
    return np.asarray(local).reshape(count, -1, 3)


def _places(beam: BeamMotion, shifts: Array, turns: Array) -> Array:
    """s r + R x in axes of the first end for ends that were shifted and turned: (times, beams, points, 3)."""
    own = beam.sections
    half = turns / 2
    size = np.sqrt((half * half).sum(axis=-1, keepdims=True))
    small = np.abs(size) < 1e-9
    sine = np.where(small, 1.0, np.sin(size) / np.where(small, 1.0, size))
    turned = np.concatenate([np.cos(size), sine * half], axis=-1)  # quaternions of both ends: (times, beams, 2, 4)
    a, b = turned[:, :, 0], turned[:, :, 1]
    back = a * np.array([1.0, -1.0, -1.0, -1.0])
    relative = quaternion_product(quaternion_product(back, beam.quaternion[None]), b)
    R = rotation_from_quaternion(beam.quaternion)
    end = beam.place + np.einsum("eij,tej->tei", R, shifts[:, :, 1])
    start = np.zeros((*a.shape[:2], 4, 4), dtype=complex)
    start[..., :3, :3], start[..., :3, 3], start[..., 3, 3] = _matrix(a), shifts[:, :, 0], 1.0
    apart = np.einsum("teji,tej->tei", start[..., :3, :3], end - shifts[:, :, 0])
    d = logarithm(relative, apart)
    frames = start[:, :, None] @ exponential(d[:, :, None] * GAUSS[:, None])
    places = np.einsum("texij,egj->texgi", frames[..., :3, :3], own.points)
    places = places + np.einsum("texi,eg->texgi", frames[..., :3, 3], own.shares)
    return np.asarray(places).reshape(*a.shape[:2], -1, 3)


def _matrix(quaternion: Array) -> Array:
    """R of a quaternion with c² + v·v = 1 that may be complex: (..., 3, 3)."""
    c, v = quaternion[..., :1, None], quaternion[..., 1:]
    cross = cross_matrix(v)
    return np.asarray(np.eye(3) + 2.0 * (c * cross + cross @ cross))


def _rotations(beam: BeamMotion) -> Array:
    """R of both sections in the first end: (beams, 2, 3, 3)."""
    return exponential(beam.d[:, None] * GAUSS[:, None])[..., :3, :3]
