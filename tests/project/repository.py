"""The files of the project, as a fresh clone would have them."""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]


def project_files() -> list[Path]:
    """Files that belong to the project: known to git, or new and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return sorted(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def python_with(package: Path) -> tuple[list[str], dict[str, str]]:
    """A command and an environment in which another copy of the package is imported, with the built core.

    Without the site module the hook of an editable installation does not lead back to the repository.
    """
    built = Path(str(import_module("flexframe._core.processor").__file__)).parent
    for path in (*built.glob("*.so"), *built.glob("*.pyd")):
        if not (package / "_core" / path.name).exists():
            (package / "_core" / path.name).symlink_to(path)
    paths = os.pathsep.join([str(package.parent), sysconfig.get_path("purelib")])
    return [sys.executable, "-S"], {**os.environ, "PYTHONPATH": paths, "MPLBACKEND": "agg"}


def code_blocks(text: str, language: str) -> Iterator[str]:
    """Contents of the fenced blocks of one language, in order."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match.group(1)
