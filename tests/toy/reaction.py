"""3. The reaction."""

from referee.kit import Frame, Match, No, Question, no, one_of, order, step

from .table import boat_of


@step
def weather(m: Match, seats: list[str], diver: str, stops: Frame) -> Question | None:
    """3. Each other captain who holds any card at all is asked in turn, so that the pause tells nothing."""
    if not seats or stops not in m.agenda:
        return None
    asked, rest = seats[0], weather(seats=seats[1:], diver=diver, stops=stops)
    if not boat_of(m, asked).cards:
        m.do(rest)
        return None
    return m.ask(asked, "weather", call.given(stops=stops), decline, then=[rest], interrupts=diver, diver=diver)


@order("call {card}", card="cards", standing=True)
def call(m: Match, who: str, card: str, stops: Frame) -> None:
    """3.1 Foul weather stops the dive; its lanterns are lost."""
    boat_of(m, who).cards.remove(card)
    m.table.discard.append(card)
    m.reveal("calls", of=who, who=who, card=card)
    m.cancel(stops)
    m.do(*m.components.effect(m.game.steps, "cards", card, who=who, card=card))


@call.offered
def call_offered(m: Match, who: str, stops: Frame) -> dict[str, object] | No:
    """3.1 A weather card in hand."""
    held = [card for card in boat_of(m, who).cards if "weather" in m.components["cards"][card]]
    return {"card": one_of(held)} if held else no("no weather")


@order("decline", standing=True)
def decline(m: Match, who: str) -> None:
    """3.2 Let the dive go on."""
    m.tell("declines", who=who)


@step
def plunge(m: Match, who: str, chest: str, lanterns: int) -> None:
    """3.3 Die, lanterns and crew together must reach the depth of the chest."""
    rolled = m.roll(6)
    reach = m.value("reach", rolled + lanterns, who)
    m.tell("reaches", who=who, chest=chest, rolled=rolled, reach=reach)
    if reach >= m.components["chests"][chest]["depth"]:
        m.do(lift(who=who, chest=chest))


@step
def lift(m: Match, who: str, chest: str) -> None:
    """3.4 The chest is opened: all see the trap, the diver alone the find."""
    opened = m.table.chests.pop(chest)
    boat_of(m, who).hold.append(opened.inside)
    m.reveal("opens", who=who, chest=chest, trap=opened.trap, to={who: {"find": opened.inside}})
    if m.options["traps"] and opened.trap != "none":
        m.do(bite(who=who))


@step
def bite(m: Match, who: str) -> None:
    """3.5 A trap costs two lanterns, fewer with a guard on board; a guard of 0 still barks."""
    boat = boat_of(m, who)
    boat.lanterns = max(boat.lanterns - 2 + m.value("guard", 0, who), 0)
    m.tell("barks" if m.has("guard", who) else "bites", who=who, lanterns=boat.lanterns)
