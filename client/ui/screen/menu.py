"""The menu of a table, and the sheets to which it leads: phrases, players to hear, words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.i18n.translation import _, keyed, later, letter, listed
from client.session.messages import Command, Compare, Vouch
from client.ui.games import words_of
from client.ui.games.words import GameWords
from client.ui.model import Model
from client.ui.phrases import PHRASES
from client.ui.screen import going, settings
from client.ui.screen.obeying import obey, speak
from client.ui.screen.overlay import TextSheet
from client.ui.screen.parts import ListItem
from client.ui.screen.presses import about_undo
from client.ui.screen.reading import rules_sheet
from client.ui.screen.state import END, Overlay, Result, ScreenState, TypedLine
from engine.core.moves import Seat

TRUST = keyed("t: trust")
"""The key on the sheet of words to compare."""
MENU = {
    "hint": later("What would a computer player do?"),
    "rules": later("The rules in short"),
    "say": later("Say something"),
    "mute": later("Mute players"),
    "log": later("The match so far"),
    "table": later("The table in words"),
    "help": later("Moves and commands that can be typed"),
    "undo": later("Why a move stays"),
    "lesson": later("This turn, explained once more"),
    "hands": GameWords.of_others,
    "words": later("Words to compare, so that nobody sits between you"),
    "without": later("Vote to go on without a late player"),
    "browser": later("Go on in a browser window"),
    "settings": later("Settings"),
    "phones": later("Phones; a code lets one in"),
    "aside": later("Put the match aside; it goes on when all are back"),
    "rise": later("To the lobby; the match waits for you"),
    "leave": later("Leave the match for good"),
}
OF_LESSONS = ("lesson", "hands")
"""The items that only a lesson has."""


class MenuSheet(Overlay):
    """All that can be done at a table."""

    NAME = "menu"

    def items(self, state: ScreenState) -> list[ListItem]:
        return [ListItem(name, _(about)) for name, about in _menu(state).items()]

    def chosen(self, state: ScreenState, choice: str) -> Result:
        match choice:
            case "log":
                turn = (_("It is your turn."),) if state.match.asked else ()
                log = (*state.log, *turn)
                sheet: Overlay = LogSheet(_("The match so far"), log, scroll=END)
            case "rules":
                sheet = rules_sheet(state.match.game, state.match.options)
            case "say":
                sheet = PhrasesSheet(_(MENU["say"]))
            case "mute":
                sheet = MuteSheet(_("Mute players"))
            case "undo":
                sheet = about_undo(state)
            case "settings":
                sheet = settings.SettingsSheet()
            case "rise" | "aside" | "phones" | "browser":
                return going.elsewhere(state, choice)
            case _:
                return obey(state, choice)
        return replace(state, overlay=replace(sheet, opener=self)), ()


class LogSheet(TextSheet):
    """The match so far, opened at its newest line."""


def sheet() -> MenuSheet:
    """Return the menu."""
    return MenuSheet(_("Menu"))


def _menu(state: ScreenState) -> dict[str, str]:
    """Return what means something now, and how it is called."""
    match = state.match
    barred = {
        *(() if state.company else ("say", "mute", "words")),
        *(() if state.bound else ("without", "leave", "undo")),
        *(() if state.bound or (match.lesson and not state.done) else ("hint", "lesson")),
        *(() if match.lesson else OF_LESSONS),
        *(("hint", "lesson") if state.lesson else ()),  # its page is still to be read
        *(("hint",) if match.hints == "none" else ()),
        *(() if state.kept.movable else ("browser",)),
        *(("phones",) if state.kept.on_phone or state.busy else ()),
        *(() if match.late and match.votes_needed else ("without",)),
        *(("rise",) if state.bound and match.may_put_aside else ("aside",)),
    }
    found = {name: about for name, about in MENU.items() if name not in barred}
    if "hands" in found:
        found["hands"] = words_of(match.game).of_others
    if "without" in found and match.ends_without(*match.late):
        found["without"] = later("Vote to end the match without a late player")
    if "aside" in found and not state.company:  # nobody else has to come back
        found["aside"] = later("Put the match aside; it waits in the lobby")
    return found if state.bound else {**found, "rise": later("To the lobby")}


class PhrasesSheet(Overlay):
    """The phrases that one key says, and a line for own words."""

    NAME = "phrases"

    def items(self, state: ScreenState) -> list[ListItem]:
        phrases = [ListItem(name, _(text)) for name, text in PHRASES.items()]
        return [*phrases, ListItem("talk", _("in your own words …"))]

    def own_keys(self, state: ScreenState) -> list[tuple[str, str]]:
        return [("a–z", _("in your own words …"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        """Begin a line with a letter: no phrase is meant, but own words."""
        if len(key) == 1 and key.isprintable():
            return replace(state, overlay=None, typed=TypedLine("talk", key)), ()
        return None

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Say a phrase, or begin a line."""
        if choice == "talk":
            return replace(state, typed=TypedLine("talk")), ()
        return speak(state, choice, phrase=True)


class MuteSheet(Overlay):
    """The people at the table, and whether our player sees what they say."""

    NAME = "mute"

    def items(self, state: ScreenState) -> list[ListItem]:
        match = state.match
        return [
            ListItem(
                player.fingerprint,
                str(match.names[seat]),
                _("heard") if match.hears(seat) else _("not heard"),
            )
            for seat, player in enumerate(match.players)
            if player and seat in state.company
        ]

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Start or stop hearing one of them."""
        heard = replace(state.match, muted=state.match.muted ^ {choice})
        return replace(state, match=heard, overlay=self), ()


class WordsSheet(Overlay):
    """The words to compare with each person, so that nobody sits between us."""

    NAME = "words"
    NUMBERED = False

    def items(self, state: ScreenState) -> list[ListItem]:
        return _compared(state.match, state.compared)

    def now(self, state: ScreenState) -> Overlay:
        """Return the sheet with the use of its words, and the people that it still waits for."""
        how = _(
            "Read them aloud to each other; they are English on every screen. If both screens show "
            "the same words, nobody listens in between: then trust that player. ✓ marks the "
            "players you trust."
        )
        missing = listed([str(state.match.names[seat]) for seat in _missing(state)])
        waits = _(
            "Waiting for {who}. The words will appear here by themselves, as soon as you are "
            "connected."
        )
        found = (
            how if self.items(state) else "",
            waits.format(who=missing) if missing else "",
        )
        nobody = _("There is nobody here to compare words with.")
        return replace(self, lines=tuple(filter(None, found)) or (nobody,))

    def wish(self, state: ScreenState) -> Command | None:
        """Ask for the words that are missing, as long as some are."""
        return Compare(more=True) if _missing(state) else None

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet with the same person chosen, if others come; it goes with that one."""
        people, still = ([item.id for item in self.items(one)] for one in (before, state))
        if not people or people == still:
            return self
        chosen = people[self.cursor % len(people)]
        return replace(self, cursor=still.index(chosen)) if chosen in still else None

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        """Return the keys: no Enter or Esc trusts, because those put sheets away unread."""
        if not state.compared:
            return super().keys(state, fits=fits)
        return [("↑↓", _("choose")), (letter(TRUST), _("trust")), ("Esc", _("back"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        """Trust the player whose words were found the same."""
        items = self.items(state)
        if key == letter(TRUST) and items:
            return state, (Vouch(items[self.cursor % len(items)].id),)
        return None


def _missing(state: ScreenState) -> list[Seat]:
    """Return the seats of the people whose words have not come."""
    return [
        seat
        for seat, player in state.match.others.items()
        if player.fingerprint not in state.compared
    ]


def _compared(match: Model, of: Mapping[str, str]) -> list[ListItem]:
    found = []
    for seat, player in enumerate(match.players):
        if player is not None and player.fingerprint in of:
            mark = "✓" if player.trust == "trusted" else " "
            found.append(
                ListItem(player.fingerprint, f"{mark} {match.names[seat]}", of[player.fingerprint])
            )
    return found
