"""6. The end."""

from referee.kit import Match, step

from .table import boat_of


@step
def show_flags(m: Match) -> None:
    """6.1 Flags and holds are shown: finds under one's own flag are worth double, others nothing."""
    for who in m.seats:
        boat = boat_of(m, who)
        finds = [m.components["finds"][find] for find in boat.hold]
        boat.gold += sum(2 * find["worth"] for find in finds if find["kind"] == boat.flag)
        m.table.sold += boat.hold
        m.reveal("shows", of=who, who=who, flag=boat.flag, finds=boat.hold, gold=boat.gold)
        boat.flown, boat.flag, boat.hold = boat.flag, "", []
    m.finish()


def score(m: Match) -> dict[str, dict[str, int]]:
    """6.2 The richest captain wins; equals share the place."""
    gold = {boat.captain: boat.gold for boat in m.table.boats.values()}
    return {who: {"place": 1 + sum(g > gold[who] for g in gold.values()), "points": gold[who]} for who in m.seats}
