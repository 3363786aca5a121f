"""The figures of the French pack: busts, of which a card shows two, one upside down.

Clothes have the colour of the suit.
"""

from __future__ import annotations

from client.ui.browser.art.svg import Symbol, circle, path

SIZE = (48, 56)
_OUT = "outline"


def _face(x: float, y: float) -> str:
    """Return eyes, brows, nose and mouth about a point between the eyes."""
    return (
        circle(x - 3, y, 1, _OUT)
        + circle(x + 3, y, 1, _OUT)
        + path(
            f"M{x - 4.6:g} {y - 2.7:g}h3M{x + 1.6:g} {y - 2.7:g}h3M{x:g} {y + 1:g}v3.6h-1",
            line=_OUT,
            width=0.9,
        )
    )


def _mouth(x: float, y: float) -> str:
    return path(f"M{x - 2:g} {y:g}q2 1.4 4 0", line="french-h", width=1.2)


_JACK = (
    # Shoulders, a collar, a row of buttons.
    path("M2 56Q4 42 16 39H32Q44 42 46 56Z", "currentColor", _OUT)
    + path("M2 56Q4 42 14 39.5L20 56ZM46 56Q44 42 34 39.5L28 56Z", "azure", _OUT)
    + path("M5 56Q7 47 13 42M43 56Q41 47 35 42", line="gold", width=2)
    + path("M24 44V56", line="gold", width=2.4)
    + path("M14 39Q24 46 34 39L31 34H17Z", "silver", _OUT)
    # Hair to the shoulders, the face.
    + path("M14 18Q9 38 15 40H20V20ZM34 18Q39 38 33 40H28V20Z", "hair", _OUT)
    + path("M16 17V27Q17 37 24 38Q31 37 32 27V17Z", "skin", _OUT)
    + _face(24, 24)
    + _mouth(24, 32)
    # A flat cap, and its feather.
    + path("M12 19Q10 8 24 7T36 19Q24 14 12 19Z", "currentColor", _OUT)
    + path("M12 19Q24 14 36 19L35.5 22Q24 17.5 12.5 22Z", "gold", _OUT)
    + path("M33 15Q40 8 38 1Q29 4 30 13Z", "azure", _OUT)
)

_QUEEN = (
    path("M2 56Q4 43 16 40H32Q44 43 46 56Z", "currentColor", _OUT)
    + path("M14 40.5L24 56L34 40.5Q24 44 14 40.5Z", "skin", _OUT)
    + path("M12 41L23 56H26L36 41L39 42.5L31 56H17L9 42.5Z", "gold", _OUT)
    + path("M18 42Q24 47 30 42", line="azure", width=2)
    + circle(24, 46.5, 2, "azure", _OUT, 0.8)
    # Long hair, parted, the face, ear-rings.
    + path(
        "M24 9C10 9 11 22 10 30Q9 40 13 43Q19 42 19 34V20H29V34Q29 42 35 43Q39 40 38 30C37 22 38 9 "
        "24 9Z",
        "mane",
        _OUT,
    )
    + path("M16.5 20V27Q17.5 37 24 39Q30.5 37 31.5 27V20Q27 20 24 14Q21 20 16.5 20Z", "skin", _OUT)
    + _face(24, 25)
    + path("M21.5 33q2.5-1.5 5 0q-2.5 2.5-5 0Z", "french-h")
    + circle(16, 31, 1.5, "gold", _OUT, 0.7)
    + circle(32, 31, 1.5, "gold", _OUT, 0.7)
    # A small crown of pearls.
    + path("M14 15L12 4L18.5 9L24 2L29.5 9L36 4L34 15Q24 10.5 14 15Z", "gold", _OUT)
    + circle(12, 4, 1.6, "silver", _OUT, 0.8)
    + circle(24, 2, 1.6, "silver", _OUT, 0.8)
    + circle(36, 4, 1.6, "silver", _OUT, 0.8)
    + circle(24, 9.5, 1.6, "currentColor")
)

_KING = (
    path("M1 56Q3 43 15 39H33Q45 43 47 56Z", "currentColor", _OUT)
    # Ermine over the shoulders.
    + path(
        "M1 56Q3 43 15 39H33Q45 43 47 56H38Q36 50 30 47L24 56L18 47Q12 50 10 56Z", "silver", _OUT
    )
    + path("M6 50v3M11 44.5v3M37 44.5v3M42 50v3M18 42v3M30 42v3", line=_OUT, width=1.3)
    + path("M24 48V56", line="gold", width=3)
    + path("M13 18Q9 36 14 41H34Q39 36 35 18Z", "silver", _OUT)
    + path("M16 17V28Q18 38 24 38T32 28V17Z", "skin", _OUT)
    + path("M15.5 28Q20 31 24 29.5T32.5 28Q35 44 24 49Q13 44 15.5 28Z", "silver", _OUT)
    + path("M20 39Q21 43 24 45M28 39Q27 43 24 45", line=_OUT, width=0.8)
    + path("M21.5 33q2.5-1.2 5 0q-2.5 2.2-5 0Z", "french-h")
    + _face(24, 24)
    # The crown, with its cross.
    + path("M13 18L10 5L18 10L24 5L30 10L38 5L35 18Q24 13.5 13 18Z", "gold", _OUT)
    + path("M23 5.5V4H21.2V2.3H23V.6H25V2.3H26.8V4H25V5.5Z", "gold", _OUT, 0.7)
    + circle(24, 11.5, 1.8, "currentColor")
    + circle(17, 13.5, 1.4, "azure")
    + circle(31, 13.5, 1.4, "azure")
)

FRENCH: dict[str, Symbol] = {
    rank: Symbol(*SIZE, drawing) for rank, drawing in {"J": _JACK, "Q": _QUEEN, "K": _KING}.items()
}
"""Jack, queen and king by rank: the upper half of a card."""

JESTER = Symbol(
    60,
    100,
    # A collar in points, each with its bell.
    path("M10 62L30 58L50 62L56 82L44 77L38 92L30 78L22 92L16 77L4 82Z", "french-joker", _OUT, 1.2)
    + path("M20 60L30 78L40 60Z", "gold", _OUT)
    + "".join(circle(x, y, 2.8, "gold", _OUT) for x, y in ((4, 83), (22, 93), (38, 93), (56, 83)))
    # The face, laughing.
    + path("M16 36V44Q17 60 30 63Q43 60 44 44V36Z", "skin", _OUT, 1.2)
    + path("M20.5 47q3-4.5 6 0M33.5 47q3-4.5 6 0", line=_OUT, width=1.8)
    + path("M22 53Q30 56 38 53Q36 60.5 30 60.5T22 53Z", "#fff", _OUT, 1.2)
    + path("M30 46.5V50.5H28.5", line=_OUT, width=1.2)
    + circle(19.5, 51.5, 2.2, "french-h")
    + circle(40.5, 51.5, 2.2, "french-h")
    # The cap with three horns.
    + path("M13 40Q12 26 8 24Q3 24 3 32Q-2 14 10 10Q20 8 24 20Z", "french-joker", _OUT, 1.2)
    + path("M47 40Q48 26 52 24Q57 24 57 32Q62 14 50 10Q40 8 36 20Z", "french-joker", _OUT, 1.2)
    + path("M14 40Q18 16 30 4Q42 16 46 40Q30 32 14 40Z", "gold", _OUT, 1.2)
    + path("M13 39Q30 31 47 39L46 44Q30 36.5 14 44Z", "azure", _OUT, 1.2)
    + "".join(circle(x, y, 3, "gold", _OUT) for x, y in ((3.6, 33), (30, 4), (56.4, 33))),
)
"""A joker, of which there is one drawing."""
