"""A headless Chromium for each file of browser tests; they are skipped with a reason where none is installed."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


PATIENCE = 600_000  # milliseconds: a busy machine


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Playwright keeps an event loop running in this thread, which tests of other files must not meet."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        pytest.skip("chromium is not installed; `make programs` installs it")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is in the test extra")
    with playwright.sync_playwright() as session:
        running = session.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


def eventually(page: Any, value: Callable[[], Any], fits: Callable[[Any], bool]) -> Any:
    """What a page shows as soon as it is what is wanted; its policy forbids to wait for an expression."""
    until = monotonic() + PATIENCE / 1000
    while not fits(found := value()):
        assert monotonic() < until, found
        page.wait_for_timeout(100)
    return found


def other_picture(canvas: Any, before: bytes | None = None) -> bytes:
    """A picture of a canvas as soon as it differs from the one before."""
    return bytes(eventually(canvas.page, canvas.screenshot, lambda picture: picture != before))


def screenshot(page: Any, name: str) -> None:
    """Keep a picture as an artefact of the test run: build/screenshots, or where the variable says."""
    folder = Path(os.environ.get("FLEXFRAME_SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(folder / f"{name}.png"))


def watched_page(context: Any) -> Any:
    """A page that remembers its errors and everything that it asked for."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.problems, page.requests = [], []
    page.on("console", lambda m: page.problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    return page


def written_report(case: Path, folder: Path) -> Path:
    """The report of a case that is run now."""
    from flexframe.cases.case import load_case
    from flexframe.cases.run import run_case
    from flexframe.reports.build import case_document
    from flexframe.reports.document import render_html

    report = folder / "report.html"
    report.write_text(render_html(case_document(run_case(load_case(case)))), encoding="utf-8")
    return report


@pytest.fixture(scope="session")
def disc_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small spinning disc."""
    folder = tmp_path_factory.mktemp("report")
    text = """title: Small disc </script>
description: A **disc**.
bodies:
  disc:
    mesh: {annulus: {inner_radius: 0.05, outer_radius: 0.2, divisions: [3, 24], order: 2}}
    material: steel
    thickness: 0.01
analyses:
  spinning: {kind: modes, count: 10, motion: {spin: 300 Hz}}
"""
    (folder / "disc.yaml").write_text(text, encoding="utf-8")
    return written_report(folder / "disc.yaml", folder)
