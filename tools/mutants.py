"""Damage every example in every way we can think of, and see that flexframe answers kindly.

    python -m tools.mutants [--count 5000] [--seed 1] [--keep DIR] [--names]

Each mutant is an example (with its meshes and recordings) in which one or two things are broken. It is given to
`flexframe check`, and a part of the cheap ones to `flexframe run`, in a process of its own with bounds on time and
memory. A mutant fails when the exit code is not 0, 2 or 3, a traceback, an internal error or a library's warning
is printed, a bound is exceeded, a line of an error of input does not name the file, the line and the field, a
control character reaches the terminal, or something is written outside the folder. Failing mutants are kept with
their output. With `--names` names are damaged instead of values: keys, names of bodies and other things, of files,
and of the case file itself.

What a line of an error must say, and what is accepted instead:

- `CASE.yaml:LINE: FIELD: …`, the field beginning with a key of the case and the line being one of the file.
- No field where there is none to name: the case is empty, is no mapping, or is damaged before its first key.
- No line where the case itself cannot be read (a folder, a device, too large).
- A mesh or recording that is wrong is told at the field that names it; the message goes on with its name and the
  line in it (`NAME:LINE`). No line of it is asked for where the fault belongs to none: the file cannot be read, is
  not text or is of a format that another library reads (VTK), something is not in it at all, or all samples of a
  recording are meant. What is wrong with cells that were read is told by node, cell or set, without a file.
"""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from flexframe.cases.document import CaseDocument
from flexframe.cases.examples import example_paths, examples_folder
from flexframe.entries.problems import shown_path
from flexframe.exchange.meshes import read_mesh, write_mesh

SECONDS = 20  # of processor time that a mutant may take
WAITING = 900  # seconds by the clock after which it hangs, on a machine that also does other things
MEMORY = 2 << 30  # bytes it may hold
CHEAP = ("rectangle_element", "triangle_element", "slider_crank", "rolling_disc", "four_bar", "wind_pump")
REPORTED_EVERY = 500  # mutants
RUN_SHARE = 0.5  # of the mutants of cheap examples that are run and not only checked

HOSTILE = (
    *(
        "nan",
        ".nan",
        ".inf",
        "-.inf",
        "0",
        "-1",
        "-0.0",
        "1e308",
        "-1e308",
        "1e-308",
        "1e400",
        "1000000000",
        "0.5",
    ),
    *(
        "text",
        '""',
        "true",
        "null",
        "~",
        "[]",
        "{}",
        "[1, 2, 3, 4, 5]",
        "[[1], [2]]",
        "{a: 1}",
        "2020-01-01",
        "012",
    ),
    *("1 kg", "-3 mm", "5 parsec", "1 m/s/s/s", "10 %", "3 GPa GPa", "1e3 e3", "0x41", "1_000", "= 1", "'0'", "½"),
    *(
        "2**99999",
        "t/0",
        "sin(",
        "exp(exp(exp(t)))",
        "((((((((t))))))))",
        "__import__('os')",
        "t" * 5000,
        "9" * 400,
    ),
    *(
        "*nothing",
        "&again 1",
        "!!python/object/apply:os.getcwd []",
        "!!binary aaaa",
        '"\\u0000"',
        "ü∂ƒ©˙",
        "|",
        ">",
    ),
    *("start", "end", "ground", "ground.A", "nothing.A", "a.b.c.d", "all", "../../../etc/passwd", "/dev/zero"),
)
ODD_NAMES = (
    *(
        "__class__",
        "__init__",
        "__proto__",
        "__builtins__",
        "model_fields",
        "model_config",
        "self",
        "None",
        "True",
    ),
    *(
        "title",
        "description",
        "ground",
        "kind",
        "body",
        "file",
        "samples",
        "start",
        "end",
        "all",
        "t",
        "pi",
        "e",
        "exp",
    ),
    *(
        "con",
        "NUL",
        "aux.txt",
        "a.b",
        "a.b.c",
        "ground.A",
        "a[0]",
        "[0]",
        "-",
        "--help",
        "-1",
        "0",
        "1e5",
        "0x10",
        "~",
    ),
    *("null", "true", "yes", ".nan", ".inf", "", " ", "  a", "a  ", "a b", "a-b", "_", "__", "_a", "a_", "a" * 60),
    *(
        "a" * 61,
        "a" * 5000,
        "ü" * 60,
        "界" * 60,
        "😀" * 60,
        "ﬁ",
        "А",
        "á",
        "a\u0301",
        "İ",
        "ß",
        "٣",
        "½",
        "\u202eabc",
    ),
    *(
        "\ufeffa",
        "a\u200bb",
        "\u2028",
        "a\nb",
        "a\tb",
        "a\rb",
        "\x00",
        "a\x00b",
        "\x07",
        "\x1b[31mred",
        "\x9b31m",
        "\x7f",
    ),
    *(
        "..",
        ".",
        "../x",
        "../../x",
        "a/b",
        "/x",
        "/etc/passwd",
        "a\\b",
        "C:\\x",
        "\\\\host\\x",
        "~root",
        "$HOME",
        "%s%s%n",
    ),
    *(
        "{0}",
        "{self}",
        "[red]a[/red]",
        "<b>a</b>",
        "<script>",
        "';--",
        "$(id)",
        "`id`",
        "|",
        "a|b",
        "a;b",
        "a*",
        "a?",
        "#a",
    ),
    *("a:b", "a: b", "&a", "*a", "!a", "<<", "=", "\ud800"),
)
ODD_FILES = (
    *(
        "/etc/passwd",
        "/dev/zero",
        "/dev/stdin",
        "/dev/tty",
        "/proc/self/mem",
        "/proc/self/environ",
        "/",
        "//",
        "/x",
    ),
    *("..", ".", "../x.csv", "../../../etc/passwd", "a/../../x.csv", "./", "", " ", "~", "~/x.csv", "$HOME/x.csv"),
    *(
        "C:\\x.csv",
        "\\\\host\\x.csv",
        "..\\x.csv",
        "con",
        "NUL.csv",
        "a\x00.csv",
        "a\nb.csv",
        "\x1b[31m.csv",
        "\u202e.csv",
    ),
    *(
        "a" * 5000 + ".csv",
        "界" * 250,
        "http://localhost/x.csv",
        "file:///etc/passwd",
        "|id",
        "x.csv;id",
        "-",
        "--help",
    ),
    *(
        "{0}.csv",
        "[red]x[/red].csv",
        "%s.csv",
        "*.csv",
        "?.inp",
        "__class__",
        "x.py",
        "x.npz",
        "x.h5",
        "x.xdmf",
        "x",
    ),
)
PLAIN_FILES = (
    "ü.{}",
    "a b.{}",
    "界.{}",
    "[red]x.{}",
    "%s.{}",
    "-x.{}",
    "{{0}}.{}",
    "a" * 200 + ".{}",
    "..a.{}",
    "x.y.{}",
)
"""Names that a file may have."""

PHYSICAL = {
    "density": ("0", "-7800", "1e-300", "1e300"),
    "poisson": ("0.5", "0.7", "-1", "-2"),
    "young": ("0", "-200 GPa", "1e-200"),
    "divisions": ("0", "-3", "1000000000", "2.5", "[1000000, 1000000]"),
    "samples": ("0", "1", "-5", "1000000000000"),
    "steps": ("0", "-5", "1000000000000"),
    "duration": ("0", "-1", "1e12", "1e-300"),
    "count": ("0", "-2", "100000000"),
    "width": ("0", "-1 mm", "1e-30"),
    "height": ("0", "-1 mm", "1e30"),
    "thickness": ("0", "-1 mm"),
    "mass": ("0", "-1 kg", "1e-300"),
    "inertia": ("0", "-1", "[1, 1, 3]"),
    "area": ("0", "-1e-4", "-1 mm^2", "1e-300"),
    "inertia_y": ("0", "-1e-10", "1e300"),
    "inertia_z": ("0", "-1e-10", "1e300"),
    "torsion_constant": ("0", "-1e-10"),
    "length": ("0", "-1", "1e-300", "1e300"),
    "radius": ("0", "-1 mm", "1e200"),
    "outer_radius": ("0", "-1 mm", "1e-9"),
    "inner_radius": ("0", "-1 mm", "1e9"),
    "diameter": ("0", "-1 mm"),
    "stiffness": ("-1", "1e300", "[nan, 0, 0]"),
    "damping": ("-1", "{mass: -1}", "{ratio: 2}", "1e300"),
    "speeds": ("[]", "[1, .nan]", "[5, 1]", "-1"),
    "tolerance": ("0", "-1", "1e-300"),
    "period": ("0", "-1", "1e-300"),
    "step": ("0", "-1", "1e-300", "1e12"),
}
SETS = (
    "hold",
    "fix",
    "on",
    "mean",
    "rigid",
    "reference",
    "tie",
    "slide",
    "cells",
    "interfaces",
    "clamp",
    "body",
    "start",
)
SCALAR = re.compile(r"(?<=[:\[,] )[^\s,\[\]{}#][^,\[\]{}#\n]*")
FIELD = re.compile(r"(\w+):(?= )")
KEY = re.compile(r"^[ \t{?-]*([^\s:#{\[][^:\n]*):(?=\s|$)", re.MULTILINE)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What may change a terminal, or the order in which a line is read."""

UNKIND = {
    "traceback": "Traceback",
    "internal error": "internal error",
    "a warning of a library": r"^\S+:\d+: \w*Warning: ",
}
WITHOUT_LINE = ("this is a folder", "cannot be read", "the file is larger", "there is no such file")
WITHOUT_FIELD = ("the case is empty", "the case is not a mapping")
NO_TEXT = ("is not allowed in YAML", "this is not UTF-8 text", "a second ': ' stands on the line")
WITHOUT_LINE_OF_MESH = (
    *("there is no", "cannot be read", "is not text", "is not a gmsh file", "files ending in"),  # not read at all
    *("is not a whole", "is not a VTK file", "has no points or no cells"),  # read by another library
    *("is it cut off?", "is empty", "but no samples", "has no elements"),  # something is not there
    *("too few to smooth", "does not fit a record", "on one phase"),  # about all samples
)

Mutation = Callable[[str, random.Random], str]


def _replaced(text: str, start: int, end: int, value: str) -> str:
    return text[:start] + value + text[end:]


def _after_description(text: str) -> int:
    """Where the fields of a case begin: its prose is not worth damaging."""
    prose = re.search(r"^description: \|\n(?:[ ]+.*\n|\n)*", text, re.MULTILINE)
    return prose.end() if prose else 0


def hostile_value(text: str, chance: random.Random) -> str:
    """Some value is replaced by one that has no business there."""
    found = list(SCALAR.finditer(text, _after_description(text)))
    if not found:
        return junk(text, chance)
    chosen = chance.choice(found)
    return _replaced(text, chosen.start(), chosen.end(), chance.choice(HOSTILE))


def unphysical_value(text: str, chance: random.Random) -> str:
    """A quantity gets a value that no body has."""
    found = [m for m in re.finditer(r"(\w+): ([^,{}\[\]\n#]+|\[[^\]]*\])", text) if m.group(1) in PHYSICAL]
    if not found:
        return hostile_value(text, chance)
    chosen = chance.choice(found)
    return _replaced(text, chosen.start(2), chosen.end(2), chance.choice(PHYSICAL[chosen.group(1)]))


def renamed_field(text: str, chance: random.Random) -> str:
    """A key is misspelt."""
    found = list(FIELD.finditer(text))
    if not found:
        return junk(text, chance)
    chosen = chance.choice(found)
    return _replaced(text, chosen.start(1), chosen.end(1), chance.choice((chosen.group(1)[::-1], "x", "?", "[1]")))


def lines_changed(text: str, chance: random.Random) -> str:
    """A line is dropped, doubled, moved or indented differently."""
    lines = text.splitlines(keepends=True)
    i = chance.randrange(len(lines))
    kind = chance.randrange(5)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(i, lines[i])
    elif kind == 2:
        lines.insert(chance.randrange(len(lines)), lines.pop(i))
    elif kind == 3:
        lines[i] = " " * chance.randrange(1, 9) + lines[i]
    else:
        lines[i] = lines[i].lstrip(" ")
    return "".join(lines)


def names_confused(text: str, chance: random.Random) -> str:
    """A word of the file stands where another was: references to the wrong thing, and to themselves."""
    words = list(re.compile(r"[A-Za-z_][\w.]*").finditer(text, _after_description(text)))
    if not words:
        return junk(text, chance)
    one, other = chance.choice(words), chance.choice(words)
    return _replaced(text, one.start(), one.end(), other.group())


def quoted(name: str) -> str:
    """A name between quotes, as YAML has it."""
    text = "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in name)
    return f'"{text}"'


def odd_name(text: str, chance: random.Random) -> str:
    """A thing is called by an odd name where it is defined, and half of the time where it is referred to."""
    found = list(re.compile(r"^ {2}(\w+):(?=\s)", re.MULTILINE).finditer(text, _after_description(text)))
    if not found:
        return odd_key(text, chance)
    chosen = chance.choice(found)
    name = chance.choice(ODD_NAMES)
    if chance.random() < 0.5:
        return _replaced(text, chosen.start(1), chosen.end(1), quoted(name))
    if not re.fullmatch(r"[^\W\d][\w-]*", name):
        name = quoted(name)
    start = _after_description(text)
    return text[:start] + re.sub(rf"\b{re.escape(chosen[1])}\b", lambda _: name, text[start:])


def odd_key(text: str, chance: random.Random) -> str:
    """A key of any depth is an odd name."""
    found = list(FIELD.finditer(text))
    if not found:
        return junk(text, chance)
    chosen = chance.choice(found)
    return _replaced(text, chosen.start(1), chosen.end(1), quoted(chance.choice(ODD_NAMES)))


def odd_reference(text: str, chance: random.Random) -> str:
    """A word refers to something with an odd name."""
    found = list(SCALAR.finditer(text, _after_description(text)))
    if not found:
        return junk(text, chance)
    chosen = chance.choice(found)
    return _replaced(text, chosen.start(), chosen.end(), quoted(chance.choice(ODD_NAMES)))


def odd_file(text: str, chance: random.Random) -> str:
    """The name of a mesh or recording is odd, or a mesh is one of an odd file."""
    found = list(re.finditer(r"(?:file|samples): ([\w./-]+\.\w+)", text))
    if found:
        chosen = chance.choice(found)
        return _replaced(text, chosen.start(1), chosen.end(1), quoted(chance.choice(ODD_FILES)))
    meshes = list(re.finditer(r"mesh: (\{.*\})$", text, re.MULTILINE))
    if not meshes:
        return odd_name(text, chance)
    chosen = chance.choice(meshes)
    return _replaced(text, chosen.start(1), chosen.end(1), f"{{file: {quoted(chance.choice(ODD_FILES))}}}")


def field_lost(text: str, chance: random.Random) -> str:
    """A field of a mapping in braces goes, or stands there twice."""
    found = list(re.finditer(r"(?<=[{ ])(\w+: [^,{}\[\]\n#]+)(, )?(?=[^\n]*\})", text))
    if not found:
        return lines_changed(text, chance)
    chosen = chance.choice(found)
    again = f"{chosen.group(1)}, {chosen.group(1)}{chosen.group(2) or ''}"
    return _replaced(text, chosen.start(), chosen.end(), chance.choice(("", again)))


def unknown_set(text: str, chance: random.Random) -> str:
    """A set, point or body that is not there is named."""
    found = [m for m in re.finditer(r"(\w+): ([^,{}\[\]\n#]+|\[[^\]]*\])", text) if m.group(1) in SETS]
    if not found:
        return names_confused(text, chance)
    chosen = chance.choice(found)
    name = chosen.group(2).strip()
    return _replaced(
        text, chosen.start(2), chosen.end(2), chance.choice((name[:-1], f"{name}x", "nowhere", "a.b", "[]"))
    )


def wrong_unit(text: str, chance: random.Random) -> str:
    """A quantity in a unit of another kind, or of none."""
    found = list(re.finditer(r"(?<=\d) ?(kg/m\^3|GPa|MPa|kN|mm\^?\d?|kg|rad/s|Hz|deg|rpm|[mNsg]\b)", text))
    if not found:
        return hostile_value(text, chance)
    chosen = chance.choice(found)
    wrong = chance.choice(("kg", "m", "K", "s", "GPa", "mm mm", "bananas", "m^^2", "1/0", "°", "m^99999"))
    return _replaced(text, chosen.start(1), chosen.end(1), wrong)


def wrong_sign(text: str, chance: random.Random) -> str:
    """A number with the other sign."""
    found = list(re.compile(r"(?<=[:\[,] )-?\d[\d.]*(?:e-?\d+)?").finditer(text, _after_description(text)))
    if not found:
        return junk(text, chance)
    chosen = chance.choice(found)
    value = chosen.group()
    return _replaced(text, chosen.start(), chosen.end(), value[1:] if value.startswith("-") else f"-{value}")


def cycle(text: str, chance: random.Random) -> str:
    """Something that refers to itself: an anchor in its own value, a body that starts at its own end."""
    kind = chance.randrange(3)
    if kind == 0:
        return f"round: &round [*round]\n{text}"
    if kind == 1:
        found = list(re.finditer(r"^( *)(\w[\w ]*):\n", text, re.MULTILINE))
        if found:
            chosen = chance.choice(found)
            inside = f"{chosen.group(1)}{chosen.group(2)}: &round\n{chosen.group(1)}  round: *round\n"
            return _replaced(text, chosen.start(), chosen.end(), inside)
    pairs = list(re.finditer(r"\[(\w+\.\w+), (\w+\.\w+)\]", text))
    if not pairs:
        return names_confused(text, chance)
    chosen = chance.choice(pairs)
    return _replaced(text, chosen.start(2), chosen.end(2), chosen.group(1))


def truncated(text: str, chance: random.Random) -> str:
    """The file ends too early."""
    return text[: chance.randrange(len(text))]


def junk(text: str, chance: random.Random) -> str:
    """Bytes that are no text."""
    i = chance.randrange(len(text))
    return (
        text[:i] + "".join(chr(chance.choice((0, 1, 7, 27, 127, 0xFFFE, 0xDC80, 9))) for _ in range(8)) + text[i:]
    )


def bomb(text: str, chance: random.Random) -> str:
    """Aliases of aliases of aliases."""
    depth = chance.choice((5, 9, 30))
    lines = ['a0: &a0 ["lol", "lol"]']
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, depth)]
    return "\n".join(lines) + "\n" + text


def deep(text: str, chance: random.Random) -> str:
    """Nested far deeper than any case."""
    depth = chance.choice((50, 1000, 100000))
    left, right = chance.choice((("[", "]"), ("{a: ", "}")))
    return f"deep: {left * depth}{right * depth}\n{text}"


def mesh_damaged(text: str, chance: random.Random) -> str:
    """Numbers of a mesh or recording changed, lines lost, nodes of a cell exchanged."""
    lines = text.splitlines(keepends=True)
    i = chance.randrange(len(lines))
    kind = chance.randrange(5)
    parts = lines[i].rstrip("\n").split(",")
    if kind == 0 and len(parts) > 2:
        parts[1], parts[2] = parts[2], parts[1]
        lines[i] = ",".join(parts) + "\n"
    elif kind == 1:
        parts[chance.randrange(len(parts))] = chance.choice((*HOSTILE[:12], "99999999", "-5"))
        lines[i] = ",".join(parts) + "\n"
    elif kind == 2:
        del lines[i : i + chance.randrange(1, 50)]
    elif kind == 3:
        lines = lines[:i]
    else:
        foreign = (
            "*ELEMENT, TYPE=C3D99\n",
            "*NODE\n",
            "\x00\x01\n",
            "*END PART\n",
            ",,,\n",
            "*INCLUDE, INPUT=x\n",
        )
        lines.insert(i, chance.choice((*foreign, "*INCLUDE, INPUT=conrod.inp\n", "$Nodes\n", "$EndElements\n")))
    return "".join(lines)


def bytes_damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes of a mesh of any format changed, lost or added."""
    i = chance.randrange(len(data))
    kind = chance.randrange(4)
    if kind == 0:
        return data[:i]
    if kind == 1:
        return data[:i] + bytes(chance.randrange(256) for _ in range(chance.randrange(1, 9))) + data[i + 4 :]
    if kind == 2:
        return data[:i] + data[i + chance.randrange(1, 2000) :]
    return data[:i] + chance.choice((b"nan", b"-1", b"1e308", b"99999999", b"\0", b"0")) + data[i + 1 :]


CASE_MUTATIONS: tuple[Mutation, ...] = (
    *(hostile_value,) * 6,
    *(unphysical_value,) * 4,
    *(lines_changed,) * 3,
    *(names_confused,) * 3,
    *(renamed_field,) * 2,
    *(field_lost,) * 2,
    *(unknown_set,) * 2,
    *(wrong_unit,) * 2,
    *(wrong_sign,) * 2,
    cycle,
    truncated,
    junk,
    bomb,
    deep,
)


NAME_MUTATIONS: tuple[Mutation, ...] = (*(odd_name,) * 4, *(odd_key,) * 2, odd_reference, *(odd_file,) * 2)


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant; `fault` is empty where it was handled well."""

    mutant: str
    exit_code: int
    seconds: float
    fault: str
    output: str


def make(number: int, seed: int, folder: Path, *, names: bool = False) -> tuple[str, list[str]]:
    """Write a mutant into a folder; its description and the command for it."""
    mutations = NAME_MUTATIONS if names else CASE_MUTATIONS
    chance = random.Random(f"{seed}-{number}")
    examples = example_paths()
    name = chance.choice(sorted(examples))
    shutil.copytree(examples_folder(), folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.yaml"))
    text = examples[name].read_text(encoding="utf-8")
    if chance.random() < 0.5:
        text = _in_another_format(text, folder, chance)
    companions = [p for p in folder.rglob("*") if p.is_file() and p.name in text]
    done = []
    for _ in range(chance.choice((1, 1, 2))):
        if names and companions and chance.random() < 0.3:
            text = _rename_file(chance.choice(companions), text, chance)
            done.append(_rename_file.__name__)
        elif not names and companions and chance.random() < 0.4:
            damaged = chance.choice(companions)
            done.append(f"{_damage(damaged, chance)}({damaged.name})")
        else:
            mutation = chance.choice(mutations)
            text = mutation(text, chance) if text.strip() else "\x00"
            done.append(mutation.__name__)
    called = chance.choice(PLAIN_FILES).format("yaml") if names and chance.random() < 0.2 else f"{name}.yaml"
    case = folder / called
    case.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    command = "run" if name in CHEAP and chance.random() < RUN_SHARE else "check"
    arguments = [command, str(case), *(("--out", str(folder / "out")) if command == "run" else ())]
    return f"{number}: {name} {' '.join(done)} ({command})", arguments


def _rename_file(path: Path, text: str, chance: random.Random) -> str:
    """Give a mesh or recording an odd name, in its folder and in the case."""
    name = chance.choice(PLAIN_FILES).format(path.suffix[1:])
    if path.exists():  # and was not renamed before
        path.rename(path.with_name(name))
    return re.sub(rf"([\w/]*/)?{re.escape(path.name)}", lambda found: quoted(f"{found[1] or ''}{name}"), text)


def _damage(mesh: Path, chance: random.Random) -> str:
    """Damage a mesh or recording in its folder; the name of what was done."""
    data = mesh.read_bytes()
    if b"\0" in data or chance.random() < 0.3:
        mesh.write_bytes(bytes_damaged(data, chance))
        return bytes_damaged.__name__
    text = data.decode(errors="surrogateescape")
    mesh.write_text(mesh_damaged(text, chance), encoding="utf-8", errors="surrogateescape")
    return mesh_damaged.__name__


def _in_another_format(text: str, folder: Path, chance: random.Random) -> str:
    """The case with its meshes as gmsh or VTK files instead of Abaqus ones."""
    for name in set(re.findall(r"file: (\S+)\.inp", text)):
        other = f"{name}{chance.choice(('.msh', '.vtu', '.vtk'))}"
        (folder / other).write_bytes(_written(f"{name}.inp", other))
        text = text.replace(f"{name}.inp", other)
    return text


@cache
def _written(source: str, target: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(target).name
        write_mesh(read_mesh(examples_folder() / source), path)
        return path.read_bytes()


def judge(number: int, seed: int, keep: Path | None, *, names: bool = False) -> Verdict:
    """Make a mutant, give it to flexframe in a process of its own, and say how it went."""
    around = Path(tempfile.mkdtemp(prefix="mutant-"))
    folder, out = around / "case", around / "output.txt"
    folder.mkdir()
    try:
        title, arguments = make(number, seed, folder, names=names)
        child = os.fork()
        if child == 0:
            run_command(arguments, out, around / "printed.txt")
        code, seconds = await_end(child, time.monotonic() + WAITING)
        output = out.read_bytes().decode("utf-8", errors="replace") if out.exists() else ""
        fault = _fault(code, seconds, output, folder)
        if {path.name for path in around.iterdir()} > {"case", "output.txt", "printed.txt"}:
            fault = "something was written outside the folder"
        if fault and keep is not None:
            shutil.copytree(around, keep / f"mutant-{number}", dirs_exist_ok=True)
        return Verdict(title, code, seconds, fault, output)
    finally:
        shutil.rmtree(around, ignore_errors=True)


def run_command(arguments: list[str], errors: Path, printed: Path) -> NoReturn:
    """In the child: bounds, output into files, the command line as a user calls it."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["flexframe", *arguments]
    from flexframe.cli import main

    code: int | str | None = 0
    try:
        main()
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:  # what a user would see as a traceback
        import traceback

        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def await_end(child: int, until: float) -> tuple[int, float]:
    """Exit code of the child, or −signal, and its processor time; a child that hangs is killed."""
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -signal.SIGKILL, float(SECONDS)
        time.sleep(0.005)


def _fault(code: int, seconds: float, output: str, folder: Path) -> str:
    if seconds >= SECONDS:
        return f"took more than {SECONDS} s"
    for name, pattern in UNKIND.items():
        if re.search(pattern, output, re.MULTILINE):
            return name
    if CONTROL.search(output):
        return "a control character is printed"
    if code not in (0, 2, 3):
        return f"exit code {code}"
    if code == 2:
        case = next(path for path in folder.glob("*.yaml"))
        text = case.read_bytes().decode("utf-8", errors="replace")
        told = [line for line in output.splitlines() if line.strip()]
        companions = [p.name for p in folder.rglob("*") if p.is_file() and p != case and p.suffix != ".txt"]
        return next((fault for line in told if (fault := misplaced(line, case, text, companions))), "")
    return ""


def misplaced(line: str, case: Path, text: str, companions: Sequence[str]) -> str:
    """What a line of an error of input does not say of file, line and field; empty where all is said."""
    if not line.startswith(f"{case}:"):
        return "an error of input that does not begin with its file"
    rest = line[len(f"{case}:") :]
    placed = re.match(r"(\d+): ", rest)
    if not placed:
        return "" if any(reason in rest for reason in WITHOUT_LINE) else "an error of input without its line"
    if not 1 <= int(placed[1]) <= len(text.splitlines()) + 1:
        return "an error of input with a line that the file does not have"
    message = rest[placed.end() :]
    keys = {key.strip(" '\"") for key in KEY.findall(text)} | set(CaseDocument.model_fields)
    keys |= {shown_path((name,)) for name in ODD_NAMES}
    lines = int(placed[1]) - any(reason in message for reason in NO_TEXT)  # which may stand before the line's key
    above = "\n".join(text.splitlines()[:lines])
    if not any(message.startswith((f"{key}: ", f"{key}.", f"{key}[")) for key in keys if key):
        known = any(reason in message for reason in WITHOUT_FIELD) or not KEY.search(above)
        return "" if known else "an error of input without its field"
    named = [name for name in companions if name in message]
    if named and not any(re.search(rf"{re.escape(name)}:\d+: ", message) for name in named):
        accepted = any(reason in message for reason in WITHOUT_LINE_OF_MESH)
        return "" if accepted else "an error of a mesh or recording without its line"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the mutants; the exit code is 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", action="store_true", help="damage names instead of values")
    parser.add_argument("--keep", type=Path, default=None, help="folder for mutants that failed")
    given = parser.parse_args(arguments)
    import flexframe.analyses.campbell.analysis
    import flexframe.cases.run
    import flexframe.commands.check
    import flexframe.commands.run  # noqa: F401 - loaded once, before the forks

    codes: Counter[int] = Counter()
    faults: list[Verdict] = []
    slowest = 0.0
    for number in range(given.first, given.first + given.count):
        verdict = judge(number, given.seed, given.keep, names=given.names)
        codes[verdict.exit_code] += 1
        slowest = max(slowest, verdict.seconds)
        if verdict.fault:
            faults.append(verdict)
            last = verdict.output.strip().splitlines()[-1:] or [""]
            print(f"FAULT {verdict.fault}: {verdict.mutant}: {last[0][:200]}", flush=True)
        if (number + 1 - given.first) % REPORTED_EVERY == 0:
            print(f"{number + 1 - given.first} mutants, exit codes {dict(codes)}", flush=True)
    print(f"{given.count} mutants, exit codes {dict(codes)}, slowest {slowest:.1f} s, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
