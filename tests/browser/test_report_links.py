"""Reports whose plots and moving pictures follow each other: Campbell diagrams, cycle spectra, large bodies."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.conftest import eventually, other_picture, screenshot, watched_page, written_report

from flexframe.cases.examples import example_paths
from flexframe.presentation.scenes import Mode, Modes, Part, Scene
from flexframe.reports.document import Document, Section, render_html

pytestmark = pytest.mark.browser

DISC = """title: Campbell diagram of a small disc
bodies:
  disc:
    mesh: {tube: {inner_radius: 60 mm, outer_radius: 300 mm, height: 10 mm, divisions: [3, 16, 1], order: 2}}
    material: steel
    supports: [{clamp: inner}]
analyses:
  campbell:
    kind: campbell
    speeds: {end: 200 Hz, count: 9}
    modes: 5
    engine_orders: [1, 2, 3]
"""
TURN = 0.4285714285714286  # s, of the wind pump's crank


@pytest.fixture(scope="module")
def disc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campbell")
    (folder / "disc.yaml").write_text(DISC, encoding="utf-8")
    return written_report(folder / "disc.yaml", folder)


@pytest.fixture(scope="module")
def wind_pump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written_report(example_paths()["wind_pump"], tmp_path_factory.mktemp("wind_pump"))


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, offline=True)
    opened = watched_page(context)
    yield opened
    assert opened.problems == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def _opened(page: Any, report: Path) -> None:
    page.goto(report.as_uri())
    page.wait_for_selector("html[data-flexframe=ready]")


def _measured(page: Any) -> Any:
    """A session that counts the processor time of the page's thread, because tests share their machine."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def _processor_seconds(session: Any) -> float:
    metrics = {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def _lonely_point(page: Any, plot: int, series: int) -> tuple[float, float]:
    """Where the marker of a series is on the screen that lies farthest from those of the others."""
    x, y = page.evaluate(
        """([plot, series]) => {
            const svg = document.querySelectorAll("svg.plot")[plot];
            svg.scrollIntoView({ block: "center", behavior: "instant" });
            const { x, y } = svg.getBoundingClientRect();
            const paths = [...svg.querySelectorAll("path.markers.linked")];
            const all = paths.map((path) => [...path.getAttribute("d")
                .matchAll(/M\\s*([-\\d.]+)[\\s,]+([-\\d.]+)/g)].map((m) => [+m[1], +m[2]]));
            const others = all.filter((_, number) => number !== series).flat();
            const gap = ([u, v]) => Math.min(...others.map(([a, b]) => Math.hypot(u - a, v - b)));
            const best = all[series].reduce((one, two) => (gap(two) > gap(one) ? two : one));
            return [x + best[0], y + best[1]];
        }""",
        [plot, series],
    )
    return x, y


def test_a_click_on_a_campbell_point_plays_that_mode(page: Any, disc: Path) -> None:
    _opened(page, disc)
    scene = "flexframe.scenes['campbell-campbell']"

    def state_after_a_click(series: int) -> Any:
        """Clicked again where the page, still finding its layout, had moved the point away under the pointer."""
        page.mouse.click(*_lonely_point(page, 0, series))
        return page.evaluate(f"{scene}.state()")

    for series in (0, 1, 4):
        # the modes of a kept speed stand together, one for each of the five branches
        state = eventually(
            page,
            lambda series=series: state_after_a_click(series),
            lambda found, series=series: found["mode"] % 5 == series,
        )
        assert state["playing"]
        chosen = page.locator("[data-scene=campbell-campbell] .mode[aria-selected=true]").inner_text()
        assert chosen.startswith(f"{series + 1}. ")
    picture = page.locator("[data-scene=campbell-campbell]")
    picture.evaluate("element => element.scrollIntoView({ block: 'end', behavior: 'instant' })")
    page.wait_for_timeout(800)
    screenshot(page, "report-campbell")
    moving = f"[{scene}.state().phase, {scene}.frames]"
    before = page.evaluate(moving)
    after = eventually(page, lambda: page.evaluate(moving), lambda found: found[1] > before[1] + 1)
    assert after[0] != before[0]


def test_the_spectrum_follows_the_mechanism_and_the_other_way_round(page: Any, wind_pump: Path) -> None:
    _opened(page, wind_pump)
    scene = "spectrum-spectrum"
    picture = page.locator(f"[data-scene={scene}]")
    picture.evaluate("element => element.scrollIntoView({ block: 'center', behavior: 'instant' })")
    plot = picture.locator("xpath=following-sibling::*").locator("svg.plot")
    left = plot.locator(".plot-frame").evaluate("box => [box.x.baseVal.value, box.width.baseVal.value]")
    frame = None
    for part in (0.25, 0.75):
        page.evaluate(f"window.flexframe.setTime('{scene}', {part * TURN})")
        # the crank turns evenly: a quarter and three quarters of the way, to a pixel
        there = pytest.approx(left[0] + part * left[1], abs=1.0)
        eventually(
            page,
            lambda: float(plot.locator(".plot-cursor line").get_attribute("x1")),
            lambda cursor, there=there: cursor == there,
        )
        frame = other_picture(picture.locator("canvas"), frame)
    box = plot.bounding_box()
    page.mouse.click(box["x"] + left[0] + 0.5 * left[1], box["y"] + 60)
    time = page.evaluate(f"flexframe.scenes['{scene}'].state().time")
    assert time == pytest.approx(0.5 * TURN, rel=0.02)  # the nearest of 361 positions, or the cursor itself
    screenshot(page, "report-spectrum")


def test_force_arrows_are_inside_the_picture(page: Any, wind_pump: Path) -> None:
    _opened(page, wind_pump)
    picture = page.locator("[data-scene=forces-forces]")
    picture.evaluate("element => element.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.wait_for_timeout(900)
    screenshot(page, "report-forces")
    # nothing but the background along the edges of the canvas
    edge = picture.locator("canvas").evaluate(
        """canvas => {
            const ctx = canvas.getContext("2d");
            const { width, height } = canvas;
            const [right, bottom] = [width - 2, height - 2];
            const strips = [[0, 0, width, 2], [0, bottom, width, 2], [0, 0, 2, height], [right, 0, 2, height]];
            return strips.map((strip) => ctx.getImageData(...strip).data.some((v, i) => i % 4 === 3 && v > 0));
        }"""
    )
    assert edge == [False] * 4


def test_the_report_of_the_wind_pump_is_small_and_soon_there(page: Any, wind_pump: Path) -> None:
    assert wind_pump.stat().st_size < 8e6
    session = _measured(page)
    _opened(page, wind_pump)
    assert 0 < _processor_seconds(session) < 2.0
    assert page.evaluate("Object.keys(flexframe.scenes).length") == 5


def test_fifty_thousand_triangles_cost_the_page_next_to_nothing_a_frame(page: Any, tmp_path: Path) -> None:
    n = 159
    grid = np.linspace(0, 1, n + 1)
    x, y = (table.ravel() for table in np.meshgrid(grid, grid, indexing="ij"))
    nodes = np.stack([x, y, 0.1 * np.sin(6 * x) * np.cos(5 * y)], axis=1)
    number = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    assert len(triangles) > 50_000
    shape = np.zeros_like(nodes)
    shape[:, 2] = np.sin(9 * nodes[:, 0])
    scene = Scene(
        id="large", parts=(Part("surface", nodes, triangles=triangles),), content=Modes((Mode("m", (shape,)),))
    )
    report = tmp_path / "large.html"
    document = Document("Large", (Section("Large", (scene,)),))
    report.write_text(render_html(document), encoding="utf-8")
    session = _measured(page)
    _opened(page, report)
    eventually(page, lambda: page.evaluate("flexframe.scenes.large.frames"), lambda frames: frames > 0)
    before = _processor_seconds(session)
    page.evaluate(
        """() => {
            const scene = flexframe.scenes.large;
            for (let i = 0; i < 40; i++) {
                scene.view.orbit.turn(0.05, 0.01);
                scene.drawNow(1);
            }
        }"""
    )
    # a picture is wanted every 16 ms; the graphics card does the rest (here a processor plays its part)
    assert (_processor_seconds(session) - before) / 40 < 0.008
    screenshot(page, "report-large")
