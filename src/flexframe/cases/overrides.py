"""Values changed from outside a case file: PATH=VALUE."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flexframe.cases.source import Node, parse_yaml
from flexframe.entries.parameters import FIELD
from flexframe.entries.problems import CaseError, Problem, did_you_mean, shown_path
from flexframe.errors import FieldPath, InputError

_INDEX = re.compile(r"\[(\d{1,9})\]")


@dataclass(frozen=True)
class Override:
    """A field by its path, and the YAML text of its new value."""

    path: tuple[str, ...]
    value: str

    @classmethod
    def parse(cls, text: str) -> "Override":
        """From `bodies.disc.thickness=12 mm`; list positions as `supports.0` or `supports[0]`."""
        path, equals, value = text.partition("=")
        parts = tuple(part.strip() for part in _INDEX.sub(r".\1", path).split("."))
        if not equals or not all(parts):
            raise InputError(f"--set {text}: this is not PATH=VALUE; write it like bodies.disc.thickness=12 mm")
        return cls(parts, value.strip())

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}={self.value}"


def full_path(path: tuple[str, ...], root: Node) -> tuple[str, ...]:
    """The path of a field; the name of a parameter is enough, unless a field at the top has that name."""
    if len(path) != 1 or not isinstance(root.value, dict) or path[0] in root.value:
        return path
    section = root.value.get(FIELD)
    names = section.value if section is not None and isinstance(section.value, dict) else {}
    if path[0] in names:
        return FIELD, *path
    near = did_you_mean(path[0], list(names))
    if near and not _is_field(path[0]):
        raise InputError(f"there is no field or parameter '{path[0]}'{near}; known are {', '.join(names)}")
    return path


def _is_field(name: str) -> bool:
    from flexframe.cases.document import CaseDocument

    return name in CaseDocument.model_fields


def overridden(root: Node, overrides: Sequence[Override], file: str) -> Node:
    """The document with its values replaced; all overrides that fit nowhere are reported together."""
    problems: list[Problem] = []
    for override in overrides:
        try:
            root = _replaced(root, full_path(override.path, root), _value(override), (), root.line)
        except InputError as error:
            problems.append(Problem(file, None, (), f"--set {override}: {error}"))
    if problems:
        raise CaseError(problems)
    return root


def _value(override: Override) -> Node:
    try:
        return parse_yaml(override.value, "value") if override.value else Node(0, None)
    except CaseError as error:
        raise InputError(error.problems[0].message) from None


def _replaced(node: Node, path: Sequence[str], value: Node, walked: FieldPath, line: int) -> Node:
    """A copy along the path, so that values shared through aliases stay as they are; `line` is the field's."""
    part, rest = path[0], path[1:]
    place = shown_path(walked) or "the case"
    if isinstance(node.value, dict):
        if part not in node.value and rest:
            near = did_you_mean(part, list(node.value))
            raise InputError(f"there is no '{part}' in {place}{near}; known are {', '.join(node.value)}")
        old = node.value.get(part)
        line = node.key_lines.get(part, line)
        new = _replaced(old, rest, value, (*walked, part), line) if rest and old else _moved(value, line)
        return Node(node.line, {**node.value, part: new}, {**node.key_lines, part: line})
    if isinstance(node.value, list):
        if not part.isdecimal() or int(part) >= len(node.value):
            raise InputError(f"{place} has entries 0 to {len(node.value) - 1}, not '{part}'; use one of them")
        old = node.value[int(part)]
        new = _replaced(old, rest, value, (*walked, int(part)), old.line) if rest else _moved(value, old.line)
        return Node(node.line, [*node.value[: int(part)], new, *node.value[int(part) + 1 :]])
    raise InputError(f"{place} is a single value, it has no '{part}'; shorten the path")


def _moved(node: Node, line: int) -> Node:
    """The value with every line set to that of the field which it replaces."""
    if isinstance(node.value, dict):
        entries = {key: _moved(child, line) for key, child in node.value.items()}
        return Node(line, entries, dict.fromkeys(entries, line))
    if isinstance(node.value, list):
        return Node(line, [_moved(child, line) for child in node.value])
    return Node(line, node.value)
