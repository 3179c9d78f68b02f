"""Six players of The Phantom League who have nothing but a mail program: they read the text of their mails and reply.

All of them trade by the price table of their report. Beside it each has a way of their own: bob buys peace from alice, carol
asks dave into a League, erin writes whole blocks and standing orders, and frank attacks whoever is beside him.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import format_datetime

GOODS = ("narcotics", "slaves", "fuel", "food", "ore")
LEGAL = ("fuel", "food", "ore")
TURN = ("movement", "docked", "action")
LIKED = (
    "captain", "ship S08", "ship S07", "ship S05", "ship S03", "ship", "improvement I19", "improvement I20", "no improvement",
    "come along", "dock along", "ransom money", "ransom cargo", "pay fine", "pay", "lend nothing", "decline",
    "submit", "resolve", "carry on", "ignore nothing", "leave wrecks", "flee", "watch",
    "put back", "turn down cargo", "refuse", "pass",
    "first defense", "stay", "follow fame",
)  # fmt: skip
"""What they answer to whatever is not their turn, by the beginnings of lines: the first that is offered."""
LONGEST = 180  # characters of a line


class User:
    """Somebody with a mailbox, and nothing else to go by.

    Args:
        seat: the seat that the mails are for.
        address: the own address.
        telephone: whether the replies are a few lines above the quoted mail, and no block.
    """

    def __init__(self, seat: str, address: str, *, telephone: bool) -> None:
        """Wait for the first mail."""
        self.seat, self.address, self.telephone = seat, address, telephone
        self.turns, self.replies, self.refusals = 0, 0, 0
        self.page = Page(seat, "")
        self.answered: list[tuple[str, str]] = []
        self.stop = ""

    def reply(self, raw: bytes) -> bytes:
        """Return the reply to a mail, or nothing if it asks for none."""
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        text = text_of(mail)
        lines = self.lines(mail["Subject"], text)
        if not lines:
            return b""
        self.replies += 1
        if not self.telephone and (block := re.search(r"^#referee .*$", text, re.MULTILINE)):
            lines = [block[0], *lines, "#end"]
        answer = EmailMessage()
        answer["From"], answer["To"] = self.address, mail["From"].addresses[0].addr_spec
        answer["Subject"] = f"Re: {mail['Subject']}"
        answer["Date"] = format_datetime(mail["Date"].datetime)
        answer["Message-ID"] = f"<{self.seat}-{self.replies}@example.net>"
        answer["In-Reply-To"] = answer["References"] = mail["Message-ID"]
        quoted = "".join(f"> {line}\n" for line in text.splitlines()[:40])
        answer.set_content("\n".join(lines) + f"\n\nOn Monday the referee wrote:\n{quoted}")
        return answer.as_bytes(policy=email.policy.SMTP)

    def lines(self, subject: str, text: str) -> list[str]:
        """Return what to answer to a mail; nothing if it asks for nothing."""
        if "you are invited" in subject:
            return ["accept"]
        if "EVERY ORDER LINE" in text:
            self.page = Page(self.seat, text)
        if "not played" in subject or "could not be read" in subject:
            self.refusals += 1
            return self.page.harmless(self.refusals)
        stop = subject.partition("stop ")[2].partition(":")[0]
        asked = "Asked of you" in text and stop != self.stop  # a mail on somebody's proposal asks the same again
        self.refusals, self.stop = 0, stop if asked else self.stop
        return [*self.talk(text), *(self.page.answer() if asked else [])]

    # Agreements

    def talk(self, text: str) -> list[str]:
        """Return lines that answer nothing: proposals to others, and answers to theirs."""
        news = text.partition("WHAT HAPPENED")[2].partition("THE BOARD")[0]
        found = re.findall(r"^[-•*] (\w+) proposes to you \(proposal\s+(\d+)\)", news, re.MULTILINE)
        new = [one for one in found if one not in self.answered]
        self.answered += new
        lines = [f"agree with {seat} on {number} or reject {seat} on {number}" for seat, number in new]
        if "is your turn" in text or "It is your" in text or re.search(r"Turn \d+: yours", news):
            self.turns += 1
            lines += self.proposals()
        return lines

    def proposals(self) -> list[str]:
        """Return what this player proposes in this turn."""
        if (self.seat, self.turns) == ("bob", 2):
            terms = ["let bob pay 40", "let alice keep peace until 8", "besides Hollow Core is mine"]
            return ["propose to alice", *terms, "send proposal"]
        if (self.seat, self.turns) == ("carol", 2):
            return ["propose league with dave on turn of carol for 3"]
        if (self.seat, self.turns) == ("erin", 3):
            return ["propose to frank", "let frank keep peace until 9", "let erin pay 60 on turn 6", "send proposal"]
        if (self.seat, self.turns) == ("erin", 1):
            return ["always come along", "always dock along"]
        return []


def text_of(mail: EmailMessage) -> str:
    """Return the text that a mail program shows."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


class Page:
    """One report, as its reader finds the way about in it.

    Args:
        seat: whose it is.
        text: the text of the mail.
    """

    def __init__(self, seat: str, text: str) -> None:
        """Look for the lines that may be sent, the prices, and the own mat."""
        self.seat, self.text = seat, text
        listed = text.partition("EVERY ORDER LINE")[2].partition("WHAT YOU MAY SEND AT ANY")[0].partition("STANDING ORDERS")[0]
        self.offers = re.findall(r"^ {6}(\S.*)$", listed, re.MULTILINE)
        self.patterns = re.findall(r"^\* (.*)$", listed, re.MULTILINE)
        self.prices = dict(self._prices())
        self.own = re.split(r"^[A-F] \w+", text.partition(f" {seat} (you)")[2], maxsplit=1, flags=re.MULTILINE)[0]

    def _prices(self) -> Iterator[tuple[str, dict[str, int]]]:
        rows = self.text.partition("What one token costs")[2].partition("In the supply")[0]
        for name, *values in re.findall(r"^[LNR] (\S.*?)\s{2,}" + r"\s+".join([r"([-+]\d+|\.)"] * 5) + "$", rows, re.MULTILINE):
            yield name.lower(), {goods: int(value) for goods, value in zip(GOODS, values, strict=True) if value != "."}

    # What it says of the own ship

    @property
    def place(self) -> str:
        """Where the own ship is."""
        found = re.search(r"(?:docked|flying) at ([^(,;\n]+)", self.own)
        return found[1].strip().lower() if found else ""

    @property
    def cargo(self) -> dict[str, int]:
        """What is on board."""
        found = re.search(r"^ +cargo: (.*)$", self.own, re.MULTILINE)
        return {goods: int(count) for count, goods in re.findall(r"(\d+) (\w+)", found[1])} if found else {}

    @property
    def held(self) -> list[str]:
        """The own missions."""
        return re.findall(r"^- (M\d\d) ", self.text.partition("Your missions:")[2], re.MULTILINE)

    @property
    def money(self) -> int:
        """The own money."""
        found = re.search(r"money (\d+)", self.own)
        return int(found[1]) if found else 0

    # What to answer

    def answer(self) -> list[str]:
        """Return the lines of a reply."""
        patterns = " ".join(self.patterns)
        if not re.search(r"(^| )end( |$)", patterns):
            return self.choice()
        if "enter {" in patterns and "move to" not in patterns:
            return self.choice()
        moving = "move to {" in patterns
        docked = "docked" in self.own.partition("wreck")[0][:400]
        if moving and not docked:
            return [*self.flight(), "dock or mine or scoop or skip", *self.business(), "end"]
        if moving:
            return [*self.missions(), *self.flight(), "dock or mine or scoop or skip", *self.business(), "end"]
        attack = ["attack alice or attack erin or attack bob or mine or skip"] if self.seat == "frank" else []
        return [*(attack if not docked else []), "dock or mine or scoop or skip", *self.business(), "end"]

    def harmless(self, attempt: int) -> list[str]:
        """Return what to send when a mail was not played: one line that the last report offers, another each time."""
        patterns = [pattern.split(" [")[0] for pattern in self.patterns]
        ends = ["end"] if "end" in patterns else []
        plain = [*ends, *self.offers, *(pattern for pattern in patterns if "{" not in pattern)]
        return [plain[(attempt - 1) % len(plain)]] if plain and attempt < 20 else []

    def choice(self) -> list[str]:
        """Return the answer to a question that is not the turn: what is liked best of what is offered."""
        whole = [pattern.split(" [")[0] for pattern in self.patterns]
        offered = [*self.offers, *(pattern for pattern in whole if "{" not in pattern)]
        liked = [line for liking in LIKED for line in offered if line.startswith(liking)]
        return [self.within(list(dict.fromkeys([*liked, *offered]))[:6])]

    def missions(self) -> list[str]:
        """Return claims of all missions in hand."""
        verbs = [verb for verb in ("claim", "begin") if f"{verb} {{mission}}" in self.patterns]
        return [f"{verb} {code} or skip" for code in self.held for verb in verbs]

    def business(self) -> list[str]:
        """Return what to do where the ship is docked, or will be: all of it may be impossible, and is passed over then."""
        lines = [f"claim {code} or skip" for code in self.held]
        lines += [f"sell all {goods} or skip" for goods in self.cargo if goods in LEGAL]
        lines += ["buy recognition or skip"] if self.money > 250 else []
        buys = [f"buy {count} {goods}" for goods in ("food", "fuel", "ore") for count in (8, 4, 2)]
        return [*lines, "refuel or skip", "repair or skip", self.within([*self.best_buys(), *buys, "skip"])]

    def best_buys(self) -> list[str]:
        """Return what can be bought cheaply where the ship is going, for the next place."""
        here = self.prices.get(self.goals()[0] if self.goals() else self.place, {})
        gain = {goods: self.best_price(goods) + price for goods, price in here.items() if price < 0 and goods in LEGAL}
        best = [goods for goods in sorted(gain, key=lambda goods: -gain[goods]) if gain[goods] > 0]
        return [f"buy {count} {goods}" for goods in best[:1] for count in (8, 4, 2)]

    def best_price(self, goods: str) -> int:
        """Return the most that is paid for a commodity anywhere."""
        return max((row[goods] for row in self.prices.values() if row.get(goods, 0) > 0), default=0)

    def goals(self) -> list[str]:
        """Return where to go, best first: where the cargo brings most, else where something is cheap."""
        worth = {
            place: sum(count * max(0, row.get(goods, 0)) for goods, count in self.cargo.items()) + len(row)
            for place, row in self.prices.items()
            if place != self.place
        }
        return sorted(worth, key=lambda place: (-worth[place], place))

    def flight(self) -> list[str]:
        """Return the movement: into the unknown while that brings fame, else to the best place in reach."""
        explore = [line for line in self.offers if line.startswith("explore")][:2] if len(self.text) % 3 else []
        return [self.within([*explore, *(f"move to {place}" for place in self.goals()), "skip"])]

    def within(self, lines: list[str]) -> str:
        """Return alternatives as one line that is not too long; the last of them always stands."""
        while len(" or ".join(lines)) > LONGEST and len(lines) > 2:
            del lines[-2]
        return " or ".join(lines)
