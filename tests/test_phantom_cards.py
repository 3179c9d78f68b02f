"""Every Battle card of The Phantom League does what it says, on both of its sides; so does every special power in battle.

The position is a battle between alice and bob between steps of a round. What the ships bring along is read from
the table, so that the tests hold whatever is printed on their cards.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.phantom_league import GAME
from games.phantom_league import battle_ships as ships
from games.phantom_league.battle_cards import usable_faces
from games.phantom_league.battle_damage import attack_total, damages, useful
from games.phantom_league.battle_deck import KINDS, all_faces, card_of, everywhere, face_of, fronts, printed_set
from referee.engine import pending, start
from referee.match import Match
from referee.orders import submit

from .rules.phantom_league import position
from .rules.runner import Scripted

ARMED = {"card": "S09", "installed": ["I34"]}
NEEDED = {
    "twin burst": "I01", "ramming course": "I24", "missile swarm": "I07", "guided strike": "I06", "held fast": "I14",
    "afterburn attack": "I17", "vanish": "I09", "drone screen": "I38", "turtle move": "I04", "shield surge": "I05",
    "full thrust": "I18", "field repairs": "I32", "data spike": "I12", "fuel siphon": "I13", "wing orders": "I33",
    "boarding threat": "I55", "broadcast": "I40", "cargo breach": "I24",
}  # fmt: skip
"""For each two-sided card an Improvement that opens its first side."""
SPARE = ["feint", "jammed comms", "brace", "glancing shot", "regroup", "overheat"]
"""Cards out of which bob's Battle deck is made."""


def laid(revealed: dict[str, list[str]], fitted: str = "", decks: dict[str, list[str]] | None = None, **more: Any) -> Match:
    """Return a match in the middle of a battle round, with these cards revealed."""
    m = start(GAME, "cards", ["alice", "bob", "carol"], bytes(32), {"mostly-harmless": True, **more.pop("options", {})})
    m.chance = Scripted([], [])
    held = [card for card in SPARE if card not in [c for cards in revealed.values() for c in cards]][:4]
    own = {**ARMED, "installed": [*ARMED["installed"], *([fitted] if fitted and fitted not in ARMED["installed"] else [])]}
    table = {
        "ships": {"alice": own, "bob": {"card": "S02", "installed": ["I02", "I36"], "cargo": {"food": 2, "ore": 1}}},
        "captains": {"alice": {"captain": "C03"}, "bob": {"captain": "C06"}},
        "battle": {"decks": decks or {"bob": held}, "revealed": revealed, **more},
    }
    position(m, table)
    m.table.battle.round = 1
    return m


def run(m: Match, *frames: dict[str, Any]) -> Match:
    """Run frames until the end of the turn is asked for."""
    m.agenda = []
    m.do(*frames, {"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    m.question = None
    pending(m)
    return m


def plan(m: Match, who: str, **line: str) -> None:
    """Give a plan line to a ship."""
    ships.fighter(m, who).plan.append(line)


# Attack cards

ATTACKS = {
    "glancing shot": (0, 0, 0), "successful hit": (1, 1, 0), "surprise move": (1, 1, 0), "ion burst": ("-", 1, -1),
    "railgun salvo": (1, "-", 0), "precision strike": (1, 1, 0), "full broadside": (2, 1, 0), "beam sweep": ("-", 2, 0),
    "torpedo run": (3, "-", 0), "overcharge": ("-", 1, 0), "tractor grip": ("-", 1, 0), "engine shot": (1, "-", 1),
    "warning shots": (0, 0, -2), "weapon hit": (1, 1, 0), "lucky shot": (2, 2, 0), "twin burst": ("-", 3, 0),
    "snap shot": ("-", 1, 0), "ramming course": (3, "-", 0), "close pass": (1, "-", 0), "missile swarm": (2, 2, 0),
    "stray shot": (1, 1, 0), "guided strike": (2, 2, 0), "blind fire": (1, 0, 0), "held fast": (1, "-", 3),
    "nudge": (1, "-", 1), "afterburn attack": (1, 1, 0), "lagging shot": ("-", 1, 0),
}  # fmt: skip


def attack(m: Match, face: str, **more: Any) -> Match:
    """Let alice fire one side of a card at bob."""
    frame = {"do": "shot", "who": "alice", "face": face, "target": "bob", "weapon": "", "fuel": 0, **more}
    return run(m, frame)


def told(m: Match, kind: str) -> list[dict[str, Any]]:
    """Return the events of a kind."""
    return [event for event in m.events if event["kind"] == kind]


@pytest.mark.parametrize("face", ATTACKS)
def test_attack_card(face: str) -> None:
    projectile, energy, escape = ATTACKS[face]
    fitted, card = NEEDED.get(face, ""), card_of(laid({}), face)
    m = laid({"alice": [card]}, fitted)
    assert face in usable_faces(m, "alice", card)
    chosen = "energy" if face in ("precision strike", "lucky shot") else ""
    before = ships.escape(m, "bob")
    own = {weapon: ships.number(m, "alice", f"{weapon}-attack") for weapon in ships.WEAPONS}
    bob = {weapon: ships.defense(m, "bob", weapon) for weapon in ships.WEAPONS}
    attack(m, face, weapon=chosen)
    rows = {row["weapon"]: row for row in told(m, "strikes")}
    wanted = {w: n for w, n in (("projectile", projectile), ("energy", energy)) if n != "-" and chosen in ("", w)}
    assert {weapon: row["number"] for weapon, row in rows.items()} == wanted
    for weapon, row in rows.items():
        assert row["attack"] == own[weapon] + wanted[weapon]
        assert row["damage"] == max(0, row["attack"] - bob[weapon])
    assert ships.escape(m, "bob") - before == escape
    assert card in m.table.battle.discards


def test_all_attack_cards_are_tested() -> None:
    m = laid({})
    assert set(ATTACKS) == set(m.components.recall(all_faces)["attack"])


def test_tractor_grip_holds_with_a_beam() -> None:
    m = laid({"alice": ["tractor grip"]}, "I14")
    before = ships.escape(m, "bob")
    assert ships.escape(attack(m, "tractor grip"), "bob") == before + 2


def test_afterburn_attack_lowers_the_own_escape_value() -> None:
    m = laid({"alice": ["afterburn attack"]}, "I17")
    before = ships.escape(m, "alice")
    assert ships.escape(attack(m, "afterburn attack"), "alice") == before - 1


@pytest.mark.parametrize(("face", "weapon"), [("railgun salvo", "projectile"), ("overcharge", "energy")])
def test_fuel_makes_an_attack_stronger(face: str, weapon: str) -> None:
    m = laid({"alice": [face]})
    left = ships.fuel(m, "alice")
    attack(m, face, fuel=2)
    (row,) = told(m, "strikes")
    assert row["weapon"] == weapon
    assert row["attack"] == row["ship"] + row["number"] + 2
    assert ships.fuel(m, "alice") == left - 2


def test_surprise_move_lets_one_defense_card_work() -> None:
    m = laid({"alice": ["surprise move"], "bob": ["parry", "evasive roll", "hard turn"]})
    attack(m, "surprise move")
    assert len(told(m, "guards")[0]["cards"]) <= 1


def test_lucky_shot_cannot_be_met_by_cards_against_one_attack() -> None:
    m = laid({"alice": ["lucky shot"], "bob": ["evasive roll", "brace"]})
    frame = {"who": "alice", "face": "lucky shot", "target": "bob", "weapon": "energy", "fuel": 0}
    assert useful(m, "bob", frame) == []


@pytest.mark.parametrize("face", ["precision strike", "guided strike"])
def test_the_attacker_applies_the_damage(face: str) -> None:
    m = laid({"alice": [face]}, "I06")
    plan(m, "alice", do="wound", place="I36", ship="bob")
    attack(m, face, weapon="energy" if face == "precision strike" else "")
    assert m.table.ships["bob"].broken == (["I36"] if sum(row["damage"] for row in told(m, "strikes")) else [])


def test_weapon_hit_breaks_a_weapon() -> None:
    m = laid({"alice": ["weapon hit"]})
    attack(m, "weapon hit")
    assert m.table.ships["bob"].broken == ["I02"]


# Defense cards against attacks

GUARDS = {
    "parry": ("all", 2, 2), "evasive roll": ("one", 3, 3), "hard turn": ("all", 1, 1), "reflections": ("all", 0, 1),
    "chaff cloud": ("all", 2, 0), "angle shields": ("one", 0, 4), "brace": ("one", 4, 0), "emergency power": ("all", 0, 2),
    "point defence": ("one", 3, 0), "duck": ("one", 2, 2), "drone screen": ("all", 2, 2), "loose cargo": ("one", 2, 0),
    "turtle move": ("all", 4, 0), "a choice": ("one", 3, 3), "shield surge": ("all", 0, 3), "flicker": ("one", 0, 2),
}  # fmt: skip
ESCAPES = {"hard turn": -1, "total evasion": -1, "smoke screen": -2, "prayer to unknown god": 1, "full thrust": -3, "drift": -1}


@pytest.mark.parametrize("face", GUARDS)
@pytest.mark.parametrize("weapon", ships.WEAPONS)
def test_defense_card_against_an_attack(face: str, weapon: str) -> None:
    kind, projectile, energy = GUARDS[face]
    wanted = projectile if weapon == "projectile" else energy
    card = card_of(laid({}), face)
    m = laid({"alice": [card], "bob": ["torpedo run" if weapon == "projectile" else "beam sweep"]}, NEEDED.get(face, ""))
    shot = m.table.battle.fighters["bob"].cards[0]
    frame = {"who": "bob", "face": shot, "target": "alice", "weapon": "", "fuel": 0}
    usable = useful(m, "alice", frame)
    assert (face in usable) == (wanted > 0)
    if not wanted:
        return
    before, base = ships.escape(m, "alice"), ships.defense(m, "alice", weapon)
    choice = weapon if face == "a choice" else ""
    run(m, {"do": "strike", **frame, "guards": [face], "choice": choice, "paid": 0})
    (row,) = told(m, "strikes")
    assert (row["base"], row["added"], row["defense"]) == (base, wanted, base + wanted)
    assert ships.escape(m, "alice") - before == ESCAPES.get(face, 0)
    assert (card in ships.fighter(m, "alice").cards) == (kind == "all")


def test_a_choice_helps_on_one_type_only() -> None:
    m = laid({"alice": ["turtle move"], "bob": ["successful hit"]})
    frame = {"who": "bob", "face": "successful hit", "target": "alice", "weapon": "", "fuel": 0}
    rows = damages(m, frame, ["a choice"], "energy", 0)
    assert (rows["projectile"]["added"], rows["energy"]["added"]) == (0, 3)


def test_emergency_power_takes_a_fuel() -> None:
    m = laid({"alice": ["emergency power"], "bob": ["beam sweep"]})
    left = ships.fuel(m, "alice")
    frame = {"who": "bob", "face": "beam sweep", "target": "alice", "weapon": "", "fuel": 0}
    run(m, {"do": "strike", **frame, "guards": ["emergency power"], "choice": "", "paid": 1})
    assert told(m, "strikes")[0]["added"] == 3
    assert ships.fuel(m, "alice") == left - 1


def test_an_escape_icon_counts_once_a_round() -> None:
    m = laid({"alice": ["hard turn"], "bob": ["torpedo run", "torpedo run"]})
    before = ships.escape(m, "alice")
    frame = {"who": "bob", "face": "torpedo run", "target": "alice", "weapon": "", "fuel": 0}
    strike = {"do": "strike", **frame, "guards": ["hard turn"], "choice": "", "paid": 0}
    run(m, strike, strike)
    assert ships.escape(m, "alice") == before - 1


@pytest.mark.parametrize("face", ["impressive move", "total evasion", "vanish"])
def test_block_card(face: str) -> None:
    card = card_of(laid({}), face)
    m = laid({"alice": [card], "bob": ["ion burst"]}, NEEDED.get(face, ""))
    before = ships.escape(m, "alice")
    run(m, {"do": "block_cards"}, {"do": "shots", "who": "bob"})
    assert told(m, "is blocked")
    assert not told(m, "strikes")
    assert ships.escape(m, "alice") - before == ESCAPES.get(face, 0)


def test_vanish_may_be_used_as_duck() -> None:
    m = laid({"alice": ["vanish"], "bob": ["torpedo run"]}, "I09")
    plan(m, "alice", do="guard", cards="duck", weapon="", fuel="", attack="", least="")
    run(m, {"do": "block_cards"}, {"do": "shots", "who": "bob"})
    assert told(m, "guards")[0]["cards"] == ["duck"]


# Indirect Defense cards


def indirect(card: str, fitted: str = "", decks: dict[str, list[str]] | None = None, **more: Any) -> Match:
    """Let alice resolve an indirect Defense card."""
    m = laid({"alice": [card]}, fitted, decks, **more)
    m.table.ships["alice"].structure -= 4
    return run(m, {"do": "next_card", "who": "alice", "kind": "defense"})


def test_second_wind() -> None:
    m = indirect("second wind", tops={"attack": ["lucky shot"], "support": ["overheat"]})
    assert sorted(fronts(m, "alice")) == ["lucky shot", "overheat"]


def test_feint() -> None:
    m = indirect("feint", decks={"bob": ["brace", "torpedo run", "jammed comms"]})
    assert len(fronts(m, "bob")) == 2
    assert len(m.table.battle.buried) == 1


def test_regroup() -> None:
    m = indirect("regroup", discards=["angle shields", "torpedo run"])
    assert fronts(m, "alice") == ["angle shields"]


def test_prayer_to_unknown_god() -> None:
    m = indirect("prayer to unknown god", tops={"defense": ["reflections"]})
    assert len(fronts(m, "bob")) == 2
    assert "reflections" in ships.fighter(m, "alice").cards
    assert ships.fighter(m, "alice").escape == 1


REPAIRS = [("damage control", "", 2), ("field repairs", "I32", 3), ("duct tape", "", 1)]
ICONS = [("smoke screen", "", -2), ("full thrust", "I18", -3), ("drift", "", -1)]


@pytest.mark.parametrize(("face", "fitted", "gained"), REPAIRS)
def test_repairs(face: str, fitted: str, gained: int) -> None:
    m = indirect(card_of(laid({}), face), fitted)
    assert told(m, "repaired")[0]["by"] == gained
    assert ships.structure(m, "alice") == ships.most_structure(m, "alice") - 4 + gained


@pytest.mark.parametrize(("face", "fitted", "by"), ICONS)
def test_indirect_escape_icons(face: str, fitted: str, by: int) -> None:
    assert ships.fighter(indirect(card_of(laid({}), face), fitted), "alice").escape == by


@pytest.mark.parametrize("kind", KINDS)
def test_reserve_crew(kind: str) -> None:
    m = laid({"alice": ["reserve crew"]})
    plan(m, "alice", do="draw_from", set=kind)
    run(m, {"do": "next_card", "who": "alice", "kind": "defense"})
    assert [card.set for card in ships.fighter(m, "alice").deck] == [kind]


def test_all_defense_cards_are_tested() -> None:
    others = {
        "impressive move", "total evasion", "vanish", "second wind", "feint", "regroup", "prayer to unknown god",
        "damage control", "field repairs", "duct tape", "smoke screen", "full thrust", "drift", "reserve crew",
    }  # fmt: skip
    assert set(GUARDS) | others == set(laid({}).components.recall(all_faces)["defense"])


# Support cards


def support(face: str, target: str = "bob", prepare: Any = None, **more: Any) -> Match:
    """Let alice play one side of a Support card."""
    card = card_of(laid({}), face)
    m = laid({"alice": [card], "bob": ["ion burst", "torpedo run"]}, NEEDED.get(face, ""), **more)
    if prepare:
        prepare(m)
    plan(m, "alice", do="aim", card=face, target=target)
    return run(m, {"do": "next_card", "who": "alice", "kind": "support"})


@pytest.mark.parametrize(("face", "by"), [("cover fire", 1), ("sensor ghosts", -1), ("wing orders", 2), ("cheer", 1)])
def test_support_for_attack_cards(face: str, by: int) -> None:
    m = support(face)
    assert ships.fighter(m, "bob").boost == by
    run(m, {"do": "shot", "who": "bob", "face": "ion burst", "target": "alice", "weapon": "", "fuel": 0})
    assert told(m, "strikes")[0]["number"] == max(0, 1 + by)


def test_sensor_ghosts_leave_no_card_below_zero() -> None:
    m = laid({"alice": ["sensor ghosts"], "bob": ["glancing shot"]})
    run(m, {"do": "next_card", "who": "alice", "kind": "support"}, {"do": "shots", "who": "bob"})
    assert [row["number"] for row in told(m, "strikes")] == [0, 0]


def test_shared_shields() -> None:
    m = laid({"alice": ["shared shields"]})
    before = [ships.defense(m, "bob", weapon) for weapon in ships.WEAPONS]
    run(m, {"do": "next_card", "who": "alice", "kind": "support"})
    assert [ships.defense(m, "bob", weapon) for weapon in ships.WEAPONS] == [number + 1 for number in before]


@pytest.mark.parametrize(
    ("face", "lost"), [("jammed comms", 1), ("strategic mistake", 2), ("data spike", 3), ("static", 1)]
)  # fmt: skip
def test_cards_of_a_battle_deck_are_lost(face: str, lost: int) -> None:
    decks = {"bob": ["feint", "brace", "glancing shot", "overheat"]}
    m = support(face, decks=decks)
    assert len(fronts(m, "bob")) == 4 - lost
    assert told(m, "puts off")[0]["left"] == 4 - lost


def test_the_loser_chooses_what_goes() -> None:
    m = support("strategic mistake", prepare=lambda m: plan(m, "bob", do="shed", cards="brace and glancing shot"))
    assert sorted(fronts(m, "bob")) == ["feint", "jammed comms"]


@pytest.mark.parametrize("kind", KINDS)
def test_tactical_data(kind: str) -> None:
    m = support("tactical data", prepare=lambda m: plan(m, "bob", do="draw_from", set=kind))
    assert len(fronts(m, "bob")) == 5
    assert told(m, "draws battle card")[0]["set"] == kind


def test_equipment_breakage() -> None:
    m = support("equipment breakage", prepare=lambda m: plan(m, "bob", do="lose", improvement="I36"))
    assert m.table.ships["bob"].installed == ["I02"]
    assert "I36" in m.table.improvements
    assert m.table.ships["bob"].structure == ships.most_structure(m, "bob")


def test_equipment_breakage_cannot_kill() -> None:
    def wreck(m: Match) -> None:
        m.table.ships["bob"].structure = 2
        plan(m, "bob", do="lose", improvement="I36")

    assert support("equipment breakage", prepare=wreck).table.ships["bob"].structure == 1


def test_collision() -> None:
    m = laid({})
    escapes = {who: ships.escape(m, who) for who in ("alice", "bob")}
    shields = {who: ships.number(m, who, "projectile-defense") for who in ("alice", "bob")}
    m = support("collision")
    wanted = {"alice": max(0, escapes["bob"] - shields["alice"]), "bob": max(0, escapes["alice"] - shields["bob"])}
    assert {row["who"]: row["damage"] for row in told(m, "collides")} == wanted


def test_first_strike() -> None:
    before = ships.structure(laid({}), "bob")
    assert ships.structure(support("first strike"), "bob") == before - 1


@pytest.mark.parametrize(("face", "lost"), [("fuel leak", 2), ("fuel siphon", 3), ("leak", 1)])
def test_fuel_is_lost(face: str, lost: int) -> None:
    before = ships.fuel(laid({}), "bob")
    assert ships.fuel(support(face), "bob") == before - lost


@pytest.mark.parametrize(
    ("face", "by"),
    [("grappling beam", 2), ("escape artist", -3), ("boarding threat", 3), ("bluff", 1), ("broadcast", -4), ("signal", -2)],
)
def test_support_for_the_escape_value(face: str, by: int) -> None:
    assert ships.fighter(support(face), "bob").escape == by


def test_grappling_beam_with_a_tractor_beam() -> None:
    m = laid({"alice": ["grappling beam"]}, "I14")
    assert ships.fighter(run(m, {"do": "next_card", "who": "alice", "kind": "support"}), "bob").escape == 3


def test_emergency_repairs() -> None:
    def damage(m: Match) -> None:
        m.table.ships["bob"].structure -= 3

    m = support("emergency repairs", prepare=damage)
    assert ships.structure(m, "bob") == ships.most_structure(m, "bob") - 2


def test_overheat() -> None:
    m = support("overheat", prepare=lambda m: plan(m, "bob", do="drop", card="torpedo run"))
    assert ships.fighter(m, "bob").cards == ["ion burst"]


@pytest.mark.parametrize(("face", "lost"), [("cargo breach", 2), ("rattle", 1)])
def test_cargo_is_thrown_out(face: str, lost: int) -> None:
    m = support(face, prepare=lambda m: plan(m, "bob", do="jettison_token", goods="ore"))
    cargo = m.table.ships["bob"].cargo
    assert sum(cargo.values()) == 3 - lost
    assert cargo["ore"] == 0


def test_all_support_cards_are_tested() -> None:
    tested = {
        "cover fire", "sensor ghosts", "wing orders", "cheer", "shared shields", "jammed comms", "strategic mistake",
        "data spike", "static", "tactical data", "equipment breakage", "collision", "first strike", "fuel leak", "fuel siphon",
        "leak", "grappling beam", "escape artist", "boarding threat", "bluff", "broadcast", "signal", "emergency repairs",
        "overheat", "cargo breach", "rattle",
    }  # fmt: skip
    assert tested == set(laid({}).components.recall(all_faces)["support"])


# Two sides, and what the box holds


@pytest.mark.parametrize("card", NEEDED)
def test_two_sided_card(card: str) -> None:
    back = face_of(laid({}), card)["side"]
    assert usable_faces(laid({"alice": [card]}), "alice", card) == [back]
    m = laid({"alice": [card]}, NEEDED[card])
    assert usable_faces(m, "alice", card) == [card, back]
    m.table.ships["alice"].broken.append(NEEDED[card])
    assert usable_faces(m, "alice", card) == [back]


def test_the_box() -> None:
    m = laid({})
    assert {kind: len(printed_set(m, kind)) for kind in KINDS} == {"attack": 31, "defense": 31, "support": 25}
    m.options["mostly-harmless"] = False
    assert {kind: len(printed_set(m, kind)) for kind in KINDS} == {"attack": 25, "defense": 25, "support": 19}
    reprints = [code for row in m.components["battle"].values() if row.get("reprint") for code in row["codes"]]
    assert sorted(reprints) == ["B27", "B29", "B30", "B42", "B49", "B54", "B55"]
    assert len(everywhere(m.table.battle)) == 87


# Two cards of one name


def test_two_defense_cards_of_one_name_count_twice_against_one_attack() -> None:
    m = laid({"alice": ["hard turn", "hard turn"], "bob": ["torpedo run", "torpedo run"]})
    before = ships.escape(m, "alice")
    frame = {"who": "bob", "face": "torpedo run", "target": "alice", "weapon": "", "fuel": 0}
    assert useful(m, "alice", frame) == ["hard turn", "hard turn"]
    one, two = ({"do": "strike", **frame, "guards": ["hard turn"] * count, "choice": "", "paid": 0} for count in (1, 2))
    run(m, one, two)
    assert [row["added"] for row in told(m, "strikes")] == [1, 2]
    assert ships.escape(m, "alice") == before - 2


def test_two_cards_against_one_attack_are_both_put_off() -> None:
    m = laid({"alice": ["evasive roll", "evasive roll"], "bob": ["torpedo run"]})
    plan(m, "alice", do="guard", cards="evasive roll and evasive roll", weapon="", fuel="", attack="", least="")
    run(m, {"do": "shots", "who": "bob"})
    assert told(m, "strikes")[0]["added"] == 6
    assert ships.fighter(m, "alice").cards == []


def test_no_card_is_used_by_both_of_its_sides() -> None:
    m = laid({"alice": ["drone screen"], "bob": ["torpedo run"]}, "I38")
    plan(m, "alice", do="guard", cards="drone screen and loose cargo", weapon="", fuel="", attack="", least="")
    run(m, {"do": "shots", "who": "bob"})
    assert told(m, "guards")[0]["cards"] != ["drone screen", "loose cargo"]


def test_a_second_line_for_a_card_is_for_a_second_card() -> None:
    m = laid({"alice": ["successful hit", "successful hit"]}, allies={"carol": "bob"})
    for target in ("carol", "bob"):
        plan(m, "alice", do="fire", card="successful hit", target=target, weapon="", fuel="")
    run(m, {"do": "shots", "who": "alice"})
    assert [event["target"] for event in told(m, "fires")] == ["carol", "bob"]


def test_a_support_bonus_is_for_one_card() -> None:
    m = laid({"alice": ["successful hit", "successful hit", "overheat"]}, options={"support-bonus": True})
    run(m, {"do": "give_bonus", "who": "alice", "card": "overheat", "other": "successful hit"}, {"do": "shots", "who": "alice"})
    assert [event["number"] for event in told(m, "strikes")] == [2, 2, 1, 1]


# A side that is a choice, and a card that comes late


def test_prayer_may_bring_a_card_that_blocks_all() -> None:
    m = laid({"alice": ["prayer to unknown god"], "bob": ["torpedo run"]}, tops={"defense": ["total evasion"]})
    before = ships.escape(m, "alice")
    run(m, {"do": "block_cards"}, {"do": "indirect_cards"}, {"do": "shots", "who": "bob"})
    assert told(m, "is blocked")
    assert ships.escape(m, "alice") == before + 1 - 1


@pytest.mark.parametrize(("line", "blocking"), [("block with vanish", True), ("no power", False)])
def test_who_is_asked_chooses_whether_a_two_sided_card_blocks(line: str, blocking: bool) -> None:
    m = laid({"alice": ["vanish"], "bob": ["torpedo run"]}, "I09")
    ships.fighter(m, "alice").asks = True
    run(m, {"do": "block_cards"})
    assert m.question is not None
    assert m.question.name == "block"
    m = submit(m, "alice", [line]).match
    assert ships.fighter(m, "alice").blocking == blocking


def test_a_card_without_another_side_blocks_in_any_case() -> None:
    m = laid({"alice": ["vanish", "impressive move"], "bob": ["torpedo run"]}, "I09")
    ships.fighter(m, "alice").asks = True
    run(m, {"do": "block_cards"})
    m = submit(m, "alice", ["no power"]).match
    assert ships.fighter(m, "alice").kept == ["impressive move"]
    assert ships.fighter(m, "alice").blocking


# Weapons


def test_a_type_that_shows_only_on_the_card_does_no_damage() -> None:
    m = met_unarmed("beam sweep")
    assert [(row["weapon"], row["number"], row["attack"], row["damage"]) for row in told(m, "strikes")] == [("energy", 2, 0, 0)]


def test_a_number_of_0_is_a_weapon() -> None:
    m = laid({}, attacker="P02", decks={"P02": ["feint"]})
    assert ships.has_weapon(m, "P02", "energy")
    assert ships.number(m, "P02", "energy-attack") == 0
    assert attack_total(m, "P02", "beam sweep", "energy", 0) == 2


def met_unarmed(card: str) -> Match:
    """Let a ship without any weapon fire a card."""
    m = start(GAME, "cards", ["alice", "bob"], bytes(32))
    m.chance = Scripted([], [])
    position(m, {"ships": {"alice": {"card": "S04"}}, "battle": {"revealed": {"alice": [card]}}})
    return run(m, {"do": "shots", "who": "alice"})


def test_two_like_attacks_can_be_met_in_two_ways() -> None:
    m = laid({"alice": ["brace"], "bob": ["torpedo run", "torpedo run"]})
    line = {"do": "guard", "weapon": "", "fuel": "", "attack": "torpedo run", "least": ""}
    plan(m, "alice", do="guard_nothing", attack="torpedo run", least="")
    plan(m, "alice", **{**line, "cards": "brace"})
    for place in ("I34", "hull"):
        plan(m, "alice", do="hits", place=place, attack="torpedo run", least="")
    run(m, {"do": "shots", "who": "bob"})
    assert [event["cards"] for event in told(m, "guards")] == [[], ["brace"]]
    assert m.table.ships["alice"].broken == ["I34"]


def test_damage_of_a_collision_can_be_ordered_apart() -> None:
    def order(m: Match) -> None:
        plan(m, "bob", do="hits", place="I36", attack="collision", least="")

    m = support("collision", prepare=order)
    assert m.table.ships["bob"].broken == ["I36"]
