"""The text of a case: YAML 1.2 read safely into plain values that remember their lines.

The parser's events are turned into values here, so that nothing but mappings, lists and scalars can arise,
nesting and aliases are bounded, and repeated keys are found.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO
from itertools import takewhile
from math import pi
from pathlib import Path
from typing import Any

from flexframe.entries.parameters import FIELD as PARAMETERS
from flexframe.entries.problems import CaseError, Problem, shown_path
from flexframe.errors import FieldPath, InputError
from flexframe.files import ANYWHERE, MissingFileError

MAX_BYTES = 1_000_000
MAX_DEPTH = 60
MAX_VALUES = 1_000_000

Scalar = str | int | float | bool | None

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters, which YAML can write as escapes: they could change a terminal, or the order of a line."""
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}


@dataclass(eq=False)
class Node:
    """A value with its line; `size` (values) and `depth` (levels) count what it expands to through aliases."""

    line: int
    value: "Scalar | list[Node] | dict[str, Node]"
    key_lines: dict[str, int] = field(default_factory=dict)
    size: int = 1
    depth: int = 0

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def line_of(self, path: FieldPath) -> int:
        """Line of the field, or of the nearest field around it."""
        node, line = self, self.line
        for part in path:
            if isinstance(node.value, dict) and part in node.value:
                line, node = node.key_lines[str(part)], node.value[str(part)]
            elif isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                line = node.line
            else:
                break
        return line


def read_text(path: Path) -> str:
    """The text of a case file; CaseError when it is missing, too large or not text."""
    try:
        data = ANYWHERE.read(path, MAX_BYTES + 1)
    except MissingFileError:
        raise _unreadable(path, "there is no such file; give the path of a case file") from None
    except InputError as error:
        if path.is_dir():
            raise _unreadable(path, "this is a folder; give the path of a case file") from None
        raise _unreadable(path, str(error).removeprefix(f"{path}: ")) from None
    return decode_text(data, str(path))


def decode_text(data: bytes, file: str) -> str:
    """The text of a case; CaseError when it is too large or not text."""
    if len(data) > MAX_BYTES:
        raise _unreadable(
            file,
            f"the file is larger than {MAX_BYTES // 1_000_000} MB; "
            "keep large meshes and records in files of their own and name them in the case",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        field = _last_field(data[: error.start].decode("utf-8-sig"))
        message = "this is not UTF-8 text; give a case written in YAML"
        raise CaseError([Problem(file, line, field, message)]) from None


def _unreadable(file: Path | str, message: str) -> CaseError:
    return CaseError([Problem(str(file), None, (), message)])


def parse_yaml(text: str, file: str) -> Node:
    """The one document of a YAML text; CaseError with the line of what is wrong."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    builder = _Builder(file)
    try:
        builder.build(YAML(typ="safe", pure=True).parse(StringIO(text)))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise builder.error(mark.line + 1 if mark else 1, _syntax_message(error)) from None
    except YAMLError as error:
        position = getattr(error, "position", 0)
        character = getattr(error, "character", "?")
        shown = f"U+{character:04X}" if isinstance(character, int) else repr(character)
        message = f"the character {shown} is not allowed in YAML; remove it"
        line = text.count("\n", 0, position) + 1
        raise CaseError([Problem(file, line, _last_field(text[:position]), message)]) from None
    if builder.problems:
        raise CaseError(builder.problems)
    if builder.root is None:
        raise builder.error(1, "the case is empty; `flexframe examples` shows complete ones")
    return builder.root


def _last_field(text: str) -> FieldPath:
    """The field in which a text ends that cannot be read further."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    readable = _UNREADABLE.sub("", text)

    def inside(event: Any) -> bool:  # not one of the ends that the parser adds where the text stops
        return not type(event).__name__.endswith("EndEvent") or event.start_mark.index < len(readable)

    builder = _Builder("")
    with suppress(YAMLError, CaseError):  # it ends in the middle, or what stands before is wrong, too
        builder.build(takewhile(inside, YAML(typ="safe", pure=True).parse(StringIO(readable))))
    return builder.here()


def _syntax_message(error: Any) -> str:
    problem = str(error.problem or error.context or "not valid YAML")
    if "'\\t'" in problem:
        return "a tab is used for indentation; YAML wants spaces"
    if "mapping values are not allowed" in problem:
        return "a second ': ' stands on the line; put text that contains ': ' between quotes"
    context = f" {error.context}" if error.context and error.context not in problem else ""
    return f"not valid YAML: {problem}{context}; correct the syntax here or just above"


@dataclass
class _Open:
    """A mapping or list that is being read."""

    node: Node
    anchor: str | None
    key: str | None = None
    key_line: int = 0


@dataclass
class _Builder:
    """Values from the events of the parser."""

    file: str
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)
    anchors: dict[str, Node | None] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    total: int = 0

    def error(self, line: int, message: str) -> CaseError:
        """The problem as an error at the field that is being read, after those found before."""
        return CaseError([*self.problems, Problem(self.file, line, self.here(), message)])

    def here(self) -> FieldPath:
        """The field that is being read; where none is begun, the last one before."""
        if not self.stack:
            whole = self.root.value if self.root is not None else None
            return (next(reversed(whole)),) if isinstance(whole, dict) and whole else ()
        top = self.stack[-1]
        if isinstance(top.node.value, dict):
            last = top.key if top.key is not None else next(reversed(top.node.value), None)
            return self._path() if last is None else (*self._path(), last)
        return (*self._path(), len(top.node.value)) if isinstance(top.node.value, list) else self._path()

    def build(self, events: Iterator[Any]) -> None:
        """Read all events; problems that allow to read on are collected."""
        for event in events:
            line = event.start_mark.line + 1
            match type(event).__name__:
                case "ScalarEvent":
                    self._scalar(event, line)
                case "AliasEvent":
                    self._alias(event, line)
                case "MappingStartEvent":
                    self._open(event, Node(line, {}, depth=1))
                case "SequenceStartEvent":
                    self._open(event, Node(line, [], depth=1))
                case "MappingEndEvent" | "SequenceEndEvent":
                    self._close()
                case "DocumentStartEvent" if self.root is not None:
                    raise self.error(line, "a second document starts; a case file holds one")

    def _scalar(self, event: Any, line: int) -> None:
        self._refuse_tag(event, line)
        control = _CONTROL.search(event.value)
        if control is not None:
            raise self.error(line, f"the text has the control character U+{ord(control[0]):04X}; remove it")
        plain = event.style is None
        top = self.stack[-1] if self.stack else None
        if top is not None and isinstance(top.node.value, dict) and top.key is None:
            self._take_key(top, event.value, line, plain)
            return
        node = Node(line, self._resolve(event.value, line) if plain else str(event.value))
        if event.anchor is not None:
            self.anchors[str(event.anchor)] = node
        self._place(node)

    def _take_key(self, top: _Open, key: str, line: int, plain: bool) -> None:
        if plain and key == "<<":
            raise self.error(line, "merge keys (<<) are not part of YAML 1.2; repeat the fields or alias a value")
        assert isinstance(top.node.value, dict)
        if key in top.node.key_lines:
            message = f"the key is given twice, first on line {top.node.key_lines[key]}; keep one"
            self.problems.append(Problem(self.file, line, (*self._path(), key), message))
        top.key, top.key_line = key, line

    def _alias(self, event: Any, line: int) -> None:
        name = str(event.anchor)
        if name not in self.anchors:
            raise self.error(line, f"the alias *{name} has no anchor &{name} above it; define it first")
        target = self.anchors[name]
        if target is None:
            raise self.error(line, f"the alias *{name} stands inside its own anchor; a case cannot be endless")
        self._place(Node(line, target.value, target.key_lines, target.size, target.depth))

    def _open(self, event: Any, node: Node) -> None:
        self._refuse_tag(event, node.line)
        if self._key_is_due():
            raise self.error(node.line, "a mapping or list is used as a key; use a name")
        if len(self.stack) >= MAX_DEPTH:
            raise self.error(node.line, f"the nesting is deeper than {MAX_DEPTH} levels; make it flatter")
        anchor = None if event.anchor is None else str(event.anchor)
        if anchor is not None:
            self.anchors[anchor] = None
        self.stack.append(_Open(node, anchor))

    def _close(self) -> None:
        top = self.stack.pop()
        if top.anchor is not None:
            self.anchors[top.anchor] = top.node
        self._place(top.node)

    def _place(self, node: Node) -> None:
        """Put a finished value where it belongs, and count what it expands to."""
        if not self.stack:
            self.root = node
            return
        if self._key_is_due():
            raise self.error(node.line, "an alias is used as a key; use a name")
        top = self.stack[-1]
        if isinstance(top.node.value, dict):
            assert top.key is not None
            top.node.value[top.key] = node
            top.node.key_lines.setdefault(top.key, top.key_line)
            top.key = None
        else:
            assert isinstance(top.node.value, list)
            top.node.value.append(node)
        top.node.size += node.size
        top.node.depth = max(top.node.depth, node.depth + 1)
        if top.node.size > MAX_VALUES:
            raise self.error(node.line, f"aliases expand to more than {MAX_VALUES} values; write less")
        if len(self.stack) + node.depth > MAX_DEPTH:
            raise self.error(node.line, f"the nesting is deeper than {MAX_DEPTH} levels; make it flatter")

    def _key_is_due(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].node.value, dict) and self.stack[-1].key is None

    def _path(self) -> FieldPath:
        parts: list[str | int] = []
        for entry in self.stack[:-1]:
            if isinstance(entry.node.value, list):
                parts.append(len(entry.node.value))
            else:
                parts.append(entry.key or "")
        return tuple(parts)

    def _refuse_tag(self, event: Any, line: int) -> None:
        if event.tag is not None and str(event.tag) != "!":
            raise self.error(line, f"the tag {event.tag} is not allowed; a case holds plain values only")

    def _resolve(self, text: str, line: int) -> Scalar:
        """A plain scalar by the core schema of YAML 1.2."""
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            try:
                return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
            except ValueError:  # Python refuses thousands of digits
                raise self.error(line, f"the number {text[:12]}… has too many digits; shorten it") from None
        if _FLOAT.fullmatch(text):
            return float(text)
        if _SPECIAL_FLOAT.fullmatch(text):
            return float(text.replace(".", ""))
        return text


ANY = "*"

OLD_KEYS: Mapping[tuple[str, ...], Mapping[str, str]] = {
    (): {"liaisons": "joints"},
    ("drives", ANY): {"liaison": "joint"},
    ("initial", ANY): {"liaison": "joint"},
    ("bodies", ANY, "supports", ANY): {"hold": "fix"},
    ("analyses", ANY, "drives", ANY): {"liaison": "joint"},
    ("analyses", ANY, "sensors", ANY): {"liaison_force": "joint_force", "liaison_moment": "joint_moment"},
}
"""Old key → new key of the mapping at a path; names that a user chooses stand for ANY and are never changed."""

OLD_VALUES: Mapping[tuple[str, ...], Mapping[str, str]] = {
    ("analyses", ANY, "kind"): {"liaison_forces": "joint_forces"}
}
"""Old word → new word of the value at a path."""


def rename_words(root: Node) -> tuple[Node, tuple[str, ...]]:
    """The document in the new words, its lines kept, and one notice for each old word found."""
    found: dict[tuple[str, str], int] = {}
    root = _rename(root, (), found)
    notices = (
        f"line {line}: '{old}' is now called '{new}'; the old word still works"
        for (old, new), line in found.items()
    )
    return root, tuple(notices)


def rename_path(path: Sequence[str]) -> tuple[str, ...]:
    """A path of fields in the new words."""
    out: list[str] = []
    for part in path:
        out.append(_words(OLD_KEYS, tuple(out)).get(part, part))
    return tuple(out)


def _words(table: Mapping[tuple[str, ...], Mapping[str, str]], path: FieldPath) -> Mapping[str, str]:
    """The old words that may stand at a path."""
    for pattern, words in table.items():
        if len(pattern) == len(path) and all(a in (ANY, b) for a, b in zip(pattern, path, strict=True)):
            return words
    return {}


def _rename(node: Node, path: FieldPath, found: dict[tuple[str, str], int]) -> Node:
    if isinstance(node.value, dict):
        words = _words(OLD_KEYS, path)
        values, lines = {}, {}
        for key, child in node.value.items():
            new = words.get(key, key)
            new = key if new in node.value else new  # both are given: the old one is an unknown field
            if new != key:
                found.setdefault((key, new), node.key_lines[key])
            values[new], lines[new] = _rename(child, (*path, new), found), node.key_lines[key]
        return Node(node.line, values, lines, node.size, node.depth)
    if isinstance(node.value, list):
        entries = [_rename(child, (*path, number), found) for number, child in enumerate(node.value)]
        return Node(node.line, entries, node.key_lines, node.size, node.depth)
    if isinstance(node.value, str):
        word = _words(OLD_VALUES, path).get(node.value)
        if word is not None:
            found.setdefault((node.value, word), node.line)
            return Node(node.line, word, node.key_lines, node.size, node.depth)
    return node


_ANGLES = ("angle", "rotation", "free_angle", "phase")


def angle_doubts(root: Node) -> Iterator[str]:
    """A sentence about every angle of a case that is a plain number of more than one turn."""
    if isinstance(root.value, dict):
        for key, part in root.value.items():
            if key != PARAMETERS:  # which are no angles before a field takes them for one
                yield from _inside(part, (key,), is_angle=False)


def _inside(node: Node, path: FieldPath, *, is_angle: bool) -> Iterator[str]:
    if isinstance(node.value, dict):
        for key, inner in node.value.items():
            yield from _inside(inner, (*path, key), is_angle=key in _ANGLES)
    elif isinstance(node.value, list):
        for place, inner in enumerate(node.value):
            yield from _inside(inner, (*path, place), is_angle=is_angle)
    elif is_angle:
        number = _plain_number(node.value)
        if number is not None and abs(number) > 2 * pi:
            yield (
                f"line {node.line}: {shown_path(path)}: {number:g} has no unit and is taken as radians, "
                f"{abs(number) / (2 * pi):.3g} turns; write {number:g} deg if degrees are meant"
            )


def _plain_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None  # with a unit, or a formula
