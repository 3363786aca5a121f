"""The kinds of sheets that many pages have: texts that are read, and questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from client.i18n.translation import _, later, pgettext
from client.session.messages import Quit
from client.session.status import Status
from client.ui.screen.state import Overlay, Page, Result, ScreenState

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from p2p.table.events import Event


class TextSheet(Overlay):
    """A text that is read, and scrolled where it is long."""

    NAME = "text"
    SCROLLED = True


class ReadSheet(Overlay):
    """A text that is put away once it is read."""

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        return [("Enter", pgettext("key", "continue"))]

    def hint(self) -> str:
        return _("Enter: continue")


class CountSheet(ReadSheet):
    """The count of a deal."""

    NAME = "count"
    ABOVE = True


@dataclass(frozen=True)
class AlarmSheet(ReadSheet):
    """An alarm: somebody has cheated, or the match cannot go on."""

    NAME = "alarm"
    ANSWERED = True
    STYLE = "alarm"
    event: Event | None = None
    """The event that it tells of."""


class QuestionSheet(Overlay):
    """A question whether to go, or to go on without somebody: Enter does it, and Esc does not."""

    ANSWERED = True
    GO: ClassVar[str]
    STAY: ClassVar[str]
    """The two answers."""
    FINAL: ClassVar[bool] = True
    """Whether one of them ends something."""

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the question; it has no meaning at a match that is over."""
        return None if state.done and state.page is not Page.PHONES else self

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        return [("Enter", _(self.GO)), *self.own_keys(state), ("Esc", _(self.STAY))]

    def entered(self, state: ScreenState) -> Result:
        raise NotImplementedError  # every question has an answer


class QuitQuestion(QuestionSheet):
    """Whether the program ends."""

    NAME = "quit"
    GO, STAY = later("close"), later("stay")

    def entered(self, state: ScreenState) -> Result:
        return state, (Quit(Status.OK),)
