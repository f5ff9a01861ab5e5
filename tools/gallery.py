"""Make the gallery of the documentation: run every example, take a picture of its report, and write the page.

    python -m tools.gallery [NAME …]

Needs chromium and playwright, as the browser tests do. Examples that are not named keep their pictures.
"""

import sys
from io import BytesIO
from pathlib import Path

import h5netcdf
import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.commands.run import run

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "images" / "gallery"
WORK = ROOT / "build" / "gallery"
WIDTH = 640  # of a picture, in pixels
BROWSER = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
}
FIRST_PICTURE = ".scene-picture, .plot-area"
PASSING = 0.3  # of the duration, where a rigid motion is shown
SHOW = """(picture, part) => {
  for (let block = picture; block && block.tagName !== "SECTION"; block = block.parentElement) {
    const slider = block.querySelector('input[aria-label="Time"]');
    if (slider) {
      slider.value = String(Math.round(1000 * part));
      slider.dispatchEvent(new Event("input"));
      return true;
    }
  }
  return false;
}"""
"""Moves the time of the scene that a picture belongs to; whether it has one."""


def main(names: list[str]) -> None:
    """Pictures of the named examples (all if none is named), then the page of all."""
    examples = example_paths()
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**BROWSER)
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        for name in names or list(examples):
            print(name)
            run(examples[name], WORK / name)
            _take(page, WORK / name, PICTURES / f"{name}.png")
        browser.close()
    PAGE.write_text(gallery_page(examples), encoding="utf-8")


def _take(page: Page, results: Path, target: Path) -> None:
    """The first scene or plot of a report, a motion at the instant that shows most, in few colours."""
    page.goto((results / "report.html").as_uri())
    picture = page.locator(FIRST_PICTURE).first
    picture.scroll_into_view_if_needed()
    page.wait_for_timeout(2500)  # until it is drawn
    if picture.evaluate(SHOW, shown_part(results / "results.nc")):
        page.wait_for_timeout(1500)
    image = Image.open(BytesIO(picture.screenshot())).convert("RGB")
    image.thumbnail((WIDTH, WIDTH))
    image.quantize(128).save(target, optimize=True)


def shown_part(results: Path) -> float:
    """Part of the duration of the first motion at which a body is deformed most; of rigid motions somewhere."""
    with h5netcdf.File(results) as file:
        for group in file.groups.values():
            if "time" not in group.variables:
                continue
            shapes = [v for name, v in group.variables.items() if name.startswith("displacement")]
            shapes = [v for v in shapes if v.dimensions[0] == "picture"]
            if not shapes:
                return PASSING
            times = np.asarray(group.variables["picture"])
            sizes = [np.linalg.norm(np.asarray(v)[..., :3], axis=-1).max(axis=1) for v in shapes]
            most = max(sizes, key=lambda size: float(size.max()))
            return float((times[most.argmax()] - times[0]) / (times[-1] - times[0]))
    return PASSING


def gallery_page(examples: dict[str, Path]) -> str:
    """What each example is, in its own first sentence, with its picture."""
    parts = [
        "# Gallery",
        "Every example is a case file that runs as it stands: `flexframe examples NAME --copy .` copies it,\n"
        "`flexframe run NAME.yaml` computes it and writes the report from which its picture is taken.",
    ]
    for name, path in examples.items():
        case = load_case(path)
        parts += [
            f"## {case.title}",
            f"![{case.title}](images/gallery/{name}.png)",
            _first_sentences(case.document.description),
            f"`flexframe run {name}.yaml`",
        ]
    return "\n\n".join(parts) + "\n"


def _first_sentences(description: str) -> str:
    """The first paragraph as one line of text."""
    return " ".join(description.strip().split("\n\n")[0].split())


if __name__ == "__main__":
    main(sys.argv[1:])
