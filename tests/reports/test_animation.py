"""Moving pictures of records as files."""

import gc
from pathlib import Path

import numpy as np
import pytest
from matplotlib import animation
from PIL import Image

import flexframe as ff
from flexframe.presentation.animation import RATE, _playing, _swinging, moving_scenes

SPEED, LENGTH = 10.0, 0.3


def turning() -> ff.results.Kinematics:
    crank = ff.RigidBody.rod("crank", length=LENGTH, mass=1.2)
    system = ff.System(
        [crank], [ff.Revolute("A", "ground", "crank")], [ff.AngleDrive("motor", "ground", "crank", f"{SPEED}*t")]
    )
    return ff.kinematics(system, np.linspace(0.0, 0.1, 31))


def swinging() -> ff.results.Modes:
    beam = ff.Body.beam(
        "beam",
        length=1.0,
        divisions=3,
        section=ff.Rectangle(0.04, 0.01),
        material=ff.STEEL,
        supports=(ff.Clamp("start"),),
    )
    return ff.modes(beam, count=2)


def test_a_motion_lasts_as_long_as_asked_for(tmp_path: Path) -> None:
    path = turning().animation(tmp_path / "turn.gif", seconds=0.5)
    with Image.open(path) as picture:
        assert picture.n_frames == round(0.5 * RATE)  # type: ignore[attr-defined]
        durations = []
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            durations.append(picture.info["duration"])
    assert sum(durations) == pytest.approx(500.0)  # ms


def test_pictures_show_where_the_bodies_are() -> None:
    """The end of the crank goes round on a circle."""
    (scene, *_) = moving_scenes(turning().presentation().blocks("turn"))
    movie = _playing(scene, 7, None)
    number = [part.name for part in movie.parts].index("crank")
    ends = movie.vertices[number][:, np.argmax(scene.parts[number].vertices[:, 0])]
    angles = SPEED * np.linspace(0.0, 0.1, 7)  # every fifth of the instants: nothing is rounded to a neighbour
    # of the joints: closed to 1e-10 of the length
    assert ends[:, :2] == pytest.approx(LENGTH * np.stack([np.cos(angles), np.sin(angles)], axis=1), abs=1e-9)


def test_a_mode_swings_twice_to_a_tenth_of_the_size() -> None:
    (scene, *_) = moving_scenes(swinging().presentation().blocks("modes"))
    movie = _swinging(scene, 1, 40, 2.0)
    body = next(k for k, part in enumerate(movie.parts) if not part.symbol)
    moved = movie.vertices[body] - scene.parts[body].vertices
    assert np.abs(moved).max() == pytest.approx(2.0 * 0.1 * 1.0, rel=1e-2)  # length 1 m; sections turn as well
    assert moved[20] == pytest.approx(moved[0], abs=1e-12)
    assert moved[10] == pytest.approx(-moved[0], abs=1e-12)


def test_what_cannot_be_written_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(animation.writers, "is_available", lambda name: name != "ffmpeg")
    with pytest.raises(ff.InputError, match=r"MP4 is written by the program ffmpeg.*\.gif or \.html"):
        swinging().animation(tmp_path / "mode.mp4")
    with pytest.raises(ff.InputError, match=r"'mode\.avi' is no moving picture"):
        swinging().animation(tmp_path / "mode.avi")
    with pytest.raises(ff.InputError, match="no mode 3; give 1 to 2"):
        swinging().animation(tmp_path / "mode.gif", mode=3)


def test_a_page_plays_the_motion(tmp_path: Path) -> None:
    page = turning().animation(tmp_path / "turn.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") or page.lower().startswith("<!doctype html>")
    assert "crank" in page


@pytest.mark.parametrize(("name", "codec"), [("mode.mp4", "h264"), ("mode.webm", "libvpx-vp9")])
def test_films_are_given_to_ffmpeg_with_a_codec_that_their_format_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, codec: str
) -> None:
    """Without the program: what it would be called with. WebM holds VP8, VP9 and AV1 only, MP4 plays as H.264."""
    called = {}
    monkeypatch.setattr(animation.writers, "is_available", lambda _: True)
    monkeypatch.setattr(animation.FuncAnimation, "_init_draw", lambda _: None)
    monkeypatch.setattr(animation.FuncAnimation, "save", lambda _, path, **given: called.update(given, path=path))
    with pytest.warns(UserWarning, match="deleted without rendering"):
        swinging().animation(tmp_path / name, seconds=0.5)
        gc.collect()
    assert (called["writer"], called["codec"], called["path"].name) == ("ffmpeg", codec, name)
