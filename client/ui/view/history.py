"""The match history as a view: the totals at a glance, and the matches, of which one is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.i18n.translation import _, letter
from client.storage.past_match import LOST, SHARED, WON
from client.storage.totals import totals
from client.ui.games.screen import CHOOSE
from client.ui.plain.history import (
    details_of,
    ending_of,
    match_title,
    others_of,
    points_of,
    result_of,
)
from client.ui.screen import history
from client.ui.screen.parts import capital
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Action, back
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Item, Section, View
from client.ui.view.plots import score_plot, wins_plot

if TYPE_CHECKING:  # it loads the table, and the lobby is shown before
    from client.storage.history import MatchSummary

MARKS = {WON: "good", SHARED: "good", LOST: "bad"}


def view(state: ScreenState) -> View:
    """Return those that wait for us, and the past matches, the newest first."""
    reading, opened = history.reading(state), history.chosen_match(state)
    matches, waiting = (
        tuple(
            _match(summary, opened=summary == opened)
            for summary in state.kept.history
            if summary.unfinished is unfinished
        )
        for unfinished in (False, True)
    )
    none = () if state.kept.history else (history.none(), _("The first one will appear here."))
    return View(
        Page.HISTORY.value,
        "Sobremesa",
        heading=history.title(),
        lines=(reading,) if reading else (),
        back=back(),
        sections=(
            *([_totals(state)] if state.kept.history else []),
            *([Section("waiting", capital(_("not finished")), items=waiting)] if waiting else []),
            Section(
                "matches",
                lines=none,
                items=matches,
                cards=() if state.kept.history else cards_of("escoba"),
                actions=() if state.kept.history else _first(),
            ),
        ),
    )


def _first() -> tuple[Action, ...]:
    """Return the way to a first match, where none is past."""
    return (Action("play", _("play"), ("escape",), "main", "play"),)


def _totals(state: ScreenState) -> Section:
    found = totals(state.kept.history)
    both = (found.people, found.computers)
    won, lost = (str(sum(getattr(one, name) for one in both)) for name in ("won", "lost"))
    more = Action("totals", _("totals"), (letter(history.TOTALS),), key=letter(history.TOTALS))
    words = (_("you won"), _("you lost"))
    return Section(
        "totals",
        figures=((won, words[0]), (lost, words[1])) if int(won) + int(lost) else (),
        svg=wins_plot(state.kept.history),
        actions=(more,),
    )


def _match(summary: MatchSummary, *, opened: bool) -> Item:
    result = result_of(summary) or ("" if summary.unfinished else ending_of(summary))
    points = points_of(summary.facts)
    return Item(
        f"match:{summary.match}",
        "match",
        match_title(summary),
        () if points else tuple(filter(None, [", ".join(others_of(summary))])),
        summary.game,
        cards_of(summary.game)[:2],
        mark=(result, MARKS.get(summary.result, "")) if result else None,
        score=points,
        day=summary.day.strip("?"),
        svg=score_plot(summary.facts) if opened and summary.facts is not None else "",
        opened=opened,
        about=_about(summary) if opened else (),
        keys=(CHOOSE + summary.match,),
        actions=_actions(summary) if opened else _go_on(summary),
    )


def _go_on(summary: MatchSummary) -> tuple[Action, ...]:
    """Return the way back into a match that waits for us."""
    keys = (CHOOSE + summary.match, "enter")
    return (Action(f"go:{summary.match}", _("Resume"), keys, "soft"),) if summary.unfinished else ()


def _about(summary: MatchSummary) -> tuple[str, ...]:
    """Return sentences about an open match, without the day, which stands above."""
    found = [line for line in details_of(summary) if line != summary.day]
    facts = summary.facts
    players = () if facts is None else enumerate(facts.players)
    if any(facts and seat != facts.seat and not one.computer for seat, one in players):
        found.append(_("The same letters mean the same person, even under another name."))
    return (*found, _("Stepping through the match checks every card and signature in it."))


def _actions(summary: MatchSummary) -> tuple[Action, ...]:
    """Return the buttons of the open match: its log, or the way back into it; the end of it."""
    waits, choose = summary.unfinished, CHOOSE + summary.match
    label = _("Resume") if waits else _("step through it")
    ends = history.leave_key(summary) or history.delete_key(summary)
    share = Action(history.SHARE, _("share"), (choose, history.SHARE), "", "link")
    return (
        Action("go", label, (choose, "enter"), "main" if waits else "soft", key="enter"),
        *([] if waits else [share]),
        *(Action(f"end:{key}", said, (choose, key), "leave", key=key) for key, said in ends),
    )
