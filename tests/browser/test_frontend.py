"""The parts of the page that need no browser, tested by node where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"


def test_units_of_the_page() -> None:
    node = shutil.which("node")
    if not node or not (FRONTEND / "node_modules" / "esbuild").is_dir():
        pytest.skip("node and the front end's packages are not installed; make frontend installs them")
    done = subprocess.run([node, "--test"], cwd=FRONTEND, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
