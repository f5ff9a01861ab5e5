"""Animations saved from the page of a report, without a network and within its policy."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.conftest import PATIENCE, watched_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Any, disc_report: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 700, "height": 700})
    opened = watched_page(context)
    opened.goto(disc_report.as_uri())
    opened.wait_for_selector("html[data-flexframe=ready]")
    opened.locator("canvas").first.scroll_into_view_if_needed()
    yield opened
    context.close()


def saved(page: Any, words: str, folder: Path) -> Path:
    """What a button of the first scene saves."""
    with page.expect_download(timeout=PATIENCE) as download:
        page.locator("[data-scene]").first.get_by_label(words).click()
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    return target


def test_an_animated_gif_shows_one_cycle(page: Any, tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image", reason="pillow comes with matplotlib")
    page.evaluate("window.flexframe.showMode('modes-spinning', 4)")
    with images.open(saved(page, "Save animation as GIF", tmp_path)) as found:
        assert found.format == "GIF"
        assert found.n_frames == 40  # 2.4 s of a mode at 6 hundredths of a second
        assert found.info["duration"] == 60
        assert found.info["loop"] == 0  # for ever
        canvas = page.locator("canvas").first.bounding_box()
        assert found.size[0] == pytest.approx(min(640, canvas["width"]), abs=2)  # even numbers of pixels
        frames = []
        for number in (0, 10, 20):  # phases 0, 90 and 180 degrees
            found.seek(number)
            frames.append(np.asarray(found.convert("RGB"), dtype=float))
    assert all(np.abs(a - b).max() > 30 for a, b in ((frames[0], frames[1]), (frames[0], frames[2])))


def test_a_video_is_what_its_name_says(page: Any, tmp_path: Path) -> None:
    kinds = [k for k in ("MP4", "WebM") if page.get_by_label(f"Save animation as {k}").count()]
    if not kinds:
        pytest.skip("this browser records no video")
    video = saved(page, f"Save animation as {kinds[0]}", tmp_path)
    content = video.read_bytes()
    assert len(content) > 1000
    if kinds[0] == "MP4":
        size, kind = struct.unpack(">I4s", content[:8])
        assert (video.suffix, kind) == (".mp4", b"ftyp")
        assert size < len(content)
    else:
        assert (video.suffix, content[:4]) == (".webm", bytes.fromhex("1a45dfa3"))
