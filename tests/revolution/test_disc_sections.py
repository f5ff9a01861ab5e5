"""Modes and Campbell diagrams of discs by their sections: the full solid, rigid motions, damping, refusals."""

from dataclasses import replace

import numpy as np
import pytest
from tests.revolution.sections import AXIS, HEIGHT, INNER, OUTER, hub_disc, revolved, section

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.mode_comparison.analysis import mode_comparison
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL
from flexframe.equations.bodies import harmonic_equations
from flexframe.errors import InputError
from flexframe.maths.quadratic_eigenproblems import quadratic_modes
from flexframe.mesh.builders import tube
from flexframe.model.body import Body, Damping, PointMass
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp, Fix, FrameSpring, Roller
from flexframe.motion.frame import REST, FrameMotion
from flexframe.spectra.eigenpairs import eigenpairs

TURN = 2 * np.pi
SPEED = 628.0


@pytest.fixture(scope="module")
def disc() -> DiscreteBody:
    return discretise(hub_disc())


def _lowest(record: Modes, n: int, whirl: str = "") -> float:
    assert record.nodal_diameters is not None
    chosen = [
        f
        for k, f in enumerate(record.frequencies_hz)
        if record.nodal_diameters[k] == n and (record.whirl is None or record.whirl[k] == whirl)
    ]
    return float(min(chosen))


@pytest.mark.parametrize("speed", [0.0, SPEED])
def test_full_solid(speed: float) -> None:
    """Same cells in the meridian; the solid's cells around the axis are what is left of the difference.

    Halving them, from 10 to 20, changes the frequencies of the solid by as much as ten times what is left, as the
    fourth order of quadratic cells promises; 15 % of the largest change and 0.5 % of each frequency are allowed.
    """
    whirls = ("forward", "backward") if speed else ("",)
    wanted = [(0, ""), *((n, whirl) for n in (1, 2, 3) for whirl in whirls)]
    solids = []
    for around in (10, 20):
        mesh = tube(INNER, OUTER, HEIGHT, (3, around, 1))
        body = Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),))
        found = modes(body, FrameMotion.spin(speed), count=10)
        solids.append(np.array([_lowest(found, *mode) for mode in wanted]))
    record = modes(hub_disc((3, 1)), FrameMotion.spin(speed, AXIS), count=4, nodal_diameters=range(4))
    ours = np.array([_lowest(record, *mode) for mode in wanted])
    coarse, fine = solids
    change = np.abs(coarse - fine)
    assert np.abs(fine - ours) == pytest.approx(np.zeros(len(wanted)), abs=0.15 * change.max())
    assert np.abs(fine / ours - 1).max() < 5e-3
    assert record.confirmed


def test_rigid_motions_of_a_free_disc() -> None:
    """In the turning frame: shifts and a tilt in space at Ω, the nutation at |I_p/I_t − 1|Ω, rotation and axial
    shift at rest. The first are known from geometry, the nutation is computed, and coupled to the strain of the
    disc by (Ω/ω)² of its lowest frequency, 1e-3 of some tenths."""
    body = revolved(section(0.0, 0.3, 0.2, (6, 3)))
    discrete, speed = discretise(body), 300.0
    found = modes(discrete, FrameMotion.spin(speed, AXIS), count=6, nodal_diameters=[0, 1])
    assert found.nodal_diameters is not None and found.inertial_frequencies_hz is not None
    labels = np.array(found.labels)
    values = TURN * found.frequencies_hz
    one = np.array(found.nodal_diameters) == 1
    shifts = one & (labels == "rigid translation")
    assert values[shifts] == pytest.approx([speed, speed], rel=1e-12)
    assert found.inertial_frequencies_hz[shifts] == pytest.approx(0.0, abs=1e-10)
    still = ~one & np.char.startswith(labels, "rigid")
    assert still.sum() == 2
    assert values[still] == pytest.approx(0.0, abs=1e-6 * speed)
    tensor = discrete.inertia.inertia_tensor
    centre = discrete.inertia.mass * discrete.inertia.centre_of_mass[1] ** 2
    nutation = abs(tensor[1, 1] / (tensor[0, 0] - centre) - 1) * speed
    tilts = np.sort(values[one & np.char.startswith(labels, "rigid") & ~shifts])
    assert tilts == pytest.approx(sorted([speed, nutation]), rel=1e-3)


def test_campbell_diagram_is_the_modes(disc: DiscreteBody) -> None:
    """At its speeds the diagram has the frequencies of the modes; 1e-6 is its tolerance."""
    speeds = np.array([0.0, 500.0, 1000.0])
    diagram = campbell_diagram(disc, speeds, modes=2, nodal_diameters=[0, 1, 2])
    assert diagram.nodal_diameters is not None and diagram.confirmed and diagram.guaranteed
    for k, speed in enumerate(speeds):
        motion = FrameMotion.spin(float(speed), AXIS) if speed else REST
        found = modes(disc, motion, count=4, nodal_diameters=[0, 1, 2])
        for b, n in enumerate(diagram.nodal_diameters):
            own = found.frequencies_hz[np.array(found.nodal_diameters) == n]
            nearest = own[np.argmin(np.abs(own - diagram.frequencies_hz[k, b]))]
            assert diagram.frequencies_hz[k, b] == pytest.approx(nearest, rel=2e-6)


def test_critical_speed_of_a_wave_at_rest_in_space() -> None:
    """Where a backward wave stands still: n Ω is its frequency on the disc, as modes at that speed find it."""
    thin = discretise(revolved(section(0.06, 0.3, 0.01, (8, 1)), supports=(Clamp("left"),)))
    diagram = campbell_diagram(thin, np.linspace(0.0, 1000.0, 6), modes=2, nodal_diameters=[2], engine_orders=(2,))
    (critical,) = (c for c in diagram.critical_speeds if c.excited_by == "load at rest in space")
    found = modes(thin, FrameMotion.spin(critical.speed_rad_s, AXIS), count=2, nodal_diameters=[2])
    assert critical.nodal_diameter == 2
    assert TURN * _lowest(found, 2, "backward") == pytest.approx(2 * critical.speed_rad_s, rel=1e-6)
    assert found.inertial_frequencies_hz is not None
    # zero as the difference of two numbers with a relative error of 1e-6
    assert found.inertial_frequencies_hz.min() < 2e-6 * critical.frequency_hz


def test_waves_are_the_gyroscopic_modes(disc: DiscreteBody) -> None:
    """Waves of both directions are the modes of the gyroscopic equations of a section, solved as of any body.

    The solver of these leaves residuals below 1e-8, and a frequency is in error by the square of them at most,
    times the condition of the spectrum, 1e5.
    """
    for n in (0, 1, 3):
        harmonic = disc.harmonics.at(n)
        equations = harmonic_equations(harmonic).at(FrameMotion.spin(SPEED, AXIS))
        reduce = harmonic.supports.reduce_matrix
        M, C, K = (reduce(matrix) for matrix in (equations.mass, equations.damping, equations.stiffness))
        found, other = eigenpairs(harmonic, equations, 6), quadratic_modes(M, C, K, 6)
        assert found.method.startswith("Lanczos on waves") and found.confirmed
        assert found.eigenvalues.imag == pytest.approx(np.sort(other.eigenvalues.imag), rel=1e-9)
        q, values = found.vectors, found.eigenvalues
        left = values**2 * (M @ q) + values * (C @ q) + K @ q
        assert np.abs(left).max() < 1e-8 * np.abs(K @ q).max()


def test_spin_the_other_way(disc: DiscreteBody) -> None:
    """Frequencies do not know the direction of the spin, and whirl is meant with respect to it."""
    one, other = (
        modes(disc, FrameMotion.spin(SPEED, axis), count=4, nodal_diameters=[1, 2]) for axis in (AXIS, (0, -1, 0))
    )
    assert one.frequencies_hz == pytest.approx(other.frequencies_hz, rel=1e-9)
    assert one.whirl == other.whirl


def test_damping() -> None:
    """ζ = βω/2 of damping by the stiffness, at rest."""
    beta = 1e-6
    body = replace(hub_disc((3, 1)), damping=Damping(stiffness=beta))
    found = modes(body, count=2, nodal_diameters=[0, 2])
    ratios = -found.growth_rates / np.abs(found.eigenvalues)
    assert ratios == pytest.approx(beta * np.abs(found.eigenvalues) / 2, rel=1e-8)


def test_refusals(disc: DiscreteBody) -> None:
    mesh = section(-0.1, 0.2, 0.04, (3, 1))
    with pytest.raises(InputError, match=r"lies in x ≥ 0"):
        discretise(revolved(mesh))
    with pytest.raises(InputError, match=r"has loads, which its nodal diameters do not know"):
        discretise(replace(hub_disc(), loads=(NodeForce("right", (1.0, 0.0, 0.0)),)))
    with pytest.raises(InputError, match=r"whose moments of inertia follow; leave the inertia out"):
        discretise(replace(hub_disc(), point_masses=(PointMass("right", 1.0, (0.1, 0.1, 0.1)),)))
    with pytest.raises(InputError, match="acts on displacements of a ring; leave its rotational values out"):
        discretise(replace(hub_disc(), springs=(FrameSpring("right", rotational_stiffness=(1.0, 0.0, 0.0)),)))
    with pytest.raises(InputError, match="a direction between the section and the circumference"):
        discretise(replace(hub_disc(), supports=(Roller("left", (1.0, 0.0, 1.0)),)))
    with pytest.raises(InputError, match=r"turns about y; give axis: \[0, 1, 0\]"):
        modes(disc, FrameMotion.spin(100.0))
    with pytest.raises(InputError, match=r"turns about y; give axis"):
        campbell_diagram(disc, [0.0, 1.0], axis=(0, 0, 1))
    with pytest.raises(InputError, match="leave frame out"):
        campbell_diagram(disc, [0.0, 1.0], frame="inertial")
    with pytest.raises(InputError, match="ask for modes, a Campbell diagram"):
        statics(disc, FrameMotion.spin(100.0, AXIS))
    with pytest.raises(InputError, match="ask for modes, a Campbell diagram"):
        mode_comparison({"one": disc, "other": disc})
    with pytest.raises(InputError, match="is no number of nodal diameters"):
        modes(disc, nodal_diameters=[-1])
    solid = Body.solid("block", tube(0.1, 0.2, 0.1, (1, 8, 1)), material=STEEL, supports=(Fix("inner", ("ux",)),))
    with pytest.raises(InputError, match="leave nodal_diameters out"):
        modes(solid, nodal_diameters=[1])
