"""The effect of a typed line, and the questions and texts with which it is answered."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, keyed, keys_in_brackets, later, letter, listed
from client.session.messages import Act, Advise, Advised, Command, Speak, Typed
from client.ui.games import words_of
from client.ui.games.lesson import hint
from client.ui.model import Pending
from client.ui.plain.absence import voted_out
from client.ui.plain.lines import SHOWN_MOVES, commands, completions, lines, not_allowed
from client.ui.screen.going import rise
from client.ui.screen.messages import Rise
from client.ui.screen.overlay import QuestionSheet, TextSheet
from client.ui.screen.parts import capital
from client.ui.screen.phrases import with_remark
from client.ui.screen.presses import about_undo
from client.ui.screen.reading import with_lesson_page
from client.ui.screen.state import LOG, Overlay, Remark, Result, ScreenState, TypedLine
from client.ui.screen.table_words import TO_LOBBY, scene_of
from client.ui.update import update

ASIDE = keyed("p: put the match aside")


class LeaveQuestion(QuestionSheet):
    """Whether our player leaves the match for good; to go for now is offered too."""

    NAME = "leave"
    GO, STAY = later("leave"), later("stay")

    def own_keys(self, state: ScreenState) -> list[tuple[str, str]]:
        if state.match.may_put_aside:
            return [(letter(ASIDE), _("put the match aside"))]
        return [(letter(TO_LOBBY), _("to the lobby"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        return rise(state) if key == self.own_keys(state)[0][0] else None

    def entered(self, state: ScreenState) -> Result:
        return obey(state, "leave yes")


class VoteQuestion(QuestionSheet):
    """Whether our player votes to go on without those who are late."""

    NAME = "without"
    GO, STAY = later("vote"), later("wait")

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the question; it has no meaning once one of those is back."""
        late = state.match.late
        if before.match.late - late or not late:
            return None
        return super().after(before, state)

    def entered(self, state: ScreenState) -> Result:
        return obey(state, "without yes")


class HelpSheet(TextSheet):
    """The moves and commands that can be typed."""

    NAME = "help"

    def own_keys(self, state: ScreenState) -> list[tuple[str, str]]:
        return [(":", _("type a line"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        return (replace(state, overlay=None, typed=TypedLine("move")), ()) if key == ":" else None


def obey(state: ScreenState, line: str, *, by_key: bool = False) -> Result:
    """Do what a typed line does; a short answer stands in the last line, a long one on a sheet.

    With `by_key` a refusal names keys, not words to type.
    """
    if (state.done or state.match.lesson) and line.casefold().split()[:1] == ["leave"]:
        return state, (Rise(),)  # there is no match to be left, only the table
    before = state.match
    match, commands = update(before, Typed(line))
    answer = lines(before, Typed(line), match)
    state = replace(state, match=match)
    if commands and isinstance(commands[0], Speak):
        return speak(state, commands[0].text, phrase=commands[0].phrase)
    question = match.reply[0].id if match.reply else ""
    if match.lesson and match.asked and question in ("hint", "lesson"):
        return with_lesson_page(state), ()
    if question == "refused" and by_key:
        answer = [not_allowed(words_of(match.game), match.reply[0].params["why"])]
    if question == "hint":
        answer = [hint(scene_of(state), **match.reply[0].params)]
    if commands and not isinstance(commands[0], Advise):
        state = replace(state, picked=state.picked.back())
    if match.pending is Pending.PRICE:
        answer = [_("{price} Once more: do it all the same.").format(price=answer[0])]
    if match.pending is Pending.LEAVE:
        aside = later("If you only put the match aside, it waits for you.")
        lobby = later("If you only go to the lobby, the match waits for you.")
        price = (answer[0], _(aside if match.may_put_aside else lobby))
        return replace(state, overlay=LeaveQuestion(_("Leave the match?"), price)), commands
    if match.pending is Pending.WITHOUT:
        late = sorted(match.late)
        who = listed([str(match.names[seat]) for seat in late])
        out = voted_out(match, late, who)
        asked = (*out, *answer[:-1], _("You cannot take your vote back."))
        going, ending = later("Go on without {who}?"), later("End the match without {who}?")
        title = _(ending if match.ends_without(*late) else going).format(who=who)
        return replace(state, overlay=VoteQuestion(title, asked)), commands
    return _answered(state, question, answer, commands)


def foreseen(state: ScreenState, line: str) -> tuple[str, bool]:
    """Say what a line would do, or why it cannot be done; nothing if that is not known yet.

    The second value says whether the sentence names cards, and no line to be typed.
    """
    before, typed = state.match, " ".join(line.casefold().split())
    known = commands(before)
    if typed.partition(" ")[0] in known:
        return capital(_(known[typed.partition(" ")[0]])), False
    fitting = [one for one in completions(before) if one.casefold().startswith(typed)]
    if not typed or (fitting and typed not in map(str.casefold, fitting)):
        shown = "; ".join(f"`{one}`" for one in fitting[:SHOWN_MOVES])
        return _("You may: {moves}").format(moves=shown) if typed else "", False
    match, does = update(before, Typed(line))
    move = next((one.move for one in does if isinstance(one, Act)), None)
    if move is None or before.view is None or before.seat is None:
        named = bool(match.reply) and match.reply[0].id == "refused"
        return " ".join(lines(before, Typed(line), match)[:1]), named
    text = before.view.game.write(move, {**before.view.game.faces, **before.view.faces})
    return words_of(before.game).hinted(before.names, before.seat, text) or text, True


def _answered(
    state: ScreenState, question: str, answer: list[str], commands: tuple[Command, ...]
) -> Result:
    if question == "undo":
        return replace(state, overlay=about_undo(state)), commands
    if question == "help":
        above = keys_in_brackets(_("Type one of these (press : first; Tab completes it)."))
        return replace(state, overlay=HelpSheet("", (above, "", *answer))), commands
    if len(answer) > 2:
        return replace(state, overlay=TextSheet("", tuple(answer))), commands
    return replace(
        state,
        notice=answer[0] if answer else "",
        log=(*state.log, *answer)[-LOG:] if commands else state.log,
    ), commands


def advised(state: ScreenState, message: Advised) -> ScreenState:
    """Show a hint that has come from another process."""
    state = replace(state, match=update(state.match, message)[0])
    if not state.match.reply:
        return state
    return replace(state, notice=hint(scene_of(state), **state.match.reply[0].params))


def speak(state: ScreenState, text: str, *, phrase: bool) -> Result:
    """Say something to the others, and see it said."""
    assert state.match.seat is not None  # a spectator is not offered to talk
    return with_remark(state, Remark(state.match.seat, text, phrase)), (Speak(text, phrase),)
