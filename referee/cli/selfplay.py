"""`referee selfplay`: a whole match by random lines, as if they had come by mail."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from referee.errors import Refusal, Trouble, Usage

from .arguments import Takes
from .common import NONE, Json, Key, Options, game_named, pairs, path_of, results, show, signing_key

if TYPE_CHECKING:
    from random import Random

    from referee.ask import Decision
    from referee.block import Submission
    from referee.chain import Chain, Link
    from referee.keys import SigningKey
    from referee.match import Game, Match

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
MOST_MAILS = 20_000
ALTERNATIVE, ANOTHER, BLIND, STANDING = 0.2, 0.5, 0.2, 0.05
"""How often a line has an alternative, a mail another line, a mail a line after an unknown outcome, an order stands."""


def selfplay(
    game: Annotated[str, Takes("GAME", "The game; see `referee games`.")],
    folder: Annotated[str, Takes("DIR", "A folder that is new or empty.")],
    seed: Annotated[int, Takes("N", "The same number gives the same match.", "--seed")],
    bots: Annotated[Literal["random"], Takes("", "Who plays.", "--bots")] = "random",
    seat: Annotated[list[str], Takes("NAME", "A seat; as few as possible by default.", "--seat")] = NONE,
    option: Options = NONE,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Play a whole match by random legal lines, and write all its saves and reports.

    Same number, game and key give the same files, byte for byte. Every report says that the seed is for tests.
    """
    signer = signing_key(key)
    rules = game_named(game)
    chain, link = _begin(rules, folder, seat or list(NAMES[: rules.seats[0]]), pairs(option, "--option"), seed, signer)
    link = _play(chain, link, signer, seed)
    m = link.save.match
    scores = rules.score(m)
    thing: dict[str, Any] = {"match": m.id, "folder": folder, "seed": seed, "stops": m.stop}
    thing |= {"saves": link.save.entry.serial + 1, "result": scores}
    lines = [f"Match {m.id} of {rules.title} was played to its end: {thing['saves']} saves in {folder}.", *results(scores)]
    show(thing, lines, as_json)


def _begin(
    game: "Game", folder: str, seats: list[str], options: dict[str, str], seed: int, key: "SigningKey"
) -> tuple["Chain", "Link"]:
    import hashlib

    from referee.desk import Table, open_match, write_reports

    if not -(2**63) <= seed < 2**63:
        raise Usage(f"--seed {seed} is too large.", "Take a number of at most 18 digits.")
    secret = hashlib.sha256(f"referee selfplay 1 {seed}".encode()).digest()
    # Not from the secret itself, whose hash is published under a name that depends on this one.
    name = f"{''.join(word[0] for word in game.slug.split('-'))}-{hashlib.sha256(f'name {seed}'.encode()).hexdigest()[:6]}"
    table = Table(game, seats, options, secret=secret, match_id=name)
    chain, link = open_match(path_of(folder), table, key, at=_time(0))
    write_reports(chain, link, key)
    return chain, link


def _time(mails: int) -> str:
    """Return a time that depends on nothing but the number of mails so far."""
    days, minutes = divmod(mails, 24 * 60)
    return f"2026-01-{1 + days:02}T{minutes // 60:02}:{minutes % 60:02}:00Z"


def _play(chain: "Chain", link: "Link", key: "SigningKey", seed: int) -> "Link":
    from random import Random

    from referee.desk import apply

    pick = Random(seed)
    for mails in range(1, MOST_MAILS + 1):
        if link.save.match.over:
            return link
        apply(chain, key, _mail(link, key, pick), at=_time(mails))
        link = chain.latest()
    raise Trouble(f"The match did not end within {MOST_MAILS} mails.", "Report it: the game's rules may hold a loop.")


# A mail


def _mail(link: "Link", key: "SigningKey", pick: "Random") -> "Submission":
    """Return a submission of one who is asked, read out of the text of a mail like everybody's."""
    from referee.block import block_text, read_submission
    from referee.chain import opened_hash
    from referee.submission import code_for

    m = link.save.match
    decisions = list(_open(m))
    decision = decisions[int(pick.random() * len(decisions))]
    lines = tuple(_lines(m, decision, pick))
    code = code_for(key, m, decision.seat, m.stop, opened_hash(link))
    return read_submission(block_text(m.id, m.stop, decision.seat, code, lines).encode())


def _open(m: "Match", seat: str = "") -> Iterator["Decision"]:
    """Yield the decisions that are still to be made, of all seats or of one."""
    from referee.engine import pending

    question = pending(m)
    for decision in question.decisions.values() if question else ():
        if decision.decider not in m.sealed and seat in ("", decision.seat):
            yield decision


def _lines(m: "Match", decision: "Decision", pick: "Random") -> list[str]:
    """Return the lines of one mail: each can be played after those before it, but for one sent without knowing."""
    from referee.orders import submit

    seat, lines = decision.seat, [_line(m, decision, pick)]
    while pick.random() < ANOTHER:
        try:
            outcome = submit(m, seat, lines, dry_run=True)
        except Refusal:  # standing orders of others can answer otherwise when the lines come together
            return lines[:1]
        if outcome.fence:
            return [*lines, _line(m, decision, pick)] if pick.random() < BLIND else lines
        following = list(_open(outcome.match, seat))
        if not following:
            return lines
        lines.append(_line(outcome.match, following[0], pick))
    return lines


def _line(m: "Match", decision: "Decision", pick: "Random") -> str:
    from referee.block import MAX_LINE
    from referee.lines import canonical
    from referee.steps import Order

    frame = decision.sample(pick)
    line = canonical(m, frame)
    order = m.game.steps[frame["do"]]
    if isinstance(order, Order) and order.standing and pick.random() < STANDING:
        return f"always {line}"
    if pick.random() < ALTERNATIVE:
        either = f"{line} or {canonical(m, decision.sample(pick))}"
        line = either if len(either) < MAX_LINE // 2 else line
    return line if decision.decider == decision.seat else f"{decision.decider}: {line}"
