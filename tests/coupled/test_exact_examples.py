"""The examples of exact beams: the elastica against elliptic integrals, a soft rod, and how they are drawn."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.presentation.beam_surfaces import beam_surface

EXAMPLES = Path(__file__).parents[2] / "examples"


def elastica(load: float) -> tuple[float, float, float]:
    """Tip of a cantilever of length 1 under P L²/EI: towards the clamp, down, turned (Bisshopp, Drucker 1945)."""
    k = brentq(
        lambda k: ellipk(k * k) - ellipkinc(angle(k), k * k) - np.sqrt(load), np.sqrt(0.5) + 1e-12, 1 - 1e-12
    )
    down = 1 - 2 / np.sqrt(load) * (ellipe(k * k) - ellipeinc(angle(k), k * k))
    return 1 - np.sqrt(2 * (2 * k * k - 1) / load), down, float(np.arcsin(2 * k * k - 1))


def angle(k: float) -> float:
    return float(np.arcsin(1 / (k * np.sqrt(2))))


@pytest.mark.parametrize("load", [1, 5, 10])
def test_elastica(load: int) -> None:
    """Exact by elliptic integrals; the error falls with the fourth power of the element length.

    The strip is taken so thin (0.1 mm) that stretch and shear, of the order of (h/L)², do not show.
    """
    back, down, turned = elastica(load)
    errors = []
    for divisions in (4, 8):
        changes = [f"parameters.load={load}", f"bodies.strip.mesh.line.divisions={divisions}"]
        changes += ["bodies.strip.section.rectangle.height=0.1 mm"]
        changes += ["loads.tip.force=[0, -load*210e9*0.02*0.0001^3/12]"]
        case = load_case(EXAMPLES / "elastica.yaml", changes)
        tip = case.analyses["bend"].run(case).displacements["strip"][-1]  # type: ignore[attr-defined]
        errors.append(max(abs(tip[0] + back), abs(tip[1] + down), abs(tip[5] + turned)))
    assert errors[0] < 1e-3  # at P L²/EI = 10 a quarter of the strip turns by 1 rad at the clamp: (1/4)⁴/4
    assert 13 < errors[0] / errors[1] < 19  # 2⁴, to what higher orders do


def test_the_elastica_is_what_its_description_says() -> None:
    """Elliptic integrals to the five digits of the description, the strip to (h/L)² and (L/10)⁴ of them."""
    assert elastica(10) == pytest.approx((0.55500, 0.81061, 1.43029), abs=6e-6)
    case = load_case(EXAMPLES / "elastica.yaml")
    tip = case.analyses["bend"].run(case).displacements["strip"][-1]  # type: ignore[attr-defined]
    assert (-tip[0], -tip[1], -tip[5]) == pytest.approx(elastica(10), abs=1e-4)


def test_soft_rod() -> None:
    """Energy is kept, sections turn by more than a right angle, and the rod keeps its length."""
    case = load_case(EXAMPLES / "soft_rod.yaml")
    found = case.analyses["swing"].run(case)
    # generalised-α takes energy of vibrations that are fast beside the step of 1 ms
    assert found.energy_drift < 1e-2  # type: ignore[attr-defined]
    shapes = found.displacements["rod"]  # type: ignore[attr-defined]
    assert np.abs(shapes[:, -1, 5] - shapes[:, 0, 5]).max() > np.pi / 2
    tip = found.sensors["tip"].values  # type: ignore[attr-defined]
    # weight stretches it by ρ g L²/E = 0.2 % and centrifugal forces by some times that
    assert np.linalg.norm(tip, axis=1).max() < 1.02
    assert found.strains["rod"] > 0.02  # type: ignore[attr-defined]  # which the quality of the result doubts
    doubts = [check for check in found.presentation().quality() if not check.fine]
    assert [check.label for check in doubts] == ["largest strain of rod"]


def test_a_beam_rolled_up_is_drawn_as_a_circle() -> None:
    """Stations between the nodes of a chain on a circle lie on it, and their sections are turned along it."""
    body = ff.Body.beam("strip", length=1.0, divisions=8, section=ff.Rectangle(0.001, 0.02), material=ff.STEEL)
    surface = beam_surface(body, 32)
    assert surface is not None
    s = body.mesh.points[:, 0]
    radius = 1 / (2 * np.pi)
    values = np.zeros((len(s), 6))
    values[:, 0], values[:, 1] = radius * np.sin(s / radius) - s, radius * (1 - np.cos(s / radius))
    values[:, 5] = s / radius
    moved = surface.deform(body.mesh.points, values)
    centre = np.array([0.0, radius, 0.0])
    place = surface.stations + moved[:, :3] - centre
    # the cubic of an arc of π/2 leaves it by 2.7e-4 of the radius, with the sixth power of the angle: 4e-6 of π/4
    assert np.abs(np.linalg.norm(place, axis=1) / radius - 1).max() < 1e-5
    turned = np.stack([np.cos(moved[:, 5]), np.sin(moved[:, 5])], axis=1)
    # the section is across the radius; a slope changes over a sixth of the arc by 4e-6: 6 · 4e-6/(π/4)
    assert np.abs(np.sum(turned * place[:, :2], axis=1) / radius).max() < 1e-4


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("bodies.strip.supports=[{pin: start}]", "supports"),
        ("bodies.strip.supports=[{clamp: start}, {clamp: end}]", "supports"),
        ("bodies.strip.couplings=[{rigid: end, reference: start}]", "couplings"),
        ("bodies.strip.springs=[{on: end, stiffness: [1, 1, 0]}]", "springs"),
        ("bodies.strip.damping={mass: 1}", "damping"),
        ("bodies.strip.space=spatial", "space"),
    ],
)
def test_refusals_name_the_field_of_the_body(change: str, field: str) -> None:
    """What is relative to one frame of the body is refused at its own field, not at `reduction`."""
    case = load_case(EXAMPLES / "elastica.yaml", [change])
    with pytest.raises(ff.FlexframeError) as found:
        case.analyses["bend"].run(case)
    assert found.value.part == ("bodies", "strip", field)


def test_composite_blade_is_what_its_description_says() -> None:
    """258 mm down and 18.9 mm sideways at 500 mm, by 22 elements as by the other program, and modes about it."""
    case = load_case(EXAMPLES / "composite_blade.yaml")
    found = case.analyses["bent"].run(case).displacements["blade"]  # type: ignore[attr-defined]
    assert found[20, 1:3] == pytest.approx((0.0189, -0.258), abs=5e-4)
    frequencies = case.analyses["about it"].run(case).summary()["frequencies_hz"]
    assert len(frequencies) == 6 and min(frequencies) > 1.0


def test_swept_blade_is_what_its_description_says() -> None:
    """Second flap at 500 and 750 rpm with and without sweep, to three digits; measured points have branches."""
    for sweep, values in (("45 deg", (21.2, 26.1)), ("0 deg", (23.8, 34.0))):
        coarse = [f"analyses.spinning.{change}" for change in ("speeds.count=4", "engine_orders=[1]")]
        case = load_case(EXAMPLES / "swept_blade.yaml", [f"parameters.sweep={sweep}", *coarse])
        diagram = case.analyses["spinning"].run(case)
        for speed, value in zip((500, 750), values, strict=True):
            at = np.argmin(np.abs(diagram.speeds - speed * np.pi / 30))  # type: ignore[attr-defined]
            assert np.abs(diagram.frequencies_hz[at] - value).min() < 0.06  # type: ignore[attr-defined]
    measured = diagram.summary()["measured"]
    assert [point["measured_hz"] for point in measured] == [1.6, 10.4, 10.2, 21.6, 14.7, 26.1]
    assert [point["branch"] for point in measured[:3]] == [0, 1, 0]
    assert measured[0]["difference"] == pytest.approx(measured[0]["computed_hz"] / 1.6 - 1)
    assert any("Measured frequencies" in str(table.caption) for table in diagram.presentation().overview())
