"""One joint, drive or force element of every kind, and smooth motions of two bodies to try them on."""

import numpy as np

from flexframe.maths.rotations import rotation_from_vector, tangent_operator
from flexframe.model.drives import DRIVES
from flexframe.model.joint_kinds import JOINTS
from flexframe.model.rigid_body import BodyFrame, RigidBody
from flexframe.model.system import System
from flexframe.multibody.states import Configuration, Rates

PLACES = ("one.P", "two.Q")
EXTRA = {
    "rod": {"length": 0.7},
    "rolling": {"radius": 0.4},
    "screw": {"lead": 0.3},
    "gear": {"ratio": 1.7},
    "rack": {"radius": 0.2},
    "cam": {"profile": "0.1*sin(angle)^2 + 0.2*angle"},
    "belt": {"radii": (0.2, 0.3)},
    "mimic": {"leader": ("one.P", "two.Q"), "leader_axis": (1, 0, 0), "factor": 0.6, "offset": 0.1},
    "cable": {"radii": (0.2, 0.3), "stiffness": 10.0},
    "angle": {"law": "0.3*t^2 - t"},
    "position": {"law": "sin(t)"},
    "distance": {"law": "1 + 0.1*cos(2*t)"},
    "path": {"path": ("0.1*t", "t^3", "cos(t)")},
}


def every_link():
    """All joints and drives between the same two places."""
    return [kind(kind.kind, *PLACES, **EXTRA.get(kind.kind, {})) for kind in (*JOINTS, *DRIVES)]  # type: ignore[call-arg]


def two_bodies(link=None, *, space="spatial"):
    """Two bodies with turned frames, one link between them."""
    turned = (0.3, -0.2, 0.4) if space == "spatial" else 0.4
    height = 0.2 if space == "spatial" else 0.0
    bodies = [
        RigidBody("one", 2.0, (0.1, 0.2, 0.3), points={"P": BodyFrame((0.2, -0.1, height), turned)}),
        RigidBody("two", 3.0, (0.3, 0.2, 0.4), points={"Q": BodyFrame((-0.3, 0.15, height), turned)}),
    ]
    return System(bodies, [link] if link is not None else [], space=space)


def smooth_motion(t: float) -> tuple[Configuration, Rates, Rates]:
    """Poses, velocities and accelerations of two bodies (and the ground) along arbitrary smooth paths.

    Rotations are R = exp(θ̃(t)) R_0, so ω = T(θ)ᵀθ̇ in space axes; ε by a difference of ω, to 1e-10.
    """

    def position(k, s):
        return np.array([np.sin(s + k), 0.4 * np.cos(2 * s - k), 0.3 * s * s - 0.1 * k * s])

    def vector(k, s):
        return np.array([0.5 * np.sin(s) + 0.2 * k, 0.7 * s - 0.1 * k * s * s, 0.4 * np.cos(1.3 * s + k)])

    def omega(k, s):
        return tangent_operator(vector(k, s)).T @ _slope(lambda x: vector(k, x), s)

    r, R, v, w, a, e = (np.zeros((1, 3, 3)) for _ in range(6))
    R = np.tile(np.eye(3), (1, 3, 1, 1))
    for k in range(2):
        r[0, k], R[0, k] = position(k, t), rotation_from_vector(vector(k, t))
        v[0, k], w[0, k] = _slope(lambda x, k=k: position(k, x), t), omega(k, t)
        a[0, k], e[0, k] = _curvature(lambda x, k=k: position(k, x), t), _slope(lambda x, k=k: omega(k, x), t)
    return Configuration(r, R, None), Rates(v, w), Rates(a, e)


def _slope(f, t, h=1e-3):
    """Sixth-order difference: error h⁶ f⁽⁷⁾/140, about 1e-18, and round-off of 1e-13."""
    return sum(c * (f(t + k * h) - f(t - k * h)) for k, c in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))) / h


def _curvature(f, t, h=1e-2):
    return (
        sum(c * (f(t + k * h) + f(t - k * h)) for k, c in ((1, 3 / 2), (2, -3 / 20), (3, 1 / 90))) - 49 / 18 * f(t)
    ) / h**2


slope = _slope
