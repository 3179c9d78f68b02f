"""Make the match of six mail users anew: `python examples/make_mail_match.py KEY`.

A desk fetches mail from one Maildir and puts mail into another; six players (`mail_users.py`) read their own mails there and
reply. Kept are the saves, what the players sent, and the last reports. KEY is the referee's key that `referee.pub` belongs to.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from referee import desk
from referee.chain import Chain, verify
from referee.config import Config, Source, Target
from referee.desk import write_reports
from referee.engine import find_game, result
from referee.keys import SigningKey
from referee.opening import Table
from referee.postal import Postal, write_postal
from referee.runner import Office

if TYPE_CHECKING:
    from mail_users import User

HERE = Path(__file__).parent
NAME = "phantom-league-by-mail"
SEATS = ("alice", "bob", "carol", "dave", "erin", "frank")
REFEREE, MODERATOR = "referee@example.org", "dora@example.org"
OPTIONS = {"mostly-harmless": True, "rounds": 12}
MOST_ROUNDS = 3000


class Post:
    """The two Maildirs between a desk and its players."""

    def __init__(self, folder: Path) -> None:
        """Make them."""
        self.to_desk, self.to_players = folder / "to-desk", folder / "to-players"
        for box in (self.to_desk, self.to_players):
            for part in ("tmp", "new", "cur"):
                (box / part).mkdir(parents=True)
        self.count = 0

    def send(self, raw: bytes) -> None:
        """Post a mail to the desk."""
        self.count += 1
        (self.to_desk / "new" / f"{self.count:05}").write_bytes(raw)

    def collect(self) -> list[bytes]:
        """Return the mails to players that nobody has read, oldest first."""
        paths = sorted((self.to_players / "new").iterdir(), key=lambda path: (path.stat().st_mtime_ns, path.name))
        mails = [path.read_bytes() for path in paths]
        for path in paths:
            path.rename(self.to_players / "cur" / f"{path.name}:2,S")
        return mails


def main(key_file: str, seed: str = "") -> None:
    """Play the match and keep its folder; with a seed, which a report says, only to try it."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    key = SigningKey.load(key_file)
    with tempfile.TemporaryDirectory() as place:
        made = played(Path(place), key, bytes.fromhex(seed))
        kept = HERE / NAME
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for path in sorted(made.path.glob("*.toml")):
            if path.stem.isdigit():
                shutil.copy(path, kept)
        shutil.copytree(Path(place) / "mails", kept / "mails")
        write_reports(Chain(kept, key.public), Chain(kept, key.public).latest(), key)
    print(f"{NAME}: {sum(1 for _ in verify(Chain(kept, key.public)))} saves verified")


def played(place: Path, key: SigningKey, secret: bytes) -> Chain:
    """Play the match by mail to its end, and return its chain."""
    from mail_users import User

    users = {seat: User(seat, f"{seat}@example.org", telephone=seat in ("alice", "carol", "frank")) for seat in SEATS}
    post, office = Post(place), office_in(place, key)
    folder = office.matches / NAME
    (place / "mails").mkdir()
    addresses = {seat: user.address for seat, user in users.items()}
    table = Table(
        find_game("phantom-league"), list(SEATS), match_id=NAME, options=OPTIONS, addresses=addresses, secret=secret,
    )  # fmt: skip
    desk.open_match(folder, table, key, at=time_of(0), begin=False)
    write_postal(folder, Postal(REFEREE, MODERATOR, press="open"))
    chain = Chain(folder, key.public)
    for number in range(1, MOST_ROUNDS):
        done = Office(office, at=time_of(number)).round()
        assert not done.troubles, done.troubles
        if not answered(post, users, place / "mails"):
            break
    match = chain.latest().save.match
    assert match.over, f"nobody writes any more at stop {match.stop}"
    print(f"{post.count} mails of players, {match.stop} stops, {result(match)}")
    return chain


def office_in(place: Path, key: SigningKey) -> Config:
    """Return a desk that fetches from one Maildir and sends into the other."""
    key.save(place / "referee.key")
    (place / "matches").mkdir()
    return Config(
        place / "referee.toml", place / "desk", place / "matches", place / "referee.key", REFEREE, MODERATOR,
        source=Source("maildir", place / "to-desk"), target=Target("maildir", place / "to-players"),
    )  # fmt: skip


def answered(post: Post, users: dict[str, User], mails: Path) -> bool:
    """Let everybody read the new mails and reply to the last that asks for something; tell whether anybody did."""
    last: dict[str, bytes] = {}
    for raw in post.collect():
        seat = next(seat for seat, user in users.items() if f"To: {user.address}".encode() in raw)
        reply = users[seat].reply(raw)
        last[seat] = reply or last.get(seat, b"")
    for seat, reply in last.items():
        if reply:
            post.send(reply)
            (mails / f"{post.count:04}-{seat}.eml").write_bytes(reply)
    return any(last.values())


def time_of(number: int) -> str:
    """Return the time of a round of the desk: every four hours."""
    days, step = divmod(number, 6)
    return f"{2026 + days // 336}-{1 + days // 28 % 12:02}-{1 + days % 28:02}T{4 * step:02}:00:00Z"


if __name__ == "__main__":
    main(*sys.argv[1:])
