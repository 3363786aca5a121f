"""Table setup as a view: the seats, the way in for others, and the terms."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from client.i18n.translation import _, letter, pgettext
from client.ui.games import title_of
from client.ui.model import Model
from client.ui.screen import phones, table_setup
from client.ui.screen.menu import WordsSheet
from client.ui.screen.parts import BETWEEN
from client.ui.screen.state import Page, ScreenState
from client.ui.seats import kind_at, nearest, side_at
from client.ui.view.action import Action
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Item, Section, View
from engine.core.moves import Seat

Keys = tuple[str, ...]
NICK = 40
"""Columns of a nick."""
FEW = 4
"""Seats round a table whose marks have room for two words."""
TOOLS = {"escape": "back", "f1": "book", "+": "plus", "-": "minus"}
"""The keys that are icons."""
NAMED = {"Enter": "enter", "F1": "f1", "Esc": "escape"}


def view(state: ScreenState) -> View:
    """Return the table that fills."""
    model = state.match
    (waiting, _style), *news = table_setup.news(state, None)
    buttons = {
        one.key: one for shown, label in table_setup.keys(state) for one in _buttons(shown, label)
    }
    invite, compare = (
        one.keys if (one := buttons.get(letter(key))) else ()
        for key in (table_setup.INVITE, table_setup.COMPARE)
    )
    buttons.pop(letter(table_setup.COMPARE), None)  # it stands at each person
    if isinstance(state.overlay, WordsSheet) and not state.compared:
        compare = ()
    waits = model.lobby.hosting and model.lobby.held and None in model.players and not invite
    missing = _("You can begin when every seat is taken, by a person or by a computer.")
    riddle = table_setup.read_aloud(model)
    signs = [buttons.pop(sign) for sign in "-+" if sign in buttons]
    order = sorted(buttons.values(), key=lambda one: one.role != "main")
    bots = sum(player is not None and player.bot for player in model.players)
    sits = model.lobby.hosting or bool(model.lobby.mine)
    asleep = state.kept.phones.asleep
    seats = tuple(_seat(model, seat, compare, invite, asleep) for seat in _in_order(model))
    return View(
        Page.TABLE_SETUP.value,
        "Sobremesa",
        heading=title_of(model.game),
        game=model.game,
        lines=(_("Table {name}").format(name=model.lobby.table),),
        back=buttons["escape"],
        tools=(buttons["f1"],),
        sections=(
            Section("news", waiting, tuple(line for line, _style in news if line != riddle)),
            Section("seats", items=seats, cards=cards_of(model.game)),
            *(
                [Section("computers", _("Computers"), (str(bots),), actions=tuple(signs))]
                if signs
                else []
            ),
            Section(
                "terms",
                lines=(missing,) if waits else (),
                actions=(
                    *(one for one in order if one.role != "tool"),
                    *([_gets_up()] if model.away else []),
                ),
            ),
            Section(
                "agreed",
                _("Agreed at this table") if sits else _("You agree to this by sitting down"),
                tuple(line for line, _style in table_setup.terms(model)),
                folded=sits,
            ),
        ),
    )


def _gets_up() -> Action:
    """Return the button of the way back, by the name that the news about an absent player use."""
    return Action("rise", _("put the match aside"), ("escape",))


def _buttons(shown: str, label: str) -> list[Action]:
    """Return the buttons of a pair of the last line of the full screen: a key has one."""
    return [_button(key, label) for key in shown.split()]


def _button(shown: str, label: str) -> Action:
    key = NAMED.get(shown, shown)
    longer = {
        "+": _("one more computer"),
        "-": _("one computer fewer"),
        letter(table_setup.INVITE): _("invite somebody"),
        letter(table_setup.SEATS): _("change seats"),
        letter(table_setup.PHONES): phones.title(),
    }
    role = "main" if key in ("enter", letter(table_setup.INVITE)) else ""
    icon = TOOLS.get(key, "link" if key == letter(table_setup.INVITE) else "")
    return Action(
        f"key:{key}", longer.get(key, label), (key,), "tool" if key in TOOLS else role, icon, key
    )


def places(
    model: Model, items: Sequence[Item], moves: Seat | None
) -> tuple[tuple[Item, ...], Sequence[Item]]:
    """Return a list of seats as places round the table, the nearest one first, and the other items.

    `moves` is the seat that changes places with another.
    """
    found = []
    for seat in _in_order(model):
        free = model.players[seat] is None
        name = table_setup.free() if free else model.names.short(seat, NICK)
        mark = (pgettext("seat", "this one"), "good") if seat == moves else None
        side = side_at(model, seat)
        place = replace(items[seat], kind="place", title=name, mark=mark, opened=free, side=side)
        found.append(place)
    return tuple(found), items[len(found) :]


def _in_order(model: Model) -> list[Seat]:
    """Return all seats, the nearest one first, as the table will show them."""
    count = len(model.players)
    return [(nearest(model) + place) % count for place in range(count)]


def _seat(model: Model, seat: Seat, compare: Keys, invite: Keys, asleep: Collection[str]) -> Item:
    """Return a seat: its player, our knowledge of the player, and the effect of a click on it."""
    item = Item(f"seat:{seat}", "seat", table_setup.free(), side=side_at(model, seat))
    if (player := model.players[seat]) is None:
        mark = (_("invite"), "link") if invite else None
        return replace(item, opened=True, mark=mark, keys=invite)
    beside, style = table_setup.beside_name(model, seat, player, asleep)
    if beside == player.fingerprint:  # which is read where words are compared
        beside = _("a person")
    if seat in model.lobby.mine and not player.bot:
        kind = kind_at(model, player)
        beside = f"{_('you')} · {kind}" if kind else _("you")
    known, mark = table_setup.known_as(player), None
    if player.trust == "trusted":
        mark = (known, "good")
    elif style != "warn":  # of a player who is away no more is said
        words = _("compare words") if len(model.players) <= FEW else pgettext("seat", "compare")
        mark = (words, "link") if seat in model.others and compare else None
        beside = BETWEEN.join(filter(None, (beside, known)))
    return replace(
        item,
        title=model.names.short(seat, NICK),
        lines=(beside,),
        mark=mark,
        icon="clock" if style == "warn" else "",
        keys=compare if seat in model.others and seat not in model.away else (),
    )
