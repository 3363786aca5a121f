"""The page of the phones that play through this program, and the sheet of a code, as views."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, letter
from client.ui.games.screen import CHOOSE
from client.ui.screen import phones, qr
from client.ui.screen.parts import capital
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Action, back
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Item, Section, Sheet, View


def view(state: ScreenState) -> View:
    """Return the page of phones."""
    new, *others = phones.items(state)
    items = tuple(
        Item(
            item.id,
            "way",
            str(item.text),
            (item.about,),
            opened=bool(visitor.page) and visitor.here,
            keys=(CHOOSE + item.id, "enter"),
        )
        for item, visitor in zip(others, state.kept.phones.visitors, strict=True)
    )
    add = Action(new.id, str(new.text), (CHOOSE + new.id, "enter"), "main", "plus")
    return View(
        Page.PHONES.value,
        "Sobremesa",
        heading=phones.title(),
        lines=tuple(filter(None, (phones.behind(state),))),
        back=back(),
        sections=(
            Section("add", cards=cards_of("escoba"), actions=(add,)),
            *([Section("phones", items=items)] if items else []),
            Section("about", lines=phones.about()),
        ),
    )


def sheet(state: ScreenState, back_: Action) -> Sheet:
    """Return the sheet of a code."""
    code = qr.svg(phones.address(state), phones.title()) if phones.shows_picture(state) else ""
    more = (phones.others(state, capital(_("other network"))),) if code else ()
    lines = tuple(
        f"`{line}`" if style == "strong" else line for line, style in phones.sheet_lines(state)
    )
    key = letter(phones.ANOTHER)
    late = state.kept.phones.code is not None and state.kept.phones.code.late
    role = "main" if late else "soft"
    if state.kept.phones.digits:
        back_ = replace(back_, label=_("do not let in"))
    actions = [back_, Action(f"key:{key}", _("another code"), (key,), role, key=key)]
    if state.kept.phones.others:
        key = letter(phones.ELSEWHERE)
        other = f"elsewhere:{state.kept.phones.others[0]}"
        actions.append(Action(other, _("other network"), (key,), "soft", key=key))
    if state.kept.phones.digits:
        key = letter(phones.LET_IN)
        let_in = f"let-in:{state.kept.phones.digits}"  # so a click means the phone that was seen
        actions.append(Action(let_in, _("let in"), (key,), "main", key=key))
    elif code:
        waits = _("waiting for the phone …")
        actions.append(Action("waits", waits, (), "main", off=True))
    found = tuple(line for line in (*lines, *more) if line)
    actions.sort(key=lambda one: one.role == "main")
    return Sheet("phone", phones.title(), found, svg=code, actions=tuple(actions))
