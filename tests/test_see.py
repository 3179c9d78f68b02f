"""Who may see a field: declarations, what each reader gets, and what may be exchanged."""

import pytest

from referee import see
from referee.hidden import hidden_cells
from referee.see import OBSERVER, Record, blind, hand, known_to, open_, owned, part, pile, redact, secret


class Token(Record):
    """A thing with an open front and a hidden back."""

    front: str = open_()
    back: str = blind(pool="backs", like=["front"])


class Player(Record):
    """What a seat has."""

    seat: str = open_("")
    coins: int = open_(0)
    cards: list[str] = hand(pool="cards")
    plan: str = secret(pool="plans", default="")
    tokens: list[Token] = part([])


class Clue(Record):
    """Something that some seats know."""

    known: list[str] = open_([])
    place: str = known_to("known", pool="places")


class Board(Record):
    """The table."""

    deck: list[str] = pile(pool="cards")
    players: dict[str, Player] = owned()
    ships: dict[str, Player] = owned(by="seat")
    clues: dict[str, Clue] = part({})
    lone: Clue = part()


def board() -> Board:
    alice = Player(seat="alice", coins=2, cards=["a", "b"], plan="north", tokens=[Token(front="red", back="1")])
    bob = Player(seat="bob", cards=["c"], plan="south", tokens=[Token(front="red", back="2"), Token(front="blue", back="3")])
    ship = Player(seat="bob", cards=["d"])
    clue = Clue(known=["alice"], place="cave")
    return Board(
        deck=["e", "f"], players={"alice": alice, "bob": bob}, ships={"gull": ship}, clues={"x": clue}, lone=clue.copy()
    )


@pytest.mark.parametrize(
    ("annotation", "value", "reason"),
    [
        (int, 3, "does not say who may see it"),
        (list[str], see._field(see.See("hand"), []), "is hidden and does not name its pool"),
        (str, blind(pool="p", like=["other"]), "leans on 'other', which is no open field"),
        (str, known_to("nobody", pool="p"), "leans on 'nobody', which is no open field"),
    ],
)
def test_a_field_that_is_not_declared_well_is_an_error_at_once(annotation: type, value: object, reason: str) -> None:
    with pytest.raises(see.Undeclared, match=reason):
        type("Leaky", (Record,), {"__annotations__": {"field": annotation}, "field": value})


class Loose(Record):
    """A dict without types."""

    field: dict = open_({})  # type: ignore[type-arg]


class Optional(Record):
    """Something that may be None."""

    field: str | None = open_("")


class Bare(Record):
    """A record under a word for plain things."""

    field: Token = open_()


class Single(Record):
    """A hand that is no list."""

    field: str = hand(pool="p", default="")


class Listed(Record):
    """Owned records without ids."""

    field: list[Token] = owned(default=[])


class Spelled(Record):
    """Seats as one text."""

    known: str = open_("")
    field: str = known_to("known", pool="p")


@pytest.mark.parametrize("record", [Loose, Optional, Bare, Single, Listed, Spelled])
def test_a_type_that_cannot_be_saved_or_hidden_is_an_error(record: type[Record]) -> None:
    with pytest.raises(see.Undeclared):
        see.load(record, {})


def test_the_owner_sees_hand_and_secret() -> None:
    seen = redact(board(), "alice")["players"]["alice"]
    assert seen == {"seat": "alice", "coins": 2, "cards": ["a", "b"], "plan": "north", "tokens": [{"front": "red"}]}


@pytest.mark.parametrize("viewer", ["bob", OBSERVER])
def test_others_see_how_long_a_hand_is_and_nothing_of_a_secret(viewer: str) -> None:
    seen = redact(board(), viewer)["players"]["alice"]
    assert seen == {"seat": "alice", "coins": 2, "cards": ["?", "?"], "tokens": [{"front": "red"}]}


def test_the_owner_of_records_by_id_is_named_by_a_field() -> None:
    assert redact(board(), "bob")["ships"]["gull"]["cards"] == ["d"]
    assert redact(board(), "gull")["ships"]["gull"]["cards"] == ["?"]


def test_what_is_owned_by_nobody_is_not_the_observers() -> None:
    table = board()
    table.ships["gull"].seat = ""
    assert redact(table, OBSERVER)["ships"]["gull"]["cards"] == ["?"]


@pytest.mark.parametrize(("viewer", "place"), [("alice", "cave"), ("bob", "?"), ("ali", "?"), (OBSERVER, "?")])
def test_a_clue_is_seen_by_those_who_know_it(viewer: str, place: str) -> None:
    assert redact(board(), viewer)["clues"]["x"]["place"] == redact(board(), viewer)["lone"]["place"] == place


@pytest.mark.parametrize("viewer", ["alice", "bob", OBSERVER])
def test_a_pile_is_counted_and_not_looked_into(viewer: str) -> None:
    assert redact(board(), viewer)["deck"] == ["?", "?"]


def test_a_view_cannot_reach_the_table() -> None:
    table = board()
    before, seen = see.dump(table), redact(table, "alice")
    seen["players"]["alice"]["cards"].clear()
    seen["clues"]["x"]["known"].append("bob")
    assert see.dump(table) == before


def test_a_copy_shares_nothing() -> None:
    table = board()
    before, twin = see.dump(table), table.copy()
    twin.players["bob"].tokens[0].back = "9"
    twin.clues["x"].known.append("bob")
    twin.deck.pop()
    twin.lone.place = "hill"
    assert see.dump(table) == before


def test_what_was_written_is_read_again() -> None:
    assert see.load(Board, see.dump(board())) == board()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"deck": "ef"}, "table.deck should be a list and is str"),
        ({"deck": [1]}, "table.deck should be str and is int"),
        ({"players": []}, "table.players should be a table and is list"),
        ({"clues": {"x": {"known": []}}}, "table.clues.x should be a table with known, place"),
        ({"more": 1}, "table should be a table with deck, players"),
        ({"lone": {"known": [], "place": True}}, "table.lone.place should be str and is bool"),
    ],
)
def test_data_that_does_not_fit_names_the_place(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        see.load(Board, {**see.dump(board()), **change})


def test_hidden_things_may_be_exchanged_within_their_pool() -> None:
    pools = hidden_cells(board(), "alice")
    values = {key: [cell.get() for cell in cells] for key, cells in pools.items()}
    assert values == {
        ("cards", ""): ["e", "f", "c", "d"],
        ("plans", ""): ["south", ""],
        ("backs", "", "red"): ["1", "2"],
        ("backs", "", "blue"): ["3"],
    }


def test_a_pool_of_ones_own_is_not_shared() -> None:
    class Own(Record):
        """A seat with a set of its own."""

        cards: list[str] = hand(pool="own cards")

    alice, bob = Own(cards=["a"]), Own(cards=["b"])
    pools = {key for seat, own in (("alice", alice), ("bob", bob)) for key in _pools_of(own, seat)}
    assert pools == {("own cards", "alice"), ("own cards", "bob")}


def _pools_of(record: Record, owner: str) -> list[tuple[object, ...]]:
    class Whole(Record):
        """A table."""

        seats: dict[str, type(record)] = owned()  # type: ignore[misc]

    Whole.__annotations__["seats"] = dict[str, type(record)]
    return list(hidden_cells(Whole(seats={owner: record}), OBSERVER))


def test_a_cell_is_the_place_of_a_value() -> None:
    table = board()
    hidden_cells(table, "alice")[("plans", "")][0].put("west")
    assert table.players["bob"].plan == "west"


class Secret(Record):
    """A card: its back is plain, its front is for those who know it."""

    power: int = open_()
    known: list[str] = open_([])
    front: str = known_to("known", pool="fronts", like=["power"])


class Stack(Record):
    """Covered cards in a pile, and others that lie beside it."""

    deck: list[Secret] = pile(pool="deck")
    cards: list[Secret] = part([])


def stack() -> Stack:
    deck = [Secret(power=1, front="a", known=["alice"]), Secret(power=2, front="b")]
    everybody = ["alice", "bob", OBSERVER]
    return Stack(deck=deck, cards=[Secret(power=1, front="c", known=["bob"]), Secret(power=2, front="d", known=everybody)])


def test_a_pile_covers_all_of_the_records_in_it() -> None:
    assert redact(stack(), "alice")["deck"] == ["?", "?"]
    assert see.load(Stack, see.dump(stack())) == stack()
    assert stack().copy().deck[0] is not stack().deck[0]


def test_what_all_know_the_observer_sees_too() -> None:
    fronts = {viewer: [card["front"] for card in redact(stack(), viewer)["cards"]] for viewer in ("alice", "bob", OBSERVER)}
    assert fronts == {"alice": ["?", "d"], "bob": ["c", "d"], OBSERVER: ["?", "d"]}


def test_covered_records_change_places_and_their_fronts_with_others_of_like_backs() -> None:
    pools = hidden_cells(stack(), "alice")
    values = {key: [cell.get() for cell in cells] for key, cells in pools.items()}
    assert values == {("deck", ""): stack().deck, ("fronts", "", 1): ["a", "c"], ("fronts", "", 2): ["b"]}
