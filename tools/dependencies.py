"""Write what flexframe depends on, as installed: the lock of tested versions and the list of licences.

    python -m tools.dependencies [--lowest]

`requirements/EXTRA.lock` pins every package that an extra needs (core.lock: none); `pip install -c FILE` uses it.
docs/reference/licences.md lists the same packages with their licences. With `--lowest` only `lowest.lock` is
written: every declared dependency at its lower bound, which `make test-lowest` tests; `uv` finds the versions.
"""

import argparse
import re
import shutil
import subprocess
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
PAGE = ROOT / "docs" / "reference" / "licences.md"
EXTRAS = ("core", "build", "fast", "studio", "cad", "cluster", "amg", "fmi", "test", "docs", "bench")
LOWEST_EXTRAS = ("fast", "cluster", "test")
HEAD = """# Dependencies and their licences

Written by `python -m tools.dependencies` from the packages that the tests ran with. flexframe itself is under the
BSD 3-Clause licence; none of the packages that it needs to run is under the GPL. A wheel contains parts of Eigen
and nanobind in the compiled core; their licences are in the wheel and in `core/licences`. Eigen's own files, which
cmeel-eigen brings, are under the MPL 2.0; the table has what that package states.

"""
ROLES = {
    "core": "Needed to run",
    "build": "Needed to build",
    "fast": "Extra `fast`",
    "studio": "Extra `studio`",
    "cad": "Extra `cad`",
    "cluster": "Extra `cluster`",
    "amg": "Extra `amg`",
    "fmi": "Extra `fmi`",
    "test": "Extra `test`",
    "docs": "Extra `docs`",
    "bench": "Extra `bench`",
}


def needed(extra: str) -> dict[str, Distribution]:
    """Every package that flexframe with an extra brings, itself left out, by canonical name."""
    found: dict[str, Distribution] = {}
    waiting = [("flexframe", frozenset({"" if extra == "core" else extra}))]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = distribution(name)
        except PackageNotFoundError as missing:
            raise SystemExit(f"{name} is not installed; run: pip install '.[{extra}]'") from missing
        if name != "flexframe":
            found[canonicalize_name(name)] = package
        for line in package.requires or ():
            requirement = Requirement(line)
            if _applies(requirement, extras):
                waiting.append((canonicalize_name(requirement.name), frozenset(requirement.extras) | {""}))
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    if requirement.marker is None:
        return True
    environment = default_environment()
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in extras)


def licence(package: Distribution) -> str:
    """The licence expression, else the classifiers, else the first line of the licence field."""
    data = package.metadata
    if "License-Expression" in data:
        return data["License-Expression"]
    classified = [c.split(" :: ")[-1] for c in data.get_all("Classifier") or () if c.startswith("License ::")]
    classified = [c for c in classified if c != "OSI Approved"]
    if classified:
        return ", ".join(classified)
    text = data["License"].strip().splitlines() if "License" in data else []
    return text[0][:60] if text else "not stated by the package"


def lock_text(extra: str) -> str:
    """Lines name==version."""
    head = f"# The versions that flexframe was tested with ({ROLES[extra].lower()}); made by tools.dependencies\n"
    return head + "".join(f"{name}=={p.version}\n" for name, p in sorted(needed(extra).items()))


def licence_page() -> str:
    """A table for each extra, with only what the core does not bring."""
    parts, listed = [HEAD], set[str]()
    for extra in EXTRAS:
        packages = {name: p for name, p in sorted(needed(extra).items()) if name not in listed}
        listed |= set(packages)
        rows = "".join(f"| {name} | {p.version} | {_cell(licence(p))} |\n" for name, p in packages.items())
        parts.append(f"## {ROLES[extra]}\n\n| package | tested version | licence |\n|---|---|---|\n{rows}\n")
    return "".join(parts).rstrip("\n") + "\n"


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "/")


def lowest_text() -> str:
    """Lines name==version of the lowest versions that fit together and that pyproject.toml allows."""
    uv = shutil.which("uv")
    if uv is None:
        raise SystemExit("uv is not installed; run: pip install uv")
    extras = [part for extra in LOWEST_EXTRAS for part in ("--extra", extra)]
    options = [
        "--resolution",
        "lowest-direct",
        "--python-version",
        "3.11",
        "--no-header",
        "--no-annotate",
        "--quiet",
    ]
    command = [uv, "pip", "compile", *options, *extras, "pyproject.toml"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return f"# The lowest versions that pyproject.toml allows; made by tools.dependencies --lowest\n{found}"


def main() -> None:
    """Write all files, or only that of the lowest versions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lowest", action="store_true", help="write requirements/lowest.lock only")
    LOCKS.mkdir(exist_ok=True)
    if parser.parse_args().lowest:
        (LOCKS / "lowest.lock").write_text(lowest_text(), encoding="utf-8")
        print("wrote lowest.lock")
        return
    for extra in EXTRAS:
        (LOCKS / f"{extra}.lock").write_text(lock_text(extra), encoding="utf-8")
    PAGE.write_text(licence_page(), encoding="utf-8")
    print(f"wrote {len(EXTRAS)} lock files and {PAGE.name}")


if __name__ == "__main__":
    main()
