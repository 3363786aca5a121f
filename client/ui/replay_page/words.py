"""The words of a replay page, in the reader's language."""

from __future__ import annotations

from typing import Any

from client.i18n.sentences import said
from client.i18n.translation import Name, _, listed
from client.ui.analysis import moment, moments, step_at, summary
from client.ui.games import title_of, words_of
from client.ui.games.options import told
from client.ui.model import Names, shown_nicks
from client.ui.plain.verdicts import open_ends, proven, won_by
from client.ui.replay_page.match import Match


def labels(match: Match) -> dict[str, str]:
    """Return the words of its buttons, by the names that its script has for them."""
    return {
        "title": title(match),
        "tongue": _("Language"),
        "about": _("About this match"),
        "close": _("close"),
        "start": _("Watch the match"),
        "bad": bad(match),
    }


def title(match: Match) -> str:
    """Return the game and its players."""
    terms = match.log.terms
    return f"{title_of(terms.game)}: {listed(nicks(match))}"


def nicks(match: Match) -> list[str]:
    """Return the players' names, fit to be shown."""
    return shown_nicks([place.nick for place in match.log.terms.participants])


def bad(match: Match) -> str:
    """Say on every step that the log does not verify; nothing if it does."""
    return "" if match.error is None else _("This log does not verify. Do not believe this page.")


def view(match: Match) -> str:
    """Say whose view the page has."""
    if match.seat is None:
        return _("This page shows the match as all saw it: hidden cards stay hidden.")
    if match.shares:
        return _(
            "This page shows the match as {who} saw it, including cards that never became public. "
            "The page proves each of them."
        ).format(who=Name(nicks(match)[match.seat]))
    return _(
        "This page shows the match as {who} saw it, as far as those cards later became public."
    ).format(who=Name(nicks(match)[match.seat]))


def opening(match: Match) -> list[dict[str, Any]]:
    """Return the lines of the first view: the players, the winners, the options, the analysis.

    The players stand with their result. They say whose view the page has too.
    """
    terms, game = match.log.terms, match.steps[-1].model.view
    found = [("bad", bad(match))] if match.error is not None else []
    if game is not None:
        score = words_of(terms.game).scores(
            Names(tuple(nicks(match))), game.game, tuple(game.game.score)
        )
        found.append(
            ("", _("score: {score}; deals: {deals}").format(score=score, deals=game.game.round))
        )
        if game.game.winners:
            found.append(("good", won_by(game.game, nicks(match))))
    found.append(("dim", "; ".join(told(terms.game, terms.options))))
    found.append(("dim", view(match)))
    return [*({"kind": kind, "text": text} for kind, text in found if text), *analysed(match)]


def analysed(match: Match) -> list[dict[str, Any]]:
    """Return the paragraphs of an analysis.

    A costly moment has the `step`, counted from 0, to which it leads.
    """
    if match.analysis is None:
        return []
    names = Names(tuple(nicks(match)), None)
    found: list[dict[str, Any]] = [
        {"kind": "", "text": line} for line in summary(match.analysis, names)
    ]
    for one in match.analysis.costliest:
        text = moment(match.analysis, one, match.records, names)
        found.append({"kind": "step", "text": text, "step": step_at(match.records, one.record)})
    return found


def better_moves(match: Match) -> dict[int, tuple[str, ...]]:
    """Return the sentences of the costliest moments by step, from 0."""
    return (
        {}
        if match.analysis is None
        else moments(match.analysis, match.records, Names(tuple(nicks(match)), None))
    )


def about(match: Match, version: str) -> list[dict[str, Any]]:
    """Return the paragraphs about the match and its page.

    Each has its text, `code` for a command, and `step` for a moment.
    """
    found = [("", view(match))]
    if match.error is not None:
        found += [
            ("bad", bad(match)),
            ("", said(match.error)),
            ("", _("It shows the steps before the error.")),
        ]
    if match.verdict is not None:
        found += [("warn", line) for line in open_ends(match.verdict)]
        terms = match.log.terms
        found.append(
            (
                "",
                _("Options: {options}").format(options="; ".join(told(terms.game, terms.options))),
            )
        )
        found += [("", line) for line in proven(match.verdict)]
    found += [
        (
            "",
            _(
                "Sobremesa {version} made this page from the log of the match, which is inside it. "
                "It needs no network."
            ).format(version=version),
        ),
        (
            "",
            _(
                "A page can say anything, so check it yourself: save it, and run this with the "
                "same version of Sobremesa:"
            ),
        ),
        ("code", "sobremesa verify PAGE.html"),
        ("", _("It verifies the log, and says whether the page shows the match of that log.")),
        (
            "dim",
            _("Keys: ← → a step, Space play and pause, Home End the ends, PgUp PgDn the deals."),
        ),
    ]
    first, *others = [{"kind": kind, "text": text} for kind, text in found]
    return [first, *analysed(match), *others]
