"""`referee games`: what can be played here."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from .arguments import Takes
from .common import Json, game_named, indented, show

if TYPE_CHECKING:
    from referee.match import Game

ALWAYS = {
    "always {order}": "answers a question of this kind before you are asked; private, until you take it back",
    "never {order}": "takes such a standing order back",
    "forget": "drops your lines that wait for a window to close",
    "withdraw": "takes back your sealed answer, until all answers are in",
    "{order} or {order}": "plays the first of the two that is possible",
}
"""Lines that every game understands."""


def games(
    game: Annotated[str, Takes("[GAME]", "One game, to see all about it.")] = "",
    as_json: Json = False,
) -> None:
    """List the games; for one show its seats, options, data in use with sources, and all order lines."""
    if game:
        about = _about(game_named(game))
        show(about, _about_lines(about), as_json)
    else:
        rows = [_row(slug) for slug in slugs()]
        show(rows, (f"{row['game']}  {row['title']}, {_seats(row['seats'])}, rules {row['version']}" for row in rows), as_json)


def slugs() -> Iterator[str]:
    """Yield the names of all games that are installed: those that come along, then those of other packages."""
    import os
    from importlib.metadata import entry_points

    import games as built_in

    own = {
        folder.name.replace("_", "-")
        for place in built_in.__path__
        for folder in os.scandir(place)
        if os.path.isfile(os.path.join(folder, "__init__.py"))
    }
    yield from sorted(own)
    yield from sorted({entry.name for entry in entry_points(group="referee.games")} - own)


def _row(slug: str) -> dict[str, Any]:
    game = game_named(slug)
    return {"game": game.slug, "title": game.title, "version": game.version, "seats": list(game.seats)}


def _about(game: "Game") -> dict[str, Any]:
    from referee.components import load_components
    from referee.steps import Order
    from referee.words import sentences

    components, texts = load_components(game), sentences(game)
    orders = [step for step in game.steps.values() if isinstance(step, Order)]
    about = texts.get("orders", {})
    return {
        **_row(game.slug),
        "goal": texts.get("goal", {}).get("text", ""),
        "options": {
            name: {
                "default": option.default,
                "about": option.about,
                "choices": list(option.choices),
                "allowed": option.allowed(),
            }
            for name, option in game.options.items()
        },
        "data": components.hash,
        "sources": components.sources(),
        "orders": [
            {"line": o.pattern, "about": about.get(o.name, ""), "standing": o.standing, "anytime": o.anytime} for o in orders
        ],
        "always": ALWAYS,
    }


def _about_lines(about: dict[str, Any]) -> Iterator[str]:
    yield f"{about['title']} ({about['game']}), {_seats(about['seats'])}, version {about['version']} of the rules"
    if about["goal"]:
        yield about["goal"]
    yield "\nOptions (--option K=V):"
    for name, option in about["options"].items():
        allowed = f" ({option['allowed']})" if option["allowed"] else ""
        yield f"  {name} = {_value(option['default'])}  {option['about']}{allowed}"
    yield f"\nData in use: {about['data']}"
    for sheet, counts in about["sources"].items():
        yield f"  {sheet}: " + ", ".join(f"{count} {source}" for source, count in counts.items())
    yield "\nOrder lines:"
    for order in about["orders"]:
        how = " (may stand: always ...)" if order["standing"] else " (at any time)" if order["anytime"] else ""
        yield _explained(order["line"], order["about"] + how)
    yield from ("\nIn every game:", *indented(_explained(line, text).strip() for line, text in about["always"].items()))


def _seats(seats: list[int]) -> str:
    low, high = seats
    return f"{low} seats" if low == high else f"{low} to {high} seats"


def _value(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _explained(line: str, text: str) -> str:
    return f"  {line}" + (f"\n      {text.strip()}" if text.strip() else "")
