"""Who may see what in Four Planets, written by hand from the rulebook, so that the code can be held to it.

Public at all times: ships, open specialists, columns, coins, credit, tiles, buildings that are laid down, how many cards lie
anywhere, and the backs of all cards that can be seen: hands, discard pile, face-down specialists, colour bonus cards, and
the top card of the deck. Hidden: the front of a card from whoever has not seen it where it lies (hands; face-down cards but
for their owner; colour bonus cards past the own marker), the deck below its top card from everybody, building cards that
are dealt from the opponent, those in the box from everybody (Setup 3; Costs and Buying Power; Botany; Exploration;
Professional Mode).
"""

FIELDS = {
    "Card.power": "open",
    "Card.known": "open",
    "Card.front": "known_to",
    "Ship.who": "open",
    "Ship.size": "open",
    "Ship.ramp": "open",
    "Planet.cards": "part",
    "Planet.ships": "part",
    "Boost.on": "open",
    "Boost.copies": "open",
    "Boost.stored": "open",
    "Player.dealt": "hand",
    "Player.hand": "part",
    "Player.drawn": "part",
    "Player.columns": "part",
    "Player.parts": "open",
    "Player.dock": "open",
    "Player.coins": "open",
    "Player.spent": "open",
    "Player.credit": "open",
    "Player.points": "open",
    "Player.exchanged": "open",
    "Player.marker": "open",
    "Player.tiles": "part",
    "Player.buildings": "open",
    "Player.used": "open",
    "Table.players": "owned",
    "Table.planets": "part",
    "Table.deck": "pile",
    "Table.top": "part",
    "Table.discards": "part",
    "Table.bonus": "part",
    "Table.coins": "open",
    "Table.tiles": "open",
    "Table.box": "pile",
    "Table.game": "open",
    "Table.round": "open",
    "Table.ship": "open",
    "Table.side": "open",
    "Table.phase": "open",
    "Table.playing": "open",
    "Table.chooser": "open",
    "Table.buildings": "blind",
    "Table.returned": "blind",
    "Table.games": "open",
}

EVENTS = {
    # Setup; Professional Mode
    "deals buildings": (("who", "count"), ("buildings",)),
    "builds": (("who", "buildings"), ()),
    "passes": (("who", "other", "count"), ("buildings",)),
    "tiles": (("tiles",), ()),
    "sixth tile": (("who", "tile"), ()),
    "observes": (("who", "bonus", "card"), ()),
    "greenhouse": (("who", "cards", "others", "top"), ()),
    "start tile": (("who", "cards"), ()),
    # Round Sequence: dispatching and recruiting are in the open
    "round": (("number", "ship", "cards"), ()),
    "deals": (("planets", "top"), ()),
    "reshuffles": (("count", "top"), ()),
    "sends": (("who", "parts", "planet", "speed", "left"), ()),
    "uses": (("who", "building"), ()),
    "begins on": (("who", "side"), ()),
    "recruits": (("who", "planet", "card"), ()),
    "unclaimed": (("planet", "cards"), ()),
    # Play Specialists: of what goes to the discard pile or is kept, only the backs show
    "plays": (("who", "card", "cost", "credit"), ()),
    "discards": (("who", "power", "worth", "credit"), ("card",)),
    "coin": (("who", "left", "credit"), ()),
    "ends": (("who", "kept", "gone"), ("cards",)),
    "lapses": (("who", "credit"), ()),
    # Specialist Abilities: what is drawn or looked at is for the eyes of one player, its back for all
    "no effect": (("who", "ability"), ()),
    "gets part": (("who", "parts"), ()),
    "gets coin": (("who", "coins", "supply"), ()),
    "draws": (("who", "powers", "top"), ("cards",)),
    "under deck": (("who", "powers", "top"), ()),
    "places": (("who", "colour", "power"), ()),
    "explores": (("who", "bonus"), ("card",)),
    # The Boost Tiles
    "takes tile": (("who", "tile"), ()),
    "attaches tile": (("who", "tile", "target"), ()),
    "stores tile": (("who", "tile"), ()),
    "attaches": (("who", "tile", "target"), ()),
    "searches": (("who", "count"), ("cards",)),
    "finds": (("who", "power"), ("card",)),
    "looks": (("who", "powers", "top"), ("cards",)),
    "keeps one": (("who", "power", "back", "top"), ("card",)),
    # End of Game and Scoring; Mini-Campaign
    "bonus": (("cards",), ()),
    "scores": (("who", "game", "cards", "tiles", "buildings", "colour", "total"), ()),
    "totals": (("games", "totals"), ()),
    "wins": (("who", "points"), ()),
    "tie": (("seats", "points"), ()),
}

UNIQUE = ("specialists", "buildings")
