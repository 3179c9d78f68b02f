"""`python -m bench.mail [--mails N] [--matches N] [--jobs N]`: submissions that wait in a Maildir, through to the outbox.

Every match gets as many mails, each a line that its seat may send when its turn comes, so that all of them are played. What
is measured is a whole round: fetched, read, proved, played, saved, answered, all reports made and put in the outbox. It is
compared with the same moves in the full cycle of `bench.inside` (verify, parse, play, write, sign, text and HTML of both
seats), which knows no mail and no disk.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from referee import desk, envelope
from referee.block import Submission, block_text
from referee.chain import Chain, Link, opened_hash, successor
from referee.config import Config, Source
from referee.dispatch import Lone, render_all
from referee.engine import find_game
from referee.keys import SigningKey
from referee.mail.outbox import Outbox
from referee.postal import Postal, write_postal
from referee.runner import Office
from referee.save import body, file_hash, parse
from referee.submission import code_for

from .scene import random_line

SLUG = "cosmic-league"
SEATS = {"alice": "alice@example.org", "bob": "bob@example.net"}
AT = "2026-11-30T18:00:00Z"
MAIL = """\
Return-Path: <{sender}>
Received: from mail.example.net by mail.example.org; Mon, 30 Nov 2026 17:{minute:02}:00 +0000
From: {seat} <{sender}>
To: Referee <referee@example.org>
Subject: Re: [{match}] stop {stop}: it is your turn
Date: Mon, 30 Nov 2026 17:{minute:02}:00 +0000
Message-ID: <{number}.{match}@mail.example.net>
MIME-Version: 1.0
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 8bit

{block}
On Mon, 30 Nov 2026 at 16:00, Referee <referee@example.org> wrote:

{quoted}"""


def begin(folder: Path, key: SigningKey, name: str, number: int) -> Chain:
    """Return a new match that is run by mail."""
    secret = number.to_bytes(32, "big")
    table = desk.Table(find_game(SLUG), list(SEATS), match_id=name, secret=secret, addresses=SEATS)
    chain, link = desk.open_match(folder, table, key, at=AT)
    write_postal(folder, Postal("referee@example.org", "carol@example.org"))
    desk.write_reports(chain, link, key)
    return chain


def mails_of(folder: Path, key: SigningKey, name: str, number: int, count: int) -> Iterator[tuple[str, Submission]]:
    """Play a match on a copy, and yield the mails that do the same to the match itself."""
    chain = begin(folder, key, name, number)
    pick = random.Random(number)
    for mail in range(count):
        link = chain.latest()
        m = link.save.match
        seat, line = random_line(link, pick)
        code = code_for(key, m, seat, m.stop, opened_hash(link))
        quoted = "".join(f"> {line}\n" for line in f"Report of stop {m.stop}\n\nYou are asked.\n".splitlines() * 20)
        block = block_text(name, m.stop, seat, code, (line,))
        words = {"sender": SEATS[seat], "seat": seat, "match": name, "stop": m.stop, "minute": mail, "number": mail}
        sent = Submission(name, m.stop, seat, code, (line,))
        yield MAIL.format(**words, block=block, quoted=quoted), sent
        desk.apply(chain, key, sent, at=AT)


def make(folder: Path, matches: int, mails: int) -> tuple[Config, list[list[Submission]]]:
    """Make a desk with matches, and a Maildir with mails to them, mixed; return it, and what is sent to each match."""
    key = SigningKey.from_bytes(bytes(range(32)))
    key.save(folder / "referee.key")
    box = folder / "in"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (folder / "matches").mkdir()
    sent: list[list[Submission]] = []
    for number in range(matches):
        name = f"cl-{number:04}"
        rows = list(mails_of(folder / "play", key, name, number, mails // matches))
        shutil.rmtree(folder / "play")
        begin(folder / "matches" / name, key, name, number)
        for minute, (text, _) in enumerate(rows):
            path = box / "new" / f"{minute}.{name}.example"
            path.write_text(text)
            received = 1_796_050_800 + minute * 60 + number / 1000
            os.utime(path, (received, received))
        sent.append([one for _, one in rows])
    config = Config(
        folder / "referee.toml",
        folder / "desk",
        folder / "matches",
        folder / "referee.key",
        "referee@example.org",
        "carol@example.org",
        source=Source("maildir", box),
    )
    return config, sent


def processor() -> float:
    """Return the processor's time of this process and of those that it waited for, in seconds."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def round_once(config: Config, jobs: int) -> tuple[float, float]:
    """Run one round and return the processor's and the clock's seconds; every mail must have been played and answered."""
    begin_time, begin_work = time.perf_counter(), processor()
    done = Office(config, at=AT, jobs=jobs).round()
    spent = processor() - begin_work, time.perf_counter() - begin_time
    assert not done.troubles, done.troubles
    assert done.tally.refused == done.tally.left == 0
    return spent


def check(config: Config, sent: list[list[Submission]]) -> int:
    """Check that each mail led to a save and to an answer in the outbox; return how many mails are there."""
    key = SigningKey.load(config.key)
    for rows in sent:
        chain = Chain(config.matches / rows[0].match, key.public)
        assert chain.store.latest_serial() == len(rows) + 1, f"{chain.path} is at save {chain.store.latest_serial()}"
    with Outbox(config.desk / "outbox") as outbox:
        return outbox.status().waiting


def full_cycle(config: Config, sent: list[list[Submission]]) -> float:
    """Return the processor's seconds of the same moves in the full cycle, without mail and without a disk."""
    key, spent = SigningKey.load(config.key), 0.0
    for rows in sent:
        chain = Chain(config.matches / rows[0].match, key.public)
        links = [chain.store.read(serial + 1) for serial in range(len(rows))]
        begin_time = time.process_time()
        for data, one in zip(links, rows, strict=True):
            _cycle(chain, key, data, one)
        spent += time.process_time() - begin_time
    return spent


def _cycle(chain: Chain, key: SigningKey, data: bytes, one: Submission) -> None:
    content = envelope.unseal(data, key.public, "save", name="a save")
    link = Link(parse(content, "a save", chain.pack), file_hash(data))
    move = {"kind": "lines", "seat": one.seat, "stop": one.stop, "by": "code", "lines": list(one.lines)}
    save, _ = successor(link, move, AT, "bench", chain.older)
    after = Link(save, file_hash(envelope.seal(body(save), key, "save")))
    for seat in SEATS:
        render_all(Lone(chain.path / "0000.toml", key), after, seat, ("text", "html"), key)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.mail", description=__doc__)
    parser.add_argument("--mails", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    gc.set_threshold(100_000)  # as the command line does
    times: dict[str, list[float]] = {"one": [], "one elapsed": [], "two": [], "two elapsed": [], "cycle": []}
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as place:
        (Path(place) / "made").mkdir()
        made, sent = make(Path(place) / "made", arguments.matches, arguments.mails)
        for number in range(arguments.rounds):
            for jobs, name in ((1, "one"), (2, "two")):
                folder = Path(place) / f"round-{number}-{jobs}"
                shutil.copytree(made.file.parent, folder, copy_function=shutil.copy2)
                config = moved(made, folder)
                work, elapsed = round_once(config, jobs)
                times[name].append(work)
                times[f"{name} elapsed"].append(elapsed)
                out = check(config, sent)
                if jobs == 1:
                    times["cycle"].append(full_cycle(config, sent))
                shutil.rmtree(folder)
    count = sum(map(len, sent))
    print(f"{count} submissions to {len(sent)} matches, {out} mails put in the outbox; load {os.getloadavg()[0]:.1f}")
    for name, values in times.items():
        print(f"{name:12} {statistics.median(values):6.2f} s   {count / statistics.median(values):6.0f} a second")
    middle = {name: statistics.median(values) for name, values in times.items()}
    print(f"one process over the full cycle: {middle['one'] / middle['cycle']:.2f} (target 1.5)")
    print(f"two processes over one, elapsed: {middle['two elapsed'] / middle['one elapsed']:.2f}")


def moved(config: Config, folder: Path) -> Config:
    """Return a desk that was copied to another folder."""
    source = Source("maildir", folder / "in")
    names = {name: folder / name for name in ("desk", "matches")}
    return Config(
        folder / "referee.toml", names["desk"], names["matches"], folder / "referee.key", config.address, source=source
    )


if __name__ == "__main__":
    main()
