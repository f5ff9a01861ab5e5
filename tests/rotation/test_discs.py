"""Discs in their plane: published figures, both frames, rigid motions at all speeds."""

from dataclasses import replace

import numpy as np
import pytest
from tests.dynamic_matrix import dynamic_matrix
from tests.rounding import ROUNDING

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL, Material
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.mesh.builders import annulus, disc, tube
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

UNIT = Material(young=1.0, poisson=0.3, density=1.0)
PLATE_SPEED = 1 / np.sqrt(1 - 0.3**2)
TURN = 2 * np.pi

# Spinning free disc, ν 0.3, ΩR/c_p = 0.1: backward and forward (n = 0: radial and torsional), units of c_p/R.
L0 = {0: (2.0557876, 3.0338481), 1: (1.5718670, 1.6530034), 2: (1.4720325, 1.2990486), 3: (2.1909327, 2.0621343)}
L1 = {0: (2.0584889, 3.0460300), 1: (1.5802809, 1.6616189), 2: (1.4775093, 1.3040965), 3: (2.2002434, 2.0707775)}


@pytest.fixture(scope="module")
def free_disc() -> DiscreteBody:
    return discretise(Body.plane("disc", disc(1.0, 6), material=UNIT, thickness=0.01))


@pytest.fixture(scope="module")
def hub_disc() -> DiscreteBody:
    mesh = annulus(0.06, 0.3, (5, 24))
    return discretise(Body.plane("disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))


def _first(diagram: CampbellDiagram, diameter: int, wave: str) -> list[float]:
    """ω/c_p of the elastic branches of a kind at the last speed, ascending."""
    assert diagram.nodal_diameters is not None and diagram.rotating_whirl is not None
    chosen = [
        b
        for b, n in enumerate(diagram.nodal_diameters)
        if n == diameter and diagram.rotating_whirl[-1][b] == wave and "rigid" not in diagram.labels[b]
    ]
    return sorted(
        TURN * diagram.frequencies_hz[-1, b] / PLATE_SPEED for b in chosen if diagram.frequencies_hz[-1, b] > 1e-3
    )


@pytest.mark.parametrize(("geometric", "table"), [(0.0, L0), (1.0, L1)], ids=["Bhuta & Jones", "with stress"])
def test_published_spinning_disc(free_disc: DiscreteBody, geometric: float, table: dict) -> None:
    """Coriolis and softening, without and with the stress; quadratic elements of size R/12 leave 5e-5."""
    speeds = PLATE_SPEED * np.linspace(0.0, 0.1, 3)
    diagram = campbell_diagram(free_disc, speeds, modes=20, terms=Terms(geometric=geometric), engine_orders=())
    for n, (first, second) in table.items():
        if n == 0:
            assert _first(diagram, 0, "")[:2] == pytest.approx([first, second], rel=5e-5)
        else:
            assert _first(diagram, n, "backward")[0] == pytest.approx(first, rel=5e-5)
            assert _first(diagram, n, "forward")[0] == pytest.approx(second, rel=5e-5)
    divergent = [label for label in diagram.labels if "divergence" in label]
    assert bool(divergent) == (geometric == 0), "without stress the rigid rotation diverges"


def test_rigid_motions_at_all_speeds(free_disc: DiscreteBody) -> None:
    """Translation at Ω on the disc and at rest in space, exactly; rotation at a zero split by rounding, 1e-8."""
    speeds = PLATE_SPEED * np.array([0.01, 0.05, 0.1, 0.2])
    diagram = campbell_diagram(free_disc, speeds, modes=8, engine_orders=())
    names = np.array(diagram.labels)
    translation = TURN * diagram.frequencies_hz[:, names == "rigid translation"]
    assert translation.shape == (4, 2)
    assert translation == pytest.approx(np.tile(speeds[:, None], 2), rel=1e-12)
    assert diagram.inertial_frequencies_hz[:, names == "rigid translation"].max() == 0
    assert TURN * diagram.frequencies_hz[:, names == "rigid rotation"].max() < 1e-6
    assert diagram.guaranteed and diagram.confirmed


def test_paper_003_at_200_turns_per_second() -> None:
    """Complete answer of the disc of paper 003, whole Hz; a mesh of 10 × 32 adds up to 0.2 %."""
    mesh = annulus(0.02, 0.2, (10, 32))
    material = Material(200e9, 0.3, 7900.0)
    body = Body.plane("disc", mesh, material=material, thickness=0.01, state="strain")
    diagram = campbell_diagram(body, TURN * np.array([0.0, 200.0]), modes=10)
    found = diagram.frequencies_hz[-1]
    for n, expected in {2: (5347, 5687), 1: (6981, 7116), 3: (8828, 9101), 0: (9422,)}.items():
        elastic = sorted(f for f, d in zip(found, diagram.nodal_diameters, strict=True) if d == n and f > 1000)
        assert elastic[: len(expected)] == pytest.approx(expected, rel=2e-3)
    at_rest = diagram.frequencies_hz[0]
    assert np.sort(at_rest)[3] == pytest.approx(5514, rel=2e-3)


def test_frames_differ_by_n_turns(hub_disc: DiscreteBody) -> None:
    """ω_space = ω ± nΩ of every n, from the whirl on the disc; and Ω → −Ω swaps forward and backward."""
    speeds = TURN * np.linspace(0.0, 1200.0, 7)
    diagram = campbell_diagram(hub_disc, speeds, modes=10, engine_orders=())
    assert diagram.rotating_whirl is not None and diagram.nodal_diameters is not None
    assert {0, 1, 2, 3} <= set(diagram.nodal_diameters)
    sign = {"forward": 1, "backward": -1, "": 0}
    for k, speed in enumerate(speeds):
        for b, n in enumerate(diagram.nodal_diameters):
            turn = sign[diagram.rotating_whirl[k][b]] * n * speed / TURN
            assert diagram.inertial_frequencies_hz[k, b] == pytest.approx(
                abs(diagram.frequencies_hz[k, b] + turn), rel=1e-12
            )
    back = campbell_diagram(hub_disc, -speeds[::-1], modes=10, engine_orders=())
    assert np.sort(back.frequencies_hz[::-1], axis=1) == pytest.approx(
        np.sort(diagram.frequencies_hz, axis=1), rel=1e-7
    )
    forward = [np.sort(d.frequencies_hz[k][np.array(d.whirl) == "forward"]) for d, k in ((diagram, -1), (back, 0))]
    assert forward[0] == pytest.approx(forward[1], rel=1e-7)  # seen with its own spin, nothing has changed
    # about the axis +z a wave of the reversed disc runs the other way
    turned = campbell_diagram(hub_disc, speeds, modes=10, axis=(0, 0, -1), engine_orders=())
    assert turned.frequencies_hz == pytest.approx(diagram.frequencies_hz, rel=1e-7)
    assert turned.whirl == diagram.whirl


def test_gyroscopic_matrix_is_skew_and_powerless(hub_disc: DiscreteBody) -> None:
    """G = −Gᵀ to the last bits, so that δ̇ᵀGδ̇ = 0; N of bearings likewise."""
    equations = spinning_equations(rotor_model(hub_disc))
    G = equations.part("gyroscopic")
    assert abs(G + G.T).max() <= ROUNDING * abs(G).max()
    rate = np.random.default_rng(3).standard_normal(equations.size)
    assert abs(rate @ (G @ rate)) < 1e-13 * (abs(rate) @ (abs(G) @ abs(rate)))


@pytest.mark.parametrize("speed", [0.0, 37.0, 900.0])
def test_combination_is_that_of_the_frozen_motion(hub_disc: DiscreteBody, speed: float) -> None:
    """K(Ω), C(Ω) from the parts of unit speed are those assembled for the motion itself, to rounding."""
    equations = spinning_equations(rotor_model(hub_disc))
    frozen = equations_of_motion(hub_disc, FrameMotion.spin(speed))
    reduce = hub_disc.supports.reduce_matrix
    for rate, matrix in ((0, frozen.stiffness), (1, frozen.damping), (2, frozen.mass)):
        difference = equations.at_speed(rate, speed) - reduce(matrix)
        assert abs(difference).max() <= 1e-13 * abs(reduce(matrix)).max() + 1e-300


def test_solid_disc_has_standing_waves_at_its_critical_speeds() -> None:
    """A thin disc of solids: where order n meets n nodal diameters, the backward wave stands still in space.

    The frequency on the disc at the solved speed, from a diagram of its own, is nΩ within the tolerance of 1e-7.
    """
    mesh = tube(0.06, 0.3, 0.004, (3, 16, 1))
    body = discretise(Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),)))
    diagram = campbell_diagram(body, TURN * np.linspace(0.0, 80.0, 9), modes=7, engine_orders=(2, 3))
    excited = [c for c in diagram.critical_speeds if c.excited_by]
    assert [c.engine_order for c in excited] == [c.nodal_diameter for c in excited] and excited
    for critical in excited:
        there = campbell_diagram(body, [critical.speed_rad_s], modes=7, engine_orders=())
        assert there.inertial_whirl is not None and there.nodal_diameters is not None
        still = [
            f
            for f, n, word in zip(
                there.frequencies_hz[0], there.nodal_diameters, there.rotating_whirl[0], strict=True
            )
            if n == critical.nodal_diameter and word == "backward"
        ]
        assert min(still) == pytest.approx(critical.engine_order * critical.speed_rad_s / TURN, rel=2e-7)


def test_shapes_follow_the_branches(hub_disc: DiscreteBody) -> None:
    """Shapes of a branch at neighbouring snapshots are nearly the same, and solve the frozen equations."""
    speeds = TURN * np.linspace(0.0, 300.0, 7)
    diagram = campbell_diagram(hub_disc, speeds, modes=6, engine_orders=())
    equations = spinning_equations(rotor_model(hub_disc))
    present = hub_disc.dofs.numbers >= 0
    for place, k in enumerate(diagram.snapshots):
        for b in range(6):
            full = np.zeros(hub_disc.dofs.count, dtype=complex)
            full[hub_disc.dofs.numbers[present]] = diagram.shapes[place, b][present]
            z = hub_disc.supports.reduce_vector(full)
            value = diagram.eigenvalues[k, b]
            residual = dynamic_matrix(equations, complex(value), float(speeds[k])) @ z
            # frequencies are right to 1e-7, shapes to its square root
            assert np.linalg.norm(residual) < 1e-3 * np.linalg.norm(equations.stiffness @ z)
            assert np.abs(diagram.shapes[place, b, :, :3]).max() == pytest.approx(1.0, rel=1e-12)


def test_record_without_diameters_says_so() -> None:
    """A square plate mixes all nodal diameters: no whirl, no frequencies in space, and no such fields."""
    from flexframe.mesh.builders import rectangle

    mesh = rectangle(1.0, 0.3, (4, 2)).moved(translation=(-0.5, -0.15, 0))
    diagram = campbell_diagram(
        replace(Body.plane("plate", mesh, material=STEEL, thickness=0.01), name="plate"), [0.0, 50.0], modes=6
    )
    summary = diagram.summary()
    assert diagram.nodal_diameters is None
    assert "whirl" not in summary and "inertial_frequencies_hz" not in summary
