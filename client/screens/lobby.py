"""The lobby: what can be played, and with whom."""

from __future__ import annotations

from dataclasses import replace

from client.desk import Desk, Form, Play
from client.games import words_of
from client.messages import Command, Quit
from client.screens.canvas import Canvas, Rect
from client.screens.play import foot_line, title_line
from client.status import Status
from client.words import _
from engine.games import GAMES


def draw(desk: Desk, canvas: Canvas) -> None:
    """Draw the games."""
    title_line(canvas, "Sobremesa", _("cards and dominoes, and nobody to trust"), desk.settings.nick)
    inside = canvas.box(Rect(1, 2, canvas.width - 2, len(GAMES) + 2), title=_("Play against the computer"))
    for row, name in enumerate(GAMES):
        words = words_of(name)
        style = "choice" if row == desk.cursor else ""
        canvas.write(inside.x + 1, inside.y + row, f" {words.title:14}", f"strong {style}")
        canvas.write(inside.x + 17, inside.y + row, _(words.about), "dim", inside.width - 18)
    if desk.notice:
        canvas.write(2, canvas.height - 3, desk.notice, "warn", canvas.width - 4)
    foot_line(canvas, [("↑↓", _("choose")), ("Enter", _("play")), ("q", _("quit"))])


def press(desk: Desk, key: str) -> tuple[Desk, tuple[Command, ...]] | None:
    """Choose, and play."""
    names = list(GAMES)
    if key in ("up", "down"):
        return replace(desk, cursor=(desk.cursor + (1 if key == "down" else -1)) % len(names)), ()
    if key == "enter":
        game = names[desk.cursor]
        seats = min(GAMES[game].allowed_players)
        return desk, (Play(Form(game, seats, seats - 1)),)
    if key in ("q", "escape"):
        return desk, (Quit(Status.OK),)
    return None
