"""The figures of the Spanish pack.

They are as large as a card; their clothes have the colour of the suit.
"""

from __future__ import annotations

from client.ui.browser.art.svg import Symbol, circle, path

_OUT = "outline"
_CLOTH = "currentColor"


def _face(x: float, y: float) -> str:
    """Return eyes, nose and mouth about a point between the eyes."""
    return (
        circle(x - 3.4, y, 1.1, _OUT)
        + circle(x + 3.4, y, 1.1, _OUT)
        + path(
            f"M{x - 5:g} {y - 3:g}h3M{x + 2:g} {y - 3:g}h3M{x:g} {y + 1:g}v4h-1.2M{x - 2:g} "
            f"{y + 8:g}q2 1.2 4 0",
            line=_OUT,
        )
    )


def _hand(x: float, y: float) -> str:
    return circle(x, y, 3.8, "skin", _OUT)


_SOTA = (
    # A cape behind, legs in hose, shoes.
    path("M37 60L26 118Q34 122 42 117L50 70Z", "azure", _OUT)
    + path("M42 98L40 136H47L50 102L53 136H60L58 98Z", "silver", _OUT)
    + path(
        "M40 134L39 141Q35 142 34 145H48L47.5 134ZM60 134L61 141Q65 142 66 145H52L52.5 134Z",
        _CLOTH,
        _OUT,
    )
    # The arm that holds the emblem, and the other at the hip.
    + path("M58 60L66 66L74 52L80 55L70 78Q66 82 60 76Z", _CLOTH, _OUT)
    + _hand(77.5, 51)
    + path("M42 60L33 74Q31 78 34 81L42 88L45 83L39 77L44 70Z", _CLOTH, _OUT)
    + _hand(43, 86)
    # The tunic, its skirt, a belt, a row of buttons.
    + path("M39 59Q50 54 61 59L59 84L64 106Q50 111 36 106L41 84Z", _CLOTH, _OUT, 1.2)
    + path("M36 101Q50 106 63.5 101.5L64.5 106Q50 111.5 35.5 106Z", "gold", _OUT)
    + path("M41 82H59V87H41Z", "gold", _OUT)
    + path("M50 62V80M45 90L43 101M55 90L57 101M50 90V102", line="gold", width=1.4)
    + path("M43 57Q50 63 57 57L57 53H43Z", "silver", _OUT)
    # Hair, head, a beret with a feather.
    + path("M37 38Q36 54 42 55H58Q64 54 63 38Z", "hair", _OUT)
    + path("M41 36Q40 53 50 54.5Q60 53 59 36Z", "skin", _OUT)
    + _face(50, 42)
    + path("M35 36Q34 24 50 24T65 36Q50 31 35 36Z", _CLOTH, _OUT, 1.2)
    + path("M35 36Q50 31 65 36L64.5 39Q50 34.5 35.5 39Z", "gold", _OUT)
    + path("M62 32Q58 18 66 12Q70 22 64 33Z", "silver", _OUT)
)

_CABALLO = (
    # The mane behind, the neck, breast and head, the ears.
    path(
        "M51 40C42 36 34 40 32 46C25 47 20 54 22 60C15 64 12 72 15 79"
        "C9 84 8 93 12 99C7 105 8 114 12 119C9 126 10 136 14 145L40 140L50 60Z",
        "mane",
        _OUT,
        1.2,
    )
    + path(
        "M66 145C66 126 54 114 53 99C59 101 63 106 71 105C79 104 83 96 79 89L66 66"
        "C62 54 57 48 49 45L44 32L38 44C25 56 20 94 20 145Z",
        "horse",
        _OUT,
        1.4,
    )
    + path("M49 45L55 34L43 39Z", "horse", _OUT, 1.2)
    # Locks over the neck and the forehead.
    + path(
        "M39 42C32 46 27 54 26 64C33 62 36 56 37 52C40 60 36 72 29 82C38 80 43 70 43 60C46 55 44 "
        "46 39 42Z",
        "mane",
        _OUT,
    )
    + path("M46 40C55 40 59 46 60 54C54 53 48 50 45 45Z", "mane", _OUT)
    # The bridle, its rings and the reins.
    + path(
        "M72 77L61 96M45 51L61 96M64 64Q53 71 41 67M61 96C50 102 36 102 22 94",
        line="currentColor",
        width=3.6,
    )
    + circle(61, 95, 3.4, "gold", _OUT)
    + circle(51.5, 69.5, 3, "gold", _OUT)
    # Eye, nostril, mouth.
    + path("M60 61Q56 56.5 52 60Q56 64 60 61Z", "#fff", _OUT)
    + circle(56, 60.4, 1.9, _OUT)
    + path("M76 91q-2-2.5-3.5 0M77 100Q71 99 67 95", line=_OUT, width=1.6)
    # A cloth over the breast, with a hem and bosses.
    + path(
        "M66 146C66 137 64 130 60 122C48 131 34 132 19 127L17 154H67L66 146Z",
        "currentColor",
        _OUT,
        1.2,
    )
    + path("M60 122C48 131 34 132 19 127L18.5 132C34 137 50 136 62.5 127Z", "gold", _OUT)
    + circle(27, 143, 2.2, "gold")
    + circle(40, 144, 2.2, "gold")
    + circle(53, 142, 2.2, "gold")
)

_REY = (
    # A mantle behind, with its ermine.
    path("M36 60Q24 100 22 143H70Q72 100 64 60Z", "azure", _OUT, 1.2)
    + path("M22.3 137H70L70 145H22Z", "silver", _OUT)
    + path("M28 139v4M36 139v4M68 139v4", line=_OUT, width=1.4)
    # The robe, its band, the belt.
    + path("M38 59Q50 54 62 59L60 90L67 141Q50 146 33 141L40 90Z", "currentColor", _OUT, 1.2)
    + path("M46 58H54L57 143Q50 144 43 143Z", "gold", _OUT)
    + path(
        "M50 70l3.5 5l-3.5 5l-3.5-5ZM50 98l3.5 5l-3.5 5l-3.5-5ZM50 122l3.5 5l-3.5 5l-3.5-5Z",
        "currentColor",
    )
    + path("M40 86H60V91.5H40Z", "silver", _OUT)
    # The arm that holds the emblem; the other holds a sceptre.
    + path("M58 60L67 65L75 52L81 55L72 78Q67 83 59 77Z", "currentColor", _OUT, 1.2)
    + path("M74 53.5L80 57.5L78 61.5L71.5 57.5Z", "gold", _OUT)
    + _hand(78.5, 51)
    + path("M28.5 64L36 120", line=_OUT, width=3.4)
    + path("M28.5 64L36 120", line="gold", width=2)
    + circle(28, 62, 3.6, "gold", _OUT)
    + path("M42 60L32 76Q29 81 32 85L38 88L41 84L38 80L44 71Z", "currentColor", _OUT, 1.2)
    + _hand(33, 86)
    # A collar of ermine, hair, head, beard.
    + path("M36 60Q50 52 64 60L60 69Q50 74 40 69Z", "silver", _OUT)
    + path("M42 63v3.5M47 66v3.5M53 66v3.5M58 63v3.5", line=_OUT, width=1.3)
    + path("M38 33Q35 52 40 57H60Q65 52 62 33Z", "hair", _OUT)
    + path("M41 33V46Q42 55 50 56Q58 55 59 46V33Z", "skin", _OUT)
    + path("M41 43Q45 47 50 46T59 43Q61 60 50 65Q39 60 41 43Z", "hair", _OUT)
    + circle(46.4, 39.5, 1.1, _OUT)
    + circle(53.6, 39.5, 1.1, _OUT)
    + path("M44.5 36.5h3.4M52 36.5h3.4M50 40v4", line=_OUT)
    + path("M46.5 49.5q3.5-1.5 7 0q-3.5 2.5-7 0Z", "skin")
    # The crown.
    + path("M37 33L34 16L42.5 24L50 12L57.5 24L66 16L63 33Q50 29 37 33Z", "gold", _OUT, 1.2)
    + circle(34, 15.5, 2, "currentColor", _OUT, 0.8)
    + circle(50, 11.5, 2, "currentColor", _OUT, 0.8)
    + circle(66, 15.5, 2, "currentColor", _OUT, 0.8)
    + circle(50, 25.5, 2.2, "currentColor")
    + circle(42, 28, 1.6, "azure")
    + circle(58, 28, 1.6, "azure")
)


def _standing(drawing: str) -> str:
    """Return a person beside whom two corners are left for the indices."""
    return f'<g transform="translate(5.5 20)scale(.87)">{drawing}</g>'


SPANISH: dict[str, Symbol] = {
    "10": Symbol(100, 156, _standing(_SOTA)),
    "11": Symbol(100, 156, f'<g transform="translate(6 13)scale(.86)">{_CABALLO}</g>'),
    "12": Symbol(100, 156, _standing(_REY)),
}
"""A page, the head of a horse, a crowned king: by rank."""
