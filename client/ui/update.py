"""The model after a message, and the resulting commands. Pure: the same for both interfaces."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.sentences import PLAYERS_ONLY
from client.i18n.translation import unbroken
from client.session.messages import (
    Act,
    Advise,
    Advised,
    Away,
    Back,
    InTime,
    Late,
    Leave,
    Lobby,
    LobbySeat,
    Message,
    MoveRefused,
    News,
    PutAside,
    Quit,
    Seated,
    Stored,
    Taught,
    Trusted,
    Typed,
    Without,
    Words,
)
from client.session.status import Status
from client.ui.games import lesson_of, words_of
from client.ui.model import HISTORY, TYPED_LIMIT, MatchPhase, Model, Pending, Reply, Result, reply
from client.ui.people import with_others
from engine.bots import bot_for
from engine.core.moves import IllegalMove, Move, NotAMove, Seat
from engine.core.notation import in_any_case
from p2p.net.text import clean
from p2p.table.events import (
    Accused,
    Asked,
    Differs,
    Event,
    Gone,
    Mixed,
    Moved,
    Over,
    Proved,
    Sealed,
    Shuffled,
    Shuffling,
    Told,
)
from p2p.table.terms import Participant

ECHO_COLUMNS = 40
ANSWERS = {
    "help": "help",
    "?": "help",
    "rules": "rules",
    "table": "state",
    "state": "state",
    "score": "state",
    "undo": "undo",
}
"""Questions that change nothing, and the ids of their answers."""
LESSON_ANSWERS = ("lesson", "hands")
"""The same in a lesson; these are called as their answers."""

ANSWERED = {Pending.LEAVE: "leave", Pending.WITHOUT: "without", Pending.QUIT: "quit"}
"""The command that a bare `yes` repeats, by the question that is open."""


def update(model: Model, message: Message) -> Result:
    """Return the model after a message, and the commands that follow."""
    model = replace(model, reply=())
    match message:
        case Lobby() if model.phase is not MatchPhase.LOBBY and not model.log:
            return model, ()  # out of date: the next table opens only after this match is stored
        case Lobby():
            fresh = model if model.phase is MatchPhase.LOBBY else Model(muted=model.muted)
            return replace(
                fresh,
                lobby=message,
                game=message.game,
                options=message.options,
                players=message.seats,
                limit=message.limit,
                spectators=message.spectators,
                house=message.house,
                away=message.away,
            ), ()
        case Seated():
            return _seated(model, message), ()
        case News():
            return _news(model, message), ()
        case Taught(hands, advice):
            return replace(model, laid=hands, advice=advice), ()
        case Advised(move):
            return _advised(model, move), ()
        case MoveRefused(why):
            asked = model.view is not None and model.view.options is not None
            return replace(model, asked=asked, reply=(Reply("refused", {"why": why}),)), ()
        case Typed(text):
            return _typed(model, text)
        case Away() | Back() | Late() | InTime():
            return _presence(model, message), ()
        case Stored(path, _sealed):
            return replace(model, log=path), ()
        case Words() | Trusted():
            return _of_keys(model, message), ()
    return model, ()


def _of_keys(model: Model, message: Words | Trusted) -> Model:
    """Note the people whose words are shown, or that our player trusts one of them."""
    if isinstance(message, Words):
        people = {seat: player.fingerprint for seat, player in model.others.items()}
        return replace(model, compared=people)
    players = (
        replace(seat, trust="trusted") if seat and seat.fingerprint == message.fingerprint else seat
        for seat in model.players
    )
    return replace(model, players=tuple(players))


def _presence(model: Model, message: Away | Back | Late | InTime) -> Model:
    match message:
        case Away(seat, leaving=True):
            away, others = model.away - {seat}, model.elsewhere - {seat}
            return replace(model, away=away, elsewhere=others, leaving=model.leaving | {seat})
        case Away(seat, elsewhere):
            others = model.elsewhere - {seat} | ({seat} if elsewhere else set())
            return replace(model, away=model.away | {seat}, elsewhere=others)
        case Back(seat):
            others = model.elsewhere - {seat}
            return replace(model, away=model.away - {seat}, elsewhere=others)
        case Late(seats):
            # a question about the others has been asked without these
            if model.pending is Pending.WITHOUT:
                model = replace(model, pending=Pending.NOTHING)
            return replace(model, late=model.late | set(seats))
        case InTime(seats):
            # a question about them has no meaning any more
            asks = model.pending is Pending.WITHOUT and bool(model.late & set(seats))
            pending = Pending.NOTHING if asks else model.pending
            return replace(model, late=model.late - set(seats), pending=pending)


def _seated(model: Model, message: Seated) -> Model:
    terms = message.terms
    return replace(
        Model(),
        phase=MatchPhase.PLAYING,
        game=terms.game,
        options=terms.options,
        players=tuple(
            _player(place, seat, message) for seat, place in enumerate(terms.participants)
        ),
        stranger=model.stranger,
        muted=model.muted,
        compared=model.compared,
        lobby=model.lobby,
        limit=terms.limit,
        spectators=terms.spectators,
        seat=message.seat,
        auto=message.auto,
        lesson=message.lesson,
        house=terms.house,
        hints="free" if message.lesson else terms.hints,
        apart=message.apart,
        match=message.match,
        score=(0,) * len(terms.participants),
    )


def _player(place: Participant, seat: Seat, message: Seated) -> LobbySeat:
    """Return the player of a seat; without a fingerprint in a lesson, which has no keys."""
    character, bot = message.characters.get(seat, ""), seat in message.bots
    if message.lesson:
        return LobbySeat(place.nick, "", bot, computer=bot)
    found = LobbySeat.of(place, {place.public: character} if bot else {})
    return replace(found, trust=message.trust.get(found.fingerprint, ""))


def _news(model: Model, news: News) -> Model:
    view = news.view
    asked = (
        view.options is not None
        and not model.auto
        and (model.asked or isinstance(news.event, Asked))
    )
    model = replace(
        model,
        view=view,
        waiting=news.waiting,
        waiting_at=news.at or model.waiting_at,
        hinted=None,
        late=model.late & set(news.waiting),
        votes=news.votes,
        asked=asked and model.phase is MatchPhase.PLAYING,
        turn=view.turn if news.last else model.turn,
        called=_called(model, news),
        score=tuple(view.game.score),
    )
    return _event(model, news.event)


def _called(model: Model, news: News) -> tuple[Seat, ...]:
    """Return who was the last that could choose; with a new deck that begins anew."""
    before = () if isinstance(news.event, Shuffled) else model.called
    return news.view.turn or before if news.last else before


def _event(model: Model, event: Event) -> Model:
    checked = model.checked
    match event:
        case Shuffling(_, seats):
            return replace(model, mixing=seats, mixers=len(seats))
        case Mixed(_, seat):
            left = tuple(other for other in model.mixing if other != seat)
            return replace(
                model, mixing=left, checked=replace(checked, shuffles=checked.shuffles + 1)
            )
        case Shuffled():
            return replace(model, mixing=())
        case Proved():
            return replace(model, checked=replace(checked, claims=checked.claims + 1))
        case Moved():
            history = (*model.history, event)[-HISTORY:]
            checked = replace(checked, moves=checked.moves + (not event.auto))
            return replace(model, history=history, checked=checked)
        case Told(told):
            return replace(model, history=(*model.history, told)[-HISTORY:])
        case Gone():
            return _gone(model, event)
        case Accused(fault) if model.must_go(fault.seat):
            return replace(model, accused=event, asked=False)
        case Differs(None):  # `Differs(seat)` concerns one seat: the match may continue without it
            return replace(model, differs=event)
        case Over(winners, score):
            return _ended(replace(model, winners=winners, score=score))
        case Sealed():
            return replace(model, sealed=True)
    return model


def _gone(model: Model, event: Gone) -> Model:
    model = replace(model, gone={**model.gone, event.seat: event.how}, asked=False)
    if event.how != "voted":
        return model
    votes = len(event.voters), event.electorate
    return replace(model, voted_out={**model.voted_out, event.seat: votes})


def _ended(model: Model) -> Model:
    return replace(model, phase=MatchPhase.OVER, asked=False, turn=(), pending=Pending.NOTHING)


# Typed lines.


def turn_may_come(model: Model) -> bool:
    """Return whether our player may still be asked for a move."""
    sits = model.seat is not None and model.seat not in model.gone and model.differs is None
    return model.phase is MatchPhase.LOBBY or (model.phase is MatchPhase.PLAYING and sits)


def is_early(model: Model, text: str) -> bool:
    """Return whether a typed line is a move, for a turn of ours that is still to come.

    Before the cards are dealt, every line that is no command may be one.
    """
    if model.asked or not turn_may_come(model) or _command(model, text) is not None:
        return False
    try:
        _read(model, text)
    except NotAMove:
        return model.view is None
    except IllegalMove:
        pass
    return True


def _typed(model: Model, text: str) -> Result:
    """Obey a typed line: a command, else a move.

    An unknown line gets an answer, and never ends the program.
    """
    pending, after = model.pending, replace(model, pending=Pending.NOTHING)
    return _command(model, text) or _move(after, pending, text)


def _command(model: Model, text: str) -> Result | None:
    """Obey a typed line that is a command, and return None for any other line."""
    pending, model = model.pending, replace(model, pending=Pending.NOTHING)
    if len(text) > TYPED_LIMIT:
        return reply(model, "too-long", limit=TYPED_LIMIT)
    match [word.casefold() for word in text.split()]:
        case []:
            return model, ()
        case [word, *_] if word in PLAYERS_ONLY and model.watches:
            return reply(model, "watching")
        case ["yes"] if pending in ANSWERED:
            return _command(replace(model, pending=pending), f"{ANSWERED[pending]} yes")
        case [word] if word in ANSWERS or (model.lesson and word in LESSON_ANSWERS):
            return reply(model, ANSWERS.get(word, word))
        case ["hint"]:
            return _hint(model)
        case ["without", *rest]:
            return _without(model, pending, rest)
        case ["aside"]:
            return _put_aside(model)
        case ["words" | "renew" as word] | ["talk" | "trust" | "mute" | "seats" as word, *_]:
            return with_others(model, word, text.strip()[len(word) :])
        case ["leave", *rest]:
            return _leave(model, pending, rest)
        case ["quit", *rest] | ["exit", *rest]:
            return _quit(model, pending, rest)
    return None


def _without(model: Model, pending: Pending, rest: list[str]) -> Result:
    """Explain the effect of a vote before it is cast."""
    late = tuple(sorted(model.late))
    if model.phase is MatchPhase.PLAYING and not model.votes_needed:
        return reply(model, "no-votes")
    if not late or model.seat is None:
        return reply(model, "nobody-late")
    if all(model.seat in model.votes.get(seat, ()) for seat in late):
        return reply(model, "voted-to-end" if model.ends_without(*late) else "voted-already")
    if rest == ["yes"] and pending is Pending.WITHOUT:
        return model, (Without(),)
    return reply(replace(model, pending=Pending.WITHOUT), "without-price", late=late)


def _hint(model: Model) -> Result:
    if not model.asked or model.view is None:
        return reply(model, "not-your-turn")
    if model.hints == "none":
        return reply(model, "no-hints")
    told = model.hints == "told"
    if (model.apart or told) and model.advice is None and model.hinted is None:
        return model, (Advise(model.view, told),)
    # The middle of the range is what it does as a rule: rare choices, as bluffs, lie at an end.
    move = model.advice or model.hinted or bot_for(model.game)(model.view, lambda bound: bound // 2)
    return _advised(model, move), ()


def _advised(model: Model, move: Move) -> Model:
    """Show a hint, unless it has come too late for the turn that it was for."""
    if not model.asked or model.seat is None or model.view is None:
        return model
    if move not in (model.view.options or ()):
        return model
    lesson = lesson_of(model.game)
    reason = " ".join(lesson.reason(model.names, model.view, move))
    text = lesson.text(model.view, move)
    model = replace(model, hinted=move)
    return replace(model, reply=(Reply("hint", {"reason": reason, "text": text, "move": move}),))


def _put_aside(model: Model) -> Result:
    if model.seat in model.gone:
        return model, (Quit(Status.OK),)
    return (model, (PutAside(),)) if model.may_put_aside else reply(model, "may-not-put-aside")


def _leave(model: Model, pending: Pending, rest: list[str]) -> Result:
    """Explain the cost of leaving before the player leaves."""
    if model.phase is not MatchPhase.PLAYING or model.lesson or model.seat in model.gone:
        return _quit(model, pending, rest)
    if model.seat is None or model.view is None or not model.view.game.may_leave(model.seat):
        return reply(model, "may-not-leave")
    if rest == ["yes"] and pending is Pending.LEAVE:
        return replace(model, asked=False, reply=(Reply("leaving"),)), (Leave(),)
    return reply(replace(model, pending=Pending.LEAVE), "leave-price")


def _quit(model: Model, pending: Pending, rest: list[str]) -> Result:
    """Quitting asks twice during a match, because the others would wait.

    Nobody waits in a lesson, or for a player who has left.
    """
    if model.phase is MatchPhase.OVER or model.lesson or model.seat in model.gone:
        return model, (Quit(Status.OK),)
    if (
        model.phase is MatchPhase.LOBBY
        or model.seat is None
        or (rest in ([], ["yes"]) and pending is Pending.QUIT)
    ):
        return model, (Quit(Status.FAILED),)
    return reply(replace(model, pending=Pending.QUIT), "quit-price")


def _move(model: Model, pending: Pending, text: str) -> Result:
    """Take a line as a move of our seat, if the notation and the rules allow it.

    A move with a price is asked for twice.
    """
    view, seat = model.view, model.seat
    if model.phase is MatchPhase.OVER:
        return reply(model, "over")
    try:
        move = _read(model, text)
    except NotAMove:
        return _not_a_move(model, text)
    except IllegalMove as refused:
        return (
            reply(model, "refused", why=refused.why)
            if model.asked
            else reply(model, "not-your-turn")
        )
    if view is None or seat is None or not model.asked or view.options is None:
        return reply(model, "not-your-turn")
    if move not in view.options:
        return reply(model, "refused", why=view.game.why_not(seat, move, model.hand))
    if (price := words_of(model.game).price(view, move)) and pending is not Pending.PRICE:
        return reply(replace(model, pending=Pending.PRICE), "move-price", price=price)
    return replace(model, asked=False), (Act(move),)


def _not_a_move(model: Model, text: str) -> Result:
    """Answer a line that is nothing; one with the word of a move may be only a part of one."""
    game = words_of(model.game)
    words = game.in_notation(text.casefold()).split()
    shown = clean(" ".join(text.split()), ECHO_COLUMNS)
    alike = [game.as_typed(one) for one in game.examples if words and words[0] in one.split()]
    if model.phase is MatchPhase.PLAYING and model.seat is not None and alike:
        return reply(model, "not-whole", text=shown, moves="; ".join(map(unbroken, alike)))
    return reply(model, "not-understood", text=shown)


def _read(model: Model, text: str) -> Move:
    """Return the move that a typed line names.

    Raises IllegalMove or NotAMove, also if no match is on.
    """
    if model.phase is not MatchPhase.PLAYING or model.view is None or model.seat is None:
        raise NotAMove("no match is on")
    line = in_any_case(words_of(model.game).in_notation(text))
    return model.view.game.read(line, model.seat, model.hand)
