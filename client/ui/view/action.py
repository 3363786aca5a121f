"""The smallest parts of a view: a card in a sentence, and a button."""

from __future__ import annotations

from dataclasses import dataclass

from client.i18n.translation import _


@dataclass(frozen=True)
class Card:
    """A card or a tile: its drawing is `spanish`, `french` or `domino`; no face shows the back."""

    kind: str
    face: str | None
    name: str = ""
    """How it is read aloud, where no words do so."""


Text = str | tuple[str | Card, ...]
"""A sentence; in one of several parts the cards are drawn, small."""


@dataclass(frozen=True)
class Action:
    """A button."""

    id: str
    label: Text
    keys: tuple[str, ...]
    """The keys that a click presses."""
    role: str = ""
    """`main` (one of a page), `soft`, `plain`, `leave`, `call` (said aloud at a table), or `tool`:
    an icon with a name."""
    icon: str = ""
    key: str = ""
    """The key of the keyboard that clicks it."""
    detail: Text = ""
    """Its worth or its price, in a few words."""
    ask: str = ""
    """A sentence that is read before the click: the label opens it, and it has the button."""
    off: bool = False
    """Whether it stands there and does nothing now."""

    @property
    def title(self) -> Text:
        """Its words: for another worth it is another thing."""
        if not self.detail:
            return self.label
        label, detail = (
            (one,) if isinstance(one, str) else one for one in (self.label, self.detail)
        )
        return (*label, " ", *detail)


def back() -> Action:
    """Return the button that leads to the page before."""
    return Action("key:escape", _("back"), ("escape",), "tool", "back", "escape")
