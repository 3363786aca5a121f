"""The lobby as a view: the tables near us with their buttons, the games as tiles, other ways."""

from __future__ import annotations

from client.i18n.translation import _, later, letter
from client.session.messages import FoundTable
from client.ui.games import about_of, title_of
from client.ui.games.screen import CHOOSE
from client.ui.screen import lobby
from client.ui.screen.parts import BETWEEN, apart, capital, sentence
from client.ui.screen.parts import ListItem as Line
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Action, Card
from client.ui.view.parts import Item, Section, View
from engine.games import GAMES
from p2p.wire import PROTOCOL

CARDS = {
    "escoba": ("spanish", ("7o", "1e", "12c")),
    "domino": ("domino", ("6-6", "6-4", "4-1")),
    "siete-y-media": ("spanish", ("7c", "11o")),
    "truco": ("spanish", ("1e", "1b", "7e")),
    "truco:flor": ("spanish", ("5o", "6o", "7o")),
    "kinaskak": ("french", ("Qh", "*", "Ks")),
}
"""The cards by which a game is known at first sight; a game without any shows its cloth alone."""
LEARN = Card("spanish", "1o")
WAYS_IN = {"open": later("Join"), "full": later("Watch"), "playing": later("Watch")}

NEED_NETWORK = ("open", "join", "phones")
"""The actions that can do nothing on no network."""


def cards_of(game: str) -> tuple[Card, ...]:
    """Return the cards of a game's tile."""
    kind, faces = CARDS.get(game, ("", ()))
    return tuple(Card(kind, face) for face in faces)


def view(state: ScreenState) -> View:
    """Return the lobby."""
    return View(
        Page.LOBBY.value,
        "Sobremesa",
        heading=_("Take a seat, {name}.").format(name=state.kept.nick)
        if state.kept.named
        else _("Take a seat."),
        tools=(
            Action("me", state.kept.nick, _go("settings"), "me"),
            Action("help", _("what is this?"), ("f1",), "tool", "help", "f1"),
            _way(state, "settings", "tool", "gear"),
        ),
        sections=(*_back(state), _near(state), _games(), _ways(state)),
    )


def _go(item: str) -> tuple[str, ...]:
    return (CHOOSE + item, "enter")


def _way(state: ScreenState, name: str, role: str, icon: str) -> Action:
    """Return the button of an action of the lobby."""
    text, key, _about = lobby.actions(state)[name]
    if state.off_network and name in NEED_NETWORK:
        return Action(name, _(text), (), role, icon, off=True)
    return Action(name, _(text), _go(name), role, icon, letter(key))


def _back(state: ScreenState) -> tuple[Section, ...]:
    """Return the way back into the match that was played last, if it waits for us."""
    found = _last(state)
    if not found:
        return ()
    item = _match(state, found[0], "main")
    return (Section("back", capital(_("not finished")), items=(item,)),)


def _last(state: ScreenState) -> list[Line]:
    """Return the line of that match."""
    return [line for line in lobby.people(state)[:1] if lobby.table_of(state, line.id) is None]


def _near(state: ScreenState) -> Section:
    """Return the tables of this network, other matches that wait for us, and the ways to others."""
    people = lobby.people(state)
    items = []
    for line in people[len(_last(state)) :]:
        table = lobby.table_of(state, line.id)
        items.append(_match(state, line, "soft") if table is None else _table(table, line))
    why = lobby.nobody(state, items)
    return Section(
        "near",
        lobby.titles()[0],
        (sentence(why),) if why else (),
        tuple(items),
        (
            _way(state, "open", "" if people or state.blind else "main", "plus"),
            _way(state, "join", "", "link"),
            *(() if state.kept.on_phone else (_way(state, "phones", "", "phone"),)),
        ),
    )


def _match(state: ScreenState, line: Line, role: str) -> Item:
    """Return a match that waits for us, with the button that leads there."""
    name = line.id.removeprefix("back:")
    game = next(summary.game for summary in state.kept.history if summary.match == name)
    go = Action(f"go:{line.id}", _("Resume"), _go(line.id), role)
    about = (apart(line.about),)
    return Item(line.id, "card", str(line.text), about, game, cards_of(game)[:2], actions=(go,))


def _table(found: FoundTable, line: Line) -> Item:
    """Return a table with the button that leads there; its seats say whether one is free."""
    seats = _("{taken} of {seats} seats").format(taken=found.taken, seats=found.seats)
    status, *trust = line.about.split("  ")
    said = [] if found.state == "open" and found.protocol == PROTOCOL else [status]
    return Item(
        line.id,
        "card",
        found.nick,
        (f"{title_of(found.game)} · {found.table}",),
        found.game,
        cards_of(found.game)[:2],
        seats=(found.taken, found.seats),
        note=BETWEEN.join((seats, *said, *trust)),
        actions=_ways_in(found, line.id),
    )


def _ways_in(table: FoundTable, item: str) -> tuple[Action, ...]:
    """Return the button that leads to a table: none where the programs are too different."""
    if table.protocol != PROTOCOL:
        return ()
    label = _(WAYS_IN.get(table.state, WAYS_IN["playing"]))
    return (Action(f"go:{item}", label, _go(item), "soft" if table.state == "open" else ""),)


def _games() -> Section:
    """Return a tile for each game, and one for learning."""
    tiles = [
        Item(
            f"game:{game}",
            "tile",
            title_of(game),
            (about_of(game),),
            game,
            cards_of(game),
            icon="people",
            note=lobby.players(game),
            keys=_go(f"game:{game}"),
            key=str(number),
        )
        for number, game in enumerate(GAMES, 1)
    ]
    text, key, about = lobby.ACTIONS["learn"]
    learn = Item(
        "learn", "tile", _(text), (_(about),), cards=(LEARN,), keys=_go("learn"), key=letter(key)
    )
    return Section("games", _("What shall we play?"), items=(*tiles, learn))


def _ways(state: ScreenState) -> Section:
    """Return the ways to everything else; on a phone, whose program runs elsewhere, not the end."""
    text, key, about = lobby.ACTIONS["history"]
    history = Item(
        "history", "way", _(text), (_(about),), icon="clock", keys=_go("history"), key=letter(key)
    )
    end = Action(
        "quit",
        _("Close Sobremesa"),
        (letter(lobby.QUIT),),
        "leave",
        "close",
        ask=_("The program ends, and this window with it. Start it again when you like."),
    )
    return Section("ways", items=(history,), actions=() if state.kept.on_phone else (end,))
