"""Critical loads of beams: axial force, bending moment, shear and torque in the geometric stiffness."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import BarProperty, GeneralSection
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import line
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, NodeForce
from flexframe.model.supports import Clamp, Fix, Pin
from flexframe.motion.frame import REST

from .solving import MATERIAL, SECTION, THEORIES, beam_body, critical_factors, rigidities

L = 1.7
FORK_START = Fix("start", ("ux", "uy", "uz", "rx"))
FORK_END = Fix("end", ("uy", "uz", "rx"))
PUSH = NodeForce("end", (-1.0, 0, 0))

# tan α = α: one end clamped, the other pinned
CLAMPED_PINNED = 4.493409457909064

COLUMNS = {
    "cantilever": ([Clamp("start")], np.pi / 2),
    "pinned": ([FORK_START, FORK_END], np.pi),
    "clamped-pinned": ([Clamp("start"), FORK_END], CLAMPED_PINNED),
    "clamped": ([Clamp("start"), Fix("end", ("uy", "uz", "rx", "ry", "rz"))], 2 * np.pi),
}

# columns that bend before they twist; deep beams that leave their stiff plane sideways; a cross that twists first
COLUMN = replace(SECTION, torsion_constant=1.0)
DEEP = replace(SECTION, inertia_z=50.0)
CROSS = GeneralSection(area=0.7, inertia_z=0.05, inertia_y=0.05, torsion_constant=2e-3, shear_factor=0.8)


def critical(body: Body) -> float:
    """Magnitude of the smallest critical factor; sideways buckling comes in pairs ±λ."""
    return float(np.abs(critical_factors(body)[0]))


def extrapolated(value: Callable[[int], float], divisions: int, order: int) -> float:
    """Richardson's limit from n and 2n elements whose error is of the given order."""
    coarse, fine = value(divisions), value(2 * divisions)
    return (2**order * fine - coarse) / (2**order - 1)


@pytest.mark.parametrize("case", COLUMNS)
def test_euler_columns(case: str) -> None:
    """P = α²EI/L² in the weaker plane; the limit of cubic elements (order 4) from 4 and 8 of them to 1e-4.

    Two elements of a half wave remain in the worst case, so the next order is felt at some 1e-5.
    """
    supports, alpha = COLUMNS[case]

    def value(divisions: int) -> float:
        return critical(beam_body(line(L, divisions), "euler_bernoulli", supports, [PUSH], section=COLUMN))

    exact = alpha**2 * rigidities("euler_bernoulli").EIy / L**2
    assert extrapolated(value, 4, order=4) == pytest.approx(exact, rel=1e-4)
    assert exact < value(8) < exact * 1.001  # from above, as a Rayleigh quotient


def test_column_converges_with_the_fourth_order() -> None:
    """Energies of cubic elements are of fourth order: halving the elements divides the error by 16."""
    exact = (np.pi / 2) ** 2 * rigidities("euler_bernoulli").EIy / L**2
    two, four = (
        critical(beam_body(line(L, n), "euler_bernoulli", [Clamp("start")], [PUSH])) / exact - 1 for n in (2, 4)
    )
    assert two / four == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize("case", ["cantilever", "pinned"])
def test_shear_lowers_the_critical_load(case: str) -> None:
    """Engesser: 1/P = 1/P_Euler + 1/κGA, the axial force along the tangent of the axis.

    The interpolation is exact for the unloaded beam only: order 2, extrapolated from 8 and 16 elements to 1e-5.
    """
    supports, alpha = COLUMNS[case]
    r = rigidities("timoshenko")
    euler = alpha**2 * r.EIy / L**2
    exact = 1 / (1 / euler + 1 / r.kGA)
    assert exact < 0.9 * euler or case == "cantilever"
    found = extrapolated(lambda n: critical(beam_body(line(L, n), "timoshenko", supports, [PUSH])), 8, order=2)
    assert found == pytest.approx(exact, rel=1e-5)


def test_buckling_does_not_depend_on_the_direction() -> None:
    """The same column along a skew line; condition of the eigenproblem about 1e4."""
    Q = rotation_from_vector(np.array([0.8, -0.5, 1.3]))
    straight = beam_body(line(L, 4), "timoshenko", [Clamp("start")], [PUSH])
    turned = beam_body(
        line(L, 4, direction=Q[:, 0]),
        "timoshenko",
        [Clamp("start")],
        [NodeForce("end", tuple(-Q[:, 0]))],
        up=tuple(Q[:, 1]),
    )
    np.testing.assert_allclose(critical_factors(turned, 4), critical_factors(straight, 4), rtol=1e-9)


@pytest.mark.parametrize("load", ["gravity", "line"])
def test_column_under_its_own_weight(load: str) -> None:
    """qL³/EI = 7.837347, from the first zero of J_{-1/3} (Greenhill); the axial force falls along the beam.

    The axial force is exact inside the elements: order 4, 1e-6 from 8 and 16 of them.
    """
    q = 1.0
    loads = {
        "gravity": [Gravity((-q / (MATERIAL.density * SECTION.area), 0, 0))],
        "line": [LineLoad((-q, 0.0, 0.0))],
    }

    def value(divisions: int) -> float:
        return critical(beam_body(line(L, divisions), "euler_bernoulli", [Clamp("start")], loads[load])) * q

    exact = 7.837347 * rigidities("euler_bernoulli").EIy / L**3
    assert extrapolated(value, 8, order=4) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize("divisions", [1, 5])
def test_torsional_buckling_of_a_column(theory: str, divisions: int) -> None:
    """P = GJ A/I_p for every twist (Wagner): exact on any mesh, since both energies are ∫θ'²."""
    r = rigidities(theory, CROSS)
    supports = [Clamp("start"), Fix("end", ("uy", "uz", "ry", "rz"))]
    body = beam_body(line(L, divisions), theory, supports, [PUSH], section=CROSS)
    exact = r.GJ * CROSS.area / (CROSS.inertia_y + CROSS.inertia_z)
    np.testing.assert_allclose(critical_factors(body, divisions), exact, rtol=1e-9)


# ---------------------------------------------------------------------- sideways; the twist is linear, order 2

LATERAL_ORDER = 2


@pytest.mark.parametrize("theory", THEORIES)
def test_lateral_buckling_under_end_moments(theory: str) -> None:
    """M = (π/L)√(EIy GJ) between forks.

    Moments alone act on a slice, so there is no shear force and both theories agree. 8 and 16 elements: 1e-4.
    """
    r = rigidities(theory, DEEP)
    loads = [NodeForce("start", moment=(0, 0, -1.0)), NodeForce("end", moment=(0, 0, 1.0))]

    def value(divisions: int) -> float:
        return critical(beam_body(line(L, divisions), theory, [FORK_START, FORK_END], loads, section=DEEP))

    exact = np.pi / L * np.sqrt(r.EIy * r.GJ)
    assert extrapolated(value, 8, LATERAL_ORDER) == pytest.approx(exact, rel=1e-4)


def test_lateral_buckling_of_a_cantilever() -> None:
    """P = 4.012599 √(EIy GJ)/L² with the tip load at the centroid: first zero of J_{-1/4}, times two."""
    r = rigidities("euler_bernoulli", DEEP)
    load = NodeForce("end", (0, -1.0, 0))

    def value(divisions: int) -> float:
        return critical(beam_body(line(L, divisions), "euler_bernoulli", [Clamp("start")], [load], section=DEEP))

    exact = 4.012599 * np.sqrt(r.EIy * r.GJ) / L**2
    assert extrapolated(value, 8, LATERAL_ORDER) == pytest.approx(exact, rel=2e-5)


@pytest.mark.parametrize(("load", "factor"), [("middle", 16.94), ("uniform", 28.3)])
def test_lateral_buckling_between_forks(load: str, factor: float) -> None:
    """P = 16.94 √(EIy GJ)/L² in the middle, qL = 28.3 √(EIy GJ)/L² along the beam (Timoshenko and Gere).

    The printed digits leave 0.03 % and 0.2 %.
    """
    r = rigidities("euler_bernoulli", DEEP)

    def value(divisions: int) -> float:
        loads = [NodeForce(divisions // 2, (0, -1.0, 0)) if load == "middle" else LineLoad((0, -1.0 / L, 0))]
        forks = [FORK_START, FORK_END]
        return critical(beam_body(line(L, divisions), "euler_bernoulli", forks, loads, section=DEEP))

    found = extrapolated(value, 8, LATERAL_ORDER) / (np.sqrt(r.EIy * r.GJ) / L**2)
    assert found == pytest.approx(factor, rel={"middle": 3e-4, "uniform": 2e-3}[load])


def test_shaft_under_torque() -> None:
    """T = 8.9868 EI/L between clamps, tan(TL/2EI) = TL/2EI (Greenhill); the end may twist and slide.

    Rotations are cubic here: order 4, 1e-5 from 8 and 16 elements.
    """
    round_ = replace(SECTION, inertia_y=SECTION.inertia_z)
    r = rigidities("euler_bernoulli", round_)
    supports = [Clamp("start"), Fix("end", ("uy", "uz", "ry", "rz"))]
    torque = NodeForce("end", moment=(1.0, 0, 0))

    def value(divisions: int) -> float:
        return critical(beam_body(line(L, divisions), "euler_bernoulli", supports, [torque], section=round_))

    assert extrapolated(value, 8, order=4) == pytest.approx(2 * CLAMPED_PINNED * r.EIz / L, rel=1e-5)


@pytest.mark.parametrize("force", [0.7, -0.7], ids=["stretched", "compressed"])
def test_stretched_bars_resist_sideways(force: float) -> None:
    """Two bars in line under S: the middle node has 2S/l across, stable or not as S pulls or pushes."""
    mesh = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), (CellBlock(LINE, np.array([(0, 1), (1, 2)])),))
    supports = (Pin(0), Fix(1, ("uy", "uz")), Fix(2, ("uy", "uz")))
    loads = (NodeForce(2, (force, 0, 0)),)
    region = Region(BarProperty(MATERIAL, 0.3))
    body = Body("bars", mesh, (region,), supports=supports, loads=loads, space="spatial")
    discrete = discretise(body)
    K_g = geometric_stiffness(discrete, REST).toarray()
    across = discrete.dofs.numbers[1, 1:3]
    np.testing.assert_allclose(K_g[np.ix_(across, across)], 2 * force * np.eye(2), atol=1e-13)
