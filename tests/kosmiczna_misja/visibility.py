"""Who may see what in Kosmiczna misja, written by hand from the rulebook, so that the code can be held to it.

Everything lies open: the space row, all planets, the die, the squares put back into the box. The one hidden thing is what
lies face down in the supply, and in which order; how many squares it has, everybody may count (Setup).
"""

FIELDS = {
    "Square.kind": "open",
    "Square.ccw": "open",
    "Square.cw": "open",
    "Square.stations": "open",
    "Square.aliens": "open",
    "Planet.squares": "part",
    "Planet.quarter": "open",
    "Planet.stations": "open",
    "Planet.aliens": "open",
    "Player.planets": "part",
    "Turn.who": "open",
    "Turn.number": "open",
    "Turn.die": "open",
    "Table.players": "owned",
    "Table.row": "part",
    "Table.supply": "pile",
    "Table.box": "part",
    "Table.turn": "part",
    "Table.youngest": "open",
    "Table.begun": "open",
    "Table.passes": "open",
    "Table.resigned": "open",
    "Table.ended": "open",
}

EVENTS = {
    # Setup: three squares are turned over
    "space row": (("squares",), ()),
    # Game Turn, Rolling the Die: all in the open
    "youngest": (("who",), ()),
    "turn": (("who", "number"), ()),
    "rolls": (("who", "die"), ()),
    # Taking a Planet Square from the Space Row: from the open row to the open planets
    "only way": (("who",), ()),
    "opens": (("who", "square", "drawn", "planet"), ()),
    "adds": (("who", "square", "drawn", "planet", "stations", "end", "gained", "aliens"), ()),
    "completes": (("who", "planet", "stations"), ()),
    "returns": (("who", "planet", "end", "drawn", "stations", "aliens"), ()),
    "planet gone": (("who", "planet"), ()),
    "keeps": (("who",), ()),
    # Refilling the Space Row: a square of the supply becomes known to all at once
    "refills": (("square", "drawn", "left"), ()),
    # End of the Game
    "row empty": ((), ()),
    "deadlock": (("turns",), ()),
    "resigns": (("who",), ()),
    "counts": (("who", "stations"), ()),
    "wins": (("who",), ()),
    "shared": (("seats",), ()),
}
