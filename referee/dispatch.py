"""What goes out of a match: each reader's report, made from the redacted view, signed, and written for its address."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import canon, envelope, report
from .chain import Chain, Link, opened_hash
from .components import folder_of
from .context import bare_context
from .engine import pending
from .errors import Refused, Trouble, Usage
from .fields import dataclass, field
from .keys import SigningKey
from .match import Event
from .people import People, addresses
from .postal import read_postal
from .save import Save, body, file_hash, parse, read_pack
from .see import OBSERVER
from .store import check_size, make_folder, write_file
from .submission import code_for

FORMS = {"text": "txt", "html": "html", "json": "json"}
_NOTICES = {
    "test-seed": "This match uses a seed given for tests: its dice were known before it began.",
    "referee-plays": "The moderator holds the seat {seat}.",
}


@dataclass
class Made:
    """A report: what it was made from, and each of its forms, signed."""

    ready: report.Context
    data: dict[report.Form, bytes] = field(default_factory=dict)


@dataclass
class Delivery:
    """Which files go to whom.

    Attributes:
        seat, address, files: the seat, where its mail goes, and the files of its report.
    """

    seat: str
    address: str
    files: list[Path]


class Lone:
    """A single save without its chain: it can be read, reported and played on; older news is out of reach."""

    def __init__(self, path: str | os.PathLike[str], key: SigningKey) -> None:
        """Name the file; nothing is read yet."""
        self.path = Path(path).parent
        self.file = Path(path)
        self.trusted = key.public

    def latest(self, *, upgrade: bool = False) -> Link:
        """Return the save.

        Raises:
            Unverified: it does not verify.
            Trouble: it cannot be read.
        """
        data = read_file(self.file)
        content = envelope.unseal(data, self.trusted, "save", name=self.file.name)
        return Link(parse(content, self.file.name, self.pack, upgrade=upgrade), file_hash(data), str(self.path))

    def pack(self, name: str) -> bytes:
        """Return the bytes of a pack that lies in the folder `packs` beside the save."""
        return read_pack(self.path, name)

    def older(self, serial: int) -> Save:
        """Refuse to read an earlier save."""
        raise Refused("A lone save does not hold earlier ones.", "Name the folder of the match.")

    def section(self, serial: int, name: str) -> dict[str, Any]:
        """Refuse to read an earlier save."""
        raise Refused("A lone save does not hold earlier ones.", "Name the folder of the match.")

    def events_since(self, serial: int, until: Link) -> list[Event]:
        """Return the events of the save alone."""
        return until.save.match.events


Saves = Chain | Lone


def read_file(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        Trouble: it cannot be read; says why.
    """
    data = _read_if_there(path)
    if data is None:
        raise Trouble(f"{path} does not exist.", "Check the path.")
    return data


def _read_if_there(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            check_size(file, path.name)
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.", "Check the path and its permissions.") from None


# Reports


def context(saves: Saves, link: Link, viewer: str, key: SigningKey) -> report.Context:
    """Return everything that the report of one reader is made from; all of it comes from the redacted view.

    Args:
        saves: the chain or the lone save.
        link: the save to report.
        viewer: a seat, or `OBSERVER`.
        key: the referee's key, for turn codes and the fingerprint.
    """
    m, entry = link.save.match, link.save.entry
    saved = _this_stop(saves, link)
    since = saved[-1].reported.get(viewer, -1) if viewer else saved[-1].serial - 1
    ready = bare_context(m, viewer, saves.events_since(since, link))
    ready["older"] = isinstance(saves, Lone) and entry.serial > since + 1
    ready["opened"] = opened_hash(link)
    ready["fingerprint"] = key.public.fingerprint
    ready["notices"] = [_notice(notice) for notice in entry.notices]
    if viewer != OBSERVER:
        ready["first"] = since == -1
        ready["code"] = code_for(key, m, viewer, m.stop, ready["opened"])
        ready["holder"] = m.holders[viewer]
        ready["keyed"] = viewer in entry.keys
        ready["deadline"] = _deadline(saves, link, viewer)
        ready["answer"] = next((echo for one in saved if (echo := _echo(one.move, viewer))), {})
        _add_postal(ready, saves, viewer, since)
    return ready


def _add_postal(ready: report.Context, saves: Saves, viewer: str, since: int) -> None:
    """Add where to answer, whom to ask, and what was said to a reader from its last report to this stop."""
    postal = read_postal(saves.path)
    ready["answer_to"], ready["contact"] = postal.answer_to, postal.contact
    if postal.press != "none" and isinstance(saves, Chain):
        from .press import heard

        last = saves.section(since, "match")["stop"] if since >= 0 else 0
        ready["press"] = heard(saves.path, viewer, last, ready["view"]["stop"], names=postal.press == "open")


def _deadline(saves: Saves, link: Link, seat: str) -> str:
    """Return until when a seat has to answer, as it reads it; "" if it is not asked, or the match knows no deadlines."""
    m, entry = link.save.match, link.save.entry
    if seat not in entry.asked or m.over or m.held or not os.path.exists(saves.path / "clock.toml"):
        return ""
    from . import clock

    question, vacations = pending(m), People(saves.path).of(seat).vacations
    window = question is not None and bool(question.interrupts)
    until = entry.until.get(seat, "")
    return clock.spoken_deadline(saves.path, seat, entry.asked[seat], until, vacations, window=window)


def _echo(move: Mapping[str, Any], viewer: str) -> dict[str, Any]:
    """Return what a reader's own submission came to, as its report repeats it."""
    if move.get("seat") != viewer or move["kind"] != "lines" or move["by"] == "clock":
        return {}
    names = ("by", "played", "waiting", "planned", "returned", "reason")
    return {name: move[name] for name in names if name in move}


class _Saved(NamedTuple):
    """What a report takes from one of the saves of the present stop."""

    serial: int
    move: Mapping[str, Any]
    reported: Mapping[str, int]


def _this_stop(saves: Saves, link: Link) -> list[_Saved]:
    """Return the saves of the present stop, the newest first and the one that opened it last.

    A report is made from all of them and not from the newest alone, or else a report that is made again would show by
    its news whether somebody else has sealed an answer since.
    """
    entry = link.save.entry
    found, opened = [_Saved(entry.serial, entry.move, entry.reported)], entry.opened_hash
    while opened and isinstance(saves, Chain):
        serial = found[-1].serial - 1
        opened = saves.section(serial, "match").get("opened", {}).get("hash", "")
        found.append(_Saved(serial, saves.section(serial, "move"), saves.section(serial, "reported")))
    return found


def _notice(notice: str) -> str:
    kind, _, seat = notice.partition(" ")
    return _NOTICES[kind].format(seat=seat)


def render(saves: Saves, link: Link, reader: str, form: report.Form, key: SigningKey) -> bytes:
    """Return one signed report.

    Args:
        saves: the chain or the lone save.
        link: the save to report.
        reader: a seat, `observer`, `table` or `moderator`.
        form: `text`, `html` or `json`.
        key: the referee's key, which signs it.

    Raises:
        Usage: there is no such reader.
    """
    return render_all(saves, link, reader, [form], key)[form]


def render_all(
    saves: Saves, link: Link, reader: str, forms: Sequence[report.Form], key: SigningKey
) -> dict[report.Form, bytes]:
    """Return one reader's report in several forms, each signed; see `render`."""
    return make(saves, link, reader, forms, key).data


def make(saves: Saves, link: Link, reader: str, forms: Sequence[report.Form], key: SigningKey) -> Made:
    """Return one reader's report in several forms, each signed, with what it was made from; see `render`."""
    ready = _readied(saves, link, reader, key)
    return Made(ready, {form: _signed(ready, link, form, key) for form in forms})


def _readied(saves: Saves, link: Link, reader: str, key: SigningKey) -> report.Context:
    m = link.save.match
    if reader in m.seats:
        ready = context(saves, link, reader, key)
    elif reader in ("observer", "table", "moderator"):
        ready = context(saves, link, OBSERVER, key)
    else:
        raise Usage(f"There is no reader {reader!r}.", f"Name one of {', '.join(m.seats)}, observer, table or moderator.")
    if reader == "table":
        ready["sheets"] = [context(saves, link, seat, key) for seat in m.seats]
        for sheet in ready["sheets"]:
            sheet["code"] = ""
    if reader == "moderator":
        ready["everything"] = canon.loads(body(link.save))
    return ready


def _signed(ready: report.Context, link: Link, form: report.Form, key: SigningKey) -> bytes:
    try:
        text = report.render(ready, form, folders=[folder_of(link.save.match.game)])
    except OSError as error:
        said = f"The report cannot be made: {error.filename or 'a template'} cannot be read: {error.strerror}."
        raise Trouble(said, "Check the folder that the program is installed in.") from None
    return envelope.seal_report(text.encode(), key, form)


def write_reports(saves: Saves, link: Link, key: SigningKey, forms: Sequence[report.Form] = ("text", "html")) -> list[Delivery]:
    """Write the reports of a save, each seat's into a folder of its own, and return which file goes to whom.

    Raises:
        Trouble: one cannot be written; the save stands, and the same submission sent again writes what is missing.
    """
    try:
        return _write_reports(saves, link, key, forms)
    except Trouble as error:
        said = f"Save {link.save.entry.serial} is written, but a report of it is not: {error.sentence}"
        raise Trouble(said, f"{error.help} Then send the same again, or ask with `referee report`.".lstrip()) from None


def _write_reports(saves: Saves, link: Link, key: SigningKey, forms: Sequence[report.Form]) -> list[Delivery]:
    where, seats = addresses(saves.path), link.save.entry.reports
    files = {seat: _report_files(saves, link, seat, forms) for seat in seats}
    written = None
    while written is not link:
        for seat in seats:
            make_folder(saves.path / "reports" / seat)
            for form, data in render_all(saves, link, seat, list(files[seat]), key).items():
                # Not flushed to the disk: what a power cut takes away, the same submission sent again writes again.
                write_file(files[seat][form], data, flush=False)
        # Another writer may have been at work on the same stop: what lies there in the end is of the newest save.
        written, link = link, _newest_of_stop(saves, link)
    return [Delivery(seat, where.get(seat, ""), list(files[seat].values())) for seat in seats]


def _newest_of_stop(saves: Saves, link: Link) -> Link:
    if isinstance(saves, Lone) or saves.store.latest_serial() == link.save.entry.serial:
        return link
    newest = saves.latest()
    return newest if newest.save.match.stop == link.save.match.stop else link


def write_missing_reports(saves: Saves, link: Link, key: SigningKey) -> list[Delivery]:
    """Write the reports of the newest save if some are missing or older, because something ended the program before."""
    for seat in link.save.entry.reports:
        files = _report_files(saves, link, seat)
        wanted = render_all(saves, link, seat, list(files), key)
        if any(_read_if_there(path) != wanted[form] for form, path in files.items()):
            return write_reports(saves, link, key)
    return []


def _report_files(
    saves: Saves, link: Link, seat: str, forms: Sequence[report.Form] = ("text", "html")
) -> dict[report.Form, Path]:
    m = link.save.match
    return {form: saves.path / "reports" / seat / f"{m.id}-stop-{m.stop:04}.{FORMS[form]}" for form in forms}


def open_saves(path: Path, key: SigningKey) -> Saves:
    """Return the chain in a folder, or the lone save in a file.

    Raises:
        Trouble: there is nothing at the path.
    """
    if path.is_dir():
        return Chain(path, key.public)
    if path.exists():
        return Lone(path, key)
    raise Trouble(f"{path} does not exist.", "Name the folder of a match, or a save.")
