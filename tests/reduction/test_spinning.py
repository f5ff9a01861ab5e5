"""Frequencies of spinning bodies from their reduced equations."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from flexframe.analyses.modes.analysis import modes
from flexframe.elements.properties import Material, Rectangle
from flexframe.equations.parts import EquationsOfMotion
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.attached import MeanAxes, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.equations import reduced_equations
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import reduce_body, reduced_body
from flexframe.reduction.strategies import CraigBampton, Modal

from .samples import FREE, clamped, plate

# one unit of ω sqrt(ρA L⁴/EI) is 5 rad/s; slenderness 1000
STEEL = Material(young=200e9, poisson=0.3, density=8000.0)
SIDE = np.sqrt(12) * 1e-3
UNIT = 5.0

# Wright 1982, Hodges & Rutkowski 1981: γ → first three flap frequencies without hub and with a hub of length L
FLAP = {
    2: ((4.137320, 22.614922, 62.273184), (4.833689, 23.366042, 63.067548)),
    4: ((5.585001, 24.273349, 63.966761), (7.475048, 26.957262, 66.986772)),
    8: ((9.256838, 29.995382, 70.292962), (13.507389, 37.953793, 80.529532)),
    12: ((13.170151, 37.603112, 79.614479), (19.721542, 51.070134, 98.526797)),
}


def blade(space: str = "spatial", hub: float = 0.0, divisions: int = 24) -> Body:
    torsion = (Fix("all", ("rx",)),) if space == "spatial" else ()
    return Body.beam(
        "blade",
        length=1.0,
        divisions=divisions,
        section=Rectangle(SIDE, SIDE),
        material=STEEL,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        root=hub,
        supports=(Clamp("start"), *torsion),
        space=space,
    )


def frequencies(equations: EquationsOfMotion[np.ndarray]) -> np.ndarray:
    return np.sort(np.abs(equations.eigenvalues().imag))


@pytest.mark.parametrize("hub", [0, 1])
@pytest.mark.parametrize("gamma", FLAP)
def test_flap_of_a_spinning_blade(gamma: int, hub: int) -> None:
    """Three flap frequencies from twenty modes at rest.

    24 elements are high by (βh)⁴/1440 < 1e-5. Modes at rest span the shapes at speed slowly: the error falls with
    the fourth power of their number and rises with γ² (5e-4 at γ = 12 with a hub).
    """
    body = reduce_body(blade(hub=float(hub)), Modal(24))
    found = frequencies(reduced_equations(body, FrameMotion.spin(UNIT * gamma))) / UNIT
    for value in FLAP[gamma][hub]:
        assert np.min(np.abs(found / value - 1)) < 2e-5 + 4e-6 * gamma**2 * (1 + hub) / 2


def test_flap_converges_with_modes() -> None:
    """γ = 12: the first flap frequency from above, at least eight times nearer for twice as many modes."""
    errors = []
    for count in (4, 8, 16, 32):
        body = reduce_body(blade(divisions=40), Modal(count))
        found = frequencies(reduced_equations(body, FrameMotion.spin(UNIT * 12))) / UNIT
        errors.append(float(np.min(np.abs(found / 13.170151 - 1))))
    assert errors[-1] < 1e-6 + errors[0] / 500
    assert all(fine < coarse / 4 for coarse, fine in pairwise(errors))


def test_lag_of_a_planar_blade() -> None:
    """lag² = flap² − γ² for bending alone; coupling with stretch lowers it to 3.89768 at γ = 4, slenderness 1000.

    The stretching comes from an attachment mode at the tip and inertia shapes; the coupling it makes is 1e-5.
    """
    interfaces = [Interface("tip", "end")]
    body = reduce_body(blade("planar"), Modal(10), interfaces=interfaces, inertia_shapes=True)
    found = frequencies(reduced_equations(body, FrameMotion.spin(UNIT * 4))) / UNIT
    assert found[0] == pytest.approx(3.89768, abs=2e-5)
    still = reduced_equations(body, FrameMotion())
    assert frequencies(still)[0] / UNIT == pytest.approx(3.516015, abs=2e-6)


@pytest.mark.parametrize("name", ["spatial beam", "spatial frame", "plate", "solid", "solid of tetrahedra"])
@pytest.mark.parametrize("strategy", [Modal(16), CraigBampton(14)], ids=["modal", "craig_bampton"])
def test_reduced_and_full_frequencies(name: str, strategy) -> None:
    """Four frequencies at half the lowest natural frequency about z, with all terms: reduced against all of p.

    Modes at rest are met exactly by the first basis and to 1e-3 by the second; the terms of this spin change
    shapes little (3e-4).
    """
    full_body = clamped(FREE[name])
    on = "right" if "right" in full_body.mesh.node_sets else "end"
    reduced = reduce_body(full_body, strategy, interfaces=[Interface("tip", on)])
    lowest = 2 * np.pi * modes(full_body, count=1).frequencies_hz[0]
    motion = FrameMotion.spin(0.5 * lowest)
    expected = 2 * np.pi * np.sort(modes(full_body, motion, count=4).frequencies_hz)
    found = frequencies(reduced_equations(reduced, motion))[:4]
    np.testing.assert_allclose(found, expected, rtol=3e-4 if isinstance(strategy, Modal) else 1e-3)
    assert np.abs(expected[0] / lowest - 1) > 1e-3  # the spin matters


def test_complete_basis_gives_the_full_equations() -> None:
    """All modes of a small body, general motion: eigenvalues of the reduced equations are those of the body."""
    full_body = clamped(plate((2, 1)))
    attached = attach(full_body)
    reduced = reduced_body(attached, reduction_basis(attached, Modal(attached.discrete.supports.size)))
    motion = FrameMotion((0, 0, 0.2), (0, 0, 0.05), (0, 0, 0), (0.1, -0.07, 0))
    expected = modes(full_body, motion, count=5).eigenvalues[:5]
    found = reduced_equations(reduced, motion).eigenvalues()[: len(expected)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())


def test_free_plate_with_mean_axes() -> None:
    """A free plate that spins: with mean axes and the angular momentum kept, elastic frequencies are the body's.

    About steady spin Ω in the centre of mass the frame's rotation follows from h = I(δ)ω + M_r δ̇, which adds
    4Ω² e eᵀ/I to the stiffness (e = ½ ∂I/∂δ). All modes are in the basis, so that only rounding is left.
    """
    centred = plate((3, 1))
    low, high = centred.mesh.bounding_box
    body = Body(centred.name, centred.mesh.moved(translation=-(low + high) / 2), centred.regions)
    attached = attach(body, reference=MeanAxes())
    reduced = reduced_body(attached, reduction_basis(attached, Modal(attached.discrete.supports.size - 3)))
    speed = 0.3 * 2 * np.pi * attached.modes(1).frequencies_hz[0]
    motion = FrameMotion.spin(speed)
    equations = reduced_equations(reduced, motion)
    e = -reduced.centrifugal_loads[2, 2]
    inertia = np.trace(reduced.second_moment)
    reaction = {"angular momentum": 4 * speed**2 * np.outer(e, e) / inertia}
    tied = replace(equations, stiffness_parts={**equations.stiffness_parts, **reaction})
    full = modes(body, motion, count=9)
    elastic = [
        2 * np.pi * f for f, label in zip(full.frequencies_hz, full.labels, strict=True) if "rigid" not in label
    ]
    found = frequencies(tied)[: len(elastic)]
    assert len(elastic) >= 5
    np.testing.assert_allclose(found[:5], np.sort(elastic)[:5], rtol=1e-8)
