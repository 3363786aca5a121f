"""The findings about logs, in sentences.

They tell the result, gaps, results that rest on votes, and the step where two logs part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from client.i18n.sentences import FAULTS, GONE, said
from client.i18n.translation import _, later, listed, ngettext, outside
from client.session.messages import LobbySeat
from client.session.status import Status, Stop
from client.ui.games import title_of, words_of
from client.ui.games.charges import rule_broken
from client.ui.games.options import unusual
from client.ui.model import Names, shown_nicks
from client.ui.seats import kind_of
from engine.core.game import Game
from engine.core.moves import Seat
from p2p.table.compare import Comparison
from p2p.table.replay import BadLog, Departure, OtherLog, Verdict


def open_ends(verdict: Verdict) -> list[str]:
    """Return a sentence for each reason why a good log is not complete; none if it is."""
    found = [_voted_out(one) for one in verdict.voted_out]
    found += [_left(seat) for seat in verdict.left]
    if verdict.missing:
        found.append(_missing(verdict))
    return found


def game_of(verdict: Verdict) -> str:
    """Return the game of a log, how far it goes, and the options that are not the defaults."""
    terms = verdict.table.terms
    options = unusual(terms.game, len(terms.participants), terms.options)
    line = (
        _("game: {game} ({options}; all other options as usual)")
        if options
        else _("game: {game} (all options as usual)")
    )
    return line.format(game=title_of(terms.game), options=" · ".join(options))


def proven(verdict: Verdict) -> list[str]:
    """Return the findings about a log; the last lines tell proven ones from mere claims."""
    table = verdict.table
    terms, game = table.terms, table.run.game
    nicks = shown_nicks([place.nick for place in terms.participants])
    names, words = Names(tuple(nicks)), words_of(terms.game)
    found = [_("match: {id}").format(id=terms.match.hex())]
    players = [LobbySeat.of(place) for place in terms.participants]
    for seat, player in enumerate(players):
        line = _("p{number}: {nick}, {id}").format(
            number=seat + 1, nick=nicks[seat], id=player.fingerprint
        )
        kind = kind_of(player, players, names)
        found.append(_("{player}; {kind}").format(player=line, kind=kind) if kind else line)
    found += [names.say(one.seat, *GONE[one.how]) for one in verdict.gone if one.how != "voted"]
    for fault in verdict.faults:
        found.append(_(FAULTS[fault.id]).format(who=names[fault.seat]))
        found += rule_broken(terms.game, names, fault)
    score = words.scores(names, game, tuple(game.score))
    found.append(_("score: {score}; deals: {deals}").format(score=score, deals=game.round))
    if game.winners:
        found.append(won_by(game, nicks))
    if table.sealed and verdict.gone:
        signers = listed([nicks[seat] for seat in table.staying])
        found.append(_("the end is signed by {who}").format(who=signers))
    return [*found, *_proven_and_claimed(verdict)]


def _proven_and_claimed(verdict: Verdict) -> list[str]:
    checked = {name: verdict.checked[name] for name in ("steps", "shuffles", "moves", "claims")}
    holds = later(
        "proven: these keys signed it, and all shuffles, cards, proofs and moves follow the rules "
        "(steps {steps}, shuffles {shuffles}, moves {moves}, claims {claims})"
    )
    if verdict.faults:
        holds = later(
            "proven: these keys signed it, faults too; all else follows the rules (steps {steps}, "
            "shuffles {shuffles}, moves {moves}, claims {claims})"
        )
    claimed = _(
        "only claimed: the names, whether a person or a computer plays, and statements about "
        "hidden cards that the rules take without a proof. Compare fingerprints to know whose keys "
        "these are."
    )
    found = [_(holds).format(**checked), claimed]
    if verdict.voted_out:
        found.append(_("only claimed by those who voted: that a player was away"))
    return found


def won_by(game: Game, nicks: Sequence[str]) -> str:
    """Say who has won a match that is over: one side, or several that share the win."""
    who = listed([nicks[seat] for seat in game.winners])
    if len(set(map(game.side, game.winners))) > 1:
        return _("the win is shared by {who}").format(who=who)
    return ngettext("won by {who}", "won by {who}", len(game.winners)).format(who=who)


def convicted(verdict: Verdict) -> list[str]:
    """Return the nicks of the seats that a log convicts."""
    nicks = shown_nicks([place.nick for place in verdict.table.terms.participants])
    guilty = dict.fromkeys(fault.seat for fault in verdict.faults)
    return [nicks[seat] for seat in guilty]


def shown_seats(seats: Iterable[Seat]) -> str:
    """List seats as the notation has them: p1, p2."""
    return listed([f"p{seat + 1}" for seat in seats])


def compared(names: tuple[str, str], found: Comparison | None) -> list[str]:
    """Return what comparing two logs has shown. `found` is None for logs of two matches."""
    first, second = (outside(name) for name in names)
    if found is None:
        return [
            _(
                "{first} and {second} are logs of different matches: there is nothing to compare."
            ).format(first=first, second=second)
        ]
    if not found.differ:
        short, long = sorted(zip(found.lengths, (first, second), strict=True))
        if short[0] == long[0]:
            return [
                _("{first} and {second} have the same records.").format(first=first, second=second)
            ]
        more = ngettext(
            "{short} is the beginning of {long}, which has {count} record more.",
            "{short} is the beginning of {long}, which has {count} records more.",
            long[0] - short[0],
        )
        return [more.format(short=short[1], long=long[1], count=long[0] - short[0])]
    part = _("{first} and {second} differ from step {step} on: the steps before it are the same.")
    return [part.format(first=first, second=second, step=found.shared + 1), *_signed(found)]


def _signed(found: Comparison) -> list[str]:
    if found.twice:
        said_twice = ngettext(
            "{seats} has signed two different entries for one place: one in each log. That proves "
            "a fault to anybody.",
            "{seats} have signed two different entries for one place: one in each log. That proves "
            "a fault to anybody.",
            len(found.twice),
        )
        return [said_twice.format(seats=shown_seats(found.twice))]
    if found.both:
        entries = _(
            "Seats that signed both logs at that step, but never twice for one place: {seats}. "
            "This shows no lie."
        )
        return [entries.format(seats=shown_seats(found.both))]
    return [_("Nobody has signed both logs at that step.")]


def bad_log(name: str, error: BadLog) -> Stop:
    """Return the error that ends a command whose log does not verify.

    This includes a log that this version cannot verify.
    """
    if isinstance(error, OtherLog):
        return Stop(f"{outside(name)}: {said(error)}", Status.VERSION)
    line = _("{file} does not verify: {error}")
    return Stop(line.format(file=outside(name), error=said(error)), Status.BAD_LOG)


def _voted_out(one: Departure) -> str:
    sentence = later(
        "p{number} was voted out by {voters} ({votes} of {electorate}) at step {step}: that is "
        "their word, not a proof."
    )
    facts = {"votes": len(one.voters), "electorate": one.electorate, "step": one.record}
    return _(sentence).format(number=one.seat + 1, voters=shown_seats(one.voters), **facts)


def _left(seat: Seat) -> str:
    sentence = _(
        "p{number} has left the match: the file beside the log has the signed leave, and the log "
        "ends before it."
    )
    return sentence.format(number=seat + 1)


def _missing(verdict: Verdict) -> str:
    seats = shown_seats(verdict.waiting)
    if verdict.missing == "convicts":
        guilty = shown_seats(dict.fromkeys(fault.seat for fault in verdict.faults))
        return _(
            "This is not the log of a whole match, but a valid verdict against {seats}."
        ).format(seats=guilty)
    if verdict.missing == "torn":
        return _(
            "The last record is incomplete: the file was cut off while it was written. All records "
            "before it are good."
        )
    if verdict.missing == "seals":
        return _("The match is finished, but not signed by {seats}.").format(seats=seats)
    if verdict.missing == "beginning":
        return _("The match has not begun: at least one seat has sent no entry.")
    if not verdict.waiting:
        return _("The match is not finished, and nobody is left to finish it.")
    if set(verdict.waiting) <= set(verdict.table.run.turn) and not verdict.left:
        return ngettext(
            "The match is not finished: it waits for the move of {seats}.",
            "The match is not finished: it waits for the moves of {seats}.",
            len(verdict.waiting),
        ).format(seats=seats)
    return ngettext(
        "The match is not finished: it waits for an entry of {seats}.",
        "The match is not finished: it waits for entries of {seats}.",
        len(verdict.waiting),
    ).format(seats=seats)
