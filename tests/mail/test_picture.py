"""The pictures of a mail: in few colours, as small as that makes them, and no different to look at."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from referee.mail import picture
from tests.mail.sample import SEATS, sample

MOST_BYTES = 110_000
"""Of one picture; in base64 it takes a third more of the mail."""


def as_image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@pytest.mark.parametrize("lines", [6, 30])
@pytest.mark.parametrize("game", SEATS)
def test_a_picture_is_small_and_looks_like_the_drawing(game: str, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in picture.pictures(sample(game, lines).page.decode()):
        few = picture.png(one)
        with monkeypatch.context() as drawn:
            drawn.setattr(picture, "_in_few_colours", bytes)
            picture._drawn.cache_clear()
            full = picture.png(one)
        picture._drawn.cache_clear()
        assert (as_image(few).mode, as_image(few).width) == ("P", picture.WIDTH)
        assert len(few) < min(MOST_BYTES, 0.6 * len(full))
        apart = ImageStat.Stat(ImageChops.difference(as_image(few).convert("RGB"), as_image(full).convert("RGB")))
        assert max(apart.mean) < 1.0  # of 255, over all pixels
        assert max(high for _, high in apart.extrema) < 64


def test_the_ground_stays_white() -> None:
    [one] = picture.pictures('<svg viewBox="0 0 90 90"><circle cx="45" cy="45" r="30" fill="#c33"/></svg>')
    assert as_image(picture.png(one)).convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_the_same_picture_is_the_same_bytes() -> None:
    [one] = picture.pictures('<svg viewBox="0 0 90 90"><circle cx="45" cy="45" r="30" fill="#c33"/></svg>')
    first = picture.png(one)
    picture._drawn.cache_clear()
    assert picture.png(one) == first
