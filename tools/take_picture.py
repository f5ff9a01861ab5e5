"""Take the picture of the README: a mode of the rotating disc in the report page, as chromium shows it.

Usage: .venv/bin/python tools/take_picture.py build/demo/rotating_disc/report.html docs/images/rotating_disc.png
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SCENE = "[data-scene='modes-complete']"
FIRST_ELASTIC = 3  # after the rigid rotation and two rigid translations


def take_picture(report: Path, picture: Path) -> None:
    """Show the first elastic mode of the analysis `complete` and save its panel."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.goto(report.resolve().as_uri())
        page.wait_for_selector("html[data-flexframe=ready]")
        scene = page.locator(SCENE)
        scene.scroll_into_view_if_needed()
        scene.locator(".mode-list [role=option]").nth(FIRST_ELASTIC).click()
        scene.get_by_label("Deformation scale").fill("30")  # small enough to stay inside the frame
        page.wait_for_timeout(1000)
        scene.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    take_picture(Path(sys.argv[1]), Path(sys.argv[2]))
