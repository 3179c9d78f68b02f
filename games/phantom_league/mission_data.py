"""What the data of the missions must be like (rulebook: Missions)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.kit import Components

from .mats import GOODS

NEEDS: dict[str, tuple[Mapping[str, type], Mapping[str, type]]] = {
    "done": ({"any": list, "count": int}, {}),
    "delivered": ({"goods": dict, "at": dict}, {"other": bool, "far": int, "one-place": bool, "turns": int}),
    "installed": ({"count": int, "at": dict}, {}),
    "carries": ({"legal": int}, {}),
    "owns": ({"money": int, "at": dict}, {}),
    "paid": ({"money": int, "at": dict}, {}),
    "repaired": ({"count": int}, {}),
    "stations": ({"count": int, "turns": int}, {}),
}
"""For each condition the words that it has, and those that it may have."""
PLACE = {"places": list, "faction": str, "body": str, "ring": str, "without": str}
"""The words that say where something has to be done."""


def check_missions(components: Components) -> None:
    """Missions: check what each mission needs, gives and rewards.

    Raises:
        ValueError: something in it cannot be used; the text names the mission and the reason.
    """
    for code, row in components["missions"].items():
        for fault in faults(components, row):
            raise ValueError(f"missions.{code}: {fault}")


def faults(components: Components, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a mission."""
    if not row["needs"]:
        yield "a mission needs something"
    for need in row["needs"]:
        yield from need_faults(components, need)
    if "given" in row:
        yield from word_faults("given", row["given"], {"goods": dict, "at": dict}, {})
        yield from goods_faults(row["given"])
        yield from place_faults(components, row["given"])


def need_faults(components: Components, need: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a condition."""
    kind = need.get("is")
    if kind not in NEEDS:
        yield f"{kind!r} is no condition; possible are {', '.join(NEEDS)}"
        return
    has, may = NEEDS[kind]
    yield from word_faults(kind, {word: value for word, value in need.items() if word != "is"}, has, may)
    yield from goods_faults(need)
    yield from place_faults(components, need)


def word_faults(
    where: str, given: Mapping[str, Any], has: Mapping[str, type], may: Mapping[str, type]
) -> Iterator[str]:
    """Yield words that are missing, unknown or of a wrong type."""
    known = {**has, **may}
    yield from (f"{where!r} lacks {word!r}" for word in has if word not in given)
    yield from (f"{where!r} takes {', '.join(known)}, and not {word!r}" for word in given if word not in known)
    wrong = [word for word, value in given.items() if word in known and type(value) is not known[word]]
    yield from (f"{word!r} should be {known[word].__name__}" for word in wrong)


def goods_faults(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield commodities that do not exist."""
    yield from (f"{goods!r} is no commodity" for goods in given.get("goods", {}) if goods not in GOODS)


def place_faults(components: Components, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with where something has to be done."""
    at = given.get("at", {})
    yield from word_faults("at", at, {}, PLACE)
    yield from (f"{place!r} is no System" for place in at.get("places", []) if place not in components["systems"])
