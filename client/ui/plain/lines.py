"""The lines of the plain interface: one event a line, no cursor, no colour needed.

Moves are typed in the notation of the rules.

Pure: the printed lines are a function of a message and of the model before and after it. For screen
readers, scripts and tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.i18n.notices import NOTICES
from client.i18n.sentences import COMMANDS, LESSON_COMMANDS, REPLIES
from client.i18n.translation import Name, _, later, listed, ngettext, unbroken
from client.session.messages import (
    Advised,
    Away,
    Back,
    Late,
    Lobby,
    LobbySeat,
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
from client.ui.games import about_of, lesson_of, title_of, words_of
from client.ui.games.characters import about_computers, strength_of
from client.ui.games.options import price_of_leaving, rules_of, told
from client.ui.games.words import GameWords
from client.ui.model import MatchPhase, Model, Pending, Reply, legal_moves
from client.ui.phrases import listing, remark_line
from client.ui.plain.absence import away, counted, late, time_left
from client.ui.plain.ending import QUIET, ending, stored
from client.ui.seats import broken_off_line, guests_bring, kind_at
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
    return [*(legal_moves(model) if model.asked else ()), *_commands(model)]


def _lines(before: Model, message: Message, after: Model) -> list[str]:
    match message:
        case Lobby():
            return _lobby(before, after)
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
        if not model.hears(message.seat):
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
        return [_("There is no link to anybody here, so there are no words to compare.")]
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


# Before the match.


def seats_free(count: int) -> str:
    """Return the sentence with the number of free seats."""
    return ngettext("{count} seat is free.", "{count} seats are free.", count).format(count=count)


def _lobby(before: Model, after: Model) -> list[str]:
    """Show the game of a new table; then the players that come and go."""
    new = _agreed(before) != _agreed(after)
    found = _terms(after) if new else []
    known = before.players if not new else (None,) * len(after.players)
    for seat, (then, now) in enumerate(zip(known, after.players, strict=True)):
        if now == then:
            continue
        if now is None:
            found.append(_("p{number} is free again.").format(number=seat + 1))
        else:
            found.append(_player(after, seat, now))
            found += filter(None, [broken_off_line(after.names[seat], now.broken_off)])
    free = after.players.count(None)
    if free and found:
        found.append(seats_free(free))
    if after.away and after.away != before.away:
        found.append(unsigned(after))
    return found


def _agreed(model: Model) -> tuple[object, ...]:
    """Return the choices of the host that a player accepts with a seat."""
    terms = model.game, model.options, len(model.players), model.limit
    return *terms, model.spectators, model.several


def unsigned(model: Model) -> str:
    """Say which seats are still missing for a match to which we have come back.

    The match waits for them, because we have not heard of their signatures.
    """
    who = listed([str(model.names[seat]) for seat in sorted(model.away)])
    return _("Play begins when all have signed. Still missing: {who}.").format(who=who)


def _terms(model: Model) -> list[str]:
    """Say the game, its options, and the price of leaving: before one sits down."""
    options = "; ".join(told(model.game, model.options))
    title = title_of(model.game)
    about = (
        _("{game}: {about}").format(game=title, about=said)
        if (said := about_of(model.game))
        else title
    )
    looked_at = _("Spectators are allowed. They see no hidden cards.") if model.spectators else ""
    ours = [
        player
        for seat in {model.names.me, *model.mine}
        if seat is not None and (player := model.players[seat])
    ]
    price = price_of_leaving(model.game, model.options, len(model.players))
    leaving = price if any(not player.bot for player in ours) else ""
    options = options and _("Options: {options}").format(options=options)
    found = (about, options, time_limit(model), looked_at, guests_bring(model), leaving)
    return [line for line in found if line]


def time_limit(model: Model) -> str:
    """Say how long a player may keep the others waiting, before our player agrees to it.

    Say nothing where nobody can vote, and where only computers of this machine play.
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


def _player(model: Model, seat: Seat, player: LobbySeat) -> str:
    who = model.names[seat]
    if " " in str(who) and not player.bot:  # several words could be taken for words of the program
        who = Name(_("“{words}”").format(words=who))
    facts = {"number": seat + 1, "who": who, "id": player.fingerprint}
    if not player.bot and (seat == model.names.me or (model.seat is None and seat in model.mine)):
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


def _seated(before: Model, after: Model) -> list[str]:
    if after.lesson:
        return [*lesson_of(after.game).welcome(), ""]
    found = [] if before.game else _terms(after)
    found.append(_("The match begins. Match {id}").format(id=after.match[:16]))
    known = [(player.nick, player.fingerprint) for player in before.players if player]
    if [(player.nick, player.fingerprint) for player in after.players if player] == known:
        return found  # they were shown when they sat down
    return found + [
        _player(after, seat, player) for seat, player in enumerate(after.players) if player
    ]


# The match.


def _news(before: Model, news: News, after: Model) -> list[str]:
    found = _event(after, news.event)
    called = (
        after.called if after.phase is MatchPhase.PLAYING and after.called != before.called else ()
    )
    if called and after.names.me not in called:
        found.append(_turn(after, list(called)))
    return found


def _turn(model: Model, seats: list[Seat]) -> str:
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
        [*found, "", *lesson_of(model.game).farewell(model.game)]
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
    page = ["", *lesson_of(model.game).page(model)] if model.lesson else []
    may = _("Your turn. You may: {moves}").format(moves=_moves_in_short(model, words))
    return [*page, *words.state(model.names, model.view), may]


def _moves_in_short(model: Model, words: GameWords) -> str:
    """Return the legal moves as far as they fit into a sentence."""
    assert model.view is not None
    found = [unbroken(move) for move in words.offered(model.view, list(legal_moves(model)))]
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
            return lesson_of(model.game).page(model)
        case "hands":
            return hands(model)
        case "leave-price":
            seats = len(model.players) - len(model.gone)
            return [
                price_of_leaving(model.game, model.options, seats),
                _("To leave all the same: leave yes"),
            ]
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


def _help(model: Model, words: GameWords) -> list[str]:
    moves = (
        words.offered(model.view, list(legal_moves(model))) if model.asked and model.view else []
    )
    found = [_("You may:"), *_glossed(words, moves)] if moves else []
    if not moves and words.examples:
        found = [_("Moves look like this:"), *_glossed(words, words.examples)]
    commands = _commands(model)
    wide = max(map(columns, commands))
    return [
        *found,
        _("And besides:"),
        *(f"  {name:{wide}}  {_(about)}" for name, about in commands.items()),
    ]


def _commands(model: Model) -> Mapping[str, str]:
    return LESSON_COMMANDS if model.lesson else COMMANDS


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
        max(columns(move) for move in moves if words.gloss(move))
        if any(map(words.gloss, moves))
        else 0
    )
    return [
        f"  {move:{wide}}  {gloss}" if (gloss := words.gloss(move)) else f"  {move}"
        for move in moves
    ]


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
        found.append(_turn(model, others))
    return found
