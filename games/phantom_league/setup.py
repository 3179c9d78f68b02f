"""Setting Up the Game: the board, the decks, captains, Spaceships and first Improvements."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, No, no, one_of, order, step

from .data import called, in_play, refusing
from .fleet import ships_each, take_helm
from .galaxy import CENTRAL, CENTRE, lay_hexes, turn_up
from .mats import aboard, captain_of, earn, most_fuel, most_structure, ship_of, slots, speed, spend
from .table import Captain, Ship, new_table
from .turn_state import printed


def setup(m: Match) -> None:
    """Setting Up the Game: the board and the decks are laid out, then the players choose."""
    m.table = new_table()
    m.table.captains = {seat: Captain() for seat in m.seats}
    chosen = [assign_cards()] if m.options["quick-start"] else [choose_captains(), choose_ships(), choose_improvements()]
    m.do(lay_out_galaxy(), lay_out_decks(), deal_out(), *chosen, begin())


@step
def lay_out_galaxy(m: Match) -> None:
    """Board: pairs of half-hexes, six of them face up around the Central Hex, twelve face down around these."""
    rows = m.components["systems"]
    red, orange = ([place for place, row in rows.items() if row["half"] == half] for half in ("red", "orange"))
    m.table.hexes = lay_hexes(m.shuffled(red), m.shuffled(orange))
    inner = list(m.table.hexes)[:7]
    for name in inner:
        turn_up(m, name)
    halves = [place for name in inner if name != CENTRE for place in (m.table.hexes[name].red, m.table.hexes[name].orange)]
    m.reveal("galaxy", places=halves)


@step
def lay_out_decks(m: Match) -> None:
    """Cards, Commodities: every deck is shuffled, the Improvements lie open (PL-5), the tokens beside the board."""
    table = m.table
    table.supply = {goods: row["count"] for goods, row in m.components["tokens"].items()}
    table.substitutes = dict.fromkeys(table.supply, 0)
    table.improvements = in_play(m, "improvements")
    for deck, sheet in (("missions", "missions"), ("hyperspace", "hyperspace"), ("docking", "docking"), ("aliens", "aliens")):
        setattr(table, deck, m.shuffled(in_play(m, sheet)))
    for deck, name in (("pirates", "pirate"), ("alliance", "alliance")):
        setattr(table, deck, m.shuffled([c for c in in_play(m, "raiders") if m.components["raiders"][c]["deck"] == name]))
    table.box = [*in_play(m, "captains"), *in_play(m, "ships")]


@step
def deal_out(m: Match) -> None:
    """Cards, Money: three secret missions and the initial funds for each player."""
    for seat in m.seats:
        earn(m, seat, printed(m, "money") * ships_each(m))
    m.do(*[step.draw_missions(who=seat, count=printed(m, "missions")) for seat in m.seats])


# Quick start


@step
def assign_cards(m: Match) -> None:
    """Variants, Quick Start Rules: chance gives every player a Captain and a Spaceship, which is paid; no Improvements."""
    rows, box = m.components, m.table.box
    captains, ships = (m.shuffled([card for card in box if card in rows[sheet]]) for sheet in ("captains", "ships"))
    m.tell("quick start")
    frames: list[Frame] = []
    for seat, captain in zip(m.seats, captains, strict=False):
        own = [ships.pop() for _ in range(ships_each(m))]
        frames += [take_captain(who=seat, captain=captain), *[buy_ship(who=seat, ship=ship) for ship in own]]
    m.do(*frames)


# Captains


@step
def choose_captains(m: Match) -> None:
    """Captains, Spaceships and Improvements; PL-1: a random seat begins, then clockwise."""
    first = m.shuffled(m.seats)[0]
    m.table.chosen = [first, *m.others(first)]
    m.tell("chooses first", who=first)
    m.do(*[choose_captain(who=seat) for seat in m.table.chosen])


@step
def choose_captain(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: each player chooses a Captain card."""
    return None if captain_of(m, who).dead else m.ask(who, "captain", take_captain)


@order("captain {captain}", captain="captains")
def take_captain(m: Match, who: str, captain: str) -> None:
    """Captains, Spaceships and Improvements: the card lies face up."""
    m.table.box.remove(captain)
    captain_of(m, who).captain = captain
    m.tell("takes captain", who=who, captain=captain, name=m.components["captains"][captain]["name"])


@take_captain.offered
def may_take_captain(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: any captain that nobody has chosen."""
    left = [card for card in m.table.box if card in m.components["captains"]]
    taken = {c: no("captain taken", seat=seat) for seat in m.seats if (c := captain_of(m, seat).captain)}
    return {"captain": one_of(left, refused=refusing(m, "captains", taken), same=called(m, "captains", left))}


# Spaceships


@step
def choose_ships(m: Match) -> None:
    """Captains, Spaceships and Improvements; PL-1: the last to choose a captain begins, then counter-clockwise."""
    m.do(*[choose_ship(who=seat) for _ in range(ships_each(m)) for seat in reversed(m.table.chosen)])


@step
def choose_ship(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: each player buys a Spaceship."""
    return None if captain_of(m, who).dead else m.ask(who, "ship", buy_ship, money=captain_of(m, who).money)


@order("ship {ship}", ship="spaceships")
def buy_ship(m: Match, who: str, ship: str) -> None:
    """Captains, Spaceships and Improvements; PL-3: the price is paid; the ship is docked to Central, its dials full."""
    m.table.box.remove(ship)
    price = m.components["ships"][ship]["price"]
    spend(m, who, price)
    captain = captain_of(m, who)
    captain.ship = f"{who} {len(captain.ships) + 1}" if captain.ships else who
    captain.ships.append(captain.ship)
    m.table.ships[captain.ship] = Ship(who=who, card=ship, place=CENTRAL, docked=True)
    fill_dials(m, who)
    m.tell("buys ship", who=who, ship=ship, name=m.components["ships"][ship]["name"], price=price, left=captain.money)


@buy_ship.offered
def may_buy_ship(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: any ship that nobody has bought, if there is money for it."""
    rows, money = m.components["ships"], captain_of(m, who).money
    left = [card for card in m.table.box if card in rows]
    refused = {card: no("too dear", price=rows[card]["price"], money=money) for card in left if rows[card]["price"] > money}
    refused.update({ship.card: no("ship taken", seat=ship.who) for ship in m.table.ships.values()})
    left = [card for card in left if card not in refused]
    return {"ship": one_of(left, refused=refusing(m, "ships", refused), same=called(m, "ships", left))}


def fill_dials(m: Match, who: str) -> None:
    """Captains, Spaceships and Improvements; PL-3: Structure and Fuel stand at their maximum."""
    ship = ship_of(m, who)
    ship.structure, ship.fuel = most_structure(m, who), most_fuel(m, who)


# First Improvements


@step
def choose_improvements(m: Match) -> None:
    """Captains, Spaceships and Improvements; PL-2: the most expensive ship first; all prices differ."""
    m.table.chosen = sorted(m.table.ships, key=lambda name: -m.components["ships"][m.table.ships[name].card]["price"])
    for name in reversed(m.table.chosen):
        who = m.table.ships[name].who
        m.do(*([take_helm(who=who, ship=name)] if ships_each(m) > 1 else []), choose_improvement(who=who))


@step
def choose_improvement(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: each player may buy one Improvement."""
    if captain_of(m, who).dead or isinstance(may_take_improvement(m, who), No):
        return None
    return m.ask(who, "first improvement", take_improvement, take_nothing, money=captain_of(m, who).money)


@order("improvement {improvement}", improvement="improvements")
def take_improvement(m: Match, who: str, improvement: str) -> None:
    """Captains, Spaceships and Improvements; PL-2, PL-3: it is installed at once, and the dials are set."""
    price = m.components["improvements"][improvement]["price"]
    m.table.improvements.remove(improvement)
    spend(m, who, price)
    ship_of(m, who).installed.append(improvement)
    fill_dials(m, who)
    name = m.components["improvements"][improvement]["name"]
    m.tell("takes improvement", who=who, improvement=improvement, name=name, price=price, left=captain_of(m, who).money)


@take_improvement.offered
def may_take_improvement(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements; PL-2: within money and slots."""
    rows, money = m.components["improvements"], captain_of(m, who).money
    if not slots(m, who):
        return no("no slot")
    refused = {c: no("too dear", price=rows[c]["price"], money=money) for c in m.table.improvements if rows[c]["price"] > money}
    left = [card for card in m.table.improvements if card not in refused]
    why, same = refusing(m, "improvements", refused), called(m, "improvements", left)
    return {"improvement": one_of(left, refused=why, same=same)} if left else no("no money")


@order("no improvement")
def take_nothing(m: Match, who: str) -> None:
    """Captains, Spaceships and Improvements: nobody has to buy one."""
    m.tell("takes nothing", who=who)


# The first turn


@step
def begin(m: Match) -> None:
    """Game Turn; PL-4: the fastest ship begins, a tie is drawn; that order stays for the whole game."""
    living = [seat for seat in m.seats if not captain_of(m, seat).dead]
    speeds = {seat: top_speed(m, seat) for seat in living}
    fastest = [seat for seat in living if speeds[seat] == max(speeds.values())]
    m.table.first = m.shuffled(fastest)[0] if len(fastest) > 1 else fastest[0]
    m.table.chosen = []
    m.tell("fastest ship", who=m.table.first, speed=speeds[m.table.first])
    m.do(step.take_turn(who=m.table.first))


def top_speed(m: Match, who: str) -> int:
    """Game Turn; Variants, Two Player Game: return the speed of a captain's fastest ship."""
    speeds = []
    for name in captain_of(m, who).ships:
        with aboard(m, who, name):
            speeds.append(speed(m, who))
    return max(speeds)
