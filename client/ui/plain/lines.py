"""The lines of the plain interface: one event a line, no cursor, no colour needed.

Moves are typed in the notation of the rules.

Pure: the printed lines are a function of a message and of the model before and after it. For screen
readers, scripts and tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.i18n.notices import NOTICES
from client.i18n.sentences import LESSON_COMMANDS, PLAYERS_ONLY, REPLIES, TYPED_COMMANDS
from client.i18n.translation import Name, _, later, listed, unbroken
from client.session.messages import (
    Advised,
    Away,
    Back,
    Late,
    Lobby,
    Message,
    MoveRefused,
    News,
    Notice,
    Seated,
    Stored,
    Talked,
    TimeLeft,
    Trusted,
    Typed,
    Words,
)
from client.ui.games import lesson_of, words_of
from client.ui.games.options import rules_of
from client.ui.games.words import GameWords
from client.ui.model import MatchPhase, Model, Pending, Reply, legal_moves
from client.ui.phrases import heard, listing, remark_line
from client.ui.plain.absence import away, counted, late, time_left
from client.ui.plain.ending import QUIET, ending, stored
from client.ui.plain.filling import cost_of_leaving, filling, player_line, terms
from client.ui.seats import machine_lines
from client.ui.wrap import wrapped
from engine.core.moves import Hand, Seat, Why
from p2p.net.text import clean, columns
from p2p.table.events import (
    Asked,
    Dealt,
    Event,
    Moved,
    Opened,
    Over,
    Proved,
    Shuffled,
    Told,
    Tossed,
)

SHOWN_MOVES = 6
"""How many moves the question names; `help` names all."""
NOTICE_COLUMNS = 400


def lines(before: Model, message: Message, after: Model, width: int | None = None) -> list[str]:
    """Return the lines to print for a message, one event a line.

    On a terminal, they are broken to `width` columns.
    """
    return [part for line in _lines(before, message, after) for part in wrapped(line, width)]


def prompt(model: Model) -> str:
    """Return what stands before the line that is typed."""
    return _("Your move: ") if model.asked else "> "


def completions(model: Model) -> list[str]:
    """Return what might be typed now: the legal moves, then the commands."""
    moves = map(words_of(model.game).as_typed, legal_moves(model) if model.asked else ())
    return [*moves, *commands(model)]


def _lines(before: Model, message: Message, after: Model) -> list[str]:
    match message:
        case Lobby():
            return filling(before, after)
        case Seated():
            return _seated(before, after)
        case News():
            return _news(before, message, after)
        case Typed() | MoveRefused() | Advised():
            return [line for reply in after.reply for line in _reply(after, reply)]
        case Away():
            return [away(message, after)]
        case Late():
            return late(after, message)
        case TimeLeft():
            return [time_left(message, after)]
        case Back(seat):
            asked = before.pending is Pending.WITHOUT and seat in before.late
            over = [_("The vote is off: {who} is back.").format(who=after.names[seat])]
            return over if asked else [_("{who} is back.").format(who=after.names[seat])]
        case Stored(path, sealed):
            return stored(after, path, sealed=sealed)
        case Talked() | Words() | Trusted():
            return _from_person(after, message)
        case Notice():
            return [notice(message)]
    return []


def notice(message: Notice) -> str:
    """Return the sentence of a notice."""
    facts = {key: Name(clean(str(value), NOTICE_COLUMNS)) for key, value in message.params.items()}
    return _(NOTICES[message.id]).format(**facts)


def _from_person(model: Model, message: Talked | Words | Trusted) -> list[str]:
    """Show a remark; or the words to compare and the next step; or that it is done."""
    if isinstance(message, Talked):
        if not heard(model, message.seat, message.text, phrase=message.phrase):
            return []
        return [remark_line(model, message.seat, message.text, phrase=message.phrase)]
    if isinstance(message, Trusted):
        said = _("{who} ({id}) is trusted. Another key under that name will not be accepted.")
        place = model.seat_of(message.fingerprint)
        return (
            [said.format(who=model.names[place], id=message.fingerprint)]
            if place is not None
            else []
        )
    line = _("p{number}: {who} ({id}) must see the same with `words`: {words}")
    here = [
        (seat, who, words)
        for who, words in message.of.items()
        if (seat := model.seat_of(who)) is not None
    ]
    if not here:
        who = listed([str(model.names[seat]) for seat in model.others])
        if not who:
            return [_("There is nobody here to compare words with.")]
        return [
            _(
                "Not connected to you at the moment: {who}. The words come with the connection."
            ).format(who=who)
        ]
    found = [
        line.format(number=seat + 1, who=model.names[seat], id=who, words=words)
        for seat, who, words in here
    ]
    strangers = [
        seat
        for seat, _who, _words in here
        if (player := model.players[seat]) and player.trust != "trusted"
    ]
    then = _("If you have compared the words by voice and they are the same: trust p{number}")
    return [*found, *(then.format(number=seat + 1) for seat in strangers[:1])]


# The match.


def _seated(before: Model, after: Model) -> list[str]:
    if after.lesson:
        return [*lesson_of(after.game, after.options).welcome(), ""]
    found = [] if before.game else terms(after)
    found.append(_("The match begins. Match {id}").format(id=after.match[:16]))
    known = [(player.nick, player.fingerprint) for player in before.players if player]
    if [(player.nick, player.fingerprint) for player in after.players if player] == known:
        return found + machine_lines(after)  # they were shown when they sat down
    return found + [
        player_line(after, seat, player) for seat, player in enumerate(after.players) if player
    ]


def _news(before: Model, news: News, after: Model) -> list[str]:
    found = _repeated(news, after) if news.repeated else _event(after, news.event)
    if isinstance(news.event, Asked) and before.asked and not news.repeated:
        words = words_of(after.game)  # after a resume the table asks again when it may sign
        found = found if found != _question(before, words) else []
    called = (
        after.called if after.phase is MatchPhase.PLAYING and after.called != before.called else ()
    )
    if called and after.names.me not in called:
        found.append(whose_turn(after, list(called)))
    return found


def _repeated(news: News, after: Model) -> list[str]:
    """Retell an event: no past question is asked again, and at the end comes the state.

    The state is that after all of them, so that beside an earlier event it would be wrong.
    """
    found = [] if isinstance(news.event, Asked) else _event(after, news.event)
    if not news.last or after.view is None or after.phase is MatchPhase.OVER:
        return found
    words = words_of(after.game)
    question = _question(after, words) if after.asked else []
    return [*found, *(question or words.state(after.names, after.view))]


def whose_turn(model: Model, seats: Sequence[Seat]) -> str:
    """Say which seats are to play, and of our own that it is."""
    if model.names.me in seats:
        return _("It is your turn.")
    if len(seats) == 1:
        return _("It is {who}'s turn.").format(who=model.names[seats[0]])
    return _("Now {all} choose.").format(all=listed([str(model.names[seat]) for seat in seats]))


def _event(model: Model, event: Event) -> list[str]:
    words, names = words_of(model.game), model.names
    match event:
        case Shuffled(_deck, seats, cards):
            return [QUIET + words.shuffled(len(seats), cards)]
        case Tossed(sides, number):
            lot = names.label(number) if sides == len(names.nicks) else str(number + 1)
            return [QUIET + _("all draw a lot together; it falls to: {lot}").format(lot=lot)]
        case Dealt(_to, mine):
            return [_dealt(model, words, mine)] if mine else []
        case Opened(faces):
            return words.opened(faces)
        case Proved(seat):
            return [QUIET + words.proved(names, seat)]
        case Moved(seat, _move, text, auto):
            said = "" if auto else words.move(names, seat, text)
            return [said] if said else []
        case Told(happened):
            assert model.view is not None
            return words.told(names, model.view.game, happened)
        case Asked():
            return _question(model, words)
    found = ending(model, event)
    return (
        [*found, "", *lesson_of(model.game, model.options).farewell(model.game)]
        if model.lesson and isinstance(event, Over)
        else found
    )


def _dealt(model: Model, words: GameWords, mine: Hand) -> str:
    """Say what we got: a hand, or one card more to those we hold."""
    assert model.view is not None
    assert model.seat is not None
    more = len(model.view.game.hands[model.seat]) > len(mine)
    you = later("You draw: {cards}") if more else later("You are dealt: {cards}")
    other = later("{who} draws: {cards}") if more else later("{who} is dealt: {cards}")
    return model.names.say(model.seat, you, other, cards=words.cards(mine.values()))


def _question(model: Model, words: GameWords) -> list[str]:
    """Show the facts for a choice, and the moves to choose from."""
    if model.view is None or model.auto:
        return []
    page = ["", *lesson_of(model.game, model.options).page(model)] if model.lesson else []
    may = _("Your turn. You may: {moves}").format(moves=_moves_in_short(model, words))
    return [*page, *words.state(model.names, model.view), may]


def _moves_in_short(model: Model, words: GameWords) -> str:
    """Return the legal moves as far as they fit into a sentence."""
    assert model.view is not None
    moves = words.offered(model.view, list(legal_moves(model)))
    found = [unbroken(words.as_typed(move)) for move in moves]
    shown = "; ".join(found[:SHOWN_MOVES])
    return (
        _("{moves}; and more (`help` shows all)").format(moves=shown)
        if len(found) > SHOWN_MOVES
        else shown
    )


# Answers to typed lines.


def _reply(model: Model, reply: Reply) -> list[str]:
    words = words_of(model.game)
    match reply.id:
        case "refused":
            return _refused(model, words, reply.params["why"])
        case "help":
            return _help(model, words)
        case "rules":
            return rules_of(model.game, model.options)
        case "state":
            return _state(model, words)
        case "lesson":
            return lesson_of(model.game, model.options).page(model)
        case "hands":
            return hands(model)
        case "leave-price":
            return [cost_of_leaving(model), _("To leave all the same: leave yes")]
        case "without-price":
            return [
                *counted(model, reply.params["late"]),
                _("A vote cannot be taken back. To vote: without yes"),
            ]
        case "said" | "phrases":
            return _talk(model, reply)
        case "move-price":
            return [reply.params["price"], _("To do it all the same, type it once more.")]
        case "not-your-turn":
            others = [str(model.names[seat]) for seat in model.turn if seat != model.seat]
            waiting = [_("The table waits for {who}.").format(who=listed(others))] if others else []
            return [_(REPLIES[reply.id]), *waiting]
    return [_(REPLIES[reply.id]).format(**reply.params)]


def _talk(model: Model, reply: Reply) -> list[str]:
    """Show our own remark as the others see it; or the phrases."""
    if reply.id == "phrases" or model.seat is None:  # only a seat has said something
        return [_(REPLIES[reply.id]), f"  {listing()}"]
    return [remark_line(model, model.seat, **reply.params)]


def moves_to_type(model: Model) -> tuple[str, Sequence[str]]:
    """Return a heading and the moves that may be typed now, else examples; nothing without any."""
    words = words_of(model.game)
    if model.asked and model.view and (moves := words.offered(model.view, [*legal_moves(model)])):
        return _("You may:"), moves
    return ("", ()) if model.watches else (_("Moves look like this:"), words.examples)


def _help(model: Model, words: GameWords) -> list[str]:
    heading, moves = moves_to_type(model)
    found = [heading, *_glossed(words, moves)] if moves else []
    known = commands(model)
    wide = max(map(columns, known))
    return [
        *found,
        _("And besides:") if found else _("You can type:"),
        *(f"  {name:{wide}}  {_(about)}" for name, about in known.items()),
    ]


def commands(model: Model) -> Mapping[str, str]:
    """Return the commands that mean something at this table, with their descriptions."""
    if model.lesson:
        return LESSON_COMMANDS
    none: tuple[str, ...] = PLAYERS_ONLY if model.watches else ()
    if model.phase is MatchPhase.PLAYING and not model.votes_needed:
        none = (*none, "without")
    if not model.lobby.hosting or model.phase is not MatchPhase.LOBBY:
        none = (*none, "seats")
    if model.hints == "none":
        none = (*none, "hint")
    return {name: about for name, about in TYPED_COMMANDS.items() if name not in none}


def hands(model: Model) -> list[str]:
    """Name, in a lesson, the cards of the others."""
    words, view = words_of(model.game), model.view
    others = [seat for seat in range(len(model.players)) if seat != model.seat]
    held = (
        {
            seat: [model.laid[slot] for slot in view.game.hands[seat] if slot in model.laid]
            for seat in others
        }
        if view
        else {}
    )
    return [
        _("{who} holds: {cards}").format(who=model.names[seat], cards=words.cards(faces))
        for seat, faces in held.items()
    ]


def _glossed(words: GameWords, moves: Sequence[str]) -> list[str]:
    """List moves, with their meaning where it is not plain from their words."""
    wide = (
        max(columns(words.as_typed(move)) for move in moves if words.gloss(move))
        if any(map(words.gloss, moves))
        else 0
    )
    return [f"  {words.as_typed(move):{wide}}  {words.gloss(move)}".rstrip() for move in moves]


def not_allowed(words: GameWords, why: Why) -> str:
    """Say why a move is refused."""
    return _("Not allowed: {why}").format(why=words.why(why))


def _refused(model: Model, words: GameWords, why: Why) -> list[str]:
    """Say why a typed move is refused, and which words to type instead.

    If the rules give no particular reason, list the moves that are allowed.
    """
    said = " ".join(part for part in (not_allowed(words, why), words.typed(why)) if part)
    if why[0] != "not-allowed-now" or not model.asked:
        return [said]
    return [said, _("You may: {moves}").format(moves=_moves_in_short(model, words))]


def _state(model: Model, words: GameWords) -> list[str]:
    if model.view is None:
        return [_("The match has not begun.")]
    names, game = model.names, model.view.game
    found = [words.standing(names, game), *words.state(names, model.view)]
    if model.asked:
        found.append(_("It is your turn."))
    elif others := [seat for seat in model.view.turn if seat != model.seat]:
        found.append(whose_turn(model, others))
    return found
