"""Lies about moves: forbidden moves, cards that are not ours, and lies that only a later opening
shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crypto.masking import key_from_secret, make_shares
from engine.core.moves import Slot, spell_move
from engine.games.escoba.sums import WORTH
from p2p.table.faults import BadForm, BadProof, Fault, IllegalPlay
from p2p.table.log import Body, StageKey
from tests.adversary.liar import At, Liar, Lie
from tests.engine.tiny_game import Bid, Play, Say, value

ASK: At = ("ask", 0)
ATTEST: At = ("attest", 0)
ANY: At = ("any", 0)
ILLEGAL = (IllegalPlay,)
Pick = Callable[[Liar], "list[Any] | None"]


def moves(pick: Pick, shown: Callable[[Liar, list[Any]], Sequence[Slot]] | None = None):
    """Say another move than was chosen; with our shares of the slots it shows, if they are ours."""

    def tell(liar: Liar, stage_key: StageKey, head: bytes, body: Body) -> Body | None:
        move = pick(liar)
        if move is None:
            return None
        slots = shown(liar, move) if shown else ours(liar, move)
        return {
            "move": move,
            "shares": liar.progress.here.masks.give(slots, head, liar.progress.here.entropy),
        }

    return tell


def ours(liar: Liar, move: list[Any]) -> list[Slot]:
    """The slot that a move plays, if it is hidden and ours."""
    slot = move[1] if len(move) > 1 and move[0] == "Play" else None
    return [slot] if type(slot) is int and slot in hidden(liar) else []


def hidden(liar: Liar) -> dict[Slot, str]:
    """Our hidden cards still in the hand."""
    game = liar.run.game
    return {
        slot: liar.progress.here.own_faces[slot]
        for slot in game.hands[liar.seat]
        if slot not in game.faces
    }


def others_card(liar: Liar) -> Slot:
    game = liar.run.game
    return next(slot for seat in (0, 2) for slot in game.hands[seat] if slot not in game.faces)


def legal(liar: Liar, takes: bool | None = None) -> list[Any] | None:
    options = [
        spell_move(move) for move in liar.run.options(liar.seat, liar.progress.here.own_faces)
    ]
    return next((move for move in options if takes is None or bool(move[2]) == takes), None)


def takes_what(change: Callable[[Liar, list[Slot]], list[Slot]]) -> Pick:
    def pick(liar: Liar) -> list[Any] | None:
        move = legal(liar, takes=True)
        return move and [*move[:2], change(liar, move[2])]

    return pick


def unsorted(liar: Liar) -> list[Any] | None:
    options = [
        spell_move(move) for move in liar.run.options(liar.seat, liar.progress.here.own_faces)
    ]
    move = next((move for move in options if len(move[2]) > 1), None)
    return move and [*move[:2], move[2][::-1]]


def false_share(liar, stage_key, head, body):
    here = liar.progress.here
    slots = ours(liar, body["move"])
    if not slots:
        return None
    masked = here.masks.masked(slots[0])
    ctx, ciphers = here.masks.context(masked.deck, head), [masked.cipher(slots[0])]
    return {
        **body,
        "shares": [
            list(
                make_shares(
                    here.group, ctx, key_from_secret(here.group, 5), slots, ciphers, here.entropy
                )
            )
        ],
    }


def shows_more(liar, stage_key, head, body):
    """A share of a second card of ours, which the move does not show."""
    return (
        {
            **body,
            "shares": liar.progress.here.masks.give(
                list(hidden(liar))[:2], head, liar.progress.here.entropy
            ),
        }
        if body["shares"]
        else None
    )


def shows_nothing(liar, stage_key, head, body):
    return {**body, "shares": []}


def forge_claims(liar: Liar) -> None:
    """From now on claim what is not so, as well as one can without a face that is allowed."""
    masks = liar.progress.here.masks

    def forged(slot, face, among, head, entropy):
        return b"".join(
            masks.group.scalar_bytes(masks.group.random_scalar(entropy))
            for _ in among
            for _ in range(2)
        )

    masks.claim = forged


def lays_though_it_can_take(liar: Liar) -> list[Any] | None:
    game = liar.run.game
    takers = [slot for slot, face in hidden(liar).items() if WORTH[face] in game.takers()]
    others = [slot for slot in hidden(liar) if slot not in takers]
    if not takers or not others:
        return None
    forge_claims(liar)
    return ["Play", others[0], []]


def passes_though_it_could_play(liar: Liar) -> list[Any] | None:
    higher = [slot for slot, face in hidden(liar).items() if value(face) > liar.run.game.highest()]
    if not higher:
        return None
    forge_claims(liar)
    return ["Say", "pass"]


def denies_a_seven(liar: Liar) -> list[Any] | None:
    if not any(value(face) == 7 for face in hidden(liar).values()):
        return None
    forge_claims(liar)
    return ["Say", "deny"]


def shows_no_seven(liar: Liar) -> list[Any] | None:
    return next((["Play", slot] for slot, face in hidden(liar).items() if value(face) < 6), None)


def low_card(liar: Liar) -> list[Any] | None:
    low = liar.run.game.highest()
    return next((["Play", slot] for slot, face in hidden(liar).items() if value(face) <= low), None)


def instead(body: Body):
    """Say this body."""
    return lambda liar, stage_key, head, said: body


def say(*move: Any) -> Pick:
    return lambda liar: list(move)


def lies() -> list[Lie]:
    """List them."""
    escoba: dict[str, tuple[Pick, tuple[type[Fault], ...]]] = {
        "a card of another's hand": (lambda liar: ["Play", others_card(liar), []], ILLEGAL),
        "a card of the stock": (lambda liar: ["Play", liar.run.game.stock[-1], []], ILLEGAL),
        "a card on the table": (
            lambda liar: ["Play", (liar.run.game.on_table or [0])[0], []],
            ILLEGAL,
        ),
        "a card that is not": (say("Play", 10**15, []), ILLEGAL),
        "a card below nothing": (say("Play", -1, []), ILLEGAL),
        "takes what makes no fifteen": (
            takes_what(lambda liar, takes: takes[:-1]),
            (*ILLEGAL, BadProof),
        ),
        "takes a card twice": (takes_what(lambda liar, takes: [takes[0], *takes]), ILLEGAL),
        "takes from another's hand": (
            takes_what(lambda liar, takes: sorted([*takes, others_card(liar)])),
            ILLEGAL,
        ),
        "takes what is not": (takes_what(lambda liar, takes: [*takes, 2**63]), ILLEGAL),
        "takes in another spelling": (unsorted, (BadForm,)),
        "lays though it can take, with a forged claim": (lays_though_it_can_take, (BadProof,)),
        "takes more than fits into a choice": (say("Play", 0, [*range(2000)]), (BadForm,)),
        "a truth for a slot": (lambda liar: ["Play", True, []], (BadForm,)),
        "a move without a slot": (say("Play"), (BadForm,)),
        "a move of another game": (say("Bid", 1), (BadForm,)),
        "no move": (say(), (BadForm,)),
        "a move in lists": (say(["Play"], [1], [[]]), (BadForm,)),
    }
    found = [
        Lie(name, ASK, moves(pick), faults, "escoba") for name, (pick, faults) in escoba.items()
    ]
    found += [
        Lie("a false share of the card", ASK, false_share, (BadProof,), "escoba"),
        Lie("shares of more than it shows", ASK, shows_more, (BadProof,), "escoba"),
        Lie("no share of its shown card", ASK, shows_nothing, (BadForm,), "escoba"),
        Lie("a card that is too low", ASK, moves(low_card), ILLEGAL),
        Lie(
            "passes though it could play, with a forged claim",
            ASK,
            moves(passes_though_it_could_play),
            (BadProof,),
        ),
        Lie(
            "passes though it could play",
            ASK,
            moves(passes_though_it_could_play),
            ILLEGAL,
            "trusting",
        ),
        Lie("denies a seven, with a forged claim", ATTEST, moves(denies_a_seven), (BadProof,)),
        Lie("denies a seven", ATTEST, moves(denies_a_seven), ILLEGAL, "trusting"),
        Lie("shows what is no seven", ATTEST, moves(shows_no_seven), ILLEGAL),
        Lie("another word", ATTEST, moves(say("Say", "pass")), ILLEGAL),
        Lie("another word", ANY, moves(say("Say", "deny")), ILLEGAL),
        Lie("a number", ANY, moves(lambda liar: spell_move(Bid(1))), ILLEGAL),
        Lie(
            "a card",
            ANY,
            moves(lambda liar: spell_move(Play(next(iter(hidden(liar)))))),
            ILLEGAL,
        ),
        Lie("a share though nothing is shown", ANY, _idle_share, (BadForm,)),
        Lie("a yield to half a hash", ANY, instead({"yield": b"h" * 16}), (BadForm,)),
        Lie("a yield to a word", ANY, instead({"yield": "seat 2"}), (BadForm,)),
        Lie(
            "a yield and a move",
            ANY,
            lambda liar, stage_key, head, body: {**body, "yield": b"h" * 32},
            (BadForm,),
        ),
        Lie("a yield where one is asked", ASK, instead({"yield": b"h" * 32}), (BadForm,)),
        Lie(
            "says it twice",
            ASK,
            instead({"move": [spell_move(Say("pass"))], "shares": []}),
            (BadForm,),
        ),
    ]
    return found


def _idle_share(liar: Liar, stage_key: StageKey, head: bytes, body: Body) -> Body:
    return {
        **body,
        "shares": liar.progress.here.masks.give(
            list(hidden(liar))[:1], head, liar.progress.here.entropy
        ),
    }
