"""One headless Chromium for all browser tests; they are skipped with a reason where none is installed."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        pytest.skip("chromium is not installed; tools/install_browser.sh installs it")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is in the test extra")
    with playwright.sync_playwright() as session:
        running = session.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def disc_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small spinning disc."""
    from flexframe.cases.case import load_case
    from flexframe.cases.run import run_case
    from flexframe.reports.build import report_html

    folder = tmp_path_factory.mktemp("report")
    text = """title: Small disc </script>
bodies:
  disc:
    mesh: {annulus: {inner_radius: 0.05, outer_radius: 0.2, divisions: [3, 24], order: 2}}
    material: steel
    thickness: 0.01
analyses:
  spinning: {kind: modes, count: 10, motion: {spin: 300 Hz}}
"""
    (folder / "disc.yaml").write_text(text, encoding="utf-8")
    case = load_case(folder / "disc.yaml")
    result = run_case(case)
    page = report_html(
        "Small disc </script>",
        description="A **disc**.",
        case_name="disc",
        case_text=text,
        records=result.records,
    )
    report = folder / "report.html"
    report.write_text(page, encoding="utf-8")
    return report
