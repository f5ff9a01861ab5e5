"""Below the analyses nothing prints or plots; files are opened to exchange parts, read units and keep results."""

import ast
from pathlib import Path

import flexframe

PACKAGE = Path(flexframe.__file__).parent
TALKING = {"cli.py", "commands", "studio", "reports", "sweeps", "verification", "cases", "analyses"}
WITH_FILES = {"files.py", "fmi.py", "exchange", "results", "entries"}
TALKING_LIBRARIES = {"matplotlib", "rich", "typer", "click", "dask", "distributed"}
FILE_CALLS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "loadtxt", "savetxt", "savez"}
# how much memory is free, and the text of the package itself: no files of a user
SYSTEM_QUERIES = {("solver_settings.py", "read_text"), ("lazy.py", "read_text")}


def _called_names(path: Path) -> list[tuple[int, str]]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            names.append((node.lineno, name))
    return names


def _imported_libraries(path: Path) -> list[tuple[int, str]]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [(node.lineno, alias.name.split(".")[0]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append((node.lineno, node.module.split(".")[0]))
    return names


def test_no_printing_and_no_files_below_the_analyses() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        layer = path.relative_to(PACKAGE).parts[0]
        if layer in TALKING:
            continue
        forbidden = {"print"} if layer in WITH_FILES else {"print"} | FILE_CALLS
        found += [
            f"{path.relative_to(PACKAGE)}:{line}: {name}"
            for line, name in _called_names(path)
            if name in forbidden and (path.name, name) not in SYSTEM_QUERIES
        ]
    assert found == []


def test_files_that_are_named_in_cases_and_meshes_are_opened_by_one_function() -> None:
    """`Folder.open` takes a root; functions that read a path by themselves do not."""
    readers = {"read_text", "read_bytes", "loadtxt", "genfromtxt", "fromfile"}
    found = []
    for layer in ("exchange", "cases", "entries"):
        for path in sorted((PACKAGE / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                called = node.func
                builtin = isinstance(called, ast.Name) and called.id == "open"
                if builtin or (isinstance(called, ast.Attribute) and called.attr in readers):
                    found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert found == []
