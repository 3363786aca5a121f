"""The rules of a game as a sheet: the game first, then the table, and the keys last."""

from __future__ import annotations

from client.i18n.translation import _, keys_in_brackets
from client.ui.games import lesson_of
from client.ui.games.options import rules_of, told
from client.ui.games.words import Heading, TypedMoves, as_drawn
from client.ui.screen.reading import RulesSheet, named
from client.ui.view.action import Action
from client.ui.view.games import kind_of
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Section, Sheet
from client.ui.view.sentences import drawn

KEYS = "rules-keys"
"""A section that a window without a keyboard leaves out."""


def sheet(overlay: RulesSheet, back: Action) -> Sheet:
    """Return the sheet."""
    game, options = overlay.game, overlay.options
    parts = {("rules-game", _("The game")): list[str]()}
    for line in rules_of(game, options, headings=True):
        if isinstance(line, Heading):
            parts[f"rules-{len(parts)}", line] = []
        elif not isinstance(line, TypedMoves):
            [*parts.values()][-1].append(named(_item(as_drawn(line)), game))
    if options:
        parts["rules-table", _("At this table")] = [f"· {line}" for line in told(game, options)]
    parts[KEYS, _("One turn by keys")] = [
        keys_in_brackets(as_drawn(step)) for step in lesson_of(game, options).one_turn()
    ]
    sections = tuple(
        Section(
            name,
            title,
            tuple(drawn(kind_of(game), line) for line in lines),
            cards=cards_of(game) if name == "rules-game" else (),
        )
        for (name, title), lines in parts.items()
        if lines
    )
    return Sheet("rules", overlay.title, sections=sections, actions=(back,))


def _item(line: str) -> str:
    """Return a line of the rules; one of a list begins with a dot."""
    return f"· {line.strip()}" if line.startswith("  ") else line
