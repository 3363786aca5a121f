"""The sentences that the page says by itself, in the reader's language."""

from __future__ import annotations

from client.i18n.translation import _
from client.ui.drawing.cards import corner


def words() -> dict[str, str]:
    """Return them by the names that the page's script has for them."""
    return {
        "lost": _(
            "Sobremesa has ended, or it is in the terminal again. A match that is on waits for "
            "you: start Sobremesa once more, and open the address that it shows."
        ),
        "refused": _(
            "This window is not let in: the address was used already, or it is not complete. The "
            "terminal shows the one that is valid now."
        ),
        "out": _(
            "The address of this window was opened in a second browser, so nobody is let in by it "
            "any more. The terminal shows a new one."
        ),
        "many": _("Sobremesa is open in too many windows."),
        "proof": _("Details and proof"),
        "today": _("today"),
        "yesterday": _("yesterday"),
        "months": _(
            "January February March April May June July August September October November December"
        ),
        "month": _("{month} {year}"),
        "day": _("{month} {day}"),
        "all": _("Show all {count}"),
        "keys": _("Keys"),
        "log": _("So far"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "sound": _("Sound"),
        "one-tap": _("One tap plays a card"),
        "notices": _("Alert me to my turn when I look away"),
        "table": _("On the table"),
        "hand": _("Your hand"),
        "mine": _("Your side of the table"),
        "you": _("You"),
        "score": _("Score"),
        "corners": "".join(map(corner, "AJQK")),
        "deal back": _("deal before"),
        "deal on": _("next deal"),
        "back": _("a step back"),
        "on": _("a step on"),
        "play": _("play"),
        "pause": _("pause"),
        "step": _("Step"),
        "of": _("{step} of {steps}"),
        "deal": _("Deal"),
        "speed": _("Speed"),
    }
