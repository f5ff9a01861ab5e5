"""Reading YAML: values, lines, and everything that is not a case."""

from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from flexframe.cases.source import MAX_BYTES, MAX_DEPTH, parse_yaml, read_text
from flexframe.entries.problems import CaseError


def refused(text: str) -> str:
    with pytest.raises(CaseError) as caught:
        parse_yaml(text, "f.yaml")
    return str(caught.value)


def test_core_schema_of_yaml_1_2() -> None:
    """Scalars by the core schema: yes and 012 are not what YAML 1.1 made of them."""
    text = "[1, -2, 012, 0x1F, 0o17, 1e-4, .5, 1., +3.5E2, true, False, null, ~, yes, on, 1_000, '5', \"a\", 1:30]"
    expected = [1, -2, 12, 31, 15, 1e-4, 0.5, 1.0, 350.0, True, False, None, None]
    expected += ["yes", "on", "1_000", "5", "a", "1:30"]
    assert parse_yaml(text, "f").plain() == expected


def test_special_floats_are_read_and_refused_later() -> None:
    """.inf and .nan are numbers of YAML; fields refuse them with their own message."""
    assert str(parse_yaml("[.inf, -.INF, .nan]", "f").plain()) == "[inf, -inf, nan]"


def test_lines_of_fields() -> None:
    """Keys count for mappings, entries for lists, and the nearest parent for what is missing."""
    root = parse_yaml("a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n", "f")
    assert [root.line_of(path) for path in (("a",), ("b",), ("b", 1), ("b", 1, "d"), ("b", 1, "q"), ())] == [
        *(1, 2, 4, 5, 4, 1)
    ]


def test_aliases_are_shared_values_with_lines_of_both_places() -> None:
    """An alias stands on its own line; what is inside it on the lines of the anchor."""
    root = parse_yaml("a: &x\n  b: 1\nc: *x\n", "f")
    assert root.plain() == {"a": {"b": 1}, "c": {"b": 1}}
    assert root.line_of(("c",)) == 3
    assert root.line_of(("c", "b")) == 2


def test_all_repeated_keys_are_told() -> None:
    """Both repeated keys, with their paths and the line of the first."""
    message = refused("a: 1\nb: {c: 1, c: 2}\na: 3\n").splitlines()
    assert message == [
        "f.yaml:2: b.c: the key is given twice, first on line 2; keep one",
        "f.yaml:3: a: the key is given twice, first on line 1; keep one",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\n\tb: 1", "f.yaml:2: a: a tab is used for indentation; YAML wants spaces"),
        ("a: 1\nb: c: d", "f.yaml:2: b: a second ': ' stands on the line"),
        ("a: [1, 2", "f.yaml:1: a[2]: not valid YAML"),
        ("a: 'x", "f.yaml:1: a: not valid YAML"),
        ("- a\nb: 1", "f.yaml:2: [1]: not valid YAML"),
        ("  a: 1\nb: 2", "f.yaml:2: a: not valid YAML"),
        ("a: @b", "f.yaml:1: a: not valid YAML"),
        ("a: 1\n---\nb: 1", "f.yaml:2: a: a second document starts"),
        ("a: 1\nb: \x01", "f.yaml:2: b: the character U+0001 is not allowed"),
        ("\x00", "f.yaml:1: the character U+0000 is not allowed"),
        ("", "f.yaml:1: the case is empty"),
        ("# only a comment\n", "f.yaml:1: the case is empty"),
        ("a: !!python/object:os.system [ls]", "f.yaml:1: a: the tag tag:yaml.org,2002:python/object:os.system"),
        ("a: !x 1", "f.yaml:1: a: the tag !x is not allowed"),
        ("a: *b", "f.yaml:1: a: the alias *b has no anchor"),
        ("a: &b [*b]", "f.yaml:1: a[0]: the alias *b stands inside its own anchor"),
        ("? [a]\n: 1", "f.yaml:1: a mapping or list is used as a key"),
        ("a: &x b\n*x : 1", "f.yaml:2: a: an alias is used as a key"),
        ("a: {b: 1}\nc:\n  <<: *a", "f.yaml:3: c: merge keys (<<) are not part of YAML 1.2"),
        ("a: " + "9" * 5000, "f.yaml:1: a: the number 999999999999… has too many digits"),
    ],
)
def test_what_is_no_case(text: str, expected: str) -> None:
    """Each with its line."""
    assert refused(text).startswith(expected)


def test_billion_laughs_are_counted_not_expanded() -> None:
    """Nine levels of nine aliases are 9⁹ values; they are refused by arithmetic."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert "aliases expand to more than" in refused("\n".join(lines))


def test_depth_is_bounded() -> None:
    """Nesting in the text and nesting through aliases both stop at the limit; one level less is read."""
    inside = MAX_DEPTH
    assert parse_yaml("[" * inside + "]" * inside, "f").depth == inside
    assert "deeper than" in refused("[" * (inside + 1) + "]" * (inside + 1))
    assert "deeper than" in refused("[" * 500_000)
    half = inside // 2
    deep = f"a: &a {'[' * half}{']' * half}\nb: {'[' * half}*a{']' * half}"
    assert "deeper than" in refused(deep)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: \xff\xfe", ":1: a: this is not UTF-8 text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xc3", ":1: this is not UTF-8 text"),
        (b"a" * (MAX_BYTES + 1), "larger than 1 MB"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, content: bytes, words: str) -> None:
    """Binary junk and huge files are refused before YAML is tried."""
    path = tmp_path / "case.yaml"
    path.write_bytes(content)
    with pytest.raises(CaseError) as caught:
        read_text(path)
    assert str(caught.value).startswith(str(path))
    assert words in str(caught.value)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """The path is told with what to do."""
    with pytest.raises(CaseError, match="there is no such file; give"):
        read_text(tmp_path / "none.yaml")
    with pytest.raises(CaseError, match="this is a folder; give"):
        read_text(tmp_path)


def test_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    """Files of other editors."""
    path = tmp_path / "case.yaml"
    path.write_bytes("\ufeffa: 1\r\nb: ü\r\n".encode())
    root = parse_yaml(read_text(path), "f")
    assert root.plain() == {"a": 1, "b": "ü"}
    assert root.line_of(("b",)) == 2


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>'\"#%@,? \n\t\\0.~<"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever is typed gives a value or a CaseError, nothing else."""
    try:
        parse_yaml(text, "f").plain()
    except CaseError as error:
        assert all(problem.line is not None and problem.line >= 1 for problem in error.problems)


PLAIN = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text("abcXYZ019 .-_:#'\"\n")
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text("abcd", min_size=1), inner)),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(PLAIN)
def test_what_another_writer_writes_is_read_back(value: object) -> None:
    """ruamel's own writer as the oracle: its YAML gives back the value (it writes some that it cannot read)."""
    from io import StringIO

    stream = StringIO()
    YAML(typ="safe", pure=True).dump({"value": value}, stream)
    try:
        YAML(typ="safe", pure=True).load(stream.getvalue())
    except YAMLError:  # such as {a: :0}
        reject()
    assert parse_yaml(stream.getvalue(), "f").plain() == {"value": value}
