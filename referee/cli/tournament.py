"""`referee tournament`: events of many matches, from the entries to the final table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Usage

from .arguments import Command, Takes
from .common import NONE, Json, Key, Options, game_named, pairs, path_of, printable, say, show, signing_key

if TYPE_CHECKING:
    from referee.config import Config
    from referee.tournament.director import Director
    from referee.tournament.plans import Wanted

Dir = Annotated[str, Takes("DIR", "The folder of the event.")]
Desk = Annotated[str, Takes("FILE", "The desk that runs its matches by mail: referee.toml.", "--config")]
Now = Annotated[str, Takes("TIME", "The time, UTC, as 2026-12-03T18:00:00Z; the present one by default.", "--now")]
Why = Annotated[str, Takes("TEXT", "The reason, which all players read.", "--why")]
Jobs = Annotated[int, Takes("N", "How many processes work at once.", "--jobs")]
Own = Annotated[bool, Takes("", "The director's own, with who is who and the draft.", "--director")]


def _at(now: str) -> str:
    from referee.clock import text_of, utc
    from referee.desk import now as present

    try:
        return text_of(utc(now)) if now else present()
    except ValueError:
        raise Usage(f"{now!r} is no time.", "Write it in UTC, as 2026-12-03T18:00:00Z.") from None


def _director(folder: str, key: str, now: str, config: str = "") -> "tuple[Director, Config | None]":
    """Return the director of an event, and the desk if one was named."""
    from referee.config import read_config
    from referee.tournament.director import Director

    from .run import progress

    desk = read_config(path_of(config)) if config else None
    signer = signing_key(key or (str(desk.key) if desk else ""))
    path = path_of(folder)
    if desk and path.parent == Path() and not path.exists():
        path = desk.tournaments / folder
    return Director(path, signer, _at(now), progress), desk


def _jobs(number: int) -> int:
    if not 1 <= number <= 64:
        raise Usage(f"{number} processes are out of bounds.", "Take 1 to 64.")
    return number


def _clear() -> None:
    from .run import _clear as clear

    clear()


def formats(as_json: Json = False) -> None:
    """List the formats, with their settings, the settings of the scoring, and the tie-breaks."""
    from referee.tournament.scoring import SETTINGS
    from referee.tournament.tiebreaks import DEFAULT, TIEBREAKS

    from .tournament_lines import formats_data, formats_lines

    found = {"formats": formats_data(), "scoring": dict(SETTINGS), "usual": list(DEFAULT)}
    found["tiebreaks"] = {name: one.about for name, one in TIEBREAKS.items()}
    show(found, formats_lines(found), as_json)


# From the entries to the first round


def new(
    game: Annotated[str, Takes("GAME", "The game; see `referee games`.")],
    folder: Annotated[str, Takes("DIR", "A folder that is new or empty; its name names the event.")],
    name: Annotated[str, Takes("ID", "Another name for the event.", "--id")] = "",
    title: Annotated[str, Takes("TEXT", "What people call it.", "--title")] = "",
    seats: Annotated[int, Takes("N", "How many play at one table; as few as possible by default.", "--seats")] = 0,
    format: Annotated[str, Takes("FORMAT", "How players are paired; by default groups, or tables.", "--format")] = "",
    setting: Annotated[list[str], Takes("K=V", "A setting of the format, such as rounds=5.", "--set")] = NONE,
    scoring: Annotated[list[str], Takes("K=V", "A setting of the scoring, such as draw=0.5.", "--scoring")] = NONE,
    tiebreak: Annotated[list[str], Takes("NAME", "A tie-break, in order; usual ones by default.", "--tiebreak")] = NONE,
    option: Options = NONE,
    clock: Annotated[list[str], Takes("K=V", "A deadline's setting for each match: hours, zone, ...", "--clock")] = NONE,
    hours: Annotated[int, Takes("N", "How many hours a round lasts; 336, two weeks, by default.", "--round-hours")] = 336,
    rule: Annotated[str, Takes("RULE", "late-loses, draw, unplayed or director.", "--rule")] = "late-loses",
    confirm: Annotated[bool, Takes("", "The rule waits for `rule confirm ROUND`.", "--confirm")] = False,
    no_shows: Annotated[int, Takes("N", "After so many no-shows a player has withdrawn; 0 never.", "--no-shows")] = 2,
    anonymous: Annotated[bool, Takes("", "Players see the names of seats alone.", "--anonymous")] = False,
    pairs_itself: Annotated[bool, Takes("", "The desk pairs and publishes later rounds.", "--pairs-itself")] = False,
    config: Desk = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Begin an event: what is said here is fixed for good. Entries come next.

    With --config a plain name is a folder among the desk's tournaments, so that entries come by mail too.
    """
    from referee.tournament.plans import Wanted

    from .new import _clock

    director, _ = _director(folder, key, now, config)
    chosen = {"options": pairs(option, "--option"), "settings": pairs(setting, "--set"), "scoring": pairs(scoring, "--scoring")}
    wanted = Wanted(
        name or director.folder.name, game, printable(title, "The title", 100) if title else "", seats, format,
        **chosen, tiebreaks=tiebreak, hours=hours, rule=rule, confirm=confirm, no_shows=no_shows, anonymous=anonymous,
        pairs_itself=pairs_itself, clock=_clock(clock),
    )  # fmt: skip
    _show_new(director, wanted, as_json)


def _show_new(director: "Director", wanted: "Wanted", as_json: bool) -> None:
    """Begin an event, and print what was fixed."""
    plan = director.begin(wanted).event.plan
    lines = [f"The event {plan.id} of {plan.game} begins in {director.folder}: {plan.format}, {plan.seats} at a table."]
    lines.append(f"Commitment to the seed of the lots: {plan.commitment}")
    lines.append(f"Next: `referee tournament enter {director.folder} NAME=ADDRESS`")
    show({**vars(plan), "folder": str(director.folder)}, lines, as_json)


def enter(
    folder: Dir,
    names: Annotated[list[str], Takes("[NAME[=ADDRESS]...]", "Players, by the names of their seats.")] = NONE,
    rating: Annotated[list[str], Takes("NAME=N", "What the seeding goes by.", "--rating")] = NONE,
    nonce: Annotated[list[str], Takes("NAME=TEXT", "What a player contributes to the seed of the lots.", "--nonce")] = NONE,
    person: Annotated[list[str], Takes("NAME=TEXT", "What a player is called.", "--called")] = NONE,
    file: Annotated[str, Takes("FILE", "Lines `NAME [ADDRESS] [RATING]`; - reads them.", "--from")] = "",
    ratings: Annotated[str, Takes("FILE", "Ratings of earlier events, for whoever is given none here.", "--ratings")] = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Enter players: all that are named, or none. After the start they play from the next round on."""
    from .tournament_entries import entries

    rows, people = entries(names, pairs(rating, "--rating", "NAME=N"), pairs(nonce, "--nonce", "NAME=TEXT"), person, file)
    director, _ = _director(folder, key, now)
    if ratings:
        _rate(rows, director, ratings)
    event = director.enter(rows, people).event
    show(
        {"entered": list(rows), "players": len(event.players)},
        [f"Entered: {', '.join(rows)}. Players: {len(event.players)}."],
        as_json,
    )


def _rate(rows: dict[str, dict[str, Any]], director: "Director", file: str) -> None:
    """Give those who enter the ratings of a file, as far as they have none and are in it."""
    from referee.tournament.ratings import load

    known = load(path_of(file), director.key.public).players.get(game_named(director.read().plan.game).title, {})
    for name, row in rows.items():
        if name in known:
            row.setdefault("rating", known[name].number)


def pair(folder: Dir, now: Now = "", key: Key = "", as_json: Json = False) -> None:
    """Draft the next round: who meets whom. Nobody but the director sees it; again it gives the same, unless things changed."""
    from referee.tournament.event import pairing_rows

    from .tournament_lines import pairing_lines

    director, _ = _director(folder, key, now)
    event = director.pair().event
    thing = {"round": event.next_round, "tables": pairing_rows(event.draft)}
    lines = [f"Round {event.next_round} of {event.plan.title}, a draft:", *pairing_lines(event.draft)]
    show(thing, [*lines, f"`referee tournament publish {director.folder}` starts it."], as_json)


def publish(
    folder: Dir,
    stagger: Annotated[int, Takes("HOURS", "Each further match of a player may take longer by so much.", "--stagger")] = 0,
    jobs: Jobs = 1,
    config: Desk = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Publish the draft, make a match for each of its tables, and with --config mail the first reports.

    After an interruption it goes on where it was, and makes no match twice.
    """
    from referee.tournament.post import mail_first_reports, postal_of

    director, desk = _director(folder, key, now, config)
    if not 0 <= stagger <= 240:
        raise Usage(f"--stagger {stagger} is out of bounds.", "Take 0 to 240 hours.")
    try:
        event = director.publish(stagger=stagger, postal=postal_of(desk) if desk else None, jobs=_jobs(jobs)).event
        if desk:
            mail_first_reports(event, director, desk)
    finally:
        _clear()
    sheet = event.sheets[-1]
    matches = [event.match_id(sheet.round.number, one.table) for one in sheet.round.pairings if not one.is_bye]
    thing = {"round": sheet.round.number, "ends": sheet.ends, "matches": matches}
    lines = [f"Round {sheet.round.number} of {event.plan.title} is published: {len(matches)} matches, until {sheet.ends}."]
    more = (
        "Their first reports are in the outbox."
        if desk
        else f"They lie in {director.folder / 'matches'}; `referee report` makes reports."
    )
    show(thing, [*lines, more], as_json)


# While it runs


def tick(folder: Dir, config: Desk = "", jobs: Jobs = 1, now: Now = "", key: Key = "", as_json: Json = False) -> None:
    """Take the results of finished matches; at the end of a round rule what is not over. `referee run` does this by itself."""
    from referee.tournament.post import postal_of
    from referee.tournament.watch import Watch

    director, desk = _director(folder, key, now, config)
    watch = Watch(
        director.folder,
        director.key,
        director.at,
        postal=postal_of(desk) if desk else None,
        told=director.told,
        jobs=_jobs(jobs),
    )
    before = len(director.read().missing())
    try:
        notices = watch.at_all()
    finally:
        _clear()
    event = director.read()
    thing = {"notices": [one._asdict() for one in notices], "missing": len(event.missing()), "troubles": watch.troubles}
    lines = [f"Results missing: {len(event.missing())} (before: {before}).", *(f"To {one.to}: {one.text}" for one in notices)]
    show(thing, [*lines, *(f"Trouble: {one}" for one in watch.troubles)], as_json)


def rule(
    folder: Dir,
    ruling: Annotated[str, Takes("RULING", "One of those above.")],
    given: Annotated[list[str], Takes("WHAT...", "What it takes.")] = NONE,
    why: Why = "",
    absent: Annotated[list[str], Takes("NAME", "Who did not play at all; for a result.", "--absent")] = NONE,
    until: Annotated[str, Takes("TIME", "For extend: UTC, as 2026-12-03T18:00:00Z.", "--until")] = "",
    address: Annotated[str, Takes("ADDRESS", "For substitute: where the new player's reports go.", "--address")] = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Make a ruling: adjudicate MATCH NAME=PLACE..., correct MATCH NAME=PLACE..., annul MATCH, withdraw NAME, rejoin NAME,
    substitute NAME --address ADDRESS, extend ROUND --until TIME, confirm ROUND.

    MATCH is its name, as spring-1-3, or 1-3. Each ruling is a signed step with its reason, which all players read.
    """
    from .tournament_rule import make

    director, _ = _director(folder, key, now)
    printable(why, "The reason")
    event = make(director, ruling, given, why, absent, until, address)
    show(
        {"ruling": ruling, "given": given, "missing": len(event.missing())}, [f"Ruled: {' '.join([ruling, *given])}."], as_json
    )


def status(folder: Dir, own: Own = False, now: Now = "", key: Key = "", as_json: Json = False) -> None:
    """Show how an event stands: players, rounds, which matches go on and until when, and whose deadlines meet."""
    from .tournament_lines import data_of, status_lines

    view = _view(folder, key, now, own)
    show(data_of(view), status_lines(view), as_json)


def standings(
    folder: Dir,
    explain: Annotated[str, Takes("NAME", "How the points and tie-breaks of this player came about.", "--explain")] = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Print the table: points, tie-breaks, places. Matches that go on count for nothing."""
    from referee.tournament.standings import table

    from .tournament_lines import row_data, standing_lines

    director, _ = _director(folder, key, now)
    event = director.read()
    rows = table(event.field(), event.plan.scoring, event.plan.tiebreaks)
    if explain:
        rows = [row for row in rows if row.player == explain]
        if not rows:
            raise Usage(f"There is no player {explain!r} in the standings.", "`referee tournament standings DIR` lists them.")
    lines = [line for row in rows for line in (f"{row.player}:", *row.calculation)] if explain else standing_lines(event, rows)
    show({"standings": [row_data(row) for row in rows]}, lines, as_json)


def report(
    folder: Dir,
    what: Annotated[str, Takes("REPORT", "pairings, crosstable, standings, bracket or progress.")],
    html: Annotated[bool, Takes("", "HTML, for a browser or the printer.", "--html")] = False,
    number: Annotated[int, Takes("N", "One round; by default the newest, or all.", "--round")] = 0,
    out: Annotated[str, Takes("FILE", "A new file; by default it is printed.", "--out")] = "",
    config: Annotated[str, Takes("FILE", "Mail it to all players by this desk.", "--mail")] = "",
    own: Own = False,
    now: Now = "",
    key: Key = "",
) -> None:
    """Make a report for all players, or with --director for the director alone."""
    from referee.tournament import reports

    from .common import put

    view = _view(folder, key, now, own)
    text = reports.render(view, what, "html" if html else "text", round=number)
    if config:
        from referee.tournament.post import mail_to_all

        director, desk = _director(folder, key, now, config)
        if own:
            raise Usage("The director's own report is not mailed to players.", "Leave --director away.")
        assert desk is not None
        count = mail_to_all(director.read(), director, desk, what, reports.render(view, what, "text", round=number))
        say(f"In the outbox: {count} mails.")
    else:
        put(text.encode(), out)


def close(
    folder: Dir,
    why: Why = "",
    ratings: Annotated[str, Takes("FILE", "Count the event in this file of ratings.", "--ratings")] = "",
    now: Now = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Close an event and publish the secret of its seed, so that everybody can draw the lots again.

    An event that is closed already is counted in a file of ratings all the same, once.
    """
    director, _ = _director(folder, key, now)
    event = director.read()
    if not (ratings and event.state == "closed"):
        event = director.close(printable(why, "The reason") if why else "").event
    lines = [f"{event.plan.title} is closed.", f"Secret of the seed: {event.secret}"]
    if ratings:
        from referee.tournament.ratings import update

        update(path_of(ratings), _view(folder, key, now, False), director.key)
        lines.append(f"It is counted in {ratings}.")
    show({"closed": event.plan.id, "seed": event.secret, "ratings": ratings}, lines, as_json)


def ratings(
    file: Annotated[str, Takes("FILE", "The file of ratings.")],
    events: Annotated[list[str], Takes("[DIR...]", "Make the file anew from these events, in this order.")] = NONE,
    now: Now = "",
    key: Key = "",
) -> None:
    """Print ratings, or make them anew from closed events, as after a correction."""
    from referee.tournament.ratings import listing, load, remake

    signer = signing_key(key)
    path = path_of(file)
    if not (events or path.exists()):
        raise Usage(f"There are no ratings in {file}.", "`referee tournament close DIR --ratings FILE` counts an event.")
    views = [_view(folder, key, now, False) for folder in events]
    say(listing(remake(path, views, signer) if events else load(path, signer.public)).rstrip())


def verify(
    folder: Dir,
    public: Annotated[str, Takes("FILE", "The referee's public key; by default that of --key.", "--public-key")] = "",
    quick: Annotated[bool, Takes("", "Check the results of matches, and not every move.", "--quick")] = False,
    jobs: Jobs = 1,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Take every step again: signatures, pairings, lots, results against the matches, and tournament.toml byte for byte."""
    from .tournament_lines import verified

    show(*verified(path_of(folder), public, quick, _jobs(jobs), key), as_json)


def _view(folder: str, key: str, now: str, own: bool) -> Any:
    from referee.tournament.views import view_of

    director, _ = _director(folder, key, now)
    return view_of(director.read(), director.folder, director.key.public, director.at, for_director=own)


tournament: dict[str, Command] = {
    "formats": formats,
    "new": new,
    "enter": enter,
    "pair": pair,
    "publish": publish,
    "tick": tick,
    "rule": rule,
    "status": status,
    "standings": standings,
    "report": report,
    "close": close,
    "ratings": ratings,
    "verify": verify,
}
"""The commands of the group, by name."""
