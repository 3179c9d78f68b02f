"""Classes with fields: values by place, by name and by default."""

import pytest

from referee.fields import dataclass, field, replace


@dataclass
class Ship:
    """A ship."""

    name: str
    crew: int = 3
    cargo: list[str] = field(default_factory=list)


def test_fields_are_filled_by_place_by_name_and_by_default() -> None:
    """Defaults fill what is not given, and every field is an attribute of the object itself."""
    assert vars(Ship("sloop", cargo=["pearl"])) == {"name": "sloop", "crew": 3, "cargo": ["pearl"]}
    assert list(vars(Ship(cargo=[], name="sloop"))) == ["name", "crew", "cargo"]


def test_a_default_list_is_made_anew() -> None:
    """Two objects never share a default that can change."""
    one, other = Ship("sloop"), Ship("ketch")
    one.cargo.append("pearl")
    assert other.cargo == []


@pytest.mark.parametrize(
    ("values", "named"), [((), {}), (("sloop", 1, [], 4), {}), (("sloop",), {"name": "ketch"}), (("sloop",), {"sails": 2})]
)
def test_other_values_than_those_of_the_fields_are_refused(values: tuple[object, ...], named: dict[str, object]) -> None:
    """Too few, too many, given twice, unknown."""
    with pytest.raises(TypeError, match="Ship takes name, crew, cargo and was given"):
        Ship(*values, **named)  # type: ignore[arg-type]


def test_objects_are_equal_by_class_and_fields() -> None:
    """Another class with the same fields is another thing."""

    @dataclass
    class Boat(Ship):
        name: str
        crew: int = 3

    assert Ship("sloop") == replace(Ship("ketch"), name="sloop") != Ship("sloop", 4)
    assert Ship("sloop") != Boat("sloop")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ship("sloop"))
