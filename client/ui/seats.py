"""The words of a seat about its player, and about the program that runs it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from client.i18n.translation import Name, _, listed, ngettext
from client.session.messages import LobbySeat
from client.ui.model import Model, Names
from engine.core.moves import Seat
from engine.core.options import BadOption
from engine.games import GAMES, UnknownGame, new_game


def kind_of(
    player: LobbySeat,
    players: Sequence[LobbySeat | None],
    names: Names,
    ours: Collection[Seat | None] = (),
) -> str:
    """Return what a seat says of its player; empty for a person at their own program.

    `players` are those of its table, by seat; `ours` are the seats of this process.
    """
    owners = (seat for seat, one in enumerate(players) if one and one.fingerprint == player.machine)
    owner = next(owners, None) if player.machine else None
    here = owner is not None and owner in ours
    computer = player.bot or player.computer
    if computer and (here or not player.machine):
        return _("computer")
    if not player.machine:
        return ""
    machine = listed([player.machine if owner is None else str(names[owner])])
    if computer:
        return _("computer of {who}").format(who=machine)
    return _("on this machine") if here else _("on the machine of {who}").format(who=machine)


def kind_at(model: Model, player: LobbySeat) -> str:
    """Return what a seat of our table says of its player."""
    return kind_of(player, model.players, model.names, (model.seat, *model.lobby.mine))


def machine_at(model: Model, seat: Seat) -> str:
    """Say whose machine a person at our table plays through; nothing if it is the person's own."""
    player = model.players[seat] if seat < len(model.players) else None
    if player is None or not player.machine or player.bot or player.computer:
        return ""
    return kind_at(model, player)


def owner_at(model: Model, seat: Seat) -> str:
    """Name the player through whose machine a seat plays; empty if that one is not at the table."""
    player = model.players[seat]
    owner = model.seat_of(player.machine) if player is not None and player.machine else None
    return "" if owner is None else str(model.names[owner])


def machine_lines(model: Model) -> list[str]:
    """Say of each person at our table who plays through another machine whose it is."""
    found = []
    for seat, player in enumerate(model.players):
        if player is not None and (machine := machine_at(model, seat)):
            line = _("{who} plays {machine}, which could read these cards.")
            found.append(line.format(who=model.names[seat], machine=machine))
    return found


def changed(count: int, one: Seat, other: Seat) -> tuple[Seat, ...]:
    """Return the order of so many seats in which two have changed places."""
    order = list(range(count))
    order[one], order[other] = other, one
    return tuple(order)


def nearest(model: Model) -> Seat:
    """Return the seat that is shown nearest to our player: ours, or the one that we may take."""
    if model.lobby.mine:
        return model.lobby.mine[0]
    return model.players.index(None) if None in model.players else 0


def side_at(model: Model, seat: Seat) -> str:
    """Return the letter of a seat's side, if partners play: `a` is that of the nearest seat."""
    sides = _sides(model.game, len(model.players), tuple(sorted(model.options.items())))
    if sides == len(model.players):
        return ""
    return "a" if (seat - nearest(model)) % sides == 0 else "b"


def partners_line(model: Model) -> str:
    """Name the players of both sides, if partners play and each side has a player."""
    names: dict[str, list[str]] = {"": [], "a": [], "b": []}
    for seat, player in sorted(enumerate(model.players), key=lambda one: one[1] is None):
        names[side_at(model, seat)].append(str(model.names[seat]) if player else _("a free seat"))
    empty = [[], [_("a free seat")]]
    if names[""] or names["a"][:1] in empty or names["b"][:1] in empty:
        return ""
    ours, theirs = listed(names["a"]), listed(names["b"])
    return _("{ours} play against {theirs}.").format(ours=ours, theirs=theirs)


@lru_cache(maxsize=16)
def _sides(game: str, seats: int, options: tuple[tuple[str, Any], ...]) -> int:
    """Return how many sides there are at a table; as many as seats if its game is unknown."""
    try:
        return new_game(game, seats, dict(options)).sides
    except (UnknownGame, BadOption):
        return seats


def house_lines(model: Model) -> list[str]:
    """Say the house rules of a table that fills."""
    hints = {
        "none": _("Between people the programs give no hints."),
        "told": _("The programs give hints, and tell all players of each."),
        "free": _("The programs give hints."),
    }
    found = [hints[model.house.hints]] if model.others or None in model.players else []
    if side_at(model, 0) and GAMES[model.game].partners_answer:
        leaves = _("A computer player leaves answers to its partner, if that is a person.")
        waits = _("A computer player answers in place of its partner after {seconds} s.")
        found.append(waits.format(seconds=model.house.partner) if model.house.partner else leaves)
    return found


def guests_bring(model: Model) -> str:
    """Say that guests may bring computer players, if they may."""
    return _("Guests may bring computer players.") if model.lobby.several else ""


def votes_line(model: Model) -> str:
    """Warn of a machine with more than half of the seats, if people play through it.

    It can give the votes of all of them.
    """
    seats = [player for player in model.players if player]
    visitors = {player.machine for player in seats if player.machine and not player.computer}
    for machine in sorted(visitors):
        held = sum(machine in (player.machine, player.fingerprint) for player in seats)
        owners = [
            seat for seat, one in enumerate(model.players) if one and one.fingerprint == machine
        ]
        if 2 * held > len(model.players):
            who = str(model.names[owners[0]]) if owners else machine
            sentence = _(
                "More than half of the seats play through the machine of {who}, which could also "
                "vote for them."
            )
            return sentence.format(who=Name(who))
    return ""


def broken_off_line(nick: str, count: int) -> str:
    """Say how many matches a player broke off while behind; nothing if there is none."""
    if not count:
        return ""
    sentence = ngettext(
        "{who} broke off {count} match with you while behind, and has not come back to it.",
        "{who} broke off {count} matches with you while behind, and has not come back to them.",
        count,
    )
    return sentence.format(who=Name(nick), count=count)


def broken_off_at(model: Model) -> list[str]:
    """Return these sentences for the players at our table."""
    lines = (
        broken_off_line(model.names[seat], player.broken_off)
        for seat, player in enumerate(model.players)
        if player
    )
    return [line for line in lines if line]
