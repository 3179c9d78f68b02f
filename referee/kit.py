"""The one door that games import from."""

from .ask import Question
from .components import FRAMES, BadData, Components, Sheet
from .match import Game, Match, Option
from .see import OBSERVER, Record, blind, hand, known_to, open_, owned, part, pile, secret
from .slots import No, free_text, no, number, one_of, some_of
from .steps import NUMBER, SEATS, TEXT, Frame, order, step

__all__ = [
    "FRAMES",
    "NUMBER",
    "OBSERVER",
    "SEATS",
    "TEXT",
    "BadData",
    "Components",
    "Frame",
    "Game",
    "Match",
    "No",
    "Option",
    "Question",
    "Record",
    "Sheet",
    "blind",
    "free_text",
    "hand",
    "known_to",
    "no",
    "number",
    "one_of",
    "open_",
    "order",
    "owned",
    "part",
    "pile",
    "secret",
    "some_of",
    "step",
]
