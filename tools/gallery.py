"""Make the gallery of the documentation: run every example, take a picture of its report, and write the page.

    python -m tools.gallery [NAME …]

Needs chromium and playwright, as the browser tests do. Examples that are not named keep their pictures.
"""

import sys
from io import BytesIO
from pathlib import Path

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


def main(names: list[str]) -> None:
    """Pictures of the named examples (all if none is named), then the page of all."""
    examples = example_paths()
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**BROWSER)
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        for name in names or list(examples):
            print(name)
            run(examples[name], WORK / name, [], as_json=False)
            _take(page, WORK / name / "report.html", PICTURES / f"{name}.png")
        browser.close()
    PAGE.write_text(gallery_page(examples), encoding="utf-8")


def _take(page: Page, report: Path, target: Path) -> None:
    """The first scene or plot of a report, after its animation has begun to move, in few colours."""
    page.goto(report.as_uri())
    picture = page.locator(FIRST_PICTURE).first
    picture.scroll_into_view_if_needed()
    page.wait_for_timeout(2500)
    image = Image.open(BytesIO(picture.screenshot())).convert("RGB")
    image.thumbnail((WIDTH, WIDTH))
    image.quantize(128).save(target, optimize=True)


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
