"""2. The turn."""

from referee.kit import NUMBER, Match, No, Question, no, number, one_of, order, some_of, step

from .table import boat_of

MOST_LANTERNS = {"shallow": 2, "deep": 3}


@step
def take_turn(m: Match, who: str) -> Question:
    """2. A captain does as many things as lanterns, cards and finds allow, and then lands."""
    return m.ask(who, "turn", dive, peek, play, sell, land, then=[take_turn(who=who)], lanterns=boat_of(m, who).lanterns)


@order("dive {chest} with {lanterns}", chest="chests", lanterns=NUMBER)
def dive(m: Match, who: str, chest: str, lanterns: int) -> None:
    """2.1 Burn lanterns and dive. Before the die is rolled the other captains may call foul weather."""
    boat_of(m, who).lanterns -= lanterns
    m.tell("dives", who=who, chest=chest, lanterns=lanterns)
    plunge = step.plunge(who=who, chest=chest, lanterns=lanterns)
    m.do(step.weather(seats=m.others(who), diver=who, stops=plunge), plunge)


@dive.offered
def dive_offered(m: Match, who: str) -> dict[str, object] | No:
    """2.1 To a closed chest, with up to 2 lanterns in shallow water and 3 in deep."""
    held = boat_of(m, who).lanterns
    if not held:
        return no("dark")
    opened = {name: no("opened", chest=name) for name in m.components["chests"] if name not in m.table.chests}
    return {
        "chest": one_of(list(m.table.chests), refused=opened),
        "lanterns": lambda chosen: number(1, min(held, MOST_LANTERNS[m.table.chests[chosen["chest"]].size]), default=1),
    }


@order("peek [into] {chest}", chest="chests")
def peek(m: Match, who: str, chest: str) -> None:
    """2.2 Burn a lantern and look into a chest."""
    boat_of(m, who).lanterns -= 1
    m.table.chests[chest].seen_by.append(who)
    m.reveal("peeks", who=who, chest=chest, to={who: {"find": m.table.chests[chest].inside}})


@peek.offered
def peek_offered(m: Match, who: str) -> dict[str, object] | No:
    """2.2 Into a chest that one has not looked into."""
    if not boat_of(m, who).lanterns:
        return no("dark")
    seen = {name: no("seen", chest=name) for name, chest in m.table.chests.items() if who in chest.seen_by}
    return {"chest": one_of([name for name in m.table.chests if name not in seen], refused=seen)}


@order("play {card}", card="cards")
def play(m: Match, who: str, card: str) -> None:
    """2.3 Play a card; its effect stands in cards.toml."""
    boat_of(m, who).cards.remove(card)
    m.table.discard.append(card)
    m.reveal("plays", of=who, who=who, card=card)
    m.do(*m.components.effect(m.game.steps, "cards", card, who=who, card=card))


@play.offered
def play_offered(m: Match, who: str) -> dict[str, object] | No:
    """2.3 A card in hand that is no weather."""
    cards = m.components["cards"]
    weather = {name: no("weather", card=name) for name, card in cards.items() if "weather" in card}
    playable = [card for card in boat_of(m, who).cards if card not in weather]
    return {"card": one_of(playable, refused=weather)} if playable else no("no card")


@order("sell {finds}", finds="some finds")
def sell(m: Match, who: str, finds: list[str]) -> None:
    """2.4 Sell finds for what they are worth."""
    boat = boat_of(m, who)
    for find in finds:
        boat.hold.remove(find)
        boat.gold += m.components["finds"][find]["worth"]
    m.table.sold += finds
    m.reveal("sells", of=who, who=who, finds=finds, gold=boat.gold)


@sell.offered
def sell_offered(m: Match, who: str) -> dict[str, object] | No:
    """2.4 Any of the finds in the hold; all of them unless named."""
    hold = boat_of(m, who).hold
    return {"finds": some_of(hold, least=1, default=hold[:])} if hold else no("empty hold")


@order("land {cards}", cards="some cards")
def land(m: Match, who: str, cards: list[str]) -> None:
    """2.5 Land and so end the turn; cards left ashore are replaced from the deck."""
    m.cancel(take_turn(who=who))
    for card in cards:
        boat_of(m, who).cards.remove(card)
    m.table.discard += cards
    m.reveal("lands", of=who, who=who, cards=cards)
    if cards:
        m.do(draw(who=who, count=len(cards)))


@land.offered
def land_offered(m: Match, who: str) -> dict[str, object]:
    """2.5 At most two cards; none unless named."""
    return {"cards": some_of(boat_of(m, who).cards, most=2, default=[])}


@step
def draw(m: Match, who: str, count: int) -> None:
    """2.6 Draw cards; when the deck runs out the discarded cards are shuffled into a new one."""
    if len(m.table.deck) < count:
        m.table.deck = m.shuffled(m.table.discard) + m.table.deck
        m.table.discard = []
    drawn = [m.table.deck.pop() for _ in range(min(count, len(m.table.deck)))]
    boat_of(m, who).cards += drawn
    m.reveal("draws", who=who, count=len(drawn), to={who: {"cards": drawn}})
