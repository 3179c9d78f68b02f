"""What a report is made from: the redacted view and news of one reader, with the sentences that explain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .chance import commitment
from .engine import news, view
from .match import Event, Match
from .report import Context
from .steps import Order
from .words import sentences


def bare_context(m: Match, viewer: str, events: Sequence[Event]) -> Context:
    """Return what a match alone says to one reader; the chain adds codes, hashes and older news.

    Args:
        m: the match.
        viewer: a seat, or `OBSERVER`.
        events: what happened since the reader's last report.
    """
    chapters = sentences(m.game)
    ready = Context(
        view=view(m, viewer),
        news=news(m.game, events, viewer),
        older=False,
        first=False,
        deadline="",
        opened="",
        commitment=commitment(m.id, m.secret),
        nonces=m.nonces,
        secret=m.secret.hex() if m.over else "",
        fingerprint="",
        notices=[],
        sources=m.components.sources(),
        cards=chapters.get("cards", {}),
        card_sources=_card_sources(m),
        orders=_order_help(m, chapters.get("orders", {})),
        goal=chapters.get("goal", {}).get("text", ""),
        option_about={name: option.about for name, option in m.game.options.items()},
    )
    if printed := {name: m.components[name] for name, sheet in m.game.sheets.items() if sheet.shown}:
        ready["printed"] = printed
    if "example" in chapters:
        ready["example"] = chapters["example"]  # type: ignore[typeddict-item]
    return ready


def _card_sources(m: Match) -> dict[str, str]:
    return {entry: row["source"] for sheet in m.components.sheets.values() for entry, row in sheet.items()}


def _order_help(m: Match, texts: Mapping[str, str]) -> dict[str, str]:
    orders = [step for step in m.game.steps.values() if isinstance(step, Order)]
    return {order.pattern: texts.get(order.name, "") for order in orders}
