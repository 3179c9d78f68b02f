"""Who may see what in The Cosmic League, written by hand from the rulebook, so that the code can be held to it.

Public at all times: where ships are, Megagalax, open technologies, the fronts and the number of goods in containers and
at planets, the discard piles, how many cards are in hands and piles. Hidden: the hand from the opponent, both draw piles
and the backs of all goods cards from everybody (Preparation; Load one "Container"; The Interventions).
"""

FIELDS = {
    "Goods.to": "open",
    "Goods.mg": "open",
    "Goods.back": "blind",
    "Captain.place": "open",
    "Captain.mg": "open",
    "Captain.technologies": "open",
    "Captain.holds": "part",
    "Captain.hand": "hand",
    "Captain.pile": "pile",
    "Captain.discards": "open",
    "Turn.who": "open",
    "Turn.number": "open",
    "Turn.price": "open",
    "Turn.actions": "open",
    "Turn.orbit_actions": "open",
    "Turn.interventions": "open",
    "Turn.flights": "open",
    "Turn.flying": "open",
    "Turn.energy": "open",
    "Turn.started": "open",
    "Turn.jumped": "open",
    "Table.captains": "owned",
    "Table.planets": "part",
    "Table.removed": "open",
    "Table.turn": "part",
    "Table.quiet_turns": "open",
    "Table.younger": "open",
    "Table.ended": "open",
    "Table.resigned": "open",
}

EVENTS = {
    # Preparation
    "younger": (("who",), ()),
    "begins the game": (("who",), ()),
    "starts": (("who", "planet", "first"), ()),
    # A Player's Turn, The Flight: all in the open
    "turn": (("who", "number", "price"), ()),
    "rolls": (("who", "dice", "energy"), ()),
    "flies": (("who", "start", "place", "cost", "left"), ()),
    "flight over": (("who", "lost"), ()),
    "jumps": (("who", "direction", "place"), ()),
    # The Planetary Actions: fronts are open, and backs once they are flipped
    "loads": (("who", "planet", "goods", "hold", "count", "mg"), ()),
    "unloads": (("who", "planet", "hold", "goods", "mg", "bonus"), ()),
    "earns": (("who", "mg", "total"), ()),
    "flips": (("planet", "goods"), ()),
    "pair leaves": (("who", "goods", "values"), ()),
    "buys": (("who", "card", "price", "left"), ()),
    # The Interventions: a card that is played, or neutralizes, lies open
    "plays": (("who", "card"), ()),
    "neutralizes": (("who", "card", "player"), ()),
    "declines": (("who", "card"), ()),
    "forgoes": (("who",), ()),
    "tunnels": (("who", "place", "left"), ()),
    "swaps": (("who", "own", "other", "opponent", "got", "gave"), ()),
    "switches": (("who", "place", "opponent", "other"), ()),
    "storm": (("who", "cards"), ()),
    # End of a Player's Turn: discards are open, drawn cards are for the eyes of the one who draws
    "discards": (("who", "cards"), ()),
    "draws": (("who", "count"), ("cards",)),
    "reshuffles": (("who", "count"), ()),
    # End of Game
    "quiet": (("turns",), ()),
    "resigns": (("who",), ()),
    "wins": (("who", "mg"), ()),
    "tie": (("seats",), ()),
}
