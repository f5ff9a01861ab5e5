"""Shafts: cones, layers, discs, given axial force and torque, damping of both frames."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from tests.rotation.rotors import AXIS

import flexframe as ff
from flexframe.assembly.prestress import prestress_matrices
from flexframe.elements.properties import BeamProperty
from flexframe.errors import InputError
from flexframe.model.body import Damping, Prestress, Region

STEEL = ff.STEEL
PINNED = (
    ff.Fix("start", ("ux", "uy", "uz", "rx")),
    ff.Fix("end", ("uy", "uz", "rx")),
    ff.Fix("all", ("ux", "rx")),
)


def slender(divisions: int, **more: object) -> ff.Body:
    """A simply supported shaft without shear and rotary inertia, 1 m long and 20 mm thick."""
    made = ff.Body.beam(
        "shaft",
        length=1.0,
        divisions=divisions,
        section=ff.Circle(0.02),
        material=STEEL,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        space="spatial",
        supports=PINNED,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def frequencies(body: ff.Body, count: int) -> np.ndarray:
    """At rest, Hz."""
    return ff.modes(body, ff.FrameMotion(), count=count).frequencies_hz


EI = STEEL.young * np.pi / 64 * 0.02**4
LINEAR = STEEL.density * np.pi / 4 * 0.02**2


# ---------------------------------------------------------------------- cones


def cone(divisions: int, theory: str = "euler_bernoulli") -> ff.Body:
    """A cantilever whose diameter falls from 60 mm to 20 mm."""
    mesh = ff.mesh.line(1.0, divisions)
    prop = BeamProperty(STEEL, ff.Circle(0.06), rotary_inertia=0.0, end_section=ff.Circle(0.02))
    region = Region(prop, "all", f"{theory}_beam")
    return ff.Body("cone", mesh, (region,), supports=(ff.Clamp("start"),), space="spatial")


def test_volume_and_inertia_of_a_cone() -> None:
    """Mass πρL(D² + Dd + d²)/12 and polar inertia πρL(D⁵ − d⁵)/(160(D − d)), by five Gauss points exactly."""
    D, d = 0.06, 0.02
    discrete = ff.discretise(cone(3))
    assert discrete.inertia.mass == pytest.approx(np.pi * STEEL.density * (D**2 + D * d + d**2) / 12, rel=1e-13)
    turning = np.zeros(discrete.dofs.count)
    turning[discrete.dofs.numbers[:, 3]] = 1.0
    polar = float(turning @ (discrete.mass @ turning))
    assert polar == pytest.approx(np.pi * STEEL.density * (D**5 - d**5) / (160 * (D - d)), rel=1e-13)


def test_frequencies_of_a_cone_converge() -> None:
    """Against a Rayleigh–Ritz solution of EI(x)w'''' with polynomials of degree up to 24, converged to 1e-9.

    The element has cubic shapes, so that frequencies converge as h⁴ from above: from 8 to 16 elements the error
    falls by a factor near 16.
    """
    x, w = np.polynomial.legendre.leggauss(60)
    x, w = (x + 1) / 2, w / 2
    diameter = 0.06 - 0.04 * x
    E, rho = STEEL.young, STEEL.density
    bending, mass = E * np.pi / 64 * diameter**4, rho * np.pi / 4 * diameter**2
    # w = x² P_k(2x − 1): clamped at the start
    basis = [
        np.polynomial.Polynomial([0, 0, 1])
        * np.polynomial.Legendre.basis(k, domain=[0, 1]).convert(kind=np.polynomial.Polynomial)
        for k in range(12)
    ]
    shapes = np.array([p(x) for p in basis])
    curvatures = np.array([p.deriv(2)(x) for p in basis])
    squares = eigh(
        (curvatures * (bending * w)) @ curvatures.T, (shapes * (mass * w)) @ shapes.T, eigvals_only=True
    )
    wanted = np.sqrt(squares[:2]) / (2 * np.pi)
    errors = []
    for divisions in (8, 16):
        found = frequencies(cone(divisions), 8)
        errors.append([min(abs(found - value)) / value for value in wanted])
    first, second = np.array(errors)
    assert (second < 3e-5).all()
    assert (first / second > 12).all()


def test_a_cone_needs_circles_and_one_line() -> None:
    with pytest.raises(InputError, match="is a circle at both ends"):
        BeamProperty(STEEL, ff.Rectangle(0.1, 0.1), end_section=ff.Circle(0.02))
    mesh = ff.mesh.line(1.0, 2)
    with pytest.raises(InputError, match="does not begin where the one before it ends"):
        blocks = tuple(type(block)(block.cell, block.nodes[::-1]) for block in mesh.blocks)
        turned = ff.mesh.Mesh(mesh.points, blocks, node_sets=mesh.node_sets)
        prop = BeamProperty(STEEL, ff.Circle(0.06), end_section=ff.Circle(0.02))
        ff.discretise(ff.Body("cone", turned, (Region(prop),), space="spatial"))


# ---------------------------------------------------------------------- layers and discs


def test_layers_of_one_shaft_are_that_shaft() -> None:
    """A tube around a core without shear is the solid shaft: area and second moment add up."""
    core, sleeve = ff.rotors.ShaftLayer(0.03), ff.rotors.ShaftLayer(0.05, bore=0.03)
    found = []
    for layers in ((core, sleeve), (ff.rotors.ShaftLayer(0.05),)):
        piece = ff.rotors.ShaftPiece(1.0, layers, elements=6)
        body = ff.rotors.rotor_body(
            "shaft",
            [piece],
            material=STEEL,
            theory="euler_bernoulli",
            supports=(ff.Fix("start", ("uy", "uz")), ff.Fix("end", ("uy", "uz"))),
        )
        found.append(frequencies(body, 6))
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_stations_of_a_rotor() -> None:
    """Pieces, discs and bearings make stations; elements are no longer than the shaft is thick."""
    pieces = [
        ff.rotors.ShaftPiece(0.2, (ff.rotors.ShaftLayer(0.05),)),
        ff.rotors.ShaftPiece(0.3, (ff.rotors.ShaftLayer((0.08, 0.06)),), elements=2),
    ]
    bearing = ff.rotors.Bearing((0.03, 0.0, 0.0), stiffness=1e7, name="left")
    wheel = ff.rotors.Disc.of_size(0.42, diameter=0.3, thickness=0.04, material=STEEL, bore=0.06, name="wheel")
    body = ff.rotors.rotor_body("rotor", pieces, material=STEEL, discs=[wheel], bearings=[bearing])
    x = body.mesh.points[:, 0]
    assert {0.0, 0.03, 0.2, 0.42, 0.5} <= set(np.round(x, 12).tolist())
    assert np.diff(x[x <= 0.2 + 1e-9]).max() <= 0.05 + 1e-9
    assert body.mesh.node_sets["left"] == body.bearings[0].on and body.axis == AXIS
    volume = np.pi / 4 * 0.05**2 * 0.2 + np.pi / 12 * (0.08**2 + 0.08 * 0.06 + 0.06**2) * 0.3
    assert ff.discretise(body).inertia.mass == pytest.approx(STEEL.density * volume + wheel.mass, rel=1e-12)
    with pytest.raises(InputError, match="beside the shaft"):
        ff.rotors.rotor_body("rotor", pieces, material=STEEL, discs=[ff.rotors.Disc(0.7, 1.0)])
    with pytest.raises(InputError, match="no material"):
        ff.rotors.rotor_body("rotor", pieces)


# ---------------------------------------------------------------------- axial force and torque


@pytest.mark.parametrize("part", [-0.5, 0.8])
def test_axial_force(part: float) -> None:
    """ω² = k²(EIk² + N)/ρA of a simply supported shaft, k = nπ; tension or compression of a part of Euler's load.

    Sixteen cubic elements leave (kh)⁴/720 of ω², below 1e-4 for n = 2.
    """
    force = part * np.pi**2 * EI
    body = slender(16, prestress=(Prestress(axial_force=force),))
    found = np.unique(frequencies(body, 4).round(6))
    for n in (1, 2):
        k = n * np.pi
        wanted = np.sqrt(k**2 * (EI * k**2 + force) / LINEAR) / (2 * np.pi)
        assert np.abs(found - wanted).min() < 1e-4 * wanted


def torque_matrices(ends: str, divisions: int) -> tuple[np.ndarray, np.ndarray]:
    """Elastic stiffness, and that of a unit torque with its end moments, on the free coordinates."""
    discrete = ff.discretise(slender(divisions, prestress=(Prestress(torque=1.0, ends=ends),)))
    found = prestress_matrices(discrete.body, discrete.batches, discrete.dofs)
    assert found is not None
    reduce = discrete.supports.reduce_matrix
    return reduce(discrete.stiffness).toarray(), reduce(found[0] + found[1]).toarray()


def test_shaft_buckles_under_torque_of_fixed_direction() -> None:
    """Greenhill: T = 2πEI/L in ball joints, with end moments that keep their direction.

    With W = v + iw the shaft has W'''' = iτW''', τ = T/EI, W = 0 and W'' = iτW' at both ends: e^{iτL} = 1. Sixteen
    cubic elements have the curvature e^{iτx} to (τh)⁴/720.
    """
    elastic, unit = torque_matrices("axial", 16)
    values = np.linalg.eigvals(np.linalg.solve(elastic, -unit))
    torques = 1 / values[np.abs(values) > 1e-12 * np.abs(values).max()]
    real = torques[np.abs(torques.imag) < 1e-6 * np.abs(torques)].real
    assert np.abs(real).min() == pytest.approx(2 * np.pi * EI, rel=1e-4)


def test_kinds_of_end_moments_differ() -> None:
    """A semitangential moment has a potential; its critical torque solves another condition at the ends.

    W'' = ½iτW' at both ends with W = A + Bx + Cx² + De^{iτx}: the determinant vanishes at another torque,
    which is looked for on a fine grid of the four by four determinant.
    """
    elastic, unit = torque_matrices("semitangential", 24)
    assert np.abs(unit - unit.T).max() < 1e-12
    values = np.linalg.eigvals(np.linalg.solve(elastic, -unit))
    torques = 1 / values[np.abs(values) > 1e-12 * np.abs(values).max()]
    found = np.abs(torques.real[np.abs(torques.imag) < 1e-6 * np.abs(torques)]).min() / EI

    def determinant(tau: float) -> complex:
        rows = []
        for x in (0.0, 1.0):
            e = np.exp(1j * tau * x)
            rows.append([1, x, x**2, e])
            # W'' − ½iτW' of each
            rows.append([0, -0.5j * tau, 2 - 1j * tau * x, (-(tau**2) + 0.5 * tau**2) * e])
        return complex(np.linalg.det(np.array(rows)))

    taus = np.linspace(0.5, 12.0, 4000)
    sizes = np.array([abs(determinant(t)) for t in taus])
    places = np.flatnonzero((sizes[1:-1] < sizes[:-2]) & (sizes[1:-1] < sizes[2:])) + 1
    near = taus[places[0]]
    fine = np.linspace(near - 0.01, near + 0.01, 4001)
    wanted = fine[np.argmin([abs(determinant(t)) for t in fine])]
    assert found == pytest.approx(wanted, rel=2e-4)
    assert abs(wanted - 2 * np.pi) > 0.1  # another answer than with fixed directions


# ---------------------------------------------------------------------- damping


def test_damping_inside_drives_the_shaft_above_a_speed() -> None:
    """β inside and α in space: q̈ + (α + βω²)q̇ + (ω² − iΩβω²)q = 0 is unstable above Ω = ω + α/(βω).

    Both are proportional, so that it holds exactly with the frequency ω of the divided shaft. The limit is solved
    to 1e-13 of the speed on eigenvalues that are rounded by 1e-12.
    """
    alpha, beta = 3.0, 2e-5
    body = slender(8, damping=Damping(stiffness=beta, fixed_mass=alpha))
    undamped = slender(8)
    omega = 2 * np.pi * frequencies(undamped, 1)[0]
    limit = omega + alpha / (beta * omega)
    diagram = ff.campbell_diagram(
        body, np.linspace(0.5 * limit, 1.2 * limit, 8), modes=2, axis=AXIS, frame="inertial", engine_orders=[]
    )
    assert diagram.stability_limits[0] == pytest.approx(limit, rel=1e-8)
    # the same from the turning frame, in which α acts on δ̇ + Ω × δ
    turning = ff.campbell_diagram(
        body, np.linspace(0.5 * limit, 1.3 * limit, 9), modes=2, axis=AXIS, frame="rotating", engine_orders=[]
    )
    assert turning.stability_limits[0] == pytest.approx(limit, rel=1e-8)


def test_damping_of_the_fixed_frame_never_drives() -> None:
    """α and β in space alone: λ = −(α + βω²)/2 ± i… at every speed, without a limit."""
    alpha, beta = 3.0, 2e-5
    body = slender(8, damping=Damping(fixed_mass=alpha, fixed_stiffness=beta))
    omega = 2 * np.pi * frequencies(slender(8), 1)[0]
    diagram = ff.campbell_diagram(
        body, [0.0, 300.0, 900.0], modes=2, axis=AXIS, frame="inertial", engine_orders=[]
    )
    assert not diagram.stability_limits
    rate = (alpha + beta * omega**2) / 2
    wanted = -rate + 1j * np.sqrt(omega**2 - rate**2)
    assert np.abs(diagram.eigenvalues[:, :2] - wanted).max() < 1e-8 * omega
