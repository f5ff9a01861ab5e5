"""Cases that name files which they must not read."""

import os
from collections.abc import Mapping
from pathlib import Path

SECRET = "TOP-SECRET line of another file"

BODY = """bodies:
  title:
    mesh: {{file: {name}}}
    material: steel
    section: {{rectangle: {{width: 20 mm, height: 10 mm}}}}
analyses:
  shapes: {{kind: modes, count: 1}}
"""
"""A body called title with a mesh of a file."""

DRIVE = """ground: {{A: [0, 0]}}
bodies:
  crank: {{mass: 1, inertia: 1, points: {{A: [0, 0]}}}}
joints:
  pin: {{revolute: [ground.A, crank.A]}}
drives:
  description:
    joint: pin
    angle: {{samples: {name}, column: x}}
analyses:
  motion: {{kind: kinematics, duration: 1}}
"""
"""A drive called description with a recorded law."""

PLACES: Mapping[str, tuple[str, int, str]] = {
    "body": (BODY, 3, "bodies.title.mesh.file"),
    "drive": (DRIVE, 9, "drives.description.angle.samples"),
}
"""A text, and line and field of the name in it."""

NAMES = ("absolute", "above", "link", "linked folder", "link to a device", "pipe", "folder")


def made_names(folder: Path) -> dict[str, str]:
    """Names by which a case in the folder could reach what it must not."""
    for ending in ("inp", "csv"):
        (folder.parent / f"secret.{ending}").write_text(f"{SECRET}\n", encoding="utf-8")
    secret = folder.parent / "secret.csv"
    (folder / "link.csv").symlink_to(secret)
    (folder / "away").symlink_to(folder.parent)
    (folder / "zeros.csv").symlink_to("/dev/zero")
    (folder / "sub.csv").mkdir()
    os.mkfifo(folder / "pipe.csv")
    names = (str(secret), "../secret.csv", "link.csv", "away/secret.csv", "zeros.csv", "pipe.csv", "sub.csv")
    return dict(zip(NAMES, names, strict=True))
