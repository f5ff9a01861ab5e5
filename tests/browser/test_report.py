"""A report opened from a file, with no network: it moves, and its plots and pictures are linked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import other_picture, screenshot, watched_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Any, disc_report: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = watched_page(context)
    opened.goto(disc_report.as_uri())
    opened.wait_for_selector("html[data-flexframe=ready]")
    yield opened
    context.close()


def test_opens_offline_without_errors_or_requests(page: Any, disc_report: Path) -> None:
    screenshot(page, "report")
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.locator("h1").first.inner_text() == "Small disc </script>"


def test_playing_changes_the_picture(page: Any) -> None:
    scene = page.locator("canvas").first
    scene.scroll_into_view_if_needed()
    page.evaluate("window.flexframe.showMode('modes-spinning', 4)")
    before = None
    for phase in (0.0, 1.5, 0.0):  # the second and the third must change it
        page.evaluate(f"window.flexframe.setPhase('modes-spinning', {phase})")
        before = other_picture(scene, before)


def test_a_click_in_the_plot_shows_that_mode(page: Any) -> None:
    before = page.evaluate("window.flexframe.currentMode('modes-spinning')")
    # one path holds all markers of a series as "M x y h0" pieces, in pixels of its svg; each is looked for just
    # before it is clicked, because the page may grow meanwhile
    places = """() => [...document.querySelectorAll("path.markers.linked")].flatMap((path) => {
        path.ownerSVGElement.scrollIntoView({ block: "center", behavior: "instant" });
        const box = path.ownerSVGElement.getBoundingClientRect();
        return [...path.getAttribute("d").matchAll(/M\\s*([-\\d.]+)[\\s,]+([-\\d.]+)/g)]
            .map((m) => [box.x + Number(m[1]), box.y + Number(m[2])]);
    })"""
    count = len(page.evaluate(places))
    assert count >= 8
    chosen = set()
    for number in range(count):
        page.mouse.click(*page.evaluate(places)[number])
        chosen.add(page.evaluate("window.flexframe.currentMode('modes-spinning')"))
    assert len(chosen - {before}) >= 5


def test_dark_and_light(page: Any) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.evaluate("window.flexframe.toggleTheme()")
    screenshot(page, "report-dark")
    assert page.evaluate(colour) != light
