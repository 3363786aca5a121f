"""The form for a new table as a view: presets and company first, house rules below."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from client.i18n.translation import NO_BREAK, _, later, ngettext
from client.session.characters import STRENGTHS
from client.session.table_choices import LIMITS_S, LONGEST_NAME
from client.ui.games import title_of
from client.ui.games.characters import about_computers, shown_word
from client.ui.games.options import price_of_leaving, title, told, value
from client.ui.screen import opening, table_setup
from client.ui.screen.kept import Form
from client.ui.screen.parts import sentence
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Action, back
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Field, Section, View
from client.ui.view.table_parts import TableSeat
from engine.games import GAMES

LENGTHS = {"quick": later("quick"), "usual": later("usual"), "long": later("long")}
PARTNERS = ("teams", "partners")
"""The options by which seats play together: they stand beside the number of seats."""
ASIDE = ("several", "spectators", "table", "limit", "hints", "partner")
"""The fields of a table that few change."""
FIRST, LAST = "first_contract", "last_contract"
"""The options that say how many rounds a match of Kínaskák has."""
FEW = 10
"""Numbers that are offered one by one; of more, one is typed."""
MINUTE = 60


def view(state: ScreenState) -> View:
    """Return the form."""
    form = state.kept.form
    _options, why = opening.options_of(form)
    names = _names(form)
    aside = [_field(form, name) for name in names if name in ASIDE]
    start = dict(opening.keys(state))["Enter"]
    keys = () if why else ("enter",)
    return View(
        Page.OPEN.value,
        "Sobremesa",
        heading=opening.heading(),
        lines=(_summary(form),),
        back=back(),
        game=form.game,
        tools=(Action("key:f1", _("rules"), ("f1",), "tool", "book", "f1"),),
        sections=(
            Section("form", fields=tuple(_field(form, one) for one in names if one not in ASIDE)),
            *(
                [Section("aside", _("More about the table"), fields=tuple(aside), folded=True)]
                if aside
                else []
            ),
            _house(form),
            Section(
                "plan",
                _("How you will sit"),
                (price_of_leaving(form.game, form.options, form.seats),),
                seats=_seats(state, why),
                cards=cards_of(form.game),
            ),
            Section(
                "foot",
                lines=tuple(sentence(line) for line in (why or state.notice,) if line),
                actions=(Action("key:enter", start, keys, "main", "play", "enter", off=bool(why)),),
            ),
        ),
    )


def _names(form: Form) -> list[str]:
    """Return the fields but for the house rules, in the order in which one thinks of them."""
    game, company, seats, *more = (
        item.id for item in opening.items(form) if not item.id.startswith("option:")
    )
    partners = [f"option:{name}" for name in PARTNERS if _free(form, name)]
    length = ["length"] if form.game in opening.LENGTHS else []
    if "computers" in more:
        more.insert(more.index("computers") + 1, opening.WHO)
    return [game, seats, *partners, *length, company, *more]


def _free(form: Form, option: str) -> bool:
    """Whether there is a choice about partners at so many seats, or a wrong one was made."""
    known = GAMES[form.game].choices.get(option)
    if known is None:
        return False
    return option in form.options or all(
        opening.possible(form, option, one) for one in known.values
    )


def _house(form: Form) -> Section:
    """Return the rules of the house; folded, it names those that are not the usual ones."""
    options, usual = opening.options_of(form)[0], GAMES[form.game].defaults(form.seats)
    names = [name for name in opening.effective(form) if name not in PARTNERS]
    length = {name for one in opening.LENGTHS.get(form.game, {}).values() for name in one}
    own = [name for name in names if options[name] != usual[name] and name not in length]
    said = told(form.game, {name: options[name] for name in own})
    return Section(
        "house",
        _("House rules"),
        ("; ".join(said) or _("as usual"),),
        fields=tuple(_field(form, f"option:{name}") for name in names),
        folded=True,
    )


def _field(form: Form, name: str) -> Field:
    """Return a field of the form with its meaning, as native controls have it."""
    option = name.removeprefix("option:")
    if name == "length":
        (kind,) = opening.LENGTHS[form.game]["usual"]
        about = _("Rounds in a match") if kind == LAST else title(form.game, kind)
        label = _("Length")
    elif name in ("computers", opening.WHO):
        return _computers(form, name)
    else:
        label = next(str(item.text) for item in opening.items(form) if item.id == name)
        about = "" if name in ("seats", "bots") else opening.explanation(form, name)
    if name == "table":
        hint = _("picked for you")
        return Field(name, "text", label, about, form.name, hint=hint, limit=LONGEST_NAME)
    values, now = opening.values_of(form, name), opening.value_of(form, name)
    if name == "game":
        games = [(one, title_of(one)) for one in values]
        cards = tuple(cards_of(one)[:2] for one in values)
        return Field(name, "game", label, about, now, choices=tuple(games), cards=cards)
    if isinstance(now, bool):
        return Field(name, "switch", label, about, on=now)
    if name == "limit":
        values = sorted({*LIMITS_S, now})
    elif isinstance(values, range) and len(values) > FEW:
        return Field(name, "number", label, about, str(now), least=values[0], limit=values[-1])
    words = tuple((str(one), _word(form, name, option, one)) for one in values)
    return Field(name, "choice", label, about, str(now), choices=words)


def _computers(form: Form, name: str) -> Field:
    """Return the strength of the computer players, or their names: one choice in two rows."""
    strong, now = name == "computers", opening.value_of(form, "computers")
    label = _("Computer level") if strong else _("Or by name")
    words = [one for one in opening.values_of(form, "computers") if (one in STRENGTHS) == strong]
    choices = tuple((one, shown_word(form.game, one)) for one in words)
    about = about_computers(now) if now in words else ""
    return Field(name, "choice", label, about, now if now in words else "", choices=choices)


def _word(form: Form, name: str, option: str, one: Any) -> str:
    """Return the word for a value."""
    match name:
        case "length":
            ((kind, number),) = opening.LENGTHS[form.game][one].items()
            if kind == LAST:
                number -= opening.options_of(form)[0][FIRST] - 1
            return f"{_(LENGTHS[one])} · {number}" if number > 0 else _(LENGTHS[one])
        case "company":
            return _(opening.COMPANY[one][0])
        case "hints":
            return _(opening.HINT_WORDS[one])
        case "partner":
            return re.sub(r"(?<=\d) ", NO_BREAK, opening.partner_word(one))
        case "limit" if one >= MINUTE and one % MINUTE == 0:
            return _("{minutes} min").format(minutes=one // MINUTE)
        case "limit":
            return _("{seconds} s").format(seconds=one)
    return value(one, option)


def _seats(state: ScreenState, why: str) -> tuple[TableSeat, ...]:
    """Return the seats as they will be: ours, those of computers, and free ones."""
    form = state.kept.form
    rules, computers = GAMES[form.game], form.seats - 1 if form.company == "computer" else form.bots
    sides = form.seats if why else rules(form.seats, opening.options_of(form)[0]).sides
    found = [TableSeat("place:0", state.kept.nick, 0, you=True)]
    free = _("your guest") if form.company == "invite" else table_setup.free()
    for seat in range(1, form.seats):
        name, mark = (_("computer"), "computer") if seat <= computers else (free, "")
        found.append(TableSeat(f"place:{seat}", name, seat, mark=mark, free=not mark))
    if sides == form.seats:
        return tuple(found)
    return tuple(replace(one, side="ab"[one.number % sides]) for one in found)


def _summary(form: Form) -> str:
    """Return the table in a line."""
    players = ngettext("{count} player", "{count} players", form.seats).format(count=form.seats)
    return f"{title_of(form.game)} · {players} · {_(opening.COMPANY[form.company][0])}"
