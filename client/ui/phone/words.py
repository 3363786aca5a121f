"""The sentences that the page says before a phone is in, in every language."""

from __future__ import annotations

from client.i18n.translation import _, languages, speaking


def sentences() -> dict[str, dict[str, str]]:
    """Return them by language, and by the names that the page's script has for them."""
    found = {}
    for language in languages():
        with speaking(language):
            found[language] = _sentences()
    return found


def too_old() -> str:
    """Return, in every language, the sentence for a browser that cannot run the script."""
    found = []
    for language in languages():
        with speaking(language):
            found.append(_("This browser is too old for this page. Please try another one."))
    return " ".join(found)


def _sentences() -> dict[str, str]:
    return {
        "connecting": _("Connecting to the laptop …"),
        "none": _("Scan the code that the laptop shows, or type it here."),
        "mistyped": _("This is no code: it has 16 letters and digits."),
        "used": _("Another phone has used this code. Ask for a new one."),
        "refused": _("The laptop does not take this code: it is wrong or too old."),
        "unknown": _("The laptop does not know this phone any more. Ask for a code for it."),
        "wait": _("Somebody at the laptop must let this phone in. The laptop shows these digits:"),
        "moved": _("The game has moved to another phone or another window."),
        "replaced": _(
            "Another phone plays in this place now, and this one is let in no more. To come back, "
            "ask at the laptop for a code for it."
        ),
        "back": _("Play here"),
        "lost": _(
            "The laptop cannot be reached; this page goes on trying. Is the laptop awake, and is "
            "this phone in its network? If the laptop has come to another network, scan a new code."
        ),
        "other": _(
            "This page and the program on the laptop are of different versions. Close the page, "
            "and open its address again."
        ),
        "code": _("Code"),
        "go": _("Go on"),
    }
