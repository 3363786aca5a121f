"""Table setup as a view: the seats, the way in for others, and the terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, letter, pgettext
from client.session.messages import LobbySeat
from client.ui.games import title_of
from client.ui.model import Model
from client.ui.screen import table_setup
from client.ui.screen.state import Page, ScreenState
from client.ui.seats import kind_at, side_at
from client.ui.view.action import Action
from client.ui.view.parts import Item, Section, View
from client.ui.view.table_parts import TableSeat
from engine.core.moves import Seat

NICK = 40
"""Columns of a nick."""
ICONS = {table_setup.INVITE: "link", table_setup.COMPARE: "check"}
NAMED = {"Enter": "enter", "F1": "f1", "Esc": "escape"}


def view(state: ScreenState) -> View:
    """Return the table that fills."""
    model = state.match
    (waiting, _style), *news = table_setup.news(state, None)
    buttons = [one for pair in table_setup.keys(state) for one in _buttons(*pair)]
    buttons.sort(key=lambda one: one.role != "main")
    seats = tuple(_seat(model, seat, player) for seat, player in enumerate(model.players))
    return View(
        Page.TABLE_SETUP.value,
        "Sobremesa",
        heading=title_of(model.game),
        game=model.game,
        lines=(model.table,),
        back=next(one for one in buttons if one.id == "key:escape"),
        sections=(
            Section("seats", table_setup.title(), items=seats),
            Section(
                "terms",
                waiting,
                tuple(line for line, _style in news),
                actions=tuple(one for one in buttons if one.id != "key:escape"),
            ),
            Section(
                "agreed",
                _("The rules of this table"),
                tuple(line for line, _style in table_setup.terms(model)),
                folded=True,
            ),
            Section("plan", seats=_round(model)),
        ),
    )


def _buttons(shown: str, label: str) -> list[Action]:
    """Return the buttons of a pair of the last line of the full screen: a key has one."""
    return [_button(key, label) for key in shown.split()]


def _button(shown: str, label: str) -> Action:
    key = NAMED.get(shown, shown)
    longer = {
        "+": _("one more computer"),
        "-": _("one computer fewer"),
        letter(table_setup.INVITE): _("invite somebody"),
    }
    label = longer.get(key, label)
    icon = next((icon for name, icon in ICONS.items() if letter(name) == key), "")
    if key == "escape":
        return Action("key:escape", label, ("escape",), "tool", "back", "escape")
    sign = {"+": "plus", "-": "minus"}.get(key, "")
    role = "main" if key in ("enter", letter(table_setup.INVITE)) else ""
    icon = "book" if key == "f1" else sign or icon
    return Action(f"key:{key}", label, (key,), role, icon, key)


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
    first = model.mine[0] if model.mine else 0
    return [(first + place) % len(model.players) for place in range(len(model.players))]


def _round(model: Model) -> tuple[TableSeat, ...]:
    return tuple(_place(model, seat, model.players[seat]) for seat in _in_order(model))


def _place(model: Model, seat: Seat, player: LobbySeat | None) -> TableSeat:
    name = table_setup.free() if player is None else model.names.short(seat, NICK)
    mark = "computer" if player is not None and player.bot else ""
    side = side_at(model, seat)
    you = seat in model.mine
    return TableSeat(f"place:{seat}", name, seat, you, side, mark=mark, free=player is None)


def _seat(model: Model, seat: Seat, player: LobbySeat | None) -> Item:
    """Return a seat: its player, and our knowledge of the player."""
    if player is None:
        return Item(
            f"seat:{seat}", "seat", table_setup.free(), opened=True, side=side_at(model, seat)
        )
    beside, style = table_setup.beside_name(model, seat, player)
    if beside == player.fingerprint:  # which is read where words are compared
        beside = _("a person")
    if seat in model.mine and not player.bot:
        kind = kind_at(model, player)
        beside = f"{_('you')} · {kind}" if kind else _("you")
    known = table_setup.known_as(player)
    return Item(
        f"seat:{seat}",
        "seat",
        model.names.short(seat, NICK),
        (beside,),
        mark=(known, "good" if player.trust == "trusted" else "") if known else None,
        icon="clock" if style == "warn" else "",
        side=side_at(model, seat),
    )
