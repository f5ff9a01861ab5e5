"""The analysis kind: record, summary, file, report, and the example with pinned numbers."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flexframe.analyses.reduction.analysis import reduction
from flexframe.cases.case import load_case
from flexframe.errors import AnalysisError, InputError
from flexframe.model.body import PointMass
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.attached import ClampedFrame, MeanAxes, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.strategies import CraigBampton, Guyan, Modal
from flexframe.reports.document import Document, Section, render_html
from flexframe.results.netcdf import write_groups

from .samples import beam, clamped, frame, plate, replace, solid, truss

EXAMPLE = Path(__file__).parents[2] / "examples" / "reduced_beam.yaml"
UNIT = 5 / (2 * np.pi)  # Hz for one unit of ω sqrt(ρA L⁴/EI)


def test_record_of_a_solid(tmp_path: Path) -> None:
    """Everything a record must do, with the numbers of the parts it was made of."""
    record = reduction(
        solid(),
        CraigBampton(4),
        interfaces=[Interface("root", "left", "rigid"), Interface("tip", "right")],
        sensors=[Interface("corner", (1.5, 0.4, 0.3))],
        reference=ClampedFrame("root"),
        motion=FrameMotion.spin(0.05),
        count=6,
        wanted_hz=10.0,
    )
    assert record.reduced.size == 10
    assert (record.errors > -1e-9).all() and record.errors[0] < 1e-3
    assert record.spinning is not None
    # four modes with held interfaces are few for a thick block
    np.testing.assert_allclose(record.spinning.reduced_hz[:2], record.spinning.full_hz[:2], rtol=5e-3)
    summary = json.loads(json.dumps(record.summary(), allow_nan=False))
    assert summary["kind"] == "reduction" and summary["size"] == 10
    assert summary["band_hz"] == pytest.approx(record.band_hz)
    assert any("keep more modes" in text for text in record.notices)
    write_groups(tmp_path / "results.nc", {"reduction": record.to_xarray()})
    page = render_html(Document("Reduction", (Section("reduction", record.presentation().blocks("reduction")),)))
    assert "fixed-interface mode 1" in page and "Good below" in page


def test_notices_say_what_is_missing() -> None:
    """Static answers (also to the own loads) and mass that a poor basis lacks."""
    body = replace(clamped(plate()), loads=(NodeForce("right", (0.0, 1.0)),))
    notices = reduction(body, Modal(1, attachments=False), interfaces=[Interface("tip", "right")]).notices
    for words in ("unit interface loads", "unit inertia loads", "of the mass along x", "loads of body plate"):
        assert any(words in text for text in notices), words
    assert reduction(plate(), Modal(3), reference=MeanAxes(), motion=FrameMotion.spin(0.1)).spinning is None


# ---------------------------------------------------------------------- what is refused, and how to go on


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: reduction(plate(), tolerance=2.0), "tolerance"),
        (lambda: attach(plate(), interfaces=[Interface("a", "left"), Interface("a", "right")]), "called 'a'"),
        (lambda: attach(clamped(plate()), reference=MeanAxes()), "mean axes have nothing"),
        (lambda: attach(plate(), reference=ClampedFrame("bottom_left")), "free to turn"),
        (lambda: attach(plate(), interfaces=[Interface("a", "nowhere")]), "nowhere"),
        (lambda: reduction_basis(attach(clamped(plate())), Guyan()), "at least one free interface"),
        (lambda: reduction_basis(attach(clamped(plate())), Modal(0)), "basis is empty"),
        (lambda: reduction_basis(attach(clamped(plate((1, 1)))), Modal(400)), "modes of this kind"),
        (
            lambda: attach(solid(), interfaces=[Interface("a", 3, at=(0.0, 0.0, 0.0))]),
            "do not define the rotation",
        ),
    ],
)
def test_input_is_refused(call: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("interfaces", "words"),
    [
        ([Interface("a", "bottom_left")], "do not hold it"),
        ([Interface("a", "left"), Interface("b", "left")], "depend on each other"),
    ],
)
def test_static_shapes_that_do_not_exist(interfaces: list[Interface], words: str) -> None:
    with pytest.raises(AnalysisError, match=words):
        reduction_basis(attach(plate(), interfaces=interfaces), Guyan())


def test_massless_field_is_refused() -> None:
    """A bar that only carries a particle: static shapes of massless nodes have no frequency."""
    body = replace(truss(), point_masses=(PointMass(4, 1.0),))
    assert reduction(clamped(body), Modal(3)).reduced.size == 3
    attached = attach(beam("planar", rotary_inertia=0.0), reference=MeanAxes())
    with pytest.raises(InputError, match="modes of this kind"):
        attached.modes(attached.discrete.supports.size)


# ---------------------------------------------------------------------- the example


@cache
def example(analysis: str) -> dict[str, Any]:
    case = load_case(EXAMPLE)
    return case.analyses[analysis].run(case).summary()


def test_example_frequencies_at_rest() -> None:
    """3.516015 and 22.034492 units each twice: Guyan 0.48 % high in the first, Craig–Bampton 1e-4, modal exact.

    Guyan's beam with one cubic has the frequencies √(420·(…)) = 3.53273 and 34.8069 units, a textbook value.
    """
    guyan, craig, modal = (
        np.array(example(name)["frequencies_hz"]) / UNIT for name in ("guyan", "craig_bampton", "modal")
    )
    np.testing.assert_allclose(guyan[:4], [3.53273, 3.53273, 34.8069, 34.8069], rtol=1e-5)
    np.testing.assert_allclose(craig[:2], 3.516015, rtol=1e-4)
    np.testing.assert_allclose(modal[:4], [3.516015, 3.516015, 22.034492, 22.034492], rtol=5e-6)


def test_example_at_speed() -> None:
    """γ = 4: flap 5.585001, lag 3.89768 units; a basis of modes at rest comes near to 1e-4."""
    spinning = example("modal")["spinning"]
    assert spinning["speed_rad_s"] == pytest.approx(20)
    np.testing.assert_allclose(np.array(spinning["frequencies_hz"][:2]) / UNIT, [3.89768, 5.585001], rtol=2e-4)
    np.testing.assert_allclose(np.array(spinning["full_hz"][:2]) / UNIT, [3.89768, 5.585001], rtol=1e-5)


def test_example_bands_and_static_answers() -> None:
    """Guyan meets one pair of modes, six more modes three pairs; inertia shapes answer inertia exactly."""
    third, fourth = 17.5345, 49.0979  # Hz, modes 3 and 5 of the blade
    assert example("guyan")["band_hz"] == pytest.approx(third, rel=1e-4)
    assert example("modal")["band_hz"] > fourth
    static = example("modal")["static_errors"]
    assert max(static["interfaces"].values()) < 1e-4 and max(static["inertia"].values()) < 1e-4
    assert max(example("guyan")["static_errors"]["inertia"].values()) > 0.1
    assert not any("keep more modes" in text for text in example("craig_bampton")["notices"])


def test_planar_and_spatial_frames_agree() -> None:
    """A planar frame in space has the in-plane frequencies of the planar model among its own."""
    planar = reduction(clamped(frame("planar")), Modal(4), count=4).frequencies_hz
    flat = replace(clamped(frame("planar")), space="spatial")
    spatial = reduction(flat, Modal(12), count=12).frequencies_hz
    for f in planar[:2]:
        assert np.min(np.abs(spatial / f - 1)) < 1e-9
