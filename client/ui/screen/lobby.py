"""The lobby: the tables on this network, the games, and the way to everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from client.i18n.sentences import said
from client.i18n.translation import Name, _, keyed, later, letter
from client.session.messages import FoundTable, Notice, Quit
from client.session.status import Status
from client.session.table_choices import seats_for
from client.storage.home import match_name
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.games import about_of, lessons, title_of
from client.ui.model import MatchPhase
from client.ui.plain.history import others_of
from client.ui.plain.lines import notice
from client.ui.screen import history, phones
from client.ui.screen.kept import Form
from client.ui.screen.messages import Join, Learn, Resume, Watch
from client.ui.screen.parts import (
    ListItem,
    along,
    foot_line,
    foot_top,
    list_items,
    paragraph,
    title_line,
)
from client.ui.screen.state import Overlay, Page, Result, ScreenState, TypedLine
from client.ui.wrap import wrapped
from engine.games import GAMES
from p2p.net.errors import NetError
from p2p.wire import PROTOCOL

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.storage.history import MatchSummary

JOIN_KEY = keyed("j: join with an address or an invite")
ON_PHONE = (
    later("Join with an invite"),
    keyed("j: join with an invite"),
    later("For a table that does not appear here by itself."),
)
"""A phone follows no typed address."""
ACTIONS = {
    "learn": (
        later("Learn a game"),
        keyed("l: learn a game"),
        later("A first deal against a patient computer player. Every turn is explained."),
    ),
    "open": (
        later("Open a table for others"),
        keyed("o: open a table for others"),
        later("For people on this network, or only for those you invite."),
    ),
    "join": (
        later("Join with an address or an invite"),
        JOIN_KEY,
        later("For a table that does not appear here by itself."),
    ),
    "phones": (
        later("Play on a phone"),
        keyed("h: play on a phone"),
        later("A phone scans a code and plays in its browser; it needs no program."),
    ),
    "history": (
        later("Past matches"),
        keyed("p: past matches"),
        later("Step through them once more, or resume one that is not finished."),
    ),
    "settings": (
        later("Settings"),
        keyed("s: settings"),
        later("Your name, the language, the look of the cards, sound and motion."),
    ),
}
"""The other actions, each with its key and its explanation."""
QUIT = keyed("q: quit")
NAMES = 20
"""Columns for the games' names."""
TIGHT = 5
"""The least rows that the upper box, its frame and the meaning need."""
MEANING = 2
"""Rows that the meaning of most lines needs."""


def people(state: ScreenState) -> list[ListItem]:
    """Return what is going on: the matches that wait for us, and the tables on this network.

    Matches that look alike are told apart by the time at which they were played last. A table with
    a free seat stands before all waiting matches but the newest: somebody may take the seat.
    """
    waiting = [
        (summary, _("Back to {game}").format(game=title_of(summary.game)), _with(summary))
        for summary in state.kept.history
        if summary.unfinished
    ]
    alike = Counter((text, about) for _summary, text, about in waiting)
    back = [
        ListItem(
            f"back:{summary.match}",
            text,
            f"{summary.when}  {about}" if alike[text, about] > 1 else about,
        )
        for summary, text, about in waiting
    ]
    free, others = list[ListItem](), list[ListItem]()
    for table in state.tables:
        if not _is_ours(state, table):
            seats_us = table.state == "open" and table.protocol == PROTOCOL
            item = ListItem(_item_of(table), _table(table), _about(table))
            (free if seats_us else others).append(item)
    return [*back[:1], *free, *back[1:], *others]


def _item_of(table: FoundTable) -> str:
    """Return a table's item.

    It is another one when the host opens another table, or when the last seat is taken.
    """
    way_in = "join" if table.state == "open" else "watch"
    return f"table:{table.id.hex()}:{table.table}:{table.game}:{way_in}"


def _column(items: list[ListItem], width: int) -> int:
    """Return the column of the texts about items.

    They stand behind the items' own texts, but early enough to have room themselves.
    """
    longest = max(columns_of(item.text) for item in items)
    about = max(columns_of(item.about) for item in items)
    return min(max(longest + 4, 20), max(width // 2, width - about - 2))


def _is_ours(state: ScreenState, table: FoundTable) -> bool:
    """Return whether a running table is a match that waits for us.

    An advert shows this only by its host, its game and its seats.
    """
    return table.state not in ("open", "full") and any(
        table.id in summary.keys and (table.game, table.seats) == (summary.game, len(summary.keys))
        for summary in state.kept.history
        if summary.unfinished
    )


def actions(state: ScreenState) -> Mapping[str, tuple[str, str, str]]:
    """Return the other actions: a phone types no address, and has no phones of its own."""
    if not state.kept.on_phone:
        return ACTIONS
    return {name: one for name, one in {**ACTIONS, "join": ON_PHONE}.items() if name != "phones"}


def here(state: ScreenState, *, short: bool = False) -> list[ListItem]:
    """Return what can be done without anybody else, and where else one can go.

    Beside each game stands its aim; `short`, its numbers of players, which its rules know.
    """
    about = players if short else about_of
    games = [
        ListItem(f"game:{name}", f"{number} {title_of(name)}", about(name))
        for number, name in enumerate(GAMES, 1)
    ]
    return games + [
        ListItem(name, f"{letter(key)} {_(text)}{_on(state, name)}")
        for name, (text, key, _what) in actions(state).items()
    ]


def _on(state: ScreenState, action: str) -> str:
    """Say beside an action that phones can come in now."""
    return f" · {state.kept.phones.host}" if action == "phones" and state.kept.phones.host else ""


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw both lists, as one: the choice goes from one into the other."""
    title_line(canvas, "Sobremesa", "", ourselves(state))
    short = max(columns_of(about_of(name)) for name in GAMES) > canvas.width - 4 - NAMES - 2
    below, above = here(state, short=short), people(state)
    foot = [*([(state.busy, "")] if state.busy else []), *keys(state)]
    end = foot_top(canvas, foot)
    space = end - 2 - len(below) - 2
    tight = space < TIGHT  # one line ends the upper box and begins the lower one
    space += tight
    why = nobody(state, above)
    said = wrapped(why, canvas.width - 8) if why else []
    rows = max(1, min(len(above) + len(said), space - (1 if state.blind else 2)))
    shown = min(len(above), max(1, rows - len(said)))
    wanted = cursor(state)
    near, alone = titles()
    inside = canvas.box(Rect(1, 1, canvas.width - 2, rows + 2), title=near)
    if above:
        list_items(
            canvas,
            replace(inside, height=shown),
            above,
            wanted,
            column=_column(above, inside.width),
        )
    for row, line in enumerate(said[: rows - shown], shown):
        canvas.write(inside.x + 2, inside.y + row, line, "dim", inside.width - 4)
    box = Rect(1, rows + 3 - tight, canvas.width - 2, len(below) + 2)
    inside = canvas.box(box, title=alone)
    if tight:
        canvas.write(box.x, box.y, "├")
        canvas.write(box.right - 1, box.y, "┤")
    list_items(canvas, inside, below, wanted, column=NAMES)
    # these need more room than a game's name
    for row, item in enumerate(below[len(GAMES) :], len(GAMES)):
        style = "choice" if item.id == wanted else ""
        canvas.write(inside.x + 2, inside.y + row, item.text, style)
    top = box.bottom + (end - box.bottom != MEANING)  # else there is no room for a blank row
    below_all = Rect(3, top, canvas.width - 6, end - top)
    if below_all.height > 0:
        y = below_all.y
        for line in meaning(state, wanted):
            y = paragraph(
                canvas, Rect(below_all.x, y, below_all.width, below_all.bottom - y), line, "dim"
            )
    foot_line(canvas, foot, state.notice)


def titles() -> tuple[str, str]:
    """Return what stands above each of the two lists."""
    return _("At tables near you"), _("Play against the computer, and more")


def ourselves(state: ScreenState) -> str:
    """Return our nick and fingerprint."""
    return f"{state.kept.nick}  {state.kept.fingerprint}"


def why_blind(why: Notice) -> str:
    """Say why no tables can be seen; without discovery, there are other ways to a match."""
    if why.id != "no-discovery":  # "no-contacts" or "no-network"
        return notice(why)
    if off_network(why):
        return _(
            "This machine is on no network: connect it to play with others. Playing against the "
            "computer and learning a game work without one."
        )
    sentence = _(
        "No tables can be found near you: {error}. You can play against the computer, or join by "
        "an invite."
    )
    return sentence.format(**why.params)


def off_network(why: Notice) -> bool:
    """Whether no tables can be seen because this machine is on no network."""
    return why.params.get("reason") == "no network"


def nobody(state: ScreenState, there: Collection[object]) -> str:
    """Say why nobody is there in the first list; nothing if somebody is."""
    return state.blind or ("" if there else _("nobody yet; a table opened near you appears here"))


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    if state.busy:
        return [("Esc", _("back"))]
    browser = [("b", _("to a browser"))] if state.kept.movable else []
    return [
        ("↑↓", _("choose")),
        ("Enter", _("go")),
        *history.leave_key(_unfinished(state, chosen(state))),
        ("F1", _("what is this?")),
        *browser,
        (letter(QUIT), _("quit")),
    ]


def press(state: ScreenState, key: str) -> Result | None:
    """Choose and go; digits and letters lead there at once."""
    items = people(state) + here(state)
    wanted, at = chosen(state), cursor(state)
    if reached := along(items, at, key):
        return replace(state, chosen=reached), ()
    if key == "enter" and not wanted:
        return replace(state, chosen=at, notice=_("Your choice is gone. Choose again.")), ()
    if key == "enter":
        return go(state, wanted)
    if history.leave_key(summary := _unfinished(state, wanted)) and key == letter(history.LEAVE):
        assert summary is not None
        return history.ask_to_leave(replace(state, chosen=wanted), summary), ()
    if key.isdecimal() and 1 <= int(key) <= len(GAMES):
        return go(state, f"game:{list(GAMES)[int(key) - 1]}")
    for name, (_text, action, _what) in actions(state).items():
        if key == letter(action):
            return go(state, name)
    return go(state, "quit") if key == letter(QUIT) else None


def _unfinished(state: ScreenState, item: str) -> MatchSummary | None:
    """Return the match that waits for us behind an item, if it is one."""
    kind, _colon, name = item.partition(":")
    if kind != "back":
        return None
    return next((summary for summary in state.kept.history if summary.match == name), None)


def chosen(state: ScreenState) -> str:
    """Return the chosen item, or the first if nobody has chosen yet.

    Return none (empty) if the chosen item is gone.
    """
    at = cursor(state)
    return at if state.chosen in ("", at) else ""


def cursor(state: ScreenState) -> str:
    """Return the item with the cursor: the chosen one, or another one if that is gone."""
    items = [item.id for item in people(state) + here(state)]
    wanted = (state.chosen, state.beside) if state.chosen else ()
    return next((item for item in wanted if item in items), items[0])


def line_after(state: ScreenState) -> str:
    """Return the item that is chosen after a match: one that waits, else the game played."""
    match = state.match
    if state.page is Page.LOBBY:  # a session could not begin
        return state.chosen
    if state.page is Page.OPEN:
        return line_of(state.kept.form)
    if state.bound:
        return f"back:{match_name(bytes.fromhex(match.match))}"
    if match.phase is MatchPhase.LOBBY:
        return "open" if match.lobby.hosting else ""
    return f"game:{match.game}"


def line_of(form: Form) -> str:
    """Return the item that leads to a form."""
    return f"game:{form.game}" if form.company == "computer" else "open"


def listed(state: ScreenState, new: ScreenState) -> ScreenState:
    """Return the new state, which has other tables or matches, with the cursor of the old one.

    The cursor stays at its item, above which others may appear. If it is gone, the cursor stays in
    its row.
    """
    if state.page is not Page.LOBBY:
        return new
    at, items = cursor(state), [item.id for item in people(new) + here(state)]
    row = [item.id for item in people(state) + here(state)].index(at)
    beside = at if at in items else items[min(row, len(items) - 1)]
    return replace(new, chosen=state.chosen or at, beside=beside)


def go(state: ScreenState, where: str) -> Result:
    """Go where an item of the lobby leads."""
    kind, _colon, name = where.partition(":")
    state = replace(state, notice="")
    match kind:
        case "game":
            return replace(
                state,
                page=Page.OPEN,
                chosen="",
                kept=replace(state.kept, form=Form(name, min(GAMES[name].allowed_players))),
            ), ()
        case "open":
            game = state.kept.form.game
            people = 1 + sum(one.here and not one.bound for one in state.kept.phones.visitors)
            seats = seats_for(people, GAMES[game].allowed_players)
            form = Form(game, seats, "network", people=people)
            return replace(
                state, page=Page.OPEN, chosen="", kept=replace(state.kept, form=form)
            ), ()
        case "table":
            found = table_of(state, where)
            if found is not None and found.state != "open":
                return replace(state, busy=_("Looking over their shoulders …")), (Watch(found.id),)
            return replace(state, busy=going(found)), (Join(bytes.fromhex(name.partition(":")[0])),)
        case "back":
            busy = history.going_back(_unfinished(state, where))
            return replace(state, busy=busy), (Resume(name),)
        case "join":
            line = TypedLine("join", state.joined, prefilled=True)
            return replace(state, chosen=where, typed=line), ()
        case "learn":
            names, here = list(lessons()), chosen(state).removeprefix("game:")
            cursor = names.index(here) if here in names else 0
            overlay = LearnSheet(_("Learn a game"), cursor=cursor)
            return replace(state, chosen=where, overlay=overlay), ()
        case "history":
            return replace(state, page=Page.HISTORY, chosen=""), ()
        case "settings":
            return replace(state, page=Page.SETTINGS, chosen=""), ()
        case "phones":
            return phones.begin(state)
    return phones.asked_before_the_end(state) or (state, (Quit(Status.OK),))


class LearnSheet(Overlay):
    """The games that have a lesson."""

    NAME = "learn"

    def items(self, state: ScreenState) -> list[ListItem]:
        return [ListItem(name, title) for name, title in lessons().items()]

    def chosen(self, state: ScreenState, choice: str) -> Result:
        return replace(state, busy=going()), (Learn(choice),)


def going(table: FoundTable | None = None) -> str:
    """Say that we are on the way to a table, and say its host if we know the table."""
    if table is None:
        return _("Going to the table …")
    return _("Going to the table of {who} …").format(who=Name(table.nick))


def join(state: ScreenState, where: str) -> Result:
    """Go to the table at an address, or to the one that an invite is for.

    If it is mistyped, it stays to be corrected, with the cursor at the mistake.
    """
    from client.session.route import direct  # noqa: PLC0415 - the lobby is drawn before the network is loaded

    caret, state = 0, replace(state, joined=where)
    try:
        route = direct(where)
        if route is not None and (route.found == "invite" or not state.kept.on_phone):
            return replace(state, busy=going()), (Join(where),)
        none = later("{text!r} is neither an address nor an invite"), later("{text!r} is no invite")
        why = _(none[state.kept.on_phone]).format(text=where)
    except NetError as error:
        why, end = said(error), getattr(error, "end", None)
        caret = 0 if end is None else len(where) - end
    return replace(state, typed=TypedLine("join", where, caret), notice=why), ()


def meaning(state: ScreenState, wanted: str) -> tuple[str, ...]:
    """Explain an item in lines; its own line on the full screen may have no space for it."""
    kind, _colon, name = wanted.partition(":")
    if not wanted:
        return ()
    if kind == "game":
        return (about_of(name),)
    if kind == "back":
        return (_("This match is not finished. You go back to your seat and your hand."),)
    if kind == "table":
        found = table_of(state, wanted)
        at = found.address if found else ""
        if found is not None and found.state != "open":
            begun = later(
                "They play already. You may watch, if they have agreed to that; you see no hidden "
                "cards."
            )
            full = later(
                "All seats are taken, and the match is about to begin. You may watch it, if they "
                "have agreed to that; you see no hidden cards."
            )
            said = _(full if found.state == "full" else begun)
        else:
            said = _(
                "You see the game and its options first; nobody is bound before taking a seat."
            )
        return (said, at)
    return (_(actions(state)[kind][2]),)


def table_of(state: ScreenState, item: str) -> FoundTable | None:
    """Return the table that an item stands for, if it is one."""
    return next((found for found in state.tables if _item_of(found) == item), None)


def players(game: str) -> str:
    """Return how many players a game allows: `2–6`, or `2, 3, 4, 6` if not all between."""
    numbers = sorted(GAMES[game].allowed_players)
    whole = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
    return _("{numbers} players").format(
        numbers=f"{numbers[0]}–{numbers[-1]}" if whole else ", ".join(map(str, numbers))
    )


def _with(summary: MatchSummary) -> str:
    """Say with whom a match is, ourselves left out."""
    return _("with {names}").format(names=", ".join(others_of(summary)))


def _table(table: FoundTable) -> str:
    return f"{title_of(table.game)}  {table.taken}/{table.seats}  {table.nick}  {table.table}"


def _about(table: FoundTable) -> str:
    if table.protocol != PROTOCOL:
        return _("newer version") if table.protocol > PROTOCOL else _("older version")
    trust = {"known": _("you have met"), "trusted": _("✓ trusted")}.get(table.trust, "")
    states = {"open": later("a seat is free"), "full": later("about to begin")}
    playing = later("now playing")
    status = _(states.get(table.state, playing))
    return "  ".join(part for part in (status, trust) if part)
