"""Measure the source tree: its size, its imports, what is written twice, and what an extension costs.

`python -m tools.house` prints a Markdown table; CONTRIBUTING.md shows it under "The house by numbers". With
`--trace` a flexible slider-crank runs for a few steps and the source files that it passes are counted (slow).

Edits for an extension are counted in the pages `docs/how-to/add-*.md`, which the tests execute: each file that the
page creates or edits has a line `<!-- edit: PATH -->`, or `<!-- edit for a THING: PATH -->` where the page adds a
second thing. A page without such a line is shown as "not marked".
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "flexframe"
SHARED_LINES = 12  # a pair of places that share more lines than this is counted
PRIVATE = re.compile(r"^\s*(?:from|import) (?!flexframe\b|\.)[\w.]*\._\w+", re.M)
COMBINED = re.compile(r"Part\(\s*\"coriolis\"")  # the Coriolis term enters the equations
DEEP = re.compile(r"from flexframe\.[a-z_]+\.[a-z_]+")
INSIDE = re.compile(r"^\s*(?:from flexframe[. ]|import flexframe\b)", re.M)
PARTICIPLE = re.compile(
    r"(?!(?:sp|n|s|f|emb)eed$|embed$|indeed$|speed$)[a-z]+ed|made|built|kept|held|found|bound|drawn|shown|known|given|"
    r"taken|written|chosen|driven|broken|grown|seen|sent|left|bent|swept|shaken|split|spread|cut|put"
)
EDIT = re.compile(r"<!-- edit(?: for (an? [a-z ]+))?: (\S+) -->")


def project_files(*patterns: str) -> list[Path]:
    """Files that git knows."""
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, check=True, text=True)
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def percentile(values: list[int], part: float) -> int:
    """The value that a part of the sorted values does not exceed."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def code_lines(path: Path) -> list[tuple[int, str]]:
    """Numbers and normalised text of lines of code, without docstrings, comments, imports and lone brackets."""
    source = text_of(path)
    apart: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
                apart.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = []
    for number, line in enumerate(source.splitlines(), 1):
        text = " ".join(line.split())
        if number not in apart and len(text) > 3 and not text.startswith("#"):
            lines.append((number, text))
    return lines


def shared_places(paths: list[Path], length: int = SHARED_LINES + 1) -> list[tuple[Path, int, Path, int]]:
    """Pairs of places whose next `length` lines are the same; a longer run counts once."""
    seen: dict[int, list[tuple[Path, int, int]]] = defaultdict(list)
    for path in paths:
        lines = code_lines(path)
        for start in range(len(lines) - length + 1):
            window = tuple(text for _, text in lines[start : start + length])
            seen[hash(window)].append((path, start, lines[start][0]))
    pairs: list[tuple[Path, int, Path, int]] = []
    runs: set[tuple[Path, Path, int]] = set()
    for places in seen.values():
        for i, (first, a, line_a) in enumerate(places):
            for second, b, line_b in places[i + 1 :]:
                if first == second and abs(a - b) < length:
                    continue
                if (first, second, a - b) not in runs:
                    pairs.append((first, line_a, second, line_b))
                runs.add((first, second, a - b))
    return pairs


def traced_files() -> int:
    """Source files in which a function runs when the flexible slider-crank is computed for a short time."""
    from flexframe.cases.case import load_case
    from flexframe.cases.run import run_case

    passed: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            passed.add(frame.f_code.co_filename)

    case = ROOT / "examples" / "slider_crank_flexible.yaml"
    name = next(name for name, entry in load_case(case).analyses.items() if entry.kind == "transient")
    sys.setprofile(note)
    try:
        run_case(load_case(case, [f"analyses.{name}.duration=1 ms"]))
    finally:
        sys.setprofile(None)
    return len({file for file in passed if Path(file).is_relative_to(SOURCES)})


def edits() -> Iterator[tuple[str, str]]:
    """How many files each page about an extension creates or edits."""
    for page in sorted((ROOT / "docs" / "how-to").glob("add-*.md")):
        text = text_of(page)
        included = re.search(r"```\{include\} (\S+)", text)
        if included:
            text += text_of((page.parent / included.group(1)).resolve())
        usual = page.stem.removeprefix("add-").replace("-", " ")
        files: dict[str, set[str]] = {usual: set()}
        for thing, name in EDIT.findall(text):
            files.setdefault(thing or usual, set()).add(name)
        for thing, names in files.items():
            yield f"add {thing}", str(len(names)) if names else "not marked"


def public_names() -> tuple[int, int]:
    """How many names and modules the stub of the package lists."""
    lines = text_of(SOURCES / "__init__.pyi").splitlines()
    modules = sum(line.startswith("from flexframe import ") for line in lines)
    return sum(line.startswith("from ") for line in lines) - modules, modules


def function_names(texts: dict[Path, str]) -> tuple[int, int]:
    """How many functions and methods there are, properties apart, and how many have a participle as their name."""
    names = []
    for text in texts.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                decorators = " ".join(map(ast.unparse, node.decorator_list))
                names += [] if "property" in decorators else [node.name.strip("_")]
    return len(names), sum(bool(PARTICIPLE.fullmatch(name)) for name in names)


def rows(*, trace: bool) -> Iterator[tuple[str, str]]:
    """What is measured, and its value."""
    sources = project_files("src/*.py")
    texts = {path: text_of(path) for path in sources}
    lengths = [len(text.splitlines()) for text in texts.values()]
    yield "source files; lines", f"{len(sources)}; {sum(lengths):,}"
    yield (
        "lines a file: median / p90 / largest",
        f"{percentile(lengths, 0.5)} / {percentile(lengths, 0.9)} / {max(lengths)}",
    )
    yield "imports inside the package", f"{sum(len(INSIDE.findall(text)) for text in texts.values()):,}"
    pages = project_files("README.md", "docs/*.md", "docs/*.ipynb", "examples/*")
    readable = [page for page in pages if page.suffix in {".md", ".ipynb", ".yaml", ".py"}]
    extending = [page for page in readable if page.match("how-to/add-*.md")]
    deep = {page: len(DEEP.findall(text_of(page))) for page in readable}
    within = sum(deep[page] for page in extending)
    yield (
        "deep imports in docs and examples (in source files shown by the pages about extensions)",
        f"{sum(deep.values()) - within} ({within})",
    )
    said = [page for page in (*sources, *readable) if "docs/theory/papers" not in page.as_posix()]
    yield (
        '"liaison" outside the pages about the papers',
        str(sum(text_of(p).lower().count("liaison") for p in said)),
    )
    yield (
        "source files that use private parts of dependencies",
        str(sum(bool(PRIVATE.search(text)) for text in texts.values())),
    )
    yield f"pairs of places that share more than {SHARED_LINES} lines", str(len(shared_places(sources)))
    combined = sum(len(COMBINED.findall(text)) for text in texts.values())
    yield "places where the linear equations are combined", str(combined)
    names, modules = public_names()
    yield "names at the top of the package; public modules", f"{names}; {modules}"
    functions, participles = function_names(texts)
    yield "functions; those named by a participle", f"{functions:,}; {participles}"
    if trace:
        yield "files that a flexible slider-crank passes", str(traced_files())
    for extension, count in edits():
        yield f"files to create or edit: {extension}", count


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trace", action="store_true", help="count the files that a flexible slider-crank passes")
    parser.add_argument(
        "--pairs", action="store_true", help="list the places that share lines, instead of the table"
    )
    options = parser.parse_args()
    if options.pairs:
        for first, a, second, b in shared_places(project_files("src/*.py")):
            print(f"{first.relative_to(ROOT)}:{a}  {second.relative_to(ROOT)}:{b}")
        return
    print("| measure | value |\n|---|---|")
    for name, value in rows(trace=options.trace):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
