"""Signed bytes: what is sealed, and the reasons for which a seal is not accepted.

Bytes are verified before they are parsed. So the three lines of the signature are found by pattern, their length is
fixed, and whoever opens an envelope gets the very bytes that were signed, or an error that says what became of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, get_args

from referee.errors import Unverified
from referee.keys import PublicKey, SigningKey

Kind = Literal["save", "move", "ruling", "step", "event", "ratings"]
Form = Literal["text", "html", "json"]

FORMAT = 1  # the number in the first line of every file that this program writes

_FIRST_LINE = re.compile(rb"# referee (save|move|ruling|step|event|ratings) ([1-9][0-9]{0,8})\r?(?:\n|\Z)")
_PRINT, _DIGITS = rb"([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})", rb"([0-9a-f]{128})"
_LINES = rb'\[signature\]\nkey = "' + _PRINT + rb'"\ned25519 = "' + _DIGITS + rb'"\n'
# Compiled when needed: no command reads all three.
_TEXT = _LINES + rb"\Z"
_HTML = rb"<!--\n" + _LINES + rb"-->\n\Z"
_JSON = rb',"signature":\{"key":"' + _PRINT + rb'","ed25519":"' + _DIGITS + rb'"\}\}\n\Z'
_TAIL = 256  # bytes; every trailer is shorter

_AGAIN = "Ask for the file again, as an attachment or in a zip file."
_HTML_END = b"-->\n"


def seal(body: bytes, key: SigningKey, kind: Kind) -> bytes:
    """Return body with the three lines of its signature.

    body: begins with the line `# referee KIND 1`, ends with a line end, has no carriage return; else ValueError.

    >>> key = SigningKey.new()
    >>> sealed = seal(b"# referee save 1\\n[match]\\n", key, "save")
    >>> unseal(sealed, key.public, "save", name="0000.toml")
    b'# referee save 1\\n[match]\\n'
    """
    if not body.startswith(f"# referee {kind} {FORMAT}\n".encode()):
        raise ValueError(f"The first line must be: # referee {kind} {FORMAT}")
    _check_ends(body)
    return body + _trailer(key, key.sign(kind, body))


def unseal(data: bytes, trusted: Sequence[PublicKey] | PublicKey, kind: Kind, *, name: str) -> bytes:
    """Return the body of a sealed file, after its signature by one of the trusted keys was verified.

    name: the file's name, for the errors. Raises Unverified, which says what became of the file.

    >>> unseal(b"Dear bob,\\n", SigningKey.new().public, "save", name="0000.toml")
    Traceback (most recent call last):
    referee.errors.Unverified: 0000.toml is not a referee save. Its first line must be: # referee save 1
    """
    body, fingerprint, signature = split(data, kind, name=name)
    _verify(kind, body, fingerprint, signature, trusted, name)
    return body


def split(data: bytes, kind: Kind, *, name: str) -> tuple[bytes, str, bytes]:
    """Return body, fingerprint and signature (64 bytes) of a sealed file, with nothing verified yet.

    Raises Unverified if it is not in the form of a sealed file of that kind.

    >>> sealed = seal(b"# referee move 1\\n", SigningKey.new(), "move")
    >>> body, fingerprint, signature = split(sealed, "move", name="orders.toml")
    >>> body, len(fingerprint), len(signature)
    (b'# referee move 1\\n', 19, 64)
    """
    _check_encoding(data, name)
    _check_first_line(data, kind, name)
    return _cut(data, _TEXT, name)


def kind_of(data: bytes) -> Kind | None:
    """Return what the first line says a file is: save, move, step, ...; None for anything else, such as a report.

    >>> kind_of(b"# referee ruling 1\\n[match]\\n"), kind_of(b"Dear alice,\\n")
    ('ruling', None)
    """
    first = _FIRST_LINE.match(data)
    kinds: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    return kinds[first[1].decode()] if first else None


def seal_report(content: bytes, key: SigningKey, form: Form) -> bytes:
    """Return a report with its signature where its form has room: last lines, a comment, or a last JSON field.

    content: ends with a line end, has no carriage return; HTML begins with `<`, JSON with `{`, text with neither, so
    that no report can be turned into one of another form. JSON is one object with fields and ends in `}` and a line
    end. Raises ValueError otherwise.

    >>> seal_report(b'{"stop":3}\\n', SigningKey.new(), "json")[:23]
    b'{"stop":3,"signature":{'
    """
    _check_ends(content)
    if _form(content) != form:
        raise ValueError(f"This is not the beginning of a report in {form}.")
    if form == "json":
        if not content.endswith(b"}\n") or content[:-2].rstrip().endswith(b"{"):
            raise ValueError("A report in JSON is one object with at least one field, and a line end.")
        content = content[:-2]
    signature = key.sign("report", content)
    if form == "json":
        seal = f',"signature":{{"key":"{key.public.fingerprint}","ed25519":"{signature.hex()}"}}}}\n'
        return content + seal.encode()
    lines = _trailer(key, signature)
    return content + (b"<!--\n" + lines + _HTML_END if form == "html" else lines)


def unseal_report(data: bytes, trusted: Sequence[PublicKey] | PublicKey, *, name: str) -> bytes:
    """Return the content of a signed report in text, HTML or JSON, after its signature was verified.

    Raises Unverified, which says what became of the file.

    >>> key = SigningKey.new()
    >>> unseal_report(seal_report(b'{"stop":3}\\n', key, "json"), key.public, name="report.json")
    b'{"stop":3}\\n'
    """
    _check_encoding(data, name)
    if kind := kind_of(data):
        raise Unverified(f"{name} is a {kind}, not a report.")
    form = _form(data)
    content, fingerprint, signature = _cut(data, {"text": _TEXT, "html": _HTML, "json": _JSON}[form], name)
    _verify("report", content, fingerprint, signature, trusted, name)
    return content + b"}\n" if form == "json" else content


def _check_ends(body: bytes) -> None:
    if b"\r" in body or not body.endswith(b"\n"):
        raise ValueError("What is sealed ends with a line end and holds no carriage return.")


def _trailer(key: SigningKey, signature: bytes) -> bytes:
    return f'[signature]\nkey = "{key.public.fingerprint}"\ned25519 = "{signature.hex()}"\n'.encode()


def _form(content: bytes) -> Form:
    return "html" if content[:1] == b"<" else "json" if content[:1] == b"{" else "text"


def _check_encoding(data: bytes, name: str) -> None:
    if not data.strip():
        raise Unverified(f"{name} is empty.", _AGAIN)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in data[:4]:
        raise Unverified(f"{name} is in UTF-16: a program has saved it anew in another encoding.", _AGAIN)
    if data.startswith(b"\xef\xbb\xbf"):
        raise Unverified(f"{name} was saved anew by an editor that put a byte order mark first.", _AGAIN)


def _check_first_line(data: bytes, kind: Kind, name: str) -> None:
    first = _FIRST_LINE.match(data)
    if first is None:
        raise Unverified(f"{name} is not a referee {kind}.", f"Its first line must be: # referee {kind} {FORMAT}")
    if int(first[2]) > FORMAT:
        said = f"{name} has the newer format {first[2].decode()}, and this program reads format {FORMAT}."
        raise Unverified(said, "Install a newer pbem-referee.")
    if first[1].decode() != kind:
        raise Unverified(f"{name} is a referee {first[1].decode()}, not {'an' if kind == 'event' else 'a'} {kind}.")


def _cut(data: bytes, trailer: bytes, name: str) -> tuple[bytes, str, bytes]:
    if b"\r" in data:
        said = f"The line ends of {name} were converted: a mail program or an editor has changed every line."
        raise Unverified(said, "Ask for the file again, as an attachment in a zip file.")
    found = re.compile(trailer).search(data, max(0, len(data) - _TAIL))
    if found is None:
        raise _without_trailer(data, trailer, name)
    return data[: found.start()], found[1].decode(), bytes.fromhex(found[2].decode())


def _without_trailer(data: bytes, trailer: bytes, name: str) -> Unverified:
    """Tell apart what mail does to a file's end: rewritten, appended to, damaged, cut off."""
    if b'=3D "' in data or b'=3D"' in data:
        return Unverified(f"{name} was rewritten by a mail program (quoted-printable).", _AGAIN)
    # The same pattern without its anchor: the signature is there, but no longer at the end.
    if re.search(trailer.removesuffix(rb"\Z"), data):
        return Unverified(f"Something was added to {name} after its signature.", _AGAIN)
    if b"[signature]" in data or b'"signature"' in data:
        return Unverified(f"The lines of the signature at the end of {name} are damaged or cut short.", _AGAIN)
    return Unverified(f"{name} is cut short: the signature at its end is missing.", _AGAIN)


def _verify(
    context: str, body: bytes, print_: str, signature: bytes, trusted: Sequence[PublicKey] | PublicKey, name: str
) -> None:
    keys = [trusted] if isinstance(trusted, PublicKey) else trusted
    key = next((key for key in keys if key.fingerprint == print_), None)
    if key is None:
        known = " or ".join(key.fingerprint for key in keys) or "none"
        said = f"{name} is signed by another referee's key, {print_}; the trusted key is {known}."
        raise Unverified(said, "Compare the fingerprint with its sender before you trust another key.")
    if not key.verify(context, body, signature):
        raise Unverified(f"{name} was changed after it was signed: its signature does not match.", _AGAIN)
