"""Every special power of captains, ships and Improvements that counts in battles of The Phantom League."""

from __future__ import annotations

from typing import Any

from games.phantom_league import GAME, mats
from games.phantom_league import battle_ships as ships
from games.phantom_league.battle import counts
from games.phantom_league.battle_deck import fronts, symbol_cards
from referee.engine import start
from referee.match import Match

from .rules.phantom_league import position
from .rules.runner import Scripted
from .test_phantom_cards import plan, run, told


def met(alice: dict[str, Any], bob: dict[str, Any], captains: dict[str, str] | None = None, **battle: Any) -> Match:
    """Return a match in the middle of a battle of alice and bob with these ships and captains."""
    m = start(GAME, "powers", ["alice", "bob", "carol"], bytes(32), {"mostly-harmless": True})
    m.chance = Scripted([], [])
    held = {seat: {"captain": captain} for seat, captain in (captains or {}).items()}
    decks = {"alice": ["feint", "brace", "torpedo run"], "bob": ["jammed comms", "parry", "beam sweep", "overheat"]}
    position(m, {"ships": {"alice": alice, "bob": bob}, "captains": held, "battle": {"decks": decks, **battle}})
    m.table.battle.round = 1
    return m


# Captains


def test_jack_makes_escapes_harder_for_all() -> None:
    plain = met({"card": "S09"}, {"card": "S02"}, allies={"carol": "bob"})
    jack = met({"card": "S09"}, {"card": "S02"}, {"alice": "C02"}, allies={"carol": "bob"})
    changes = {who: ships.escape(jack, who) - ships.escape(plain, who) for who in ("alice", "bob", "carol")}
    assert changes == {"alice": 2, "bob": 1, "carol": 1}


def test_botch_swaps_his_own_deck_and_an_enemys_once_each() -> None:
    m = met({"card": "S09"}, {"card": "S02"}, {"alice": "C05"})
    before = {who: counts(m, who) for who in ("alice", "bob")}
    plan(m, "alice", do="swap", ship="alice")
    plan(m, "alice", do="swap", ship="bob")
    plan(m, "alice", do="swap", ship="bob")
    run(m, {"do": "offer_swap", "who": "alice"})
    assert [event["ship"] for event in told(m, "swaps")] == ["alice", "bob"]
    assert {who: counts(m, who) for who in ("alice", "bob")} == before
    assert "torpedo run" not in fronts(m, "alice")
    run(m, {"do": "offer_swap", "who": "alice"})
    assert len(told(m, "swaps")) == 2


def test_vulture_salvages_more() -> None:
    m = met({"card": "S09", "fuel": 0}, {"card": "S02"}, {"alice": "C07"})
    m.table.ships["bob"].wreck, m.table.ships["bob"].fuel = True, 0
    run(m, {"do": "loot_wreck", "who": "alice", "wreck": "bob"})
    assert m.table.ships["alice"].cargo["ore"] == 4
    assert m.table.ships["alice"].fuel == 1


def test_sir_frank_changes_an_escape_value_for_fuel() -> None:
    m = met({"card": "S09"}, {"card": "S02"}, {"alice": "C12"})
    left, before = ships.fuel(m, "alice"), ships.escape(m, "bob")
    plan(m, "alice", do="raise_escape", ship="bob", points="3", moment="")
    run(m, {"do": "offer_veteran", "who": "alice", "late": True}, {"do": "offer_veteran", "who": "alice", "late": True})
    assert ships.escape(m, "bob") == before + 3
    assert ships.fuel(m, "alice") == left - 6


def test_sir_frank_lowers_an_escape_value_as_far_as_his_fuel_goes() -> None:
    m = met({"card": "S09", "fuel": 3}, {"card": "S02"}, {"alice": "C12"})
    before = ships.escape(m, "bob")
    plan(m, "alice", do="lower_escape", ship="bob", points="5", moment="")
    run(m, {"do": "offer_veteran", "who": "alice", "late": True})
    assert ships.escape(m, "bob") == before - 1


def test_sir_frank_loots_nothing() -> None:
    m = met({"card": "S09"}, {"card": "S02"}, {"alice": "C12"}, wrecks=["bob"])
    run(m, {"do": "offer_loot"})
    assert m.question is not None
    assert m.question.name != "loot"


# Ships


def test_patrol_cutter_draws_an_attack_card_more_when_it_attacks() -> None:
    attacks = met({"card": "S02"}, {"card": "S09"})
    defends = met({"card": "S09"}, {"card": "S02"})
    assert symbol_cards(attacks, "alice")["attack"] - symbol_cards(defends, "bob")["attack"] == 1


def test_corsair_takes_a_token_from_a_defeated_player() -> None:
    m = met({"card": "S06"}, {"card": "S02", "cargo": {"food": 1, "narcotics": 1}})
    plan(m, "alice", do="grab", goods="food")
    run(m, {"do": "defeated", "who": "bob", "by": ["alice"], "destroyed": False})
    assert mats.ship_of(m, "alice").cargo == {"food": 1}


def test_corsair_takes_the_dearest_without_an_order() -> None:
    m = met({"card": "S06"}, {"card": "S02", "cargo": {"food": 1, "narcotics": 1}})
    run(m, {"do": "defeated", "who": "bob", "by": ["alice"], "destroyed": False})
    assert mats.ship_of(m, "alice").cargo == {"narcotics": 1}


def test_stunt_maneuverability() -> None:
    m = met({"card": "S07"}, {"card": "S02"})
    plan(m, "alice", do="stunt", count="3")
    run(m, {"do": "after_reveal"})
    assert [event["count"] for event in told(m, "puts off")] == [3, 3]
    assert (len(fronts(m, "alice")), len(fronts(m, "bob"))) == (0, 1)


def test_stunt_takes_no_more_than_the_enemy_has() -> None:
    decks = {"alice": ["feint", "brace", "torpedo run"], "bob": ["parry"]}
    m = met({"card": "S07"}, {"card": "S02"}, decks=decks)
    plan(m, "alice", do="stunt", count="2")
    run(m, {"do": "after_reveal"})
    assert (len(fronts(m, "alice")), len(fronts(m, "bob"))) == (1, 0)


# Improvements


def test_battering_ram_adds_to_damage_only_if_there_is_any() -> None:
    m = met({"card": "S07", "installed": ["I24"]}, {"card": "S09", "installed": ["I24"]}, {"alice": "C03"})
    run(m, {"do": "collide", "who": "bob", "target": "alice"})
    rows = {event["who"]: event for event in told(m, "collides")}
    for who, enemy in (("alice", "bob"), ("bob", "alice")):
        row = rows[who]
        assert row["enemy"] == enemy
        bare = row["escape"] - row["defense"]
        assert row["damage"] == (bare + 2 if bare > 0 else 0)


def test_a_fuel_consumer_counts_only_in_a_round_in_which_it_is_used() -> None:
    m = met({"card": "S05", "installed": ["I08"]}, {"card": "S02"}, {"alice": "C04"})
    assert not ships.has_weapon(m, "alice", "energy")
    assert symbol_cards(m, "alice")["attack"] == 1
    left = ships.fuel(m, "alice")
    answers = {"alice": {"do": "play_cards", "who": "alice", "cards": ["feint", "brace"], "improvements": ["I08"]}}
    answers["bob"] = {"do": "play_cards", "who": "bob", "cards": ["jammed comms", "parry"], "improvements": []}
    run(m, {"do": "cards_selected", "answers": answers})
    assert ships.number(m, "alice", "energy-attack") == 2
    assert ships.fuel(m, "alice") == left - 1
    run(m, {"do": "battle_round"})
    assert ships.number(m, "alice", "energy-attack") == 0


def test_a_disposable_counts_for_a_round_and_goes_back_to_the_deck() -> None:
    m = met({"card": "S05", "installed": ["I07"]}, {"card": "S02"}, {"alice": "C04"})
    assert symbol_cards(m, "alice")["attack"] == 0
    ships.fighter(m, "alice").counted = ["I07"]
    assert symbol_cards(m, "alice")["attack"] == 1
    ships.fighter(m, "alice").used = ["I07"]
    assert ships.number(m, "alice", "projectile-attack") == 3
    run(m, {"do": "use_up", "who": "alice"})
    assert "I07" in m.table.improvements
    assert m.table.ships["alice"].installed == []


def test_a_disposable_that_was_counted_is_gone_when_the_battle_ends() -> None:
    m = met({"card": "S05", "installed": ["I11"]}, {"card": "S02"}, {"alice": "C04"})
    ships.fighter(m, "alice").counted = ["I11"]
    run(m, {"do": "end_battle"})
    assert "I11" in m.table.improvements


def test_escape_thrusters_count_in_their_round() -> None:
    m = met({"card": "S05", "installed": ["I39"]}, {"card": "S02"}, {"alice": "C04"})
    before = ships.escape(m, "alice")
    ships.fighter(m, "alice").used = ["I39"]
    assert ships.escape(m, "alice") == before - 3


def test_targeting_computer_counts_twice() -> None:
    m = met({"card": "S05", "installed": ["I06"]}, {"card": "S02"}, {"alice": "C03"})
    assert ships.support_total(m, "alice") == 2


def test_a_broken_improvement_counts_nowhere() -> None:
    m = met({"card": "S05", "installed": ["I06", "I09"], "broken": ["I06", "I09"]}, {"card": "S02"}, {"alice": "C03"})
    plain = met({"card": "S05"}, {"card": "S02"}, {"alice": "C03"})
    assert ships.support_total(m, "alice") == 0
    assert ships.escape(m, "alice") == ships.escape(plain, "alice")
    assert symbol_cards(m, "alice") == symbol_cards(plain, "alice")


def test_sir_frank_changes_an_escape_value_at_once_if_the_orders_say_so() -> None:
    m = met({"card": "S09"}, {"card": "S02"}, {"alice": "C12"})
    before = ships.escape(m, "bob")
    plan(m, "alice", do="raise_escape", ship="bob", points="2", moment="once")
    run(m, {"do": "after_reveal"})
    assert ships.escape(m, "bob") == before + 2
    late = met({"card": "S09"}, {"card": "S02"}, {"alice": "C12"})
    plan(late, "alice", do="raise_escape", ship="bob", points="2", moment="")
    run(late, {"do": "after_reveal"})
    assert ships.escape(late, "bob") == before


def test_aayaeh_mends_in_a_battle_in_her_own_turn_once() -> None:
    m = met({"card": "S09", "structure": 5}, {"card": "S02"}, {"alice": "C11"})
    left = ships.fuel(m, "alice")
    plan(m, "alice", do="mend_hull", least="")
    run(m, {"do": "after_reveal"}, {"do": "attack_cards"}, {"do": "offer_mend"})
    assert (ships.structure(m, "alice"), ships.fuel(m, "alice")) == (6, left - 1)
    assert m.table.turn.self_repaired
    assert len(told(m, "mends in battle")) == 1


def test_aayaeh_waits_until_so_much_is_missing() -> None:
    m = met({"card": "S09"}, {"card": "S02"}, {"alice": "C11"})
    plan(m, "alice", do="mend_hull", least="2")
    full = ships.structure(m, "alice")
    for damage, mended in ((0, 0), (1, 0), (1, 1)):
        ships.change_structure(m, "alice", -damage)
        run(m, {"do": "offer_mend"})
        assert len(told(m, "mends in battle")) == mended
    assert ships.structure(m, "alice") == full - 1


def test_aayaeh_does_not_mend_in_the_turn_of_another_nor_twice_in_a_turn() -> None:
    m = met({"card": "S02"}, {"card": "S09", "structure": 5}, {"bob": "C11"})
    plan(m, "bob", do="mend_hull", least="")
    run(m, {"do": "offer_mend"})
    assert ships.structure(m, "bob") == 5
    m = met({"card": "S09", "structure": 5}, {"card": "S02"}, {"alice": "C11"})
    m.table.turn.self_repaired = True
    plan(m, "alice", do="mend_hull", least="")
    run(m, {"do": "offer_mend"})
    assert ships.structure(m, "alice") == 5
