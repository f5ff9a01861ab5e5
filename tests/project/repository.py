"""The files of the project, as a fresh clone would have them."""

import os
import re
import shutil
import subprocess
import sys
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
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    paths = os.pathsep.join([str(package.parent), *installed])
    return [sys.executable, "-S"], {**os.environ, "PYTHONPATH": paths, "MPLBACKEND": "agg"}


def shown_files(page: Path, language: str) -> list[tuple[str, str]]:
    """Paths and contents of what a page shows with a caption, in order."""
    pattern = rf"^```{{code-block}} {language}\n:caption: (\S+)\n(.*?)^```$"
    return re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def edited_sources(page: Path, folder: Path) -> None:
    """A copy of the sources in a folder, with the files that a page shows and the lines that it changes."""
    shutil.copytree(ROOT / "src", folder / "src")
    for name, text in shown_files(page, "python"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, lines in shown_files(page, "diff"):
        old, new = ("".join(line[1:] for line in lines.splitlines(True) if line[0] == sign) for sign in "-+")
        source = (folder / name).read_text(encoding="utf-8")
        assert source.count(old) == 1, old
        (folder / name).write_text(source.replace(old, new), encoding="utf-8")


def code_blocks(text: str, language: str) -> Iterator[str]:
    """Contents of the fenced blocks of one language, in order."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match.group(1)
