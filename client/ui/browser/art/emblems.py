"""The emblems of the suits."""

from __future__ import annotations

from client.ui.browser.art.svg import Symbol, circle, path

_STAR = (
    "M20 9.5L22 15.2L27.4 12.6L24.8 18L30.5 20"
    "L24.8 22L27.4 27.4L22 24.8L20 30.5L18 24.8L12.6 27.4L15.2 22L9.5 20L15.2 18L12.6 12.6L18 15.2Z"
)

SPANISH: dict[str, Symbol] = {
    "o": Symbol(
        40,
        40,
        circle(20, 20, 18, "gold", "spanish-o", 2)
        + circle(20, 20, 14.6, line="spanish-o", width=1.2)
        + path(_STAR, "spanish-o")
        + circle(20, 20, 3, "gold"),
    ),
    "c": Symbol(
        40,
        50,
        path("M18 30H22V38H18Z", "gold", "outline", 1.2)
        + path("M5 5H35C36 19 31 31 20 31S4 19 5 5Z", "spanish-c", "outline", 1.4)
        + path("M10 10C10 17 12 23 16 26", line="#fff", width=2)
        + path("M4 3H36V9H4Z", "gold", "outline", 1.2)
        + path("M9 48C9 42 14 38 20 38S31 42 31 48Z", "spanish-c", "outline", 1.4)
        + path("M7 45H33V49H7Z", "gold", "outline", 1.2)
        + circle(20, 34, 3.4, "gold", "outline", 1.2),
    ),
    "e": Symbol(
        30,
        80,
        path("M15 1L21 10V54H9V10Z", "steel", "spanish-e", 1.8)
        + path("M15 9V52", line="spanish-e", width=1.6)
        + path("M12 56H18V70H12Z", "spanish-e")
        + path(
            "M2 50C0 55 4 58 8 58H22C26 58 30 55 28 50C26 53 23 53 20 53H10C7 53 4 53 2 50Z",
            "gold",
            "outline",
            1.3,
        )
        + path("M12 61.5H18M12 66H18", line="gold", width=1.6)
        + circle(15, 73.5, 4.8, "gold", "outline", 1.3),
    ),
    "b": Symbol(
        30,
        80,
        path(
            "M22 24C27 22 29 17 29 12C24 13 21 17 20 21ZM8 42C3 41 1 36 1 31C6 32 9 36 10 40Z",
            "leaf",
            "spanish-b",
            1.4,
        )
        + path(
            "M11 78C10 58 6 38 5 22C4 9 8 2 15 2S26 9 25 20C24 38 20 58 19 78Q15 80 11 78Z",
            "wood",
            "spanish-b",
            2,
        )
        + path(
            "M11 10C10 14 10 18 11 21M18 34C18 42 17 48 16 52M11.5 42C12 48 12.5 52 13 56",
            line="spanish-b",
            width=1.6,
        )
        + path("M5 24Q15 30 25 23L24.2 30Q15 36 6 31Z", "spanish-b")
        + path("M9.8 60Q15 63 20.4 60L19.8 66Q15 69 10.2 66Z", "spanish-b"),
    ),
}
"""Coins, cups, swords and clubs by letter."""

_HEART = (
    "M20 38C14 30 3 23 3 13C3 6 8 2.5 12.5 2.5C16 2.5 19 5 20 8.5C21 5 24 2.5 27.5 2.5C32 "
    "2.5 "
    "37 6 37 13C37 23 26 30 20 38Z"
)
_SPADE = (
    "M20 2C25 10 37 16 37 25.5C37 31 33 34 29 34C26 34 23.5 32.5 22 30C22.5 34 24 37 27 39H13C16 "
    "37 17.5 34 18 30C16.5 32.5 14 34 11 34C7 34 3 31 3 25.5C3 16 15 10 20 2Z"
)
_CLUB = (
    "M20 2A8.6 8.6 0 0 1 26.3 16.4A8.6 8.6 0 1 1 22 27.5C22.4 33 24 36.5 27 39H13C16 36.5 17.6 33 "
    "18 27.5A8.6 8.6 0 1 1 13.7 16.4A8.6 8.6 0 0 1 20 2Z"
)
_DIAMOND = "M20 1C24 9 29 15 35 20C29 25 24 31 20 39C16 31 11 25 5 20C11 15 16 9 20 1Z"

FRENCH: dict[str, Symbol] = {
    letter: Symbol(40, 40, path(data, f"french-{letter}"))
    for letter, data in {"c": _CLUB, "d": _DIAMOND, "h": _HEART, "s": _SPADE}.items()
}
"""Clubs, diamonds, hearts and spades by letter."""

STAR = Symbol(
    40,
    40,
    path(
        "M20 2L24.7 14.5L38 15L27.6 23.3L31.2 36.2L20 28.8L8.8 36.2L12.4 23.3L2 15L15.3 14.5Z",
        "french-joker",
    ),
)
"""The index of a joker."""
