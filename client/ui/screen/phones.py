"""The page of the phones that play through this program, and the sheet with a code for one.

`client.ui.phone.keeper` says what there is, and carries out the commands.
"""

from __future__ import annotations

from base64 import b32encode
from dataclasses import replace

from client.i18n.translation import _, keyed, later, letter
from client.session.messages import Command
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.games import title_of
from client.ui.screen import qr
from client.ui.screen.kept import CodeShown, PhonesShown, VisitorShown
from client.ui.screen.messages import (
    DeleteVisitor,
    EndVisitor,
    HideCode,
    LetIn,
    RenameVisitor,
    ShowCode,
    UseAddress,
)
from client.ui.screen.overlay import QuestionSheet, QuitQuestion
from client.ui.screen.parts import (
    ListItem,
    along,
    foot_line,
    foot_top,
    list_items,
    paragraph,
    sentence,
    title_line,
)
from client.ui.screen.state import Overlay, Page, Result, ScreenState, TypedLine
from client.ui.wrap import wrapped

ANOTHER = keyed("n: another code")
LET_IN = keyed("l: let in")
ELSEWHERE = keyed("w: other network")
"""The keys on the sheet of a code."""
GROUP = 4
"""Letters of a code that stand together."""
ITS_OWN = 5
"""Letters by which the address of a code differs from others: with more the picture is larger."""
BESIDE = 22
"""Columns of the text beside a picture, at least."""


def items(state: ScreenState) -> list[ListItem]:
    """Return a way in for one more phone, and all visitors with their doings."""
    new = ListItem("new", _("Add a phone"), _("a code for a new player"))
    return [
        new,
        *(
            ListItem(f"visitor:{one.id}", called(one), doing(one))
            for one in state.kept.phones.visitors
        ),
    ]


def called(visitor: VisitorShown) -> str:
    """Return how a visitor is called; its player may not have given a name yet."""
    name = visitor.nick or _("A new player")
    return f"{name} ({visitor.twin})" if visitor.twin else name


def doing(visitor: VisitorShown) -> str:
    """Say what a visitor does now."""
    if not visitor.page:
        waits = later("a match waits for this player")
        return _(waits if visitor.bound else later("not here"))
    if visitor.game:
        playing = later("at a table: {game}"), later("playing {game}")
        said = _(playing[visitor.page == Page.PLAY.value]).format(game=title_of(visitor.game))
    else:
        said = _("here, not at a table")
    return said if visitor.here else _("{doing}; phone offline").format(doing=said)


def about() -> tuple[str, str]:
    """Return what everybody should know who plays so."""
    return (
        _(
            "The phone must be in the same network as this machine. If this machine sleeps or the "
            "program ends, the phones wait too."
        ),
        _(
            "A person who controls this machine could read the cards of its phones. So play like "
            "this with people who trust you."
        ),
    )


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the list of phones."""
    title_line(canvas, title(), "", where(state))
    found = items(state)
    foot = keys(state)
    space = foot_top(canvas, foot) - 1
    rows = min(len(found), space - 2)
    inside = canvas.box(Rect(1, 1, canvas.width - 2, rows + 2))
    longest = max(columns_of(item.text) for item in found)
    list_items(canvas, inside, found, cursor(state), column=longest + 4)
    y = rows + 4
    lines = [
        (behind(state), "turn" if state.match.asked else ""),
        *((one, "dim") for one in about()),
    ]
    for said, style in (line for line in lines if line[0]):
        y = paragraph(canvas, Rect(3, y, canvas.width - 6, space + 1 - y), said, style) + 1
    foot_line(canvas, foot, state.notice)


def title() -> str:
    """Return what stands above the page."""
    return _("Play on a phone")


def where(state: ScreenState) -> str:
    """Return the address at which phones come in, and say so while they do not."""
    return state.kept.phones.host or _("no phone can join right now")


def behind(state: ScreenState) -> str:
    """Say what goes on at the table behind the page, if there is one."""
    if state.place is Page.LOBBY or state.done:
        return ""
    if state.match.asked:
        return _("It is your turn. The table waits for you.")
    return _("You are still at the table.")


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    back = _("back") if state.place is Page.LOBBY else _("back to the table")
    return [("↑↓", _("choose")), ("Enter", _("go")), ("Esc", back)]


def cursor(state: ScreenState) -> str:
    """Return the item with the cursor."""
    found = [item.id for item in items(state)]
    return state.chosen if state.chosen in found else found[0]


def press(state: ScreenState, key: str) -> Result | None:
    """Choose, and go to the chosen item."""
    at = cursor(state)
    if reached := along(items(state), at, key):
        return replace(state, chosen=reached), ()
    if key == "escape":
        return replace(state, page=state.place, chosen="phones"), ()
    if key == "enter" and at == "new":
        return asks(state)
    if key == "enter":
        state = replace(state, chosen=at)
        return replace(state, overlay=VisitorSheet(called(_chosen(state)))), ()
    return None


def begin(state: ScreenState) -> Result:
    """Go to the page of phones, and if there are none make a code at once."""
    state = replace(state, page=Page.PHONES, chosen="")
    return (state, ()) if state.kept.phones.visitors else asks(state)


def asks(state: ScreenState, visitor: str = "") -> Result:
    """Ask for a code for the phone of a visitor, or for a new one."""
    return replace(state, notice=_("Making a code …")), (ShowCode(visitor),)


class VisitorSheet(Overlay):
    """The things that can be done with the chosen visitor."""

    NAME = "visitor"

    def items(self, state: ScreenState) -> list[ListItem]:
        visitor = _chosen(state)
        phone = later("New code for {name}'s phone"), later("New code for this phone")
        code = _(phone[not visitor.nick]).format(name=visitor.nick)
        off = ListItem("end", _("Disconnect"), _("a new code lets the phone in again"))
        return [
            ListItem("code", code, _("goes on with the same name and matches")),
            ListItem("rename", _("Rename"), _("the others see the new name")),
            *([off] if visitor.page else []),
            ListItem("delete", _("Remove with all matches"), _("cannot be undone")),
        ]

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet; it has no meaning once the visitor is gone."""
        return self if _chosen(state).id else None

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Do what was chosen, or ask first."""
        visitor = _chosen(state)
        match choice:
            case "code":
                return asks(state, visitor.id)
            case "rename":
                line = TypedLine("visitor", visitor.nick, prefilled=True)
                return replace(state, typed=line), ()
            case "end" if not visitor.bound:
                return state, (EndVisitor(visitor.id),)
            case "end":
                why = _(
                    "The others wait for {name}. The match can go on when you have made a new code "
                    "for this phone."
                )
                return _ask(state, EndVisitorQuestion, _("Disconnect {name}'s phone?"), why)
        why = _(
            "This deletes the name, the key and all matches of {name} from this machine. That "
            "cannot be undone."
        )
        if visitor.bound:
            why = f"{why} " + _(
                "The others at the table keep waiting for {name}: nobody tells them."
            )
        return _ask(state, DeleteVisitorQuestion, _("Remove {name}?"), why)


class EndVisitorQuestion(QuestionSheet):
    """Whether the phone of the chosen visitor is disconnected while others wait for it."""

    NAME = "end-visitor"
    GO, STAY = later("disconnect"), later("stay connected")

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the question; it has no meaning once the visitor is gone."""
        return self if _chosen(state).id else None

    def entered(self, state: ScreenState) -> Result:
        return state, (EndVisitor(_chosen(state).id),)


class DeleteVisitorQuestion(EndVisitorQuestion):
    """Whether the chosen visitor is removed."""

    NAME = "delete-visitor"
    GO, STAY = later("remove"), later("keep")

    def entered(self, state: ScreenState) -> Result:
        return state, (DeleteVisitor(_chosen(state).id),)


def _ask(state: ScreenState, kind: type[QuestionSheet], asked: str, why: str) -> Result:
    name = called(_chosen(state))
    return replace(state, overlay=kind(asked.format(name=name), (why.format(name=name),))), ()


def renamed(state: ScreenState, nick: str) -> Result:
    """Call the chosen visitor so."""
    return state, (RenameVisitor(_chosen(state).id, nick),) if nick else ()


def _chosen(state: ScreenState) -> VisitorShown:
    """Return the chosen visitor; an empty one if it is gone."""
    name = state.chosen.removeprefix("visitor:")
    found = (one for one in state.kept.phones.visitors if one.id == name)
    return next(found, VisitorShown(""))


def asked_before_the_end(state: ScreenState) -> Result | None:
    """Ask before the program ends while a visitor plays; None if none does."""
    playing = [called(one) for one in state.kept.phones.visitors if one.page and one.bound]
    if not playing or state.overlay is not None:
        return None
    why = _(
        "Playing on phones through this program: {names}. Their matches wait until you start it "
        "again."
    )
    sheet = QuitQuestion(_("Close Sobremesa?"), (why.format(names=", ".join(playing)),))
    return replace(state, overlay=sheet, typed=None), ()


def changed(state: ScreenState, now: PhonesShown, said: str) -> ScreenState:
    """Note the present phones; a code has a sheet on the page of phones."""
    said = sentence(said)
    before, kept = state.kept.phones, replace(state.kept, phones=now)
    state = replace(state, kept=kept, notice=said or state.notice)
    if state.page is not Page.PHONES:
        waits = _("A phone asks to be let in: see “Play on a phone”.")
        return replace(state, notice=waits) if now.digits and not before.digits else state
    if now.code is not None and before.code is None:
        return replace(state, overlay=CodeSheet(title()), notice=said, typed=None)
    return state


# The sheet of a code.


class CodeSheet(Overlay):
    """A code that lets a phone in, until the sheet is put away."""

    NAME = "phone"

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet as long as there is a code."""
        return self if state.kept.phones.code is not None else None

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        lets = [(letter(LET_IN), _("let in"))] if state.kept.phones.digits else []
        other = [(letter(ELSEWHERE), _("other network"))] if state.kept.phones.others else []
        return [*lets, (letter(ANOTHER), _("another code")), *other, ("Esc", _("back"))]

    def press(self, state: ScreenState, key: str) -> Result:
        """Make another code, let a phone in, or put the sheet away, with which its code ends."""
        code = state.kept.phones.code
        if key == letter(LET_IN) and state.kept.phones.digits:
            return state, (LetIn(state.kept.phones.digits),)
        if key == letter(ELSEWHERE) and state.kept.phones.others:
            return state, (UseAddress(state.kept.phones.others[0]),)
        if key == letter(ANOTHER) and code is not None:
            return state, (ShowCode(code.visitor),)
        if key == "escape":
            return replace(state, overlay=None), (HideCode(),)
        return state, ()

    def draw(self, state: ScreenState, canvas: Canvas) -> None:
        """Draw the code with its text beside it, or the text alone if there is no room."""
        light = qr.modules(address(state)) if shows_picture(state) and not state.kept.ascii else []
        wide, high = len(light), -(-len(light) // 2)
        end = foot_top(canvas, self.keys(state, fits=True))
        picture = bool(light) and wide + BESIDE + 4 <= canvas.width and high + 1 <= end
        x = wide + 3 if picture else 2
        width = min(canvas.width, wide + 44) - x - 1
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), "")
        title_line(canvas, title(), "")
        if picture:
            qr.draw_modules(canvas, 1, 1, light)
        y = 1
        more = others(state, _("other network"))
        extra = [(more, "dim")] if more and shows_picture(state) else []
        for line, style in [*sheet_lines(state), *extra]:
            broken = wrapped(line, width) if " " in line else _cut(line, width)
            for part in broken:
                if y < end:
                    canvas.write(x, y, part, style, width)
                    y += 1


def hidden(state: ScreenState) -> tuple[Command, ...]:
    """Return what follows when another sheet covers this one: no code is good that nobody sees."""
    return (HideCode(),) if isinstance(state.overlay, CodeSheet) else ()


def address(state: ScreenState) -> str:
    """Return the address that a phone opens, with the code."""
    code = state.kept.phones.code
    return address_of(state.kept.phones.host, "" if code is None else code.letters)


def address_of(host: str, letters: str) -> str:
    """Return the address of the page at a host, with a code.

    Each code has an address of its own. A page of somebody else may have been left in a browser
    under an earlier one, in another network where this address was theirs. The id of a code
    crosses the network anyway.
    """
    if not letters:
        return f"http://{host}/"
    from crypto.channel import Key, Kind, read_code  # noqa: PLC0415 - only for a code: start-up time

    name = b32encode(Key.of(Kind.CODE, read_code(letters)).id).decode().lower()
    return f"http://{host}/?{name[:ITS_OWN]}#{letters}"


def shows_picture(state: ScreenState) -> bool:
    """Whether a code can be scanned now."""
    code = state.kept.phones.code
    return code is not None and not code.late and not state.kept.phones.digits


def sheet_lines(state: ScreenState) -> list[tuple[str, str]]:
    """Return the text of the sheet: lines, each with its style."""
    code = state.kept.phones.code or CodeShown("", "")
    if state.kept.phones.digits:
        return [
            (_("A phone asks to be let in as {name}.").format(name=_named(state, code)), ""),
            (_("It shows these digits:"), ""),
            (state.kept.phones.digits, "strong"),
            (
                _(
                    "Let it in only if it is the phone in front of you, with the same digits. An "
                    "earlier phone of this player then has to leave."
                ),
                "",
            ),
        ]
    if code.late:
        return [(_("Five minutes have passed, and the code is void. Make another one."), "")]
    typed = [
        (f"http://{state.kept.phones.host}", "strong"),
        (in_groups(code.letters), "strong"),
    ]
    if code.silent:
        firewall = _("For experts: a firewall must let TCP port {port} in.")
        port = state.kept.phones.host.rpartition(":")[2]
        return [*typed, (why_silent(), "warn"), (firewall.format(port=port), "dim")]
    whose = _("For the phone of {name}").format(name=_named(state, code))
    return [
        *([(whose, "dim")] if code.again else []),
        (_("Scan this with the phone's camera, or open this address and type the code:"), ""),
        *typed,
        (_("It lets in one phone, within five minutes."), "dim"),
    ]


def why_silent() -> str:
    """Name the obstacles for a phone that does not ask for anything, and a way round them."""
    return _(
        "No phone has asked yet. It must be in the same Wi-Fi as this machine, and not in one for "
        "guests. If this machine asks whether others may reach Sobremesa, say yes. If nothing "
        "helps, connect this machine to a hotspot of the phone."
    )


def others(state: ScreenState, way: str) -> str:
    """Name the way to a code for another network of ours, if there is one."""
    if not state.kept.phones.others:
        return ""
    return _(
        "This machine is in two networks. If the phone finds nothing, choose “{other}”."
    ).format(other=way)


def in_groups(letters: str) -> str:
    """Return a code as it is typed."""
    return "-".join(letters[place : place + GROUP] for place in range(0, len(letters), GROUP))


def _named(state: ScreenState, code: CodeShown) -> str:
    return next((called(one) for one in state.kept.phones.visitors if one.id == code.visitor), "")


def _cut(line: str, width: int) -> list[str]:
    return [line[place : place + width] for place in range(0, len(line), width)]
