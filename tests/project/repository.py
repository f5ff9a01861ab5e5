"""The files of the project, as a fresh clone would have them."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def project_files() -> list[Path]:
    """Files that belong to the project: known to git, or new and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return sorted(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def code_blocks(text: str, language: str) -> Iterator[str]:
    """Contents of the fenced blocks of one language, in order."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match.group(1)
