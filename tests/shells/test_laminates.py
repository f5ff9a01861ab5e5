"""Laminated shells: stiffness by hand, Navier's frequencies, sandwiches, mass beside the nodes, and CalculiX."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import ROUNDING

import flexframe as ff
from flexframe.elements.laminate import LaminateProperty, Layer, laminate
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.elements.properties import ShellProperty
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region

from .models import every_shape

CARBON = OrthotropicMaterial((140e9, 10e9, 10e9), (0.3, 0.3, 0.3), (5e9, 3.5e9, 5e9), 1600.0, "carbon")
SOFT = ff.Material(2e9, 0.3, 1200.0, "soft")
RIGHT = np.pi / 2


def shell(mesh: Mesh, prop: ShellProperty, *supports: ff.Fix) -> Body:
    return Body("plate", mesh, (Region(prop),), supports=supports, space="spatial")


def frequencies(body: Body, count: int) -> Array:
    found = ff.modes(body, count=count).frequencies_hz
    return found[found > 1e-3 * found.max()]


@every_shape
def test_equal_layers_are_one_shell(shape: str) -> None:
    """Five layers of one material at one angle, against the shell of it: rounding of the eigenvalues."""
    mesh = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1, shape=shape)
    way = Orientation.of_rotation(0.4)
    layers = [Layer(CARBON, t, 0.0) for t in (0.001, 0.0005, 0.002, 0.0003, 0.0012)]
    made = laminate(layers, orientation=way)
    assert made.stiffness.coupling is None
    one = ShellProperty(CARBON, 0.005, orientation=way)
    found, wanted = (frequencies(shell(mesh, prop), 14) for prop in (made, one))
    np.testing.assert_allclose(found, wanted, rtol=1e-8)
    turned = laminate([replace(layer, angle=0.4) for layer in layers])  # the same by the angles of the layers
    np.testing.assert_allclose(frequencies(shell(mesh, turned), 14), wanted, rtol=1e-8)


def test_stiffness_of_a_cross_ply_by_hand() -> None:
    """[0/90] of t/2 each: A11 = t(Q11 + Q22)/2, B11 = t²(Q22 − Q11)/8, D11 = t³(Q11 + Q22)/24 (Jones 1975)."""
    t = 0.004
    own = laminate([Layer(CARBON, t / 2), Layer(CARBON, t / 2, RIGHT)]).stiffness
    q = 1 - 0.3**2 * 10 / 140
    Q11, Q22, Q12 = 140e9 / q, 10e9 / q, 3e9 / q
    assert own.coupling is not None
    wanted = (
        (own.membrane, t * (Q11 + Q22) / 2, t * Q12),
        (own.bending, t**3 * (Q11 + Q22) / 24, t**3 * Q12 / 12),
    )
    for matrix, along, across in wanted:
        assert matrix[0, 0] == pytest.approx(along, rel=ROUNDING)
        assert matrix[1, 1] == pytest.approx(along, rel=ROUNDING)
        assert matrix[0, 1] == pytest.approx(across, rel=ROUNDING)
    assert own.coupling[0, 0] == pytest.approx(t**2 * (Q22 - Q11) / 8, rel=ROUNDING)
    assert own.coupling[1, 1] == pytest.approx(-own.coupling[0, 0], rel=ROUNDING)
    assert np.abs(own.coupling[[0, 2, 2, 2], [1, 0, 1, 2]]).max() < ROUNDING * t**2 * Q11


def navier(a: float, b: float, t: float, m: int, n: int) -> float:
    """Frequency of the simply supported [0/90] plate without shear and rotary inertia, Hz (Jones 1975, 5.5)."""
    q = 1 - 0.3**2 * 10 / 140
    Q11, Q22, Q12, Q66 = 140e9 / q, 10e9 / q, 3e9 / q, 5e9
    A11, A12, A66 = t * (Q11 + Q22) / 2, t * Q12, t * Q66
    D11, D12, D66 = (A * t**2 / 12 for A in (A11, A12, A66))
    B11 = t**2 * (Q22 - Q11) / 8
    x, y = m * np.pi / a, n * np.pi / b
    plane = np.array(
        [[A11 * x**2 + A66 * y**2, (A12 + A66) * x * y], [(A12 + A66) * x * y, A66 * x**2 + A11 * y**2]]
    )
    beside = np.array([-B11 * x**3, B11 * y**3])
    bent = D11 * (x**4 + y**4) + 2 * (D12 + 2 * D66) * x**2 * y**2
    return float(np.sqrt((bent - beside @ np.linalg.solve(plane, beside)) / (1600 * t)) / (2 * np.pi))


@every_shape
def test_a_cross_ply_has_the_frequencies_of_navier(shape: str) -> None:
    """0.4 × 0.3 of 1 mm: errors of second order, 12 and 24 divisions extrapolated to 1e-3. Without
    coupling they are 43 to 48 % higher.

    Shear takes (π t/a)² D/(κGt³) ≈ 2e-4 of them.
    """
    a, b, t = 0.4, 0.3, 0.001
    prop = laminate([Layer(CARBON, t / 2), Layer(CARBON, t / 2, RIGHT)])
    exact = np.sort([navier(a, b, t, m, n) for m in (1, 2, 3) for n in (1, 2, 3)])[:3]
    found = []
    for n in (12, 24):
        mesh = ff.mesh.rectangle(a, b, (n, n), order=1, shape=shape)
        held = [ff.Fix(side, ("uy", "uz", "rx")) for side in ("left", "right")]
        held += [ff.Fix(side, ("ux", "uz", "ry")) for side in ("bottom", "top")]
        found.append(ff.modes(shell(mesh, prop, *held), count=3).frequencies_hz)
    coarse, fine = found
    assert (np.abs(fine / exact - 1) < 0.5 * np.abs(coarse / exact - 1) + 5e-4).all()
    np.testing.assert_allclose((4 * fine - coarse) / 3, exact, rtol=1e-3)
    symmetric = laminate([Layer(CARBON, t / 4, angle) for angle in (0, RIGHT, RIGHT, 0)])
    assert symmetric.stiffness.coupling is None


def test_shear_of_a_sandwich() -> None:
    """Thin stiff faces on a soft core: κGt = G d²/c with d between the middles of the faces (Allen 1969).

    Faces carry a share of the shear, and the core of the bending: t/c + E_c/E_f, below 2e-3.
    """
    core, face = ff.Material(1e8, 0.25, 100.0, "core"), ff.Material(200e9, 0.3, 7800.0, "face")
    c, t = 0.02, 2e-5
    made = laminate([Layer(face, t), Layer(core, c), Layer(face, t)])
    wanted = 1e8 / 2.5 * (c + t) ** 2 / c
    np.testing.assert_allclose(made.stiffness.shear, wanted * np.eye(2), rtol=4e-3, atol=1e-9 * wanted)


def two_layers() -> LaminateProperty:
    return laminate([Layer(ff.STEEL, 0.002), Layer(SOFT, 0.006)])


@every_shape
def test_mass_lies_where_the_layers_are(shape: str) -> None:
    """Mass, centre and moments of inertia of the two blocks that the layers are."""
    a, b = 0.4, 0.3
    mesh = ff.mesh.rectangle(a, b, (3, 2), order=1, shape=shape)
    inertia = ff.discretise(shell(mesh, laminate(two_layers().layers, offset=0.01))).inertia
    heights, density = np.array([0.006, 0.008, 0.014]), np.array([7850.0, 1200.0])
    first, second, third = (density @ np.diff(heights**k) / k for k in (1, 2, 3))
    assert inertia.mass == pytest.approx(a * b * first, rel=1e-12)
    assert inertia.first_moment[2] == pytest.approx(a * b * second, rel=1e-12)
    along_x = a * b * (third + first * b**2 / 3)
    assert inertia.inertia_tensor[0, 0] == pytest.approx(along_x, rel=1e-12)
    assert inertia.inertia_tensor[2, 2] == pytest.approx(a * b * first * (a**2 + b**2) / 3, rel=1e-12)


@every_shape
@pytest.mark.parametrize("offset", [0.0, 0.01, -0.03])
def test_a_free_plate_does_not_know_where_its_nodes_are(shape: str, offset: float) -> None:
    """Rigid arms change names of the degrees of freedom only; rounding grows with the square of offset over t."""
    mesh = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1, shape=shape)
    found, wanted = (
        frequencies(shell(mesh, replace(two_layers(), offset=place)), 14) for place in (offset, 0.002)
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-7)


@every_shape
def test_layers_from_the_other_side(shape: str) -> None:
    """Cells that run the other way round and layers from the top to the bottom are the same plate."""
    mesh = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1, shape=shape)
    layers = (Layer(CARBON, 0.002, 0.3), Layer(SOFT, 0.006), Layer(CARBON, 0.001, -1.0))
    back = tuple(replace(layer, angle=-layer.angle) for layer in reversed(layers))
    turned = replace(mesh, blocks=tuple(replace(one, nodes=one.nodes[:, ::-1]) for one in mesh.blocks))
    turned = replace(turned, facet_sets={})
    made = [(mesh, laminate(layers, offset=0.003)), (turned, laminate(back, offset=-0.003))]
    held = ff.Fix("left", ("ux", "uy", "uz", "rx", "ry", "rz"))
    ends = {"left": mesh.nodes_of("left")}
    found, wanted = (
        frequencies(shell(replace(one, facet_sets={}).with_sets(node_sets=ends), prop, held), 8)
        for one, prop in made
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-7)


ANGLES = (0.0, np.pi / 4, RIGHT)


def test_calculix_has_the_same_frequencies(tmp_path: Path) -> None:
    """A clamped strip of 0/45/90, whose bending, stretching and twisting are coupled, 100 times its thickness.

    CalculiX has a layer of solids for each ply, which need no theory of laminates. Refined, both tend to values
    that differ by some 1e-3, (thickness over width)² = 0.03²; meshes of shells of h = 6 mm add (h k)²/24 = 2e-3.
    """
    if shutil.which("ccx") is None:
        pytest.skip("CalculiX (ccx) is not installed")
    a, b, t = 0.3, 0.1, 0.001
    wanted = calculix_frequencies(tmp_path, a, b, t)
    mesh = ff.mesh.rectangle(a, b, (48, 16), order=1)
    held = ff.Fix("left", ("ux", "uy", "uz", "rx", "ry", "rz"))
    layers = [Layer(CARBON, t, angle) for angle in ANGLES]
    found = ff.modes(shell(mesh, laminate(layers), held), count=6).frequencies_hz
    np.testing.assert_allclose(found, wanted[:6], rtol=5e-3)


def calculix_frequencies(folder: Path, a: float, b: float, t: float) -> Array:
    """Of a strip of C3D20, a layer of them for each ply, Hz."""
    mesh = ff.mesh.block((a, b, t * len(ANGLES)), (18, 6, len(ANGLES)), order=2)
    (cells,) = mesh.blocks
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{number}, {x!r}, {y!r}, {z!r}" for number, (x, y, z) in enumerate(mesh.points.tolist(), start=1)]
    layer = (mesh.points[cells.nodes].mean(axis=1)[:, 2] // t).astype(int)
    for ply in range(len(ANGLES)):
        lines.append(f"*ELEMENT, TYPE=C3D20, ELSET=PLY{ply}")
        for number in np.flatnonzero(layer == ply).tolist():
            nodes = [str(node + 1) for node in cells.nodes[number].tolist()]
            lines += [f"{number + 1}, {', '.join(nodes[:10])},", ", ".join(nodes[10:])]
    lines += ["*NSET, NSET=HELD", *(f"{node + 1}," for node in mesh.nodes_of("left").tolist())]
    E1, E2, E3 = CARBON.young
    nu12, nu23, nu13 = CARBON.poisson
    G12, G23, G13 = CARBON.shear
    constants = (E1, E2, E3, nu12, nu13, nu23, G12, G13)
    lines += ["*MATERIAL, NAME=CARBON", "*ELASTIC, TYPE=ENGINEERING CONSTANTS", ", ".join(map(repr, constants))]
    lines += [f"{G23!r}", "*DENSITY", "1600."]
    for ply, angle in enumerate(ANGLES):
        c, s = np.cos(angle), np.sin(angle)  # CalculiX reads 20 characters of a number
        lines += [f"*ORIENTATION, NAME=WAY{ply}", f"{c:.12f}, {s:.12f}, 0., {-s:.12f}, {c:.12f}, 0."]
        lines.append(f"*SOLID SECTION, ELSET=PLY{ply}, MATERIAL=CARBON, ORIENTATION=WAY{ply}")
    lines += ["*BOUNDARY", "HELD, 1, 3", "*STEP", "*FREQUENCY", "8", "*END STEP", ""]
    (folder / "strip.inp").write_text("\n".join(lines), encoding="ascii")
    subprocess.run(["ccx", "strip"], cwd=folder, check=True, capture_output=True, timeout=300)
    told = (folder / "strip.dat").read_text().splitlines()
    start = next(number for number, line in enumerate(told) if "MODE NO" in line)
    rows = [line.split() for line in told[start + 1 :] if len(line.split()) == 5][:8]
    return np.array([float(row[3]) for row in rows])
