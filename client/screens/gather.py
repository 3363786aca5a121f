"""A table that is filling: who sits there, who is still missing, and how others come."""

from __future__ import annotations

from client.desk import Desk
from client.games import shown_options, words_of
from client.screens.canvas import Canvas, Rect
from client.screens.play import foot_line, title_line
from client.words import _


def draw(desk: Desk, canvas: Canvas) -> None:
    """Draw the seats."""
    model = desk.match
    words = words_of(model.game)
    title_line(canvas, words.title or model.game, shown_options(model.game, model.options))
    inside = canvas.box(Rect(1, 2, canvas.width - 2, len(model.players) + 2), title=_("At this table"))
    for seat, player in enumerate(model.players):
        text = _("a free seat") if player is None else f"{model.names[seat]}   {player.fingerprint}"
        canvas.write(inside.x + 1, inside.y + seat, f"{seat + 1}  {text}", "dim" if player is None else "", inside.width - 2)
    foot_line(canvas, [("Esc", _("get up"))])
