"""Make the pictures of the worked machines in the documentation: run every case and take them from its report.

    python -m tools.machine_pictures [NAME …]

Needs chromium and playwright, as the browser tests do. Machines that are not named keep their pictures.
"""

import sys
from io import BytesIO

import matplotlib.pyplot as plt
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tools.gallery import BROWSER, FIRST_PICTURE, ROOT, SHOW

from flexframe.cases.case import load_case
from flexframe.commands.run import run

CASES = ROOT / "docs" / "machines"
PICTURES = ROOT / "docs" / "images" / "machines"
WORK = ROOT / "build" / "machines"

CHOSEN: dict[str, dict[str, tuple[int, float | None]]] = {
    "four-bar": {"": (0, 0.9), "-torque": (3, None)},
    "rotor": {"-campbell": (0, None)},
    "drone-arm": {"-response": (2, None)},
    "robot-arm": {"": (0, 0.1)},
    "blade": {"-campbell": (0, None)},
    "crane": {"": (0, 0.5), "-swing": (2, None)},
    "pump": {"": (0, 0.7), "-frequencies": (6, None)},
}
"""Endings of the file names: which picture of the report, and at which part of the duration."""

BARE = "picture => picture.querySelector('.view-buttons')?.remove()"


def main(names: list[str]) -> None:
    """Pictures of the named machines, of all if none is named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**BROWSER)
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        for name in names or list(CHOSEN):
            run(CASES / f"{name}.yaml", WORK / name)
            page.goto((WORK / name / "report.html").as_uri())
            for ending, (number, part) in CHOSEN[name].items():
                _take(page, number, part).save(PICTURES / f"{name}{ending}.png", optimize=True)
        browser.close()
    if "robot-arm" in (names or CHOSEN):
        _robot_swing().save(PICTURES / "robot-arm-swing.png", optimize=True)


def _take(page: Page, number: int, part: float | None) -> Image.Image:
    """A scene or plot of the report, a motion at some part of its duration, in few colours."""
    picture = page.locator(FIRST_PICTURE).nth(number)
    picture.scroll_into_view_if_needed()
    page.wait_for_timeout(2500)  # until it is drawn
    if part is not None and picture.evaluate(SHOW, part):
        page.wait_for_timeout(1500)
    picture.evaluate(BARE)
    return Image.open(BytesIO(picture.screenshot())).convert("RGB").quantize(128)


def _robot_swing() -> Image.Image:
    """The tip of the robot arm after its move, with the band in which it has to stay."""
    case = load_case(CASES / "robot-arm.yaml")
    motion = case.analyses["move"].run(case).to_dataframe()
    after = 1e3 * motion["tip"][motion.index > 0.35]
    figure, axes = plt.subplots(figsize=(8, 3), dpi=100, layout="constrained")
    axes.plot(after.index, after, linewidth=1)
    axes.axhspan(-0.1, 0.1, color="tab:green", alpha=0.3)
    axes.axvline(0.4, color="grey", linestyle=":")
    axes.set(xlabel="time [s]", ylabel="tip [mm]", xlim=(0.35, 3), ylim=(-2.1, 2.1))
    axes.grid(alpha=0.3)
    stream = BytesIO()
    figure.savefig(stream)
    plt.close(figure)
    return Image.open(stream).convert("RGB").quantize(64)


if __name__ == "__main__":
    main(sys.argv[1:])
