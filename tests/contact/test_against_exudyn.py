"""Two impacts of spheres with the same force law as another program's: peak force and velocities after it.

Values of Exudyn 1.13.6 as `python -m benchmarks.contact_impacts` computes them (ObjectContactSphereSphere, impact
model 1, steps of 0.25 µs). With twice the step forces differ by 3e-5 and velocities by 2e-5 of that before the
impact.
"""

import numpy as np
import pytest

import flexframe as ff

RADIUS, MASSES, SPEED, GAP = 0.01, (1.0, 0.4), 2.0, 2e-4
EXUDYN = {  # offset [m] and friction: largest normal force [N], velocities x, y of both balls after it [m/s]
    (0.0, 0.0): (4492.3158, 1.0102857, 0.0, -0.5257143, 0.0),
    (0.008, 0.2): (4036.4585, 0.8704482, -0.3147954, -0.1761204, 0.7869886),
}
STATED = 2e-3
"""Error of peak forces with forty steps in an impact, as docs/theory/contact.md states it."""


@pytest.mark.parametrize(("offset", "friction"), EXUDYN)
def test_impact_by_hunt_and_crossley(offset: float, friction: float) -> None:
    """A central impact, and one beside the centre in which the ball slips first and rolls off the other.

    Friction is smoothed by tanh here and by a ramp there: it sticks in the end by both.
    """
    balls = [
        ff.RigidBody(name, mass, np.eye(3) * 0.4 * mass * RADIUS**2)
        for name, mass in zip("ab", MASSES, strict=True)
    ]
    touch = ff.contacts.SphereSphere(
        name="touch",
        first="a",
        second="b",
        radii=(RADIUS, RADIUS),
        law=ff.contacts.NormalLaw("hunt_crossley", 1e9, 1.5, 0.7),
        friction=ff.contacts.ContactFriction(friction) if friction else None,
    )
    place = (-np.sqrt((2 * RADIUS + GAP) ** 2 - offset**2), offset, 0.0)
    system = ff.System(
        balls,
        start={"b": ff.Placement(place, velocity=(SPEED, 0.0, 0.0))},
        contacts=[touch],
        space="spatial",
    )
    motion = ff.simulate(system, duration=6e-3, step=1e-4)
    peak, *after = EXUDYN[offset, friction]
    found = np.concatenate([motion.motion.body(name).velocities[-1, :2] for name in "ab"])
    assert motion.contacts["touch"].peak == pytest.approx(peak, rel=STATED)
    np.testing.assert_allclose(found, after, rtol=0, atol=STATED * SPEED)
