"""The help of the key F1: the rules of a game, or the first facts about the program."""

from __future__ import annotations

from client.i18n.translation import _, keys_in_brackets
from client.storage.version import version
from client.ui.screen.overlay import TextSheet
from client.ui.screen.parts import sentence
from client.ui.screen.reading import rules_sheet
from client.ui.screen.state import Overlay, Page, ScreenState


class AboutSheet(TextSheet):
    """The first facts about the program."""

    NAME = "about"


def help_sheet(state: ScreenState) -> Overlay:
    """Return the sheet of help for a page."""
    match state.page:
        case Page.TABLE_SETUP:
            return rules_sheet(state.match.game, state.match.options)
        case Page.OPEN:
            return rules_sheet(state.kept.form.game)
        case Page.REPLAY:
            shown = state.replay.steps[state.replay.step][0]
            return rules_sheet(shown.game, shown.options)
    return AboutSheet(sentence(_("what is this?")), about())


def by_touch() -> str:
    """Say how a page is used."""
    return _(
        "A tap or a click chooses. At a table everything has a button: the lamp gives a hint, the "
        "book has the rules, and the menu has the rest."
    )


def about_version() -> str:
    """Say which version of the program this is, as players compare it."""
    return _("This is Sobremesa {version}.").format(version=version())


def about(*, in_window: bool = False) -> tuple[str, ...]:
    """Return what a newcomer should know of the program, a paragraph an item."""
    by_keys = keys_in_brackets(
        _(
            "Choose with the arrows and Enter. In a game the last line shows the keys: “hint” (?), "
            "“rules” (F1), “menu” (Esc) …"
        )
    )
    return (
        _(
            "Sobremesa is for cards and dominoes with people in the same building. There is no "
            "server, and nobody deals."
        ),
        "",
        _(
            "All players shuffle the deck together, and prove that they did it correctly. So "
            "nobody sees a card that is not theirs, and every program at the table checks every "
            "move of the others."
        ),
        "",
        by_touch() if in_window else by_keys,
        "",
        _(
            "Players at other computers of this network start Sobremesa too, and see your table "
            "here."
        ),
    )
