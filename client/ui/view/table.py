"""The table of a match as a view, as all games share it: the first line, the turn, the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, letter, listed, pgettext
from client.ui.games import screen_of, title_of, words_of
from client.ui.games.screen import Moment, Say, Scene, effect
from client.ui.games.words import as_drawn
from client.ui.model import MatchPhase
from client.ui.plain.ending import QUIET, won
from client.ui.screen import analysis, history, pages, play, reading, table_words
from client.ui.screen.analysis import ANALYSE
from client.ui.screen.phrases import said
from client.ui.screen.state import Page, ScreenState
from client.ui.seats import machine_at
from client.ui.view import ahead, coach
from client.ui.view.action import Action, Text
from client.ui.view.coach import Step
from client.ui.view.game import GameView
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Sheet, View
from client.ui.view.player import player_of
from client.ui.view.sentences import drawn
from client.ui.view.sheets import sheet_of
from client.ui.view.standing import standing
from client.ui.view.table_parts import (
    Ending,
    Prompt,
    Score,
    Table,
    TableCard,
    TableSeat,
    Trace,
)
from engine.core.events import GameEvent
from engine.core.moves import Seat
from p2p.table.events import Moved

LATEST = 40
"""Lines of the log that stand beside the table."""
HALTED = ("warn", "bad")
"""The styles of the words about a table that does not go on."""


def view(state: ScreenState, game: GameView) -> View:
    """Return the table, in a match or at a step of one."""
    stepped = state.page is Page.REPLAY
    shown = history.at_step(state) if stepped else state
    if stepped:
        before = (line for _model, told in state.replay.steps[: state.replay.step] for line in told)
        shown = replace(shown, log=(*before, *shown.log))
    if state.held and not stepped:
        shown = play.as_it_stood(state)
    step = coach.step_of(state, game.kind)
    if step is not None and not step.asks:  # nothing is asked before all is read
        shown = replace(shown, match=replace(shown.match, asked=False))
    notice = state.busy or ("" if coach.hinted(state) else state.notice)
    if stepped and not notice:
        notice = " ".join(analysis.said_at(state))
    return View(
        state.page.value,
        pages.title(state),
        heading=title_of(shown.match.game),
        lines=_about(shown, game),
        tools=_back(state) if stepped else _tools(state, step),
        table=_table(state, shown, game, step),
        notice=drawn(game.kind, notice),
        player=player_of(state) if stepped else None,
    )


def alone(state: ScreenState, game: GameView) -> View:
    """Return a table that is only looked at, without buttons and without the log beside it."""
    state = replace(state, log=())
    shown = replace(_table(state, state, game, None), actions=(), undo=None)
    return View(
        state.page.value,
        pages.title(state),
        heading=title_of(state.match.game),
        lines=_about(state, game),
        table=shown,
    )


def sheet(state: ScreenState, game: GameView) -> Sheet | None:
    """Return the sheet above a table: the count lies on the table as it stood."""
    counts = (
        state.typed is None and state.overlay is None and state.count.lines and len(state.held) < 2
    )
    counts = counts and coach.step_of(state, game.kind) is None
    if counts and state.page is Page.PLAY and (found := _count(state, game)) is not None:
        return found
    found = sheet_of(state)
    if found is None or state.busy:
        return None if found is not None and found.id == "busy" else found
    if found.id == "lesson" and coach.step_of(state, game.kind) is not None:
        return None
    items = tuple(
        replace(item, lines=tuple(_drawn(game, line) for line in item.lines))
        for item in found.items
    )
    rows = tuple((name, *(_drawn(game, one) for one in row)) for name, *row in found.rows)
    lines = tuple(_drawn(game, line) for line in _worth_reading(found.lines))
    return replace(found, items=items, lines=lines, rows=rows)


def _worth_reading(lines: Sequence[Text]) -> list[Text]:
    """Return the lines of a log without those about checks that went well."""
    return [line for line in lines if not (isinstance(line, str) and line.startswith(QUIET))]


def _drawn(game: GameView, line: Text) -> Text:
    return drawn(game.kind, line) if isinstance(line, str) else line


def _count(state: ScreenState, game: GameView) -> Sheet | None:
    """Return the count of a deal; its button also puts away the table as it stood."""
    scene = table_words.scene_of(state)
    held = table_words.scene_of(play.as_it_stood(state)) if state.held else None
    count = game.count(scene, state.count.history, held)
    if count is not None:
        leaders = tuple(seat for seat in range(scene.game.players) if game.first(scene, seat))
        count = replace(count, standing=_standing(scene, game), leaders=leaders)
    keys = ("enter",) * (len(state.held) + 1)
    go_on = Action("key:enter", pgettext("key", "continue"), keys, "main", key="enter")
    lines = () if count is not None else tuple(_drawn(game, line) for line in state.count.lines)
    title = _("The count") if state.moment is None else f"{_('The count')} · {state.moment.text}"
    heads, rows = game.sheet(scene) if count is not None else ((), ())
    return Sheet(
        "count",
        title if count is None else _("The count"),
        lines,
        heads=heads,
        rows=rows,
        count=count,
        actions=(go_on,),
    )


def _standing(scene: Scene, game: GameView) -> str:
    """Return who has won, or else who is ahead of those who have not left."""
    if scene.model.phase is MatchPhase.OVER:
        return won(scene.model)
    stay = scene.game.sides_that_stay()
    scores = [one for one in game.points(scene) if one.number in stay]
    ours = None if scene.seat is None else scene.game.side(scene.seat)
    return standing(scores, ours if ours in stay else None, most_wins=game.most_wins)


def _about(shown: ScreenState, game: GameView) -> tuple[str, ...]:
    if shown.match.view is None:
        return ()
    about = game.screen.heading(table_words.scene_of(shown))
    return (about,) if about else ()


def _back(state: ScreenState) -> tuple[Action, ...]:
    analysed = dict(history.step_keys(state)).get(letter(ANALYSE))
    key = letter(ANALYSE)
    return (
        *([Action(f"key:{key}", analysed, (key,), "tool", "chart", key)] if analysed else []),
        Action("key:f1", _("rules"), ("f1",), "tool", "book", "f1"),
        Action("key:escape", _("back"), ("escape",), "tool", "close", "escape"),
    )


def _tools(state: ScreenState, step: Step | None) -> tuple[Action, ...]:
    """Return the buttons in the first line: they are there whatever else happens.

    The menu is there while a page of a lesson is read, too; the others wait until it is read.
    """
    if state.lesson and step is not None and not state.held:
        menu = replace(_menu(state), keys=(reading.MENU,), key="escape")
        if not step.asks:
            return (menu,)
        return (*_tools(replace(state, lesson=()), None)[:-1], menu)
    pairs = dict(play.keys(state)) if not state.held else {}
    hint = Action("key:?", _("hint"), ("?",), "tool", "lamp", "?")
    rules = Action("key:f1", _("rules"), ("f1",), "tool", "book", "f1")
    say = Action("key:f2", _("say"), ("f2",), "tool", "chat", "f2")
    cards = Action("key:f3", _(words_of(state.match.game).theirs), ("f3",), "tool", "eye", "f3")
    tools = {"?": hint, "F1": rules, "F2": say, "F3": cards}
    found = [tool for key, tool in tools.items() if key in pairs]
    back = [] if state.held or state.looking else [_menu(state)]
    return (*found, *back)


def _menu(state: ScreenState) -> Action:
    """Return the button of the menu; the first Esc puts back what is picked."""
    keys, key = (("escape", "escape"), "") if _undo(state) else (("escape",), "escape")
    return Action("menu", _("menu"), keys, "tool", "menu", key)


def _undo(state: ScreenState) -> Action | None:
    label = "" if state.page is not Page.PLAY or state.held else play.put_back(state)
    return Action("undo", label, ("escape",), key="escape") if label else None


def _table(state: ScreenState, shown: ScreenState, game: GameView, step: Step | None) -> Table:
    match = shown.match
    players = len(match.players)
    first = match.seat if match.seat is not None else 0
    order = [(first + place) % players for place in range(players)]
    empty = match.view is None
    scene = None if empty else table_words.scene_of(shown)
    over = match.phase is MatchPhase.OVER and not state.held
    reads = step is not None or coach.hinted(shown) or _halted(shown)
    return Table(
        match.game,
        0 if scene is None else scene.game.round,
        tuple(_seat(shown, scene, game, seat, order) for seat in order),
        () if scene is None else game.zones(scene),
        () if scene is None else _hand(scene, game, shown, step),
        () if scene is None else game.score(scene),
        None if scene is None else _trace(scene, game, reads=reads),
        _prompt(state, shown, scene, game, step),
        _actions(state, scene, game, step),
        ""
        if scene is None or state.count.lines or state.held or reads
        else _call(scene, game, shown),
        tuple(filter(None, (_drawn(game, line) for line in _worth_reading(shown.log)[-LATEST:]))),
        undo=_undo(state),
        ending=_ending(shown, scene, game) if over and scene is not None else None,
        lesson=match.lesson,
    )


def _halted(shown: ScreenState) -> bool:
    """Return whether the table waits for somebody who is away or late; it says so in the middle."""
    (style, _words), *_more = table_words.turn_words(shown) or [("", "")]
    late = bool(shown.match.late) and not shown.match.asked
    return (style in HALTED or late) and not shown.done


def _trace(scene: Scene, game: GameView, *, reads: bool) -> Trace | None:
    """Return the last move, without words while our player reads others there."""
    trace = game.trace(scene)
    return replace(trace, text="") if trace is not None and reads else trace


def _call(scene: Scene, game: GameView, shown: ScreenState) -> Text:
    """Return the call that came with the last move: an older one would seem to be of that move."""
    if shown.moment is None:
        return ""
    latest = list[GameEvent | Moved]()
    for event in reversed(scene.model.history):
        latest.append(event)
        if isinstance(event, Moved):
            break
    calls = [game.screen.moment(scene, event) for event in latest]
    said = [one.text if isinstance(one, Moment) else one for one in calls]
    return game.call(scene, shown.moment.text) if shown.moment.text in said else ""


def _named(scene: Scene, card: TableCard) -> TableCard:
    """Return a card of ours; the name of a picked one says what another click on it does."""
    if card.state != "picked" or not card.keys:
        return card
    key, screen = card.keys[-1], screen_of(scene.model.game)
    key = "enter" if key in screen.chosen_by(scene) else key
    plays = isinstance(effect(scene, key), Say)
    again = _("{card}: once more plays it") if plays else _("{card}: once more puts it back")
    return replace(card, name=again.format(card=card.name))


def _hand(
    scene: Scene, game: GameView, shown: ScreenState, step: Step | None
) -> tuple[TableCard, ...]:
    held = game.hand(scene)
    if _taught(shown, scene, step) or coach.hinted(shown):
        move = coach.advice(scene)
        lit = {f"slot:{slot}" for slot in move.shows} if move is not None else set()
        held = tuple(
            replace(card, state="advised") if card.id in lit and not card.state else card
            for card in held
        )
    reads = step is not None and not step.asks
    if shown.page is Page.PLAY and not shown.held and shown.overlay is None and not reads:
        return tuple(
            replace(_named(scene, one), drags=tuple(ahead.drags(scene, game, one))) for one in held
        )
    return tuple(replace(card, keys=()) for card in held)


def _taught(state: ScreenState, scene: Scene, step: Step | None) -> bool:
    """Return whether our player may choose in a lesson, and reads what it suggests or has done."""
    lesson = state.match.lesson and scene.asked and not state.done
    read = not state.lesson or step is not None
    return bool(lesson and read and not state.held and state.page is Page.PLAY)


def _seat(
    state: ScreenState, scene: Scene | None, game: GameView, seat: Seat, order: list[Seat]
) -> TableSeat:
    model = state.match
    you = seat == model.names.me
    found = TableSeat(f"seat:{seat}", str(model.names[seat]), seat, you)
    player = model.players[seat]
    remark = table_words.last_remark(state, seat)
    own = seat == model.seat and state.page is Page.PLAY  # a page of a match asks nobody
    plays = model.asked if own else seat in model.turn and not model.asked  # one at a time
    states = (
        ("gone", seat in model.gone or seat in model.leaving),
        ("away", seat in model.away),
        ("turn", scene is not None and plays and not state.done),
        ("away", table_words.asleep(state, seat)),
    )
    why = tuple(words for _style, words in table_words.marks(state, seat))
    found = replace(
        found,
        state=next((name for name, true in states if true), ""),
        mark="computer" if player is not None and player.bot else "",
        machine=machine_at(model, seat),
        remark=said(remark) if remark is not None else "",
        lines=(*((str(model.names.label(seat)),) if you else ()), *why),
        why="".join(why),
    )
    return found if scene is None else game.seat(scene, found, nearest=seat == order[0])


def _prompt(
    state: ScreenState, shown: ScreenState, scene: Scene | None, game: GameView, step: Step | None
) -> Prompt | None:
    if scene is None and state.page is Page.REPLAY:
        return None
    if scene is None:
        return Prompt(_("The first deck is being shuffled by all of you …"), style="wait")
    if state.held and state.page is Page.PLAY and step is None:
        mine = state.match.asked and not state.done
        return Prompt(
            _("Your turn comes next: go on.")
            if mine
            else _("The table stays like this until you go on.")
        )
    if step is not None and not step.asks:
        number = f"{step.number}/{step.count}" if step.count > 1 else ""
        return Prompt(number, step.text, style="lesson")
    if state.match.late and not state.done and not state.match.asked:
        (late, follows), said = table_words.late_lines(state), game.prompt(scene)
        if said.cry:  # it stands nowhere else
            return replace(said, more=f"{late} {follows}".strip(), style="warn")
        return Prompt(late, follows, said.sum, "warn")
    words, *more = table_words.turn_words(shown) or [("", "")]
    asked = shown.match.asked and not shown.done
    picked = Prompt("") if shown.done else game.prompt(scene)
    beside: Text = " ".join(text for _style, text in more)
    if _taught(shown, scene, step):
        picked = _coached(scene, game, picked, step)
    elif coach.hinted(shown):  # it stands where it covers no card
        click = coach.next_click(scene, game)
        aim = "" if click is None else click.id
        picked = replace(picked, more=_drawn(game, state.notice), aim=aim, sum="")
    elif words[0] in HALTED and not picked.cry:  # it says the wait alone
        picked = replace(picked, more="")
    return replace(
        picked,
        words=picked.words or words[1],
        more=picked.more or beside,
        style="turn" if asked else "warn" if words[0] in HALTED else "wait",
        done=table_words.mixed(shown.match) if table_words.shuffling(shown) else None,
    )


def _coached(scene: Scene, game: GameView, prompt: Prompt, step: Step | None) -> Prompt:
    """Return the question of a lesson: the suggestion with its reason, then its next click."""
    click = coach.next_click(scene, game)
    aim = "" if click is None else click.id
    if step is not None:
        return replace(prompt, more=step.text, aim=aim, cry="")
    if click is None:
        return prompt
    begins = scene.picked == scene.picked.back()
    said = coach.suggestion(scene.model, game.kind) if begins else prompt.more
    return replace(prompt, more=said or coach.sentence(click), aim=aim)


def _actions(
    state: ScreenState, scene: Scene | None, game: GameView, step: Step | None
) -> tuple[Action, ...]:
    if state.page is Page.REPLAY and not state.busy:
        return ()
    if state.held and step is None:
        go_on = pgettext("key", "continue")
        return (Action("key:enter", go_on, ("enter",), "main", key="enter"),)
    if state.looking:  # also above a match that is stepped through
        return (Action("key:escape", _("back"), ("escape",), key="escape"),)
    if step is not None and not step.asks:
        return step.buttons()
    if state.done:
        return tuple(_ends(state))
    mine = () if scene is None or scene.seat is None else game.actions(scene)
    if step is not None:  # the first press puts the page away
        mine = tuple(
            replace(one, keys=("enter", *one.keys)) if one.keys[:1] == ("enter",) else one
            for one in mine
        )
    if not table_words.may_vote(state.match):
        return tuple(mine)
    label = table_words.vote_label(state.match)
    return (*mine, Action("vote", label, (letter(table_words.VOTE),), "leave"))


def _ends(state: ScreenState) -> list[Action]:
    """Return the buttons of a match that is over."""
    facts = (
        (play.may_play_again(state), table_words.PLAY_AGAIN, _("play again"), "main", "again"),
        (play.may_analyse(state), ANALYSE, _("analysis"), "", "chart"),
        (True, table_words.TO_LOBBY, _("to the lobby"), "plain", ""),
    )
    return [
        Action(f"key:{letter(key)}", label, (letter(key),), role, icon, letter(key))
        for may, key, label, role, icon in facts
        if may
    ]


def _ending(state: ScreenState, scene: Scene, game: GameView) -> Ending:
    first = table_words.result(state)
    told = (*table_words.departures(state), *table_words.wishes(state))
    lines: list[Text] = [as_drawn(text) for text in told]
    names, winners, cards = scene.model.names, state.match.winners, cards_of(state.match.game)
    if len(winners) > 1 and names.me not in winners and len({*map(scene.game.side, winners)}) == 1:
        first = _("They win.")
        lines.insert(0, listed([str(names[seat]) for seat in winners]))
    if not game.most_wins:
        lines.append(_("The fewest points win."))
    return Ending(first, tuple(lines), winners, *_ranked(scene, game), _(game.unit), cards)


def _ranked(scene: Scene, game: GameView) -> tuple[tuple[Score, ...], tuple[int, ...]]:
    """Return the sides and their places: the winners first, who has left last."""
    model, side = scene.model, scene.game.side
    won = {side(seat) for seat in model.winners}
    left = {side(seat) for seat in model.gone}
    sign = -1 if game.most_wins else 1

    def order(one: Score) -> tuple[bool, bool, int]:
        return one.number not in won, one.number in left, sign * int(one.points)

    ranks = sorted(game.points(scene), key=order)
    orders = [order(one) for one in ranks]
    return tuple(ranks), tuple(1 + orders.index(one) for one in orders)
