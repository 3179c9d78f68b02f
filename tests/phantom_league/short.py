"""The Phantom League with few rounds, so that the laws see many whole matches."""

from copy import copy

from games.phantom_league import GAME as WHOLE
from referee.match import Option

GAME = copy(WHOLE)
GAME.slug = "phantom-league-short"
GAME.options = {
    **WHOLE.options,
    "rounds": Option(2, "house rule: so many rounds end the game, and whoever stands best wins", (1, 3)),
}
