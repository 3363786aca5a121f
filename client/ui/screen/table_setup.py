"""Table setup on the full screen: players, free seats, the way in for others, and terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from client.i18n.translation import _, keyed, later, letter, listed, ngettext
from client.session.messages import Compare, LobbySeat, Notice, Renew
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.games import title_of
from client.ui.games.characters import about_computers, strength_of
from client.ui.games.options import unusual
from client.ui.model import Model
from client.ui.plain.filling import (
    cost_of_leaving,
    player_line,
    seats_free,
    time_limit,
    unsigned,
)
from client.ui.plain.lines import notice
from client.ui.screen import phones, seating
from client.ui.screen.messages import Ready, Rise, SeatComputers
from client.ui.screen.overlay import QuestionSheet, QuitQuestion
from client.ui.screen.parts import foot_line, foot_top, paragraph, title_line
from client.ui.screen.qr import draw_code
from client.ui.screen.state import Overlay, Page, Result, ScreenState
from client.ui.seats import (
    broken_off_at,
    guests_bring,
    house_lines,
    kind_at,
    partners_line,
    side_at,
    votes_line,
)
from engine.core.moves import Seat

INVITE, COMPARE, SEATS = keyed("i: the invite"), keyed("w: compare words"), keyed("s: seats")
PHONES = keyed("h: phones")
"""The keys that are letters."""
RENEW = keyed("n: another invite")
"""The key on the sheet of the invite."""


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the seats, and below them what is waited for."""
    model = state.match
    title_line(canvas, title_of(model.game), model.lobby.table)
    inside = canvas.box(Rect(1, 1, canvas.width - 2, len(model.players) + 2), title=title())
    for seat, player in enumerate(model.players):
        y = inside.y + seat
        side = side_at(model, seat)
        canvas.write(inside.x + 1, y, f"{seat + 1}", f"side-{side}" if side else "dim")
        if player is None:
            canvas.write(inside.x + 4, y, free(), "dim")
            continue
        canvas.write(inside.x + 4, y, model.names.short(seat, 26), name_style(model, seat, player))
        beside, style = beside_name(model, seat, player, state.kept.phones.asleep)
        x = canvas.write(inside.x + 31, y, beside, style, inside.width - 32) + 2
        if player.trust == "trusted":
            canvas.write(x, y, "✓", "good")
        if columns_of(known := known_as(player)) <= inside.right - x - 3:
            canvas.write(x + 2, y, known, "dim")
    top = len(model.players) + 4
    text = Rect(3, top, canvas.width - 6, foot_top(canvas, keys(state)) - top)
    (waiting, style), *below = said(state, text.width - 2)
    y = paragraph(canvas, text, waiting, style) + 1
    for line, style in below:
        if y < text.bottom:
            y = paragraph(canvas, Rect(text.x, y, text.width, text.bottom - y), line, style)
    foot_line(canvas, keys(state), state.notice)


def title() -> str:
    """Return what stands above the seats."""
    return _("At this table")


def free() -> str:
    """Return what stands in the place of a name where nobody sits."""
    return _("a free seat")


def name_style(model: Model, seat: Seat, player: LobbySeat) -> str:
    """Return the style of a player's name: our own stands out."""
    return "turn" if seat in model.lobby.mine and not player.bot else "strong"


def beside_name(
    model: Model, seat: Seat, player: LobbySeat, asleep: Collection[str] = ()
) -> tuple[str, str]:
    """Return the text beside a player's name, and its style.

    The text is what the seat says of itself, or else the fingerprint of a player that is here.
    `asleep` are the players whose phones are away.
    """
    if seat in model.away:
        return _("away"), "warn"
    if player.fingerprint in asleep and seat not in model.lobby.mine:
        return _("phone offline"), "warn"
    if player.bot and (strength := strength_of(model.game, player.character)):
        return _("computer, {strength}").format(strength=strength), "dim"
    return kind_at(model, player) or player.fingerprint, "dim"


def said(state: ScreenState, width: int) -> list[tuple[str, str]]:
    """Return the lines below the seats, each with its style."""
    return [*news(state, width), *terms(state.match)]


def news(state: ScreenState, width: int | None) -> list[tuple[str, str]]:
    """Return the lines on how the table fills, each with its style: first what is waited for.

    An invite is broken to so many columns; without a width it has a sheet of its own.
    """
    model = state.match
    waiting = _waiting(model), "turn" if model.lobby.held and _ready(model) else "wait"
    below = [
        _way_in(state, width),
        (_("If you put the match aside, you can resume it later.") if model.away else "", "dim"),
        (state.only_here if _open(state) else "", "warn"),
        *((line, "warn") for line in broken_off_at(model)),
        (votes_line(model), "warn"),
        (read_aloud(model), "dim"),
        ("; ".join(unusual(model.game, len(model.players), model.options)), ""),
        (partners_line(model), ""),
        (_told(state), "dim"),
    ]
    return [waiting, *(item for item in below if item[0])]


def terms(model: Model) -> list[tuple[str, str]]:
    """Return the terms beside the options on which all agree who sit down, each with its style."""
    found = [
        (_("Spectators are allowed. They see no hidden cards.") if model.spectators else "", ""),
        (guests_bring(model), ""),
        *((line, "dim") for line in _characters(model)),
        (cost_of_leaving(model), "dim"),
        (time_limit(model), "dim"),
        *((line, "dim") for line in house_lines(model)),
    ]
    return [item for item in found if item[0]]


def _told(state: ScreenState) -> str:
    """Return the last line that was told, if the page does not show that already."""
    told = state.log[-1] if state.log else ""
    model = state.match
    drawn = told in (
        seats_free(model.players.count(None)),
        cost_of_leaving(model),
        *(player_line(model, seat, one) for seat, one in enumerate(model.players) if one),
        partners_line(model),
    )
    return "" if drawn or state.invite or state.cut_off or model.away else told


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    model = state.match
    found = []
    if model.lobby.held and _ready(model):
        found.append(("Enter", _("begin") if model.lobby.hosting else _("sit down")))
    bots = any(player is not None and player.bot for player in model.players)
    signs = [sign for sign, means in (("+", None in model.players), ("-", bots)) if means]
    if model.lobby.hosting and model.lobby.held and signs:
        found.append((" ".join(signs), _("computers")))
    if seating.may_arrange(model):
        found.append((letter(SEATS), _("seats")))
    if _open(state):
        found.append((letter(INVITE), _("the invite")))
    if _company(model):
        found.append((letter(COMPARE), _("compare words")))
    if not state.kept.on_phone:
        found.append((letter(PHONES), _("phones")))
    return [
        *found,
        ("F1", _("rules")),
        ("Esc", _going(model)),
    ]


def _going(model: Model) -> str:
    """Say what the way back does; a match that is resumed is put aside once more."""
    if model.seat is None:
        return _("back")
    return _("put aside") if model.away else _("get up")


def press(state: ScreenState, key: str) -> Result | None:
    """Be ready, call computer players, compare words, show the invite, get up."""
    model = state.match
    bots = sum(player is not None and player.bot for player in model.players)
    match key:
        case "escape" if asks_before_closing(model):
            return replace(state, overlay=closing(CloseQuestion, model)), ()
        case "escape":
            return replace(state, busy=""), (Rise(),)
        case "enter" if model.lobby.held and _ready(model):
            return state, (Ready(),)
        case "+" | "=" if model.lobby.hosting and model.lobby.held and None in model.players:
            return state, (SeatComputers(bots + 1),)
        case "-" if model.lobby.hosting and model.lobby.held and bots:
            return state, (SeatComputers(bots - 1),)
    if key == letter(COMPARE) and _company(model):
        return state, (Compare(),)
    if key == letter(SEATS) and seating.may_arrange(model):
        return replace(state, overlay=seating.sheet()), ()
    if key == letter(PHONES) and not state.kept.on_phone:
        return phones.begin(state)
    if key == letter(INVITE) and _open(state):
        return replace(state, overlay=InviteSheet(_("The invite"))), ()
    return None


def asks_before_closing(model: Model) -> bool:
    """Whether others lose something with our table: their seats, or the invite that they have."""
    return model.lobby.hosting and (
        bool(model.others) or (model.lobby.private and None in model.players)
    )


class CloseQuestion(QuestionSheet):
    """Whether our player gets up, which closes our table."""

    NAME = "close"
    GO, STAY = later("close it"), later("keep it open")

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        return closing(type(self), state.match) if state.place is Page.TABLE_SETUP else None

    def entered(self, state: ScreenState) -> Result:
        return state, (Rise(),)


class QuitTableQuestion(QuitQuestion):
    """Whether the program ends, and our table with it."""

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        return closing(type(self), state.match) if state.place is Page.TABLE_SETUP else None


class InviteSheet(Overlay):
    """The invite as a picture and as text."""

    NAME = "invite"

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet; without an invite or a free seat it has no meaning any more."""
        return self if _open(state) else None

    def own_keys(self, state: ScreenState) -> list[tuple[str, str]]:
        return [(letter(RENEW), _("another invite"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        return (state, (Renew(),)) if key == letter(RENEW) else None

    def draw(self, state: ScreenState, canvas: Canvas) -> None:
        draw_code(canvas, state.invite, self.title, picture=not state.kept.ascii)


def closing(kind: type[QuestionSheet], model: Model) -> QuestionSheet:
    """Return the question whether our table closes; its kind says what follows."""
    who = listed([str(model.names[seat]) for seat in model.others])
    said = ngettext(
        "Already at your table: {who}. If you close the table, this player must look for another.",
        "Already at your table: {who}. If you close the table, they must look for another.",
        len(model.others),
    )
    line = said.format(who=who) if who else _("Nobody else is at your table now.")
    invite = _("Its invite lets nobody in any more: another table has another invite.")
    return kind(_("Close the table?"), (line, *([invite] if model.lobby.private else [])))


def _characters(model: Model) -> list[str]:
    """Say how each character that sits here plays."""
    names = dict.fromkeys(
        player.character for player in model.players if player and player.character
    )
    return [
        _("{name}: {about}").format(name=name, about=about)
        for name in names
        if (about := about_computers(name))
    ]


def _way_in(state: ScreenState, width: int | None) -> tuple[str, str]:
    """Say how others join, and return its style; say nothing if they may not."""
    if _open(state):
        if width is None:
            return "", ""
        invite = _in_parts(state.invite, width)
        return _("Others join with: {invite}").format(invite=invite), "strong"
    if state.cut_off and None in state.match.players:
        return notice(Notice("no-invite")), "warn"
    return "", ""


def _open(state: ScreenState) -> bool:
    """Whether there is a seat for others, and something to give to them."""
    return bool(state.invite) and None in state.match.players


def _company(model: Model) -> list[LobbySeat]:
    """Return the players that are here with us.

    There are none until we have sat down, because they could not compare anything with us.
    """
    return (
        [player for seat, player in model.others.items() if seat not in model.away]
        if model.lobby.mine
        else []
    )


def read_aloud(model: Model) -> str:
    """Say what can be done about whom we do not trust yet, if there is anybody."""
    if all(player.trust == "trusted" for player in _company(model)):
        return ""
    return _("Compare words, aloud: if both of you have the same, nobody sits between you.")


def known_as(player: LobbySeat) -> str:
    """Say whether we know a key."""
    return {"known": _("you have met"), "trusted": _("trusted"), "blocked": _("blocked")}.get(
        player.trust, ""
    )


def _ready(model: Model) -> bool:
    """Return whether our player may say that it is ready.

    A guest that has seen the table may, and so may the host of a full one; nobody may while a
    match that we resume waits for somebody who is away.
    """
    return not model.away and (not model.lobby.hosting or None not in model.players)


def _in_parts(invite: str, width: int) -> str:
    """Return an invite with spaces where it must be broken, after a hyphen.

    A user who types it may leave them out.
    """
    lines = [""]
    for group in invite.split("-"):
        if lines[-1] and len(lines[-1]) + len(group) + 1 > width:
            lines.append("")
        lines[-1] += f"{group}-"
    return " ".join(lines)[:-1]


def _waiting(model: Model) -> str:
    free = model.players.count(None)
    if model.away:
        return unsigned(model)
    if not model.lobby.hosting and not model.lobby.mine:
        return (
            _("This is the game. Sit down when you are ready.")
            if model.lobby.held
            else _("Taking a seat …")
        )
    if free:
        waiting = ngettext(
            "Waiting for {count} more player.", "Waiting for {count} more players.", free
        )
        return waiting.format(count=free)
    if model.lobby.hosting:
        return (
            _("All seats are taken. You may begin.") if model.lobby.held else _("All are signing …")
        )
    return _("All seats are taken. The match begins when the host says so.")
