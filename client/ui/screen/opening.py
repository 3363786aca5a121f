"""The form for a new table: the game, the company and the rules.

It tells the meaning of each choice, and the cost of leaving.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from client.i18n.sentences import said
from client.i18n.translation import _, later
from client.session.characters import USUAL, known_words
from client.session.table_choices import LONGEST_LIMIT_S, name_fault, next_limit, seats_for
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.games import about_of, title_of
from client.ui.games.characters import about_word, shown_word
from client.ui.games.options import price_of_leaving, title, value
from client.ui.screen import lobby
from client.ui.screen.kept import Form
from client.ui.screen.messages import Open
from client.ui.screen.parts import (
    ListItem,
    after,
    foot_line,
    foot_top,
    list_items,
    paragraph,
    title_line,
)
from client.ui.screen.state import Page, Result, ScreenState, TypedLine
from engine.core.options import BadOption
from engine.games import GAMES, complete_options
from p2p.table.house import HINTS

COMPANY = {
    "computer": (
        later("computer players"),
        later("A match against computer players, on this machine alone."),
    ),
    "network": (
        later("people on this network"),
        later("Everybody on this network sees your table, and may sit down."),
    ),
    "invite": (
        later("people I invite"),
        later("Only players with your invite may sit down; nobody else sees the table."),
    ),
}
"""The kinds of company: the text in the form, and its explanation."""
HINT_WORDS = {"none": later("none"), "told": later("told to all"), "free": later("free")}
WHO = "who"
"""The field of a page that is the part of the computers with names."""
PARTNERS_S = (0, 3, 6, 10, 20, 60)
"""The seconds that the form offers."""
LENGTHS: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    "escoba": {"quick": {"target": 11}, "usual": {"target": 21}, "long": {"target": 31}},
    "domino": {"quick": {"target": 10}, "usual": {"target": 20}, "long": {"target": 40}},
    "siete-y-media": {"quick": {"deals": 6}, "usual": {"deals": 12}, "long": {"deals": 24}},
    "truco": {"quick": {"target": 9}, "usual": {"target": 15}, "long": {"target": 30}},
    "kinaskak": {"quick": {"last_contract": 4}, "usual": {"last_contract": 8}},
}
"""How long matches of a game are, each by the options that make it so."""


def options_of(form: Form) -> tuple[Mapping[str, Any], str]:
    """Return the complete options of a form, and why they cannot be, if they cannot."""
    try:
        return complete_options(form.game, form.seats, dict(form.options)), ""
    except BadOption as error:
        defaults = GAMES[form.game].defaults(form.seats)
        return {**defaults, **form.options}, said(error)


def items(form: Form) -> list[ListItem]:
    """Return the fields, each with its value."""
    options, _why = options_of(form)
    company = _(COMPANY[form.company][0])
    fields = [
        ListItem("game", _("Game"), title_of(form.game)),
        ListItem("company", _("Play with"), company),
        ListItem("seats", _("Seats"), str(form.seats)),
    ]
    if form.company == "computer":
        fields.append(_computers(form))
    if form.company != "computer":
        fields.append(ListItem("bots", _("Computers among them"), str(form.bots)))
        if form.bots:
            fields.append(_computers(form))
        fields.append(ListItem("several", _("Computers of guests"), value(form.several)))
        fields.append(ListItem("spectators", _("Spectators"), value(form.spectators)))
        fields.append(ListItem("table", _("Name of the table"), form.name or _("picked for you")))
        fields.append(
            ListItem("limit", _("Time limit"), _("{seconds} s").format(seconds=form.limit))
        )
        fields.append(ListItem("hints", _("Hints"), _(HINT_WORDS[form.hints])))
    if partners_answer(form):
        fields.append(ListItem("partner", _("Computer partners"), partner_word(form.partner)))
    return fields + [
        ListItem(f"option:{name}", title(form.game, name), value(options[name], name))
        for name in effective(form)
    ]


def partners_answer(form: Form) -> bool:
    """Whether one partner may answer for another at this table."""
    game = GAMES[form.game]
    options, why = options_of(form)
    return not why and game.partners_answer and game(form.seats, options).sides < form.seats


def partner_word(seconds: int) -> str:
    """Return when a computer player answers in place of its partner."""
    return _("answer after {seconds} s").format(seconds=seconds) if seconds else _("leave answers")


def effective(form: Form) -> list[str]:
    """Return the options that have an effect with the others as they are."""
    game = GAMES[form.game]
    idle = game.without_effect(options_of(form)[0])
    return [name for name in game.choices if name not in idle]


def _computers(form: Form) -> ListItem:
    return ListItem(
        "computers", _("Computer level"), shown_word(form.game, form.computers or USUAL)
    )


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the fields, and below them what the chosen one means."""
    form = state.kept.form
    _options, why = options_of(form)
    title_line(canvas, heading(), title_of(form.game))
    fields = items(form)
    wanted = state.chosen or "game"
    end = foot_top(canvas, keys(state))
    rows = min(len(fields), end - 10)
    inside = canvas.box(Rect(1, 1, canvas.width - 2, rows + 2))
    list_items(
        canvas,
        inside,
        [replace(item, about=f"◀ {item.about} ▶") for item in fields],
        wanted,
        column=26,
    )
    text = Rect(3, rows + 4, canvas.width - 6, end - rows - 4)
    y = paragraph(canvas, text, explanation(form, wanted))
    if why:
        y = paragraph(canvas, Rect(text.x, y, text.width, 2), why, "bad")
    leaving = price_of_leaving(form.game, form.options, form.seats)
    paragraph(canvas, Rect(text.x, y + 1, text.width, max(0, text.bottom - y - 1)), leaving, "dim")
    foot_line(canvas, keys(state), state.notice)


def heading() -> str:
    """Return what stands above the page."""
    return _("A new table")


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now, with this field chosen."""
    form, wanted = state.kept.form, state.chosen or "game"
    start = _("play") if form.company == "computer" else _("open the table")
    option = GAMES[form.game].choices.get(wanted.removeprefix("option:"))
    typed = (
        [("0-9", _("how much"))]
        if wanted == "limit" or (option is not None and isinstance(option.values, range))
        else []
    )
    if wanted == "table":
        typed = [("a-z", _("type a name"))]
    return [
        ("Enter", start),
        ("↑↓", _("choose")),
        ("←→", _("change")),
        *typed,
        ("F1", _("rules")),
        ("Esc", _("back")),
    ]


def explanation(form: Form, field: str) -> str:
    """Say what a field of the form means, as it is set now."""
    kind, _colon, name = field.partition(":")
    if kind == "company":
        return _(COMPANY[form.company][1])
    if kind == "seats":
        return _("How many play, all told.")
    if kind == "bots":
        return _("How many of the seats computer players of this machine take.")
    if kind == "computers":
        count = form.seats - 1 if form.company == "computer" else form.bots
        return about_word(form.game, form.computers or USUAL, count)
    if kind == "several":
        return _(
            "Whether guests may bring computer players of their own, which vote as their player "
            "does."
        )
    if kind == "spectators":
        return _("Whether spectators are allowed. They see no hidden cards.")
    if kind == "table":
        return _("Others see the table under this name. The program makes one up if you type none.")
    if kind == "limit":
        return _("Seconds before an absent player can be voted out.")
    if kind == "hints":
        return _("Whether programs give hints in a match between people; told: all learn of each.")
    if kind == "partner":
        return _("Whether a computer player answers where its partner, a person, may answer too.")
    if kind == "option":
        return _(GAMES[form.game].choices[name].help)
    return about_of(form.game)


def press(state: ScreenState, key: str) -> Result | None:
    """Choose a field, change it; digits type a number."""
    form, fields = state.kept.form, items(state.kept.form)
    wanted = state.chosen or "game"
    match key:
        case "escape":
            return replace(state, page=Page.LOBBY, chosen=lobby.line_of(form)), ()
        case "enter":
            why = options_of(form)[1]
            return (
                (replace(state, notice=why), ())
                if why
                else (replace(state, notice=""), (Open(form),))
            )
        case "up" | "down" | "tab" | "s-tab":
            step = 1 if key in ("down", "tab") else -1
            return replace(
                state,
                chosen=after(fields, wanted, step),
                kept=replace(state.kept, form=replace(form, typed="")),
            ), ()
        case "left" | "right" | "+" | "-" | " " if wanted == "table":
            return replace(state, typed=TypedLine("table", form.name, prefilled=True)), ()
        case "left" | "right" | "+" | "-" | " ":
            return replace(
                state,
                kept=replace(
                    state.kept,
                    form=replace(
                        changed(form, wanted, -1 if key in ("left", "-") else 1), typed=""
                    ),
                ),
            ), ()
    if wanted == "table" and len(key) == 1 and key.isalnum():
        return replace(state, typed=TypedLine("table", key)), ()
    if key.isdecimal():
        return replace(state, kept=replace(state.kept, form=_typed(form, wanted, key))), ()
    return None


def named(state: ScreenState, name: str) -> ScreenState:
    """Return the state with a name for the table, or the reason against that name."""
    why = name_fault(name)
    return (
        replace(state, notice=why)
        if why
        else replace(state, kept=replace(state.kept, form=replace(state.kept.form, name=name)))
    )


def changed(form: Form, field: str, step: int) -> Form:
    """Return the form with a field set to its next value, or the one before.

    Names go round; numbers stop at their ends.
    """
    values, now = values_of(form, field), value_of(form, field)
    if field == "limit":
        return with_value(form, field, next_limit(form.limit, step))
    numbers = field in ("seats", "bots") or isinstance(values, range)
    return with_value(form, field, (_beside if numbers else _next)(values, now, step))


def value_of(form: Form, field: str) -> Any:
    """Return the value of a field; of the length, nothing if it is none of the usual ones."""
    kind, _colon, name = field.partition(":")
    if kind == "option":
        return options_of(form)[0][name]
    if kind == "length":
        options, known = options_of(form)[0], LENGTHS.get(form.game, {})
        return next(
            (name for name, length in known.items() if length.items() <= options.items()), ""
        )
    return form.computers or USUAL if kind == "computers" else getattr(form, kind)


def values_of(form: Form, field: str) -> Sequence[Any]:
    """Return the values that a field can have; the name of a table is typed."""
    kind, _colon, name = field.partition(":")
    if kind == "option":
        return GAMES[form.game].choices[name].values
    values: dict[str, Callable[[], Sequence[Any]]] = {
        "game": lambda: list(GAMES),
        "length": lambda: list(LENGTHS.get(form.game, {})),
        "company": lambda: list(COMPANY),
        "seats": lambda: list(GAMES[form.game].allowed_players),
        "bots": lambda: range(form.seats),
        "computers": lambda: known_words(form.game),
        "limit": lambda: range(1, LONGEST_LIMIT_S + 1),
        "hints": lambda: HINTS,
        "partner": lambda: PARTNERS_S,
    }
    return values.get(kind, lambda: [True, False])()


def with_value(form: Form, field: str, value: Any) -> Form:
    """Return the form with a field set to a value that it can have."""
    kind, _colon, name = field.partition(":")
    if kind == "game":
        computers = form.computers if form.computers in known_words(value) else ""
        return Form(
            value,
            seats_for(form.people, GAMES[value].allowed_players),
            form.company,
            computers=computers,
            name=form.name,
            limit=form.limit,
            people=form.people,
        )
    if kind == "length":
        return replace(form, options={**form.options, **LENGTHS[form.game][value]})
    if kind == "option":
        return replace(form, options={**form.options, name: value})
    return _sound(replace(form, **{kind: value}))


def set_field(state: ScreenState, field: str, value: str | bool | int) -> Result:
    """Set a field to a value that it can have, and to no other; a choice of numbers is words."""
    form = state.kept.form
    field = "computers" if field == WHO else field
    if field == "table" and isinstance(value, str) and form.company != "computer":
        return named(state, value.strip()), ()
    if field not in ("length", *(item.id for item in items(form))):
        return state, ()
    known = values_of(form, field)
    if isinstance(known, range) and isinstance(value, str) and value.isdecimal() and len(value) < 9:
        value = int(value)
    if isinstance(known, range):
        found = [value] if type(value) is int and value in known else []
    else:
        found = [one for one in known if value == (one if isinstance(one, bool) else str(one))]
        found = [one for one in found if isinstance(one, bool) == isinstance(value, bool)]
    if not found:
        return state, ()
    return replace(
        state, notice="", kept=replace(state.kept, form=with_value(form, field, found[0]))
    ), ()


def possible(form: Form, option: str, value: Any) -> bool:
    """Whether an option may have this value at so many seats, while all others are as usual."""
    try:
        complete_options(form.game, form.seats, {option: value})
    except BadOption:
        return False
    return True


def _sound(form: Form) -> Form:
    """Return a form whose computers have seats, and whose partners have too."""
    options = {
        name: value
        for name, value in form.options.items()
        if not isinstance(value, bool) or possible(form, name, value)
    }
    return replace(form, bots=min(form.bots, form.seats - 1), options=options)


def _next(values: Sequence[Any], now: Any, step: int) -> Any:
    return values[(values.index(now) + step) % len(values)]


def _beside(numbers: Sequence[int], now: int, step: int) -> int:
    return numbers[max(0, min(numbers.index(now) + step, len(numbers) - 1))]


def _typed(form: Form, field: str, digit: str) -> Form:
    """Return the form with one more digit of a number typed; one that cannot be begins anew."""
    numbers = values_of(form, field)
    for text in (form.typed + digit, digit):
        if len(text) < 9 and any(type(one) is int for one in numbers[:1]) and int(text) in numbers:
            return replace(with_value(form, field, int(text)), typed=text)
    first = field.startswith("option:") and isinstance(numbers, range)
    return replace(form, typed=digit) if first else form  # the first digit of a larger number
