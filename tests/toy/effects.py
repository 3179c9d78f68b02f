"""5. Effects: what cards do. cards.toml names these steps; who plays which card is filled in."""

from referee.kit import Match, step

from .table import boat_of


@step
def join(m: Match, who: str, card: str) -> None:
    """5.1 The card comes on board as crew, and its numbers count from now on."""
    m.table.discard.remove(card)
    boat_of(m, who).crew.append(card)
    m.tell("joins", who=who, card=card)


@step
def light(m: Match, who: str, lanterns: int) -> None:
    """5.2 More lanterns."""
    boat_of(m, who).lanterns += lanterns
    m.tell("lights", who=who, lanterns=lanterns)


@step
def churn(m: Match) -> None:
    """5.3 The sea mixes what lies in the closed chests, and what was seen is no longer known."""
    chests = m.table.chests.values()
    for chest, inside in zip(chests, m.shuffled([chest.inside for chest in chests]), strict=True):
        chest.inside, chest.seen_by = inside, []
    m.tell("churns", chests=list(m.table.chests))
