"""Seals: what was signed comes back byte for byte, and whatever happened to a file is told from all else."""

import json
import quopri
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.envelope import Form, Kind, kind_of, seal, seal_report, split, unseal, unseal_report
from referee.errors import Unverified
from referee.keys import SigningKey

KEY = SigningKey.from_bytes(bytes(range(32)))
OTHER = SigningKey.from_bytes(bytes(range(1, 33)))
BODY = b'# referee save 1\n[match]\nid = "cl-7k3q"\n'
SAVE = seal(BODY, KEY, "save")
KINDS: tuple[Kind, ...] = ("save", "move", "ruling")
REPORTS: dict[Form, bytes] = {
    "text": b"Dear alice,\n[signature]\n",
    "html": b"<!doctype html>\n<p>Dear alice,</p>\n",
    "json": b'{"stop":3,"you":{"hand":[]}}\n',
}


def refused(data: bytes, kind: Kind = "save", keys: object = KEY.public) -> str:
    with pytest.raises(Unverified) as caught:
        unseal(data, keys, kind, name="0003.toml")  # type: ignore[arg-type]
    assert "0003.toml" in caught.value.sentence
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_sealed_comes_back(kind: Kind) -> None:
    body = f"# referee {kind} 1\n".encode() + b"x = 1\n"
    sealed = seal(body, KEY, kind)
    assert unseal(sealed, KEY.public, kind, name="a") == body
    assert unseal(sealed, [OTHER.public, KEY.public], kind, name="a") == body
    assert kind_of(sealed) == kind
    assert split(sealed, kind, name="a")[:2] == (body, KEY.public.fingerprint)
    tail = rb'\[signature\]\nkey = "KZDV-VJ2U-MNDU-YAUF"\ned25519 = "[0-9a-f]{128}"\n'
    assert re.fullmatch(tail, sealed.removeprefix(body))


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_body_comes_back(content: bytes) -> None:
    body = b"# referee save 1\n" + content.replace(b"\r", b"") + b"\n"
    assert unseal(seal(body, KEY, "save"), KEY.public, "save", name="a") == body
    # A sealed file inside a sealed file: the last signature counts.
    twice = seal(seal(body, OTHER, "save"), KEY, "save")
    assert unseal(twice, KEY.public, "save", name="a") == seal(body, OTHER, "save")


@pytest.mark.parametrize("body", [b"", b"# referee save 1", b"# referee save 1\r\n", b"# referee move 1\n", b"x\n"])
def test_nothing_else_is_sealed(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"first line|line end"):
        seal(body, KEY, "save")


def _changes(data: bytes) -> list[bytes]:
    changed = []
    for at in range(len(data)):
        old = data[at]
        for new in {old ^ 1, old ^ 0x20, old ^ 0x80, 0, 10, 13, 0x20, 0x30, 0x41} - {old}:
            changed.append(data[:at] + bytes([new]) + data[at + 1 :])
        changed += [data[:at], data[:at] + data[at + 1 :], data[:at] + b"a" + data[at:], data[:at] + b"\n" + data[at:]]
    return [*changed, data + b"\n", data + b" ", data + data, b"\n" + data, data.upper(), data.lower()]


def test_every_change_of_a_save_is_refused() -> None:
    for data in _changes(SAVE):
        if data != SAVE:
            refused(data, keys=[OTHER.public, KEY.public])


def test_every_value_of_every_byte_of_the_trailer_is_refused() -> None:
    for at in range(len(BODY), len(SAVE)):
        for new in set(range(256)) - {SAVE[at]}:
            refused(SAVE[:at] + bytes([new]) + SAVE[at + 1 :])


@pytest.mark.parametrize("form", REPORTS)
def test_every_change_of_a_report_is_refused(form: Form) -> None:
    sealed = seal_report(REPORTS[form], KEY, form)
    for data in _changes(sealed):
        if data != sealed:
            with pytest.raises(Unverified):
                unseal_report(data, [OTHER.public, KEY.public], name="report")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b" \r\n\n", "is empty"),
        (b"Dear bob,\n", "is not a referee save. Its first line must be: # referee save 1"),
        (b"# referee save\n", "is not a referee save"),
        (b"# referee save 01\n", "is not a referee save"),
        (b"# referee save 0\n", "is not a referee save"),
        (b"\n" + SAVE, "is not a referee save"),
        (b"> " + SAVE.replace(b"\n", b"\n> "), "is not a referee save"),
        (b"PK\x03\x04" + bytes(30), "is in UTF-16|is not a referee save"),
        (SAVE.replace(b"save 1", b"save 2"), "newer format 2, and this program reads format 1"),
        (b"# referee save 12", "newer format 12"),
        (SAVE.replace(b"\n", b"\r\n"), "line ends .* converted.*zip"),
        (SAVE.replace(b"match]\n", b"match]\r\n"), "line ends .* converted"),
        (b"\xef\xbb\xbf" + SAVE, "byte order mark"),
        (SAVE.decode().encode("utf-16"), "UTF-16"),
        (SAVE.decode().encode("utf-16-le"), "UTF-16"),
        (SAVE.decode().encode("utf-16-be"), "UTF-16"),
        (quopri.encodestring(SAVE), "quoted-printable"),
        (BODY, "cut short: the signature at its end is missing"),
        (BODY[:20], "cut short"),
        (SAVE[:-1], "damaged or cut short"),
        (SAVE[:-100], "damaged or cut short"),
        (SAVE + b"-- \nsent from my phone\n", "added .* after its signature"),
        (SAVE.replace(b"cl-7k3q", b"cl-7k3r"), "changed after it was signed"),
        (seal(BODY, OTHER, "save"), f"{OTHER.public.fingerprint}; the trusted key is {KEY.public.fingerprint}"),
        (seal(b"# referee move 1\n", KEY, "move"), "is a referee move, not a save"),
    ],
)
def test_each_fate_has_its_own_words(data: bytes, said: str) -> None:
    assert re.search(said, refused(data))


def test_a_signature_of_another_kind_does_not_count() -> None:
    signature = KEY.sign("move", BODY).hex().encode()
    forged = SAVE[: -len(signature) - 2] + signature + b'"\n'
    assert "changed after it was signed" in refused(forged)


def test_nobody_is_trusted_when_nobody_is_named() -> None:
    assert "the trusted key is none" in refused(SAVE, keys=[])


def test_a_fingerprint_alone_proves_nothing() -> None:
    forged = seal(BODY, OTHER, "save").replace(OTHER.public.fingerprint.encode(), KEY.public.fingerprint.encode())
    assert "changed after it was signed" in refused(forged)


@pytest.mark.parametrize("form", REPORTS)
def test_reports_come_back(form: Form) -> None:
    content = REPORTS[form]
    sealed = seal_report(content, KEY, form)
    assert unseal_report(sealed, KEY.public, name="report") == content
    assert kind_of(sealed) is None
    before = content[:-2] if form == "json" else content
    assert sealed.startswith(before)
    signature = re.findall(rb"[0-9a-f]{128}", sealed)[-1]
    assert KEY.public.verify("report", before, bytes.fromhex(signature.decode()))


@pytest.mark.parametrize("content", [b'{"a":{}}\n', b'{\n  "a": "}"\n}\n', b'{"signature":1}\n'])
def test_a_signed_json_report_is_json(content: bytes) -> None:
    data = json.loads(seal_report(content, KEY, "json"))
    assert data.pop("signature")["key"] == KEY.public.fingerprint
    assert set(data) <= set(json.loads(content))


def test_a_signed_html_report_hides_its_signature() -> None:
    sealed = seal_report(REPORTS["html"], KEY, "html")
    comment = sealed.removeprefix(REPORTS["html"])
    assert comment.startswith(b"<!--\n[signature]\n")
    assert comment.endswith(b'"\n-->\n')
    assert b"--" not in comment[4:-4]


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"", "text"),
        (b"no line end", "text"),
        (b"a\r\n", "text"),
        (b"<p>\n", "text"),
        (b"{}\n", "text"),
        (b"text\n", "html"),
        (b'{"a":1}\n', "html"),
        (b"[1]\n", "json"),
        (b"{}\n", "json"),
        (b"{ }\n", "json"),
        (b'{"a":1}', "json"),
        (b'{"a":1} \n', "json"),
    ],
)
def test_no_report_is_sealed_in_a_wrong_form(content: bytes, form: Form) -> None:
    with pytest.raises(ValueError, match=r"line end|beginning"):
        seal_report(content, KEY, form)


def test_a_report_cannot_change_its_form() -> None:
    text = seal_report(b'Say: {"a":1\n', KEY, "text")
    content, print_, signature = text[:12], KEY.public.fingerprint, text[-131:-3].decode()
    forged = content + f',"signature":{{"key":"{print_}","ed25519":"{signature}"}}}}\n'.encode()
    with pytest.raises(Unverified):
        unseal_report(forged, KEY.public, name="report")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (SAVE, "is a save, not a report"),
        (b"", "is empty"),
        (b"Dear alice,\n", "cut short"),
        (seal_report(REPORTS["html"], KEY, "html").replace(b"\n", b"\r\n"), "converted"),
        (seal_report(REPORTS["json"], KEY, "json") + b"\n", "added"),
        (seal_report(REPORTS["json"], OTHER, "json"), "another referee"),
        (seal_report(REPORTS["text"], KEY, "text").replace(b"alice", b"alicf"), "changed"),
        (quopri.encodestring(seal_report(REPORTS["text"], KEY, "text")), "quoted-printable"),
    ],
)
def test_each_fate_of_a_report_has_its_own_words(data: bytes, said: str) -> None:
    with pytest.raises(Unverified, match=said):
        unseal_report(data, KEY.public, name="report")


@settings(deadline=None)
@given(st.binary(max_size=400), st.sampled_from([b"", b"# referee save 1\n", b"{", b"<"]))
def test_rubbish_is_unverified_and_nothing_else(data: bytes, start: bytes) -> None:
    with pytest.raises(Unverified):
        unseal(start + data, KEY.public, "save", name="a")
    with pytest.raises(Unverified):
        unseal_report(start + data, KEY.public, name="a")
