"""What the referee says by mail: the subject and the text of each kind of mail, out of templates.

A mail is made from `Facts`: plain data that its one reader may know. Every kind has a template of its own under
`templates/mail`, so that the words can be read and changed in one place. What somebody else wrote (a subject, a name, a
message) is cleaned before it goes in, so that it can neither add a header nor pass for a line of ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from referee.block import block_text
from referee.fields import dataclass, field
from referee.report import Context, clean

Kind = Literal[
    "accepted",  # every line stands
    "in part",  # what stood, why the rest did not
    "refused",  # nothing was played; with the corrected block
    "stale",  # for a stop that is over; with the current report
    "duplicate",  # the same mail again; the first answer again
    "wrong",  # no such match or seat, or the code is not that of the seat
    "unreadable",  # no orders could be read
    "question",  # two different blocks: which one?
    "check",  # a dry run
    "help",  # the guide of the game in short
    "withdrawn",  # a sealed answer was taken back
    "done",  # desk lines alone: a vacation, a key, a vote
    "invitation",  # may we begin? reply `accept`
    "joined",  # an acceptance came in
    "begun",  # all have accepted; the first report
    "report",  # news for a seat that sent nothing
    "reminder",  # the deadline is near; with the full report
    "missed",  # the deadline is over
    "press",  # a message of a player
    "confirm",  # to the old address: may the reports go to another one?
    "address",  # reports go to another address from now on
    "digest",  # one mail for all matches of a day
    "notice",  # to the moderator
    "entry",  # an entry for an event, or a withdrawal: please confirm, done, or why not
    "event",  # news of an event: a round, a reminder of its end, a table
]
KINDS: tuple[Kind, ...] = get_args(Kind)
LONGEST_SUBJECT = 120  # characters of a subject of ours
_LONGEST_QUOTED = 200  # characters of somebody else's subject or date

_HAPPENED: Mapping[str, str] = {
    "accepted": "your orders are played",
    "in part": "a part of your orders is played",
    "refused": "your orders were not played",
    "stale": "your orders came too late",
    "duplicate": "your orders came twice",
    "wrong": "your orders were not taken",
    "unreadable": "your mail could not be read",
    "question": "which of your orders are meant?",
    "check": "your orders were checked, not played",
    "help": "how to play",
    "withdrawn": "your answer is taken back",
    "done": "your mail is noted",
    "invitation": "you are invited",
    "joined": "your acceptance is noted",
    "begun": "the match has begun",
    "report": "news of the match",
    "reminder": "your answer is still missing",
    "missed": "the deadline is over",
    "press": "a message",
    "confirm": "may your reports go to another address?",
    "address": "your address is changed",
    "digest": "your matches today",
    "notice": "a notice to the moderator",
    "entry": "your entry",
    "event": "news of the event",
}


class Mail(NamedTuple):
    """Subject and text of a mail, before it is built."""

    subject: str
    text: str


@dataclass
class About:
    """The mail that is answered, as it was written: Subject, Date and Message-Id (without angle brackets)."""

    subject: str = ""
    date: str = ""
    id: str = ""


@dataclass
class Facts:
    """What a mail may say; each kind of mail uses what it needs.

    Attributes:
        match, title, stop, seat: what the mail is about; `title` is the game's.
        seats: all seats of the match, for an invitation.
        asks: what is asked of the seat, for the subject; see `asked_words`. "" if nothing is.
        over: whether the match is over.
        questions: the questions that wait for the seat, as its report words them.
        played, waiting, planned: order lines in canonical form: done; kept behind a window; planned for later questions.
        returned: order lines that came back unplayed.
        fence: for a dry run, whether it stopped before an outcome that nobody can know yet.
        reason, help: why something was refused, and the way out.
        done: sentences about what the desk lines of the mail did.
        notes: further sentences, such as that attachments were not read.
        block: the block of orders to copy, as `corrected` makes it; "" for none.
        link: the answer link that opens a mail with this block; "" for none.
        deadline: until when to answer, as people read it; "" for none.
        other_address: the address that a mail with a valid code came from, if it is not the registered one.
        address: an address that reports are to go to, or go to.
        sender: who wrote a message: a seat, or "somebody" in an anonymous match.
        message: the words of a message (press, or of the moderator).
        goal, orders, example: the guide of the game, as in a report's `Context`.
        items: heading and text of each part of a digest or of a notice to the moderator.
        contact: the human address to write to.
        answer_to: the address that orders go to.
        attached: whether the mail carries the report.
    """

    match: str = ""
    title: str = ""
    stop: int = 0
    seat: str = ""
    seats: Sequence[str] = ()
    asks: str = ""
    over: bool = False
    questions: Sequence[str] = ()
    played: Sequence[str] = ()
    waiting: Sequence[str] = ()
    planned: Sequence[str] = ()
    returned: Sequence[str] = ()
    fence: bool = False
    reason: str = ""
    help: str = ""
    done: Sequence[str] = ()
    notes: Sequence[str] = ()
    block: str = ""
    link: str = ""
    deadline: str = ""
    other_address: str = ""
    address: str = ""
    sender: str = ""
    message: str = ""
    goal: str = ""
    orders: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict)
    items: Sequence[tuple[str, str]] = ()
    contact: str = ""
    answer_to: str = ""
    attached: bool = False


def answer(kind: Kind, facts: Facts, about: About | None = None, *, user_folder: Path | None = None) -> Mail:
    """Return the subject and the text of a mail.

    Args:
        kind: what kind of mail it is; `KINDS` lists them.
        facts: what it says; nothing that its reader may not know.
        about: the mail that it answers; its Subject, Date and Message-Id are quoted.
        user_folder: templates of the moderator's own, which come first.

    Raises:
        TemplateFault: a template is missing or cannot be used.

    Example:
        >>> facts = Facts(match="cl-7k3q", stop=12, seat="alice", played=["roll", "fly red"], asks="it is your turn")
        >>> mail = answer("accepted", facts, About("Re: my turn", "Mon, 30 Nov 2026 18:00:00 +0100", "x1@example.net"))
        >>> mail.subject
        '[cl-7k3q] stop 12: your orders are played; it is your turn'
        >>> print(mail.text.split("\\n\\n")[1])
        - roll
        - fly red
    """
    from referee.templating import render

    text = render(f"mail/{kind.replace(' ', '-')}.txt.j2", _context(kind, facts, about), user_folder=user_folder)
    text = re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"
    match = "" if kind == "digest" else facts.match
    return Mail(subject(match, facts.stop, _HAPPENED[kind], _asks(kind, facts)), text)


def subject(match: str, stop: int, happened: str, asks: str = "") -> str:
    """Return the subject of a mail: match, stop and what is asked, and nothing that was drawn, held or typed.

    Args:
        match: the match; "" for none.
        stop: the stop; 0 for none.
        happened: what the mail tells.
        asks: what is asked of the reader; "" for nothing.

    Example:
        >>> subject("cl-7k3q", 12, "news of the match", "it is your turn"), subject("", 0, "your matches today")
        ('[cl-7k3q] stop 12: news of the match; it is your turn', 'your matches today')
    """
    place = f"[{match}] stop {stop}: " if match and stop else f"[{match}] " if match else ""
    joint = " " if happened.endswith("?") else "; "
    return plain_header(f"{place}{happened}{joint + asks if asks else ''}")[:LONGEST_SUBJECT].rstrip()


def asked_words(view: Mapping[str, Any], questions: Mapping[str, str]) -> str:
    """Return what is asked of the viewer in words without a secret, for a subject; "" if nothing is.

    A subject is seen on locked screens and in the logs of servers. So it has the first sentence of the question only
    if that sentence, as the game's `words.toml` writes it, has no gap that something hidden could fill.

    Args:
        view: what `engine.view` gives for a seat.
        questions: the sentences of the game's questions, unfilled.

    Example:
        >>> view = {"you": [{"question": "turn", "decider": "alice"}], "over": False}
        >>> asked_words(view, {"turn": "It is your turn. You hold {cards}."})
        'it is your turn'
        >>> asked_words(view, {"turn": "Play {card}, or decline."}), asked_words({"over": True}, {})
        ('your answer is asked for', '')
    """
    rows = [] if view["over"] else [row for row in view.get("you", ()) if "sealed" not in row]
    if not rows:
        return ""
    first = re.split(r"[.?!:;](?:\s|\Z)", questions.get(rows[0]["question"], ""))[0]
    if not first or "{" in first or len(first) > 60:
        return "your answer is asked for"
    return first[0].lower() + first[1:]


def facts_of(context: Context, questions: Mapping[str, str]) -> Facts:
    """Return the facts that the context of a seat's report holds: all but what came of a mail.

    Args:
        context: what the report of the seat is made from.
        questions: the sentences of the game's questions, unfilled; `words.sentences(game)["questions"]`.

    Example:
        >>> from referee.report import blank
        >>> facts_of(blank("alice"), {}).block.splitlines()
        ['#referee toy-1 1 alice', '', '#end']
    """
    view = context["view"]
    block = "" if view["over"] else corrected(view["match"], view["stop"], view["viewer"], context.get("code", ""))
    answer_to = str(context.get("answer_to", ""))
    return Facts(
        match=view["match"],
        title=view["title"],
        stop=view["stop"],
        seat=view["viewer"],
        seats=view["seats"],
        asks=asked_words(view, questions),
        over=view["over"],
        questions=[row["text"] for row in view.get("you", ())],
        block=block,
        deadline=context["deadline"],
        goal=context["goal"],
        orders=context["orders"],
        example=context.get("example", {}),
        contact=str(context.get("contact", "")),
        answer_to=answer_to,
    )


def corrected(match: str, stop: int, seat: str, code: str, lines: Sequence[str] = (), wrong: Sequence[str] = ()) -> str:
    """Return a block to copy, with the lines that can be played, and those that cannot as remarks behind a `#`.

    Args:
        match, stop, seat, code: the block's first line.
        lines: lines in canonical form.
        wrong: what was written and cannot be played.

    Example:
        >>> print(corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ["roll"], ["fly rde", "> #end"]))
        #referee cl-7k3q 12 alice K7QF-2M9X-44TD
        roll
        # not played: fly rde
        # not played: > “#”end
        #end
    """
    first, *good, last = block_text(match, stop, seat, code, tuple(lines)).splitlines()
    remarks = [f"# not played: {_short(clean(line), 150)}" for line in wrong]
    return "\n".join([first, *good, *remarks, *([""] if not (good or remarks) else []), last])


def plain_header(text: str) -> str:
    """Return a text that can stand in a header: one line, nothing invisible, single spaces.

    Example:
        >>> plain_header("Re: my turn\\r\\nBcc: all@example.org\\u202e")
        'Re: my turn Bcc: all@example.org'
    """
    return " ".join(str(clean(text)).split())


# What goes into the templates

_PARAGRAPHS = ("message", "items")


def _context(kind: Kind, facts: Facts, about: About | None) -> dict[str, Any]:
    given = {name: getattr(facts, name) for name in Facts.__annotations__}
    fit = {name: _cleaned(value, name in _PARAGRAPHS) for name, value in given.items() if name != "block"}
    # A block is ours, and its first and last line are what `clean` breaks in the words of others.
    return {**fit, "block": facts.block, "kind": kind, "about": _quoted(about) if about else {}}


def _cleaned(value: Any, paragraphs: bool) -> Any:
    if isinstance(value, Mapping):
        return {clean(key): _cleaned(item, paragraphs) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item, paragraphs) for item in value]
    return "\n".join(clean(line) for line in value.splitlines()) if paragraphs else clean(value)


def _quoted(about: About) -> dict[str, str]:
    return {name: _short(plain_header(getattr(about, name)), _LONGEST_QUOTED) for name in About.__annotations__}


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _asks(kind: Kind, facts: Facts) -> str:
    if kind in ("digest", "notice", "press", "invitation", "confirm", "address", "joined", "help", "entry", "event"):
        return ""
    return "the match is over" if facts.over else facts.asks
