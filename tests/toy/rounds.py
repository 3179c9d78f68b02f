"""1. The round."""

from referee.kit import Frame, Match, Question, one_of, order, step

from .table import boat_of

PIRATE = "pirate"


@step
def play_round(m: Match) -> None:
    """1. A round: everybody sails, then the captains take their turns."""
    if m.table.round > m.options["rounds"] or not m.table.chests:
        m.do(step.show_flags())
    else:
        m.do(set_courses(), *(step.take_turn(who=who) for who in m.seats), close_round())


@step
def set_courses(m: Match) -> Question:
    """1.1 All choose their waters in secret; one captain steers the pirate as well."""
    captains = {who: (who, [sail]) for who in m.seats}
    return m.ask_all("courses", {**captains, PIRATE: (m.table.helm, [sail])}, "hoist_sails", round=m.table.round)


@order("sail {waters}", waters="waters")
def sail(m: Match, who: str, waters: str) -> None:
    """1.1 A course is shown."""
    m.table.courses[who] = waters
    m.reveal("sails", who=who, waters=waters)


@sail.offered
def sail_offered(m: Match, who: str) -> dict[str, object]:
    """1.1 Any waters."""
    return {"waters": one_of(m.game.names(m.components)["waters"])}


@step
def hoist_sails(m: Match, answers: dict[str, Frame]) -> None:
    """1.2 When all have chosen, all courses are shown at once, and the pirate raids."""
    m.do(*answers.values(), raid())


@step
def raid(m: Match) -> None:
    """1.3 Who meets the pirate loses a lantern; everybody else buys one."""
    for who in m.seats:
        met = m.table.courses[who] == m.table.courses[PIRATE]
        boat = boat_of(m, who)
        boat.lanterns = max(boat.lanterns + (-1 if met else 1), 0)
        m.tell("raided" if met else "calm", who=who, lanterns=boat.lanterns)


@step
def close_round(m: Match) -> None:
    """1.4 The next captain takes the pirate's helm, and the next round begins."""
    m.table.round += 1
    m.table.courses = {}
    m.table.helm = m.others(m.table.helm)[0]
    m.do(play_round())
