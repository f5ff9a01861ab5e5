"""What must hold exactly: powerless Coriolis forces, both frames for every n, discs on shafts at high speed."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.elements.properties import STEEL, BeamProperty, Circle, Material
from flexframe.mesh.builders import annulus, line, tube
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Clamp, Fix
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

from .rotors import AXIS, TURN, shaft


@pytest.mark.parametrize(
    ("body", "axis"),
    [
        (shaft(6), AXIS),
        (Body.plane("ring", annulus(0.1, 0.2, (2, 12)), material=STEEL, thickness=0.01), (0, 0, 1)),
        (Body.solid("disc", tube(0.05, 0.2, 0.02, (2, 8, 1)), material=STEEL), (0.3, -0.5, 0.8)),
    ],
    ids=["shaft", "ring", "solid"],
)
def test_gyroscopic_forces_are_skew_and_powerless(body: Body, axis: tuple[float, ...]) -> None:
    """G = −Gᵀ, so v·Gv = 0 for any velocity; rounding of the sum."""
    G = spinning_equations(rotor_model(body, (), axis)).part("gyroscopic")
    assert G is not None
    assert abs(G + G.T).max() <= ROUNDING * abs(G).max()
    v = np.random.default_rng(3).normal(size=G.shape[0])
    assert abs(v @ (G @ v)) < 1e-13 * (np.abs(v) @ (abs(G) @ np.abs(v)))


def test_both_frames_of_every_nodal_diameter() -> None:
    """Axisymmetric disc: ω_inertial = ω_rot ± nΩ for every branch, by definition of its wave; exact.

    Forward waves of the turning frame gain nΩ, backward ones lose it (and are shown without sign).
    """
    body = Body.solid("disc", tube(0.03, 0.15, 0.012, (2, 16, 1)), material=STEEL, supports=(Clamp("inner"),))
    speed = TURN * 80
    diagram = campbell_diagram(body, [speed], modes=9, engine_orders=())
    assert diagram.inertial_frequencies_hz is not None and diagram.nodal_diameters is not None
    assert diagram.rotating_whirl is not None
    assert set(diagram.nodal_diameters) >= {0, 1, 2, 3}
    for b, n in enumerate(diagram.nodal_diameters):
        sign = {"forward": 1, "backward": -1, "": 0}[diagram.rotating_whirl[0][b]]
        expected = abs(diagram.frequencies_hz[0, b] + sign * (n or 0) * speed / TURN)
        assert diagram.inertial_frequencies_hz[0, b] == pytest.approx(expected, rel=1e-12)


def test_reversed_spin_of_a_disc() -> None:
    """Ω → −Ω: the same frequencies, forward and backward seen from the body change places, not with the spin."""
    body = Body.plane(
        "ring", annulus(0.1, 0.2, (3, 24)), material=STEEL, thickness=0.01, supports=(Clamp("inner"),)
    )
    there, back = (campbell_diagram(body, [s * TURN * 200], modes=6, engine_orders=()) for s in (1, -1))
    order, mirrored = (np.argsort(d.frequencies_hz[0]) for d in (there, back))
    assert back.frequencies_hz[0, mirrored] == pytest.approx(there.frequencies_hz[0, order], rel=1e-9)
    assert there.rotating_whirl is not None and back.rotating_whirl is not None
    assert [back.rotating_whirl[0][b] for b in mirrored] == [there.rotating_whirl[0][b] for b in order]


def disc_on_a_shaft(thin: float) -> tuple[Body, float, float]:
    """A disc that only tilts, held by the bending of a light shaft: J_d θ̈ ∓ i J_p Ω θ̇ + k θ = 0 in space."""
    section, young, length = Circle(0.01), 2e11, 0.4
    polar, diameter = 0.02, 0.02 * thin
    body = Body(
        "overhung",
        line(length, 1),
        (Region(BeamProperty(Material(young, 0.3, 1e-6), section), family="euler_bernoulli_beam"),),
        supports=(Clamp("start"), Fix("end", ("ux", "uy", "uz", "rx"))),
        point_masses=(PointMass("end", 1.0, (polar, diameter, diameter)),),
        space="spatial",
    )
    return body, polar / diameter, 4 * young * section.inertia_z / length / diameter


@pytest.mark.parametrize("thin", [0.5, 0.8], ids=["thin disc", "thick disc"])
def test_disc_on_a_shaft(thin: float) -> None:
    """ω = ½(rΩ ± √(r²Ω² + 4k/J_d)), r = J_p/J_d (2 for a thin disc); forward tends to rΩ, backward to zero.

    The beam's own mass is 1e-9 of the disc's.
    """
    body, ratio, stiffness = disc_on_a_shaft(thin)
    speeds = np.array([50.0, 500.0, 20_000.0])
    diagram = campbell_diagram(body, speeds, modes=2, axis=AXIS, engine_orders=(), frame="inertial")
    for k, speed in enumerate(speeds):
        root = np.sqrt((ratio * speed) ** 2 + 4 * stiffness)
        expected = [(root - ratio * speed) / 2, (root + ratio * speed) / 2]
        assert TURN * np.sort(diagram.frequencies_hz[k]) == pytest.approx(expected, rel=1e-6)
    asymptote = TURN * diagram.frequencies_hz[-1].max() / speeds[-1]
    assert asymptote == pytest.approx(ratio, rel=2 * stiffness / (ratio * speeds[-1]) ** 2)
