"""Words that case files used before: they still load, and a notice gives the new word once."""

from collections.abc import Mapping, Sequence

from flexframe.cases.source import Node
from flexframe.errors import FieldPath

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


def renamed(root: Node) -> tuple[Node, tuple[str, ...]]:
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
