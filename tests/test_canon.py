"""The canonical writer: what it writes is TOML, means the same, and is the same bytes for ever."""

import string
import sys
import tomllib
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import canon

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS = st.one_of(st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=6), TEXT)
PLAIN = st.one_of(TEXT, st.booleans(), st.integers(-(2**63), 2**63 - 1))
VALUES = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)), max_leaves=25
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=6)
PATTERNS = st.lists(st.sampled_from(["*", "a", "a.*", "*.*", "*.b", "a.b.c"]), max_size=3)


@settings(deadline=None)
@given(DOCUMENTS, PATTERNS)
def test_what_is_written_is_read_back(data: dict[str, Any], inline: list[str]) -> None:
    written = canon.dumps(data, inline=inline)
    assert tomllib.loads(written) == data
    assert canon.loads(written.encode()) == data
    assert canon.dumps(tomllib.loads(written), inline=inline) == written


@settings(deadline=None)
@given(DOCUMENTS, PATTERNS)
def test_every_key_has_one_line_and_every_line_one_key(data: dict[str, Any], inline: list[str]) -> None:
    for line in canon.dumps(data, inline=inline).split("\n"):
        assert line == "" or (line.startswith("[") and line.endswith("]")) or " = " in line
        assert all(32 <= ord(char) != 127 for char in line)


@settings(deadline=None)
@given(DOCUMENTS)
def test_a_section_alone_is_what_the_whole_says(data: dict[str, Any]) -> None:
    written = ("# referee save 1\n" + canon.dumps(data)).encode()
    for name, value in data.items():
        if isinstance(value, dict):
            assert canon.section(written, name) == value
        else:
            with pytest.raises(KeyError):
                canon.section(written, name)


def test_these_bytes_never_change() -> None:
    data = {
        "match": {"id": "cl-7k3q", "ready": True, "tags": ["a", {"b": [1, -2]}], "none": {}},
        "state": {"ships": {"red": {"at": "gap 3"}, "blue": {}}, "deep": {"a": {"b": {"c": 1}}}},
        "title": 'An "odd" \\ na\u00efve\ttitle\n\x7f\u2028\ufeff\u00ad\U000e0041 \U0001f680',
        "two words": False,
        "": 9223372036854775807,
    }
    expected = (
        'title = "An \\"odd\\" \\\\ na\u00efve\\ttitle\\n\\u007F\\u2028\\uFEFF\\u00AD\\U000E0041 \U0001f680"\n'
        '"two words" = false\n"" = 9223372036854775807\n'
        '\n[match]\nid = "cl-7k3q"\nready = true\ntags = ["a", {b = [1, -2]}]\n\n[match.none]\n'
        '\n[state]\nships = {red = {at = "gap 3"}, blue = {}}\n\n[state.deep]\n\n[state.deep.a]\nb = {c = 1}\n'
    )
    assert canon.dumps(data, inline=["state.ships"]) == expected


def test_order_is_the_callers() -> None:
    assert canon.dumps({"b": 1, "a": 2, "z": {"y": 1, "x": 2}}) == "b = 1\na = 2\n\n[z]\ny = 1\nx = 2\n"
    assert canon.dumps({}) == ""


def test_a_star_stands_for_one_level() -> None:
    data = {"a": {"x": {"k": {"n": 1}}}, "b": {"x": {"k": 2}}}
    assert canon.dumps(data, inline=["*.x"]) == "[a]\nx = {k = {n = 1}}\n\n[b]\nx = {k = 2}\n"
    assert canon.dumps(data, inline=["a.*.k"]) == "[a]\n\n[a.x]\nk = {n = 1}\n\n[b]\n\n[b.x]\nk = 2\n"


def test_whatever_does_not_show_is_escaped() -> None:
    # Unicode 3.2 comes with every Python, so that this list is the same everywhere.
    hidden = [
        char
        for char in map(chr, range(0x110000))
        if unicodedata.ucd_3_2_0.category(char) in ("Cc", "Cf", "Co", "Zl", "Zp", "Zs") and char != " "
    ]
    assert len(hidden) > 100_000
    assert not [char for char in hidden if char in canon.dumps({"k": char})[:-1]]
    assert all(canon.dumps({"k": char}) == f'k = "{char}"\n' for char in "aZ09 _-'#=[]{}\u00e9\u4e2d\U0001f680")


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"a": {"b": None}}, "a.b is of type NoneType"),
        ({"a": [1, 2.5]}, "a.1 is of type float"),
        ({"a": (1,)}, "a is of type tuple"),
        ({"a": 2**63}, "a is a number of more than 64 bits"),
        ({"a": [-(2**63) - 1]}, "a.0 is a number"),
        ({"a": "\ud800"}, "a holds half a character"),
        ({"\udfff": 1}, "keys must be str"),
        ({1: 2}, "keys must be str"),
        ({"a": {"b": {None: 2}}}, "a.b has the key None"),
        ({"a": {1, 2}}, "a is of type set"),
        ({"a": b"x"}, "a is of type bytes"),
    ],
)
def test_what_cannot_be_saved_is_named_with_its_place(data: dict[Any, Any], place: str) -> None:
    with pytest.raises(ValueError, match=place):
        canon.dumps(data)


def test_no_subclass_is_taken_for_the_real_thing() -> None:
    class Name(str):
        pass

    class Number(int):
        pass

    class Record(dict[str, int]):
        pass

    for value in (Name("a"), Number(1), Record(a=1)):
        with pytest.raises(ValueError, match="a is of type"):
            canon.dumps({"a": value})
        canon.dumps({"a": ["a", 1]})  # a word that is known by now must not let its like pass
        for data in ({"a": [value]}, {"a": [value, 2]}, {"a": [[value]]}):
            with pytest.raises(ValueError, match="is of type"):
                canon.dumps(data)


def test_what_is_known_already_changes_nothing() -> None:
    class Name(str):
        pass

    for key in ("seldom", "oft-en", "od d"):
        fresh = canon.dumps({Name(key): 1})
        assert canon.dumps({key: 1}) == fresh == canon.dumps({Name(key): 1})
    for _ in range(2):
        assert canon.dumps({"a": [True, 1, "1"], "b": 1, "c": True}) == 'a = [true, 1, "1"]\nb = 1\nc = true\n'


def test_a_long_run_forgets_words() -> None:
    for start in range(0, 20_000, 1000):
        data = {f"k{n}": f"v{n}" for n in range(start, start + 1000)}
        assert canon.loads(canon.dumps(data).encode()) == data
    assert len(canon._WORDS) <= canon._MANY_WORDS
    assert len(canon._KEYS) <= canon._MANY_WORDS


def test_depth_has_a_limit_that_both_ways_keep() -> None:
    def nested(depth: int) -> list[Any]:
        return [nested(depth - 1)] if depth else []

    fine = {"a": nested(canon.INLINE_DEPTH - 1)}
    assert canon.loads(canon.dumps(fine).encode()) == fine
    loop: list[Any] = []
    loop.append(loop)
    for value in (nested(canon.INLINE_DEPTH), nested(400), loop):
        with pytest.raises(ValueError, match="deep"):
            canon.dumps({"a": value})


@pytest.mark.parametrize("data", [b"a = \xff", b"a = ", b"a = 1\na = 2\n", b"a = " + b"[" * 5000 + b"]" * 5000])
def test_what_is_no_toml_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the sentence is the parser's
        canon.loads(data)


def test_a_section_stops_where_the_next_begins() -> None:
    data = b"# x\n[ab]\nx = 1\n\n[a]\ny = '[a]'\n\n[a.b]\nz = [1]\n\n[a.b.c]\n\n[abc]\ny = 2\n"
    assert canon.section(data, "a") == {"y": "[a]", "b": {"z": [1], "c": {}}}
    assert canon.section(data, "abc") == {"y": 2}
    with pytest.raises(KeyError):
        canon.section(data, "b")


def test_a_section_is_read_without_reading_the_rest() -> None:
    assert canon.section(b"this is no TOML\n[a]\nx = 1\n\n[b]\nnor this\n", "a") == {"x": 1}


def _save() -> dict[str, Any]:
    cards = {f"card-{n}": {"at": f"pile {n % 9}", "worth": n, "letters": ["a", "b"], "up": n < 99} for n in range(260)}
    state = {"cards": cards, "order": [f"card-{n}" for n in range(90)]}
    return {"match": {"id": "cl-7k3q", "serial": 12}, "state": state}


def test_writing_a_save_of_15_kb_takes_less_than_a_call_a_value() -> None:
    data = _save()
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    canon.dumps(data, inline=["state.cards.*"])  # warm: the words of a match are known after its first save
    sys.setprofile(count)
    try:
        written = canon.dumps(data, inline=["state.cards.*"])
    finally:
        sys.setprofile(None)
    values = 260 * 7 + 90 + 6
    assert 14_000 < len(written) < 20_000
    # Calls are counted, since time flickers on a busy machine: keys, and words in lists, must need none.
    assert calls < values
