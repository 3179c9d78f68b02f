"""Wrong implementations of the toy game and of the machine, each a small patch, and the law that must catch it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from referee import engine, entries, orders, save, see, waiting
from referee.kit import Frame, Game, Match, No, Question, no, number, one_of, some_of, step
from referee.mail.answers import Facts
from referee.mail.mailer import Place
from referee.slots import OneOf
from referee.steps import Order, Step

from . import law_mail, law_sources
from .toy import GAME, effects, reaction, rounds, turn
from .toy.table import Boat, boat_of

Patch = contextlib.AbstractContextManager[Any]
MISTAKES: dict[str, tuple[str, Callable[[], Patch]]] = {}
"""For each mistake the law that must catch it, and what plants it."""


def _mistake(law: str) -> Callable[[Callable[[], Patch]], Callable[[], Patch]]:
    def note(plant: Callable[[], Patch]) -> Callable[[], Patch]:
        MISTAKES[plant.__name__] = (law, plant)
        return plant

    return note


def wrong_body(law: str, place: Step) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Plant a function as the body of a step."""

    def note(body: Callable[..., Any]) -> Callable[..., Any]:
        MISTAKES[body.__name__] = (law, lambda: mock.patch.object(place, "body", body))
        return body

    return note


def wrong_offer(law: str, order: Order) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Plant a function as what an order may be given."""

    def note(offer: Callable[..., Any]) -> Callable[..., Any]:
        MISTAKES[offer.__name__] = (law, lambda: mock.patch.object(order, "offer", offer))
        return offer

    return note


@contextlib.contextmanager
def planted(name: str) -> Iterator[Game]:
    """Give the toy game with one mistake in it."""
    with MISTAKES[name][1]():
        yield GAME


def _has_weather(m: Match, who: str) -> bool:
    return any("weather" in m.components["cards"][card] for card in boat_of(m, who).cards)


# Who sees what


@_mistake("visibility")
def a_hold_that_all_may_look_into() -> Patch:
    """The finds in a hold are declared open."""
    return mock.patch.dict(Boat.fields, {"hold": see.See("open")})


@_mistake("twins")
def a_view_that_is_not_redacted() -> Patch:
    """The view shows all of the table."""
    return mock.patch.object(engine, "redact", lambda table, viewer: see.dump(table))


@_mistake("hidden ids")
def a_view_that_names_what_is_hidden() -> Patch:
    """The same mistake, which names hidden ids too."""
    return a_view_that_is_not_redacted()


@wrong_body("events", reaction.lift)
def a_find_told_to_all(m: Match, who: str, chest: str) -> None:
    opened = m.table.chests.pop(chest)
    boat_of(m, who).hold.append(opened.inside)
    m.reveal("opens", who=who, chest=chest, trap=opened.trap, find=opened.inside)


@wrong_body("hidden ids", turn.peek)
def a_find_told_to_the_wrong_captain(m: Match, who: str, chest: str) -> None:
    boat_of(m, who).lanterns -= 1
    m.table.chests[chest].seen_by.append(who)
    m.reveal("peeks", who=who, chest=chest, to={m.others(who)[0]: {"find": m.table.chests[chest].inside}})


@wrong_body("unmoved", reaction.decline)
def a_number_told_that_comes_from_a_hand(m: Match, who: str) -> None:
    m.tell("declines", who=who)
    m.tell("lights", who=who, lanterns=len([c for c in boat_of(m, who).cards if c == "squall"]))


@wrong_body("unmoved", turn.peek)
def a_hidden_find_told_without_revealing_it(m: Match, who: str, chest: str) -> None:
    boat_of(m, who).lanterns -= 1
    m.table.chests[chest].seen_by.append(who)
    m.whisper(who, "peeks", who=who, chest=chest, find=m.table.chests[chest].inside)


@wrong_body("unmoved", turn.play)
def a_played_card_told_without_revealing_it(m: Match, who: str, card: str) -> None:
    boat_of(m, who).cards.remove(card)
    m.table.discard.append(card)
    m.tell("plays", who=who, card=card)


# Windows


@wrong_body("unmoved", reaction.weather)
def a_window_skipped_because_of_a_hand(m: Match, seats: list[str], diver: str, stops: Frame) -> Question | None:
    rest = reaction.weather(seats=seats[1:], diver=diver, stops=stops)
    if not seats or stops not in m.agenda:
        return None
    if not _has_weather(m, seats[0]):
        m.do(rest)
        return None
    offers = [reaction.call.given(stops=stops), reaction.decline]
    return m.ask(seats[0], "weather", *offers, then=[rest], interrupts=diver, diver=diver)


@wrong_body("unmoved", rounds.raid)
def a_window_opened_because_of_a_hand(m: Match) -> None:
    m.table.courses = {}
    m.do(*(reaction.weather(seats=[who], diver=who, stops=m.agenda[-1]) for who in m.seats if _has_weather(m, who)))


# Questions


@wrong_body("pure", turn.take_turn)
def a_question_that_changes_the_table(m: Match, who: str) -> Question:
    boat_of(m, who).lanterns += 1
    return m.ask(who, "turn", turn.dive, turn.land, then=[turn.take_turn(who=who)], lanterns=1)


@wrong_offer("pure", turn.sell)
def a_list_that_changes_the_table(m: Match, who: str) -> No:
    m.table.sold.reverse()
    boat_of(m, who).crew.append("dog")
    return no("empty hold")


@wrong_offer("twins", turn.peek)
def a_question_that_depends_on_a_pile(m: Match, who: str) -> dict[str, object] | No:
    held = boat_of(m, who).lanterns
    return {"chest": one_of(list(m.table.chests))} if held and m.table.deck[-1:] > ["h"] else no("dark")


@wrong_offer("twins", turn.sell)
def a_refusal_that_depends_on_a_pile(m: Match, who: str) -> No:
    return no("dark") if m.table.deck[-1:] > ["h"] else no("empty hold")


@wrong_offer("twins", turn.land)
def a_menu_that_tells_of_another_hand(m: Match, who: str) -> dict[str, object]:
    rival = boat_of(m, m.others(who)[0]).cards
    return {"cards": some_of(boat_of(m, who).cards, most=rival.count("squall"), default=[])}


@wrong_body("sealed", rounds.set_courses)
def a_joint_question_that_counts_the_answers(m: Match) -> Question:
    captains = {who: (who, [rounds.sail]) for who in m.seats}
    deciders = {**captains, rounds.PIRATE: (m.table.helm, [rounds.sail])}
    return m.ask_all("courses", deciders, "hoist_sails", round=m.table.round + len(m.sealed))


@wrong_body("answerable", turn.take_turn)
def a_question_without_an_answer(m: Match, who: str) -> Question:
    return m.ask(who, "turn", turn.dive, turn.peek, then=[turn.take_turn(who=who)], lanterns=0)


class _Wide(OneOf):
    def takes(self, value: Any) -> bool:
        return isinstance(value, str)


@wrong_offer("listed", turn.peek)
def a_slot_that_takes_what_it_does_not_list(m: Match, who: str) -> dict[str, object]:
    return {"chest": _Wide(sorted(m.table.chests), {}, "")}


@wrong_offer("slots", turn.dive)
def slots_in_another_order(m: Match, who: str) -> dict[str, object] | No:
    held = boat_of(m, who).lanterns
    return {"lanterns": number(1, held, default=1), "chest": one_of(list(m.table.chests))} if held else no("dark")


@wrong_offer("offered", turn.land)
def a_line_that_reads_as_something_else(m: Match, who: str) -> dict[str, object]:
    cards = boat_of(m, who).cards
    return {"cards": some_of(cards, most=2, default=cards[:1])}


# Chance


@wrong_body("dice", reaction.plunge)
def dice_from_the_library(m: Match, who: str, chest: str, lanterns: int) -> None:
    rolled = random.randint(1, 6)
    m.tell("reaches", who=who, chest=chest, rolled=rolled, reach=rolled)


@wrong_body("replay", reaction.plunge)
def dice_from_the_order_of_a_set(m: Match, who: str, chest: str, lanterns: int) -> None:
    rolled = len(next(iter({"one", "three", "five", "eleven"})))
    m.tell("reaches", who=who, chest=chest, rolled=rolled, reach=rolled)


# Things


@wrong_body("conserved", effects.join)
def a_card_that_gets_lost(m: Match, who: str, card: str) -> None:
    m.table.discard.remove(card)
    m.tell("joins", who=who, card=card)


@wrong_body("conserved", turn.draw)
def a_card_that_is_there_twice(m: Match, who: str, count: int) -> None:
    drawn = m.table.deck[:count]
    boat_of(m, who).cards += drawn
    m.reveal("draws", who=who, count=len(drawn), to={who: {"cards": drawn}})


@_mistake("twins")
def a_result_that_counts_what_stays_hidden() -> Patch:
    """The winner is whoever holds most squalls, which nobody shows."""

    def score(m: Match) -> dict[str, dict[str, int]]:
        return {who: {"place": 1, "points": boat_of(m, who).cards.count("squall")} for who in m.seats}

    return mock.patch.object(GAME, "score", score)


# The agenda and the machine


@wrong_body("agenda", turn.dive)
def a_frame_that_cannot_be_saved(m: Match, who: str, chest: str, lanterns: int) -> None:
    boat_of(m, who).lanterns -= lanterns
    m.tell("dives", who=who, chest=chest, lanterns=lanterns)
    plunge = step.plunge(who=who, chest=chest, lanterns=lanterns)
    m.do(step.weather(seats=tuple(m.others(who)), diver=who, stops=plunge), plunge)


@wrong_body("agenda", turn.dive)
def a_frame_without_its_arguments(m: Match, who: str, chest: str, lanterns: int) -> None:
    boat_of(m, who).lanterns -= lanterns
    m.tell("dives", who=who, chest=chest, lanterns=lanterns)
    plunge = step.plunge(who=who)
    m.do(step.weather(seats=m.others(who), diver=who, stops=plunge), plunge)


@wrong_body("ends", rounds.play_round)
def a_game_without_end(m: Match) -> None:
    m.do(rounds.set_courses(), *(step.take_turn(who=who) for who in m.seats), rounds.close_round())


@_mistake("late names")
def a_later_step_that_is_not_there() -> Patch:
    """A rule names a step of a later chapter by a word that is none."""
    return mock.patch.object(GAME, "steps", {name: step for name, step in GAME.steps.items() if name != "plunge"})


@_mistake("words")
def an_event_without_a_sentence() -> Patch:
    """One kind of event has no sentence."""
    chapters = law_sources.sentences(GAME)
    events = {key: text for key, text in chapters["events"].items() if key != "churns"}
    return mock.patch.object(law_sources, "sentences", return_value={**chapters, "events": events})


@_mistake("words")
def a_sentence_that_wants_what_its_reader_does_not_get() -> Patch:
    """The sentence for everybody has a private word in it."""
    chapters = law_sources.sentences(GAME)
    events = {**chapters["events"], "draws": "{who} draws {cards}."}
    return mock.patch.object(law_sources, "sentences", return_value={**chapters, "events": events})


@_mistake("stop")
def a_stop_that_is_not_counted() -> Patch:
    """A public answer does not raise the number of the stop."""

    def answer(m: Match, decider: str, frame: Frame) -> None:
        engine.answer(m, decider, frame)
        m.moved = False

    return mock.patch.object(orders, "answer", answer)


@_mistake("sealed")
def a_stop_that_counts_sealed_answers() -> Patch:
    """A sealed answer raises the number of the stop."""

    def answer(m: Match, decider: str, frame: Frame) -> None:
        engine.answer(m, decider, frame)
        m.moved = True

    return mock.patch.object(orders, "answer", answer)


@_mistake("twins")
def a_sealing_that_is_no_fence() -> Patch:
    """A dry run tells whether all others have answered, since only the last answer goes on."""

    def play(m: Match, seat: str, line: str) -> str:
        text = right(m, seat, line)
        m.fence = False
        return text

    right = orders._play
    return mock.patch.object(orders, "_play", play)


@_mistake("twins")
def a_turn_that_is_passed_without_a_fence() -> Patch:
    """A dry run tells whether others ordered something beforehand, since only their answers stop it."""
    return mock.patch.object(orders, "_fence_off")


@_mistake("twins")
def a_reveal_that_is_no_fence() -> Patch:
    """A dry run shows what would be revealed, and the line can still be kept back."""

    def reveal(m: Match, kind: str, *, of: str = "", to: Any = None, **words: Any) -> None:
        fence = m.fence
        right(m, kind, of=of, to=to, **words)
        m.fence = fence

    right = Match.reveal
    return mock.patch.object(Match, "reveal", reveal)


@_mistake("copied")
def a_copy_that_shares_the_table() -> Patch:
    """A copy of a match lies on the same table."""

    def copy(m: Match) -> Match:
        twin = right(m)
        twin.table = m.table
        return twin

    right = Match.copy
    return mock.patch.object(Match, "copy", copy)


@_mistake("saved")
def a_save_that_turns_the_agenda_around() -> Patch:
    """A save lists what comes next in the wrong order."""
    return mock.patch.object(save, "_numbered", lambda items: {str(n): i for n, i in enumerate(reversed(items), 1)})


@_mistake("lines")
def a_line_that_is_played_as_another() -> Patch:
    """Whatever line is sent, the first answer is played."""
    return mock.patch.object(waiting, "read", lambda m, decision, text: next(decision.frames()))


# What goes out by mail


@wrong_body("order", rounds.set_courses)
def courses_shown_in_the_order_in_which_they_came(m: Match) -> Question:
    deciders = dict.fromkeys([*m.sealed, *m.seats, rounds.PIRATE])
    asked = {who: (m.table.helm if who == rounds.PIRATE else who, [rounds.sail]) for who in deciders}
    return m.ask_all("courses", asked, "hoist_sails", round=m.table.round)


def _mailed_to(more: Callable[[Match], list[str]]) -> Patch:
    right = entries._readers
    return mock.patch.object(entries, "_readers", lambda before, m, move: [*right(before, m, move), *more(m)])


@_mistake("sealed")
def a_mail_to_all_when_one_seals() -> Patch:
    """Everybody gets a report when somebody has sealed an answer, and so learns that somebody has."""
    return _mailed_to(lambda m: m.seats)


@_mistake("unmoved")
def a_mail_to_whoever_sits_beside_a_squall() -> Patch:
    """Whether a captain gets a mail depends on what another holds."""
    return _mailed_to(lambda m: [who for who in m.seats if "squall" in boat_of(m, m.others(who)[0]).cards])


@_mistake("sealed")
def deadlines_that_move_when_one_seals() -> Patch:
    """The time of all who are asked begins anew with every answer."""
    return mock.patch.object(entries, "_still_waiting", return_value=[])


@_mistake("twins")
def a_file_name_that_depends_on_a_pile() -> Patch:
    """The file of a report is called after what nobody can see."""
    return mock.patch.object(Place, "of", lambda m, seat: Place(m.id, m.stop + len(str(m.table.deck)), seat, 1))


@_mistake("sealed")
def a_subject_that_counts_the_sealed_answers() -> Patch:
    """The subject of a mail tells how many have answered."""
    return mock.patch.object(law_mail, "facts_from", lambda made, m, **more: Facts(match=m.id, asks=str(len(m.sealed))))


@wrong_body("opened", rounds.sail)
def a_course_told_without_revealing_it(m: Match, who: str, waters: str) -> None:
    m.table.courses[who] = waters
    m.tell("sails", who=who, waters=waters)


@wrong_body("opened", rounds.hoist_sails)
def courses_that_all_learn_of_by_what_follows(m: Match, answers: dict[str, Frame]) -> None:
    m.tell("lights", who=m.seats[0], lanterns=len({frame["waters"] for frame in answers.values()}))
    m.do(*answers.values(), rounds.raid())
