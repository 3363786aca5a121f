"""A table that fills, in lines: its terms, and the players that come and go."""

from __future__ import annotations

from client.i18n.translation import Name, _, later, listed, ngettext
from client.session.messages import LobbySeat
from client.ui.games import about_of, title_of
from client.ui.games.characters import about_computers, strength_of
from client.ui.games.options import price_of_leaving, told
from client.ui.model import MatchPhase, Model
from client.ui.seats import (
    broken_off_line,
    guests_bring,
    house_lines,
    kind_at,
    partners_line,
    votes_line,
)
from engine.core.moves import Seat


def seats_free(count: int) -> str:
    """Return the sentence with the number of free seats."""
    return ngettext("{count} seat is free.", "{count} seats are free.", count).format(count=count)


def filling(before: Model, after: Model) -> list[str]:
    """Show the game of a new table; then the players that come and go."""
    new = _agreed(before) != _agreed(after)
    found = terms(after) if new else []
    known = before.players if not new else (None,) * len(after.players)
    for seat, (then, now) in enumerate(zip(known, after.players, strict=True)):
        if now == then:
            continue
        if now is None:
            found.append(_("p{number} is free again.").format(number=seat + 1))
        else:
            found.append(player_line(after, seat, now))
            found += filter(None, [broken_off_line(after.names[seat], now.broken_off)])
    free = after.players.count(None)
    if free and found:
        found.append(seats_free(free))
    partners = partners_line(after)
    if not free and found and partners and partners != partners_line(before):
        found.append(partners)
    if found and (votes := votes_line(after)) and votes != votes_line(before):
        found.append(votes)
    if not new and _sits(after) and not _sits(before):  # a guest: we saw the terms before we sat
        found.append(cost_of_leaving(after))
    if after.away and after.away != before.away:
        found.append(unsigned(after))
    return found


def _agreed(model: Model) -> tuple[object, ...]:
    """Return the choices of the host that a player accepts with a seat."""
    terms = model.game, model.options, len(model.players), model.limit
    return *terms, model.spectators, model.lobby.several, model.house


def unsigned(model: Model) -> str:
    """Say which seats are still missing for a match to which we have come back.

    The match waits for them, because we have not heard of their signatures.
    """
    who = listed([str(model.names[seat]) for seat in sorted(model.away)])
    return _("The match goes on when everybody is back. Still away: {who}.").format(who=who)


def terms(model: Model) -> list[str]:
    """Say the game, its options, and the price of leaving: before one sits down."""
    options = "; ".join(told(model.game, model.options))
    title = title_of(model.game)
    about = (
        _("{game}: {about}").format(game=title, about=said)
        if (said := about_of(model.game))
        else title
    )
    looked_at = _("Spectators are allowed. They see no hidden cards.") if model.spectators else ""
    leaving = cost_of_leaving(model) if _sits(model) else ""
    options = options and _("Options: {options}").format(options=options)
    found = (about, options, time_limit(model), looked_at, guests_bring(model), leaving)
    return [line for line in (*found, *house_lines(model)) if line]


def cost_of_leaving(model: Model) -> str:
    """Say what it costs our player to leave the match for good."""
    seats = len(model.players) - len(model.gone)
    return price_of_leaving(model.game, model.options, seats)


def _sits(model: Model) -> bool:
    """Whether a person of ours has a seat: a spectator and a computer player can leave nothing."""
    players = (
        model.players[seat] for seat in {model.names.me, *model.lobby.mine} if seat is not None
    )
    return any(player and not player.bot for player in players)


def time_limit(model: Model) -> str:
    """Say how long a player may keep the others waiting, before our player agrees to it.

    Say nothing if nobody can vote, or if only computers of this machine play.
    """
    filling = model.phase is MatchPhase.LOBBY and (None in model.players or model.others)
    if not filling or not model.votes_needed:
        return ""
    ends = model.ends_without()
    if not model.limit:
        goes = later(
            "As soon as the table waits for a player, the others may vote to go on without that "
            "player."
        )
        stops = later(
            "As soon as the table waits for a player, the others may vote to end the match without "
            "that player."
        )
        return _(stops if ends else goes)
    goes = later(
        "When the table has waited {seconds} s for a player, the others may vote to go on without "
        "that player."
    )
    stops = later(
        "When the table has waited {seconds} s for a player, the others may vote to end the match "
        "without that player."
    )
    return _(stops if ends else goes).format(seconds=model.limit)


def player_line(model: Model, seat: Seat, player: LobbySeat) -> str:
    """Return the line about a seat that is taken: the player, and the facts known of them."""
    who = model.names[seat]
    if " " in str(who) and not player.bot:  # several words could be taken for words of the program
        who = Name(_("“{words}”").format(words=who))
    facts = {"number": seat + 1, "who": who, "id": player.fingerprint}
    if not player.bot and (
        seat == model.names.me or (model.seat is None and seat in model.lobby.mine)
    ):
        return _("p{number}: {who}, that is you").format(**facts)
    if player.bot and (strength := strength_of(model.game, player.character)):
        line = _("p{number}: {who}, a computer player ({strength}). {about}")
        return line.format(
            **facts, strength=strength, about=about_computers(player.character)
        ).rstrip()
    if player.bot:
        return _("p{number}: {who}, a computer player").format(**facts)
    kind = kind_at(model, player)
    if player.computer and player.machine:
        return _("p{number}: {who}, {kind}").format(**facts, kind=kind)
    known = {
        "known": _("p{number}: {who}, fingerprint {id}, whom you have met"),
        "trusted": _("p{number}: {who}, fingerprint {id}, whom you trust"),
        "blocked": _("p{number}: {who}, fingerprint {id}, blocked"),
    }
    line = known.get(player.trust, _("p{number}: {who}, fingerprint {id}")).format(**facts)
    return _("{player}; {kind}").format(player=line, kind=kind) if kind else line
