"""Lies about cards: keys, shuffles, shares, claims and reveals that do not hold, each made as well
as a cheat can."""

from __future__ import annotations

from typing import Any

from crypto.commitment import commit
from crypto.masking import (
    DeckKey,
    encode_deck,
    key_from_secret,
    make_shares,
    prove_key,
    starting_deck,
)
from crypto.shuffle import draw_permutation, prove_shuffle, shuffle_deck
from crypto.sigma import prove_one_of
from engine.core.moves import spell_move
from p2p.table.faults import BadForm, BadProof, IllegalPlay
from p2p.table.log import Body, StageKey
from p2p.wire import pack
from tests.adversary.liar import Liar, Lie
from tests.engine.tiny_game import Bid, Say

PROOF = (BadProof,)
KEYS, DEAL, OPEN, PROVE = (("shuffle", 0), ("deal", 0), ("open", 0), ("prove", 0))
TOSS, SEALED = ("toss", 0), ("sealed", 0)


def turn(liar: Liar) -> Any:
    """Return the round under way."""
    assert liar.progress.exchange is not None
    return liar.progress.exchange.round


def owned(liar: Liar, head: bytes, key: DeckKey, ctx: bytes | None = None) -> Body:
    """Say a key with a proof that we possess it."""
    here, deck = liar.progress.here, turn(liar).deck
    ctx = here.masks.context(deck, head) if ctx is None else ctx
    owner = liar.terms.participants[liar.seat].id
    return {
        "key": key.public,
        "proof": prove_key(here.group, ctx, liar.seat, owner, key, here.entropy),
    }


# Keys.


def copied_key(liar, stage_key, head, body):
    return liar.progress.exchange.signed[0].body


def shared_key(liar, stage_key, head, body):
    """Seats 0 and 1 share a secret."""
    return owned(liar, head, liar.others[0].journal.known_key(stage_key[0][3]))


def cancelling_key(liar, stage_key, head, body):
    """All three share their secrets, so that the sum is nothing: the last to bring that about is
    named."""
    chain, group = stage_key[0][3], liar.progress.here.group
    keys = [table.journal.known_key(chain) for table in liar.others]
    secret = group.order - sum(key.secret for key in keys) % group.order
    return owned(liar, head, key_from_secret(group, secret))


def rogue_key(liar, stage_key, head, body):
    """X_1 = Y - X_0, so that the sum is a key of ours: without a logarithm there is only the proof
    for Y."""
    group, other = liar.progress.here.group, liar.progress.exchange.signed[0]
    own = liar.journal.known_key(stage_key[0][3])
    return {**body, "key": group.sub(own.public, other.body["key"])}


def key_of_another_match(liar, stage_key, head, body):
    return owned(liar, head, liar.journal.known_key(stage_key[0][3]), b"another match")


def key_of_another_seat(liar, stage_key, head, body):
    here, key = liar.progress.here, liar.journal.known_key(stage_key[0][3])
    ctx, owner = here.masks.context(turn(liar).deck, head), liar.terms.participants[0].id
    return {"key": key.public, "proof": prove_key(here.group, ctx, 0, owner, key, here.entropy)}


# Shuffles.


def shuffled(
    liar: Liar, head: bytes, *, before: Any = None, spoil: Any = None, ctx: bytes | None = None
) -> Body:
    """Shuffle `before` (or the true deck) and prove it; then `spoil` the deck that is said."""
    here, now = liar.progress.here, turn(liar)
    group = here.group
    before = now.ciphers if before is None else before
    ctx = here.masks.context(now.deck, head) if ctx is None else ctx
    order = draw_permutation(len(before), here.entropy)
    masks = [group.random_scalar(here.entropy) for _ in before]
    after = shuffle_deck(group, now.joint, before, order, masks)
    said = spoil(group, now, after) if spoil else after
    return {
        "deck": encode_deck(said),
        "proof": prove_shuffle(group, ctx, now.joint, before, said, order, masks, here.entropy),
    }


def tell_shuffle(**how: Any):
    return lambda liar, stage_key, head, body: shuffled(liar, head, **how)


def card_twice(group, now, after):
    """The first slot again in the place of the second, under another mask."""
    a, b = after[0]
    return (
        after[0],
        (group.add(a, group.base(5)), group.add(b, group.mult(5, now.joint))),
        *after[2:],
    )


def other_card(group, now, after):
    (a, b), point = after[0], group.base(77)
    return ((a, group.add(b, point)), *after[1:])


def one_share_for_two(group, now, after):
    return (after[0], (after[0][0], after[1][1]), *after[2:])


def unmasked(group, now, after):
    return ((group.identity, after[0][1]), *after[1:])


def swapped_after(liar, stage_key, head, body):
    data = body["deck"]
    return {**body, "deck": data[64:128] + data[:64] + data[128:]}


def not_shuffled(liar, stage_key, head, body):
    """The deck as it came, with the proof for another one."""
    return {**body, "deck": encode_deck(turn(liar).ciphers)}


def before_us(liar, stage_key, head, body):
    """The words of the shuffler before us, deck and proof, once more."""
    past = [
        entry for entry in liar.progress.exchange.closed_entries if entry.stage == stage_key[1] - 1
    ]
    return past[-1].body


def from_the_start(liar, stage_key, head, body):
    """A good shuffle of the starting deck: the shuffles of others are undone."""
    now, here = turn(liar), liar.progress.here
    return shuffled(
        liar, head, before=starting_deck(here.group, here.masks.points(now.deck), now.joint)
    )


def a_card_less(liar, stage_key, head, body):
    now = turn(liar)
    return shuffled(liar, head, before=now.ciphers[:-1])


# Shares.


def shares_of(liar: Liar, head: bytes, change: Any) -> Body | None:
    """Share these slots with key, slots, ciphers and context as `change` makes them; one deck."""
    here, owed = liar.progress.here, turn(liar).owed.get(liar.seat, [])
    parts = here.masks.by_deck(owed)
    if len(parts) != 1 or len(owed) < 2:
        return None
    ((masked, slots),) = parts
    ciphers = [masked.cipher(slot) for slot in slots]
    key, slots, ciphers, ctx = change(
        liar, masked.secret, slots, ciphers, here.masks.context(masked.deck, head)
    )
    return {"shares": [list(make_shares(here.group, ctx, key, slots, ciphers, here.entropy))]}


def tell_shares(change: Any):
    return lambda liar, stage_key, head, body: shares_of(liar, head, change)


def swap(liar, stage_key, head, body):
    (data, proof), *rest = body["shares"]
    return (
        {**body, "shares": [[data[32:64] + data[:32] + data[64:], proof], *rest]}
        if len(data) > 32
        else None
    )


def crafted_pair(liar, stage_key, head, body):
    """D_1 + E and D_2 - E: their sum is right."""
    (data, proof), *rest = body["shares"]
    group, off = liar.progress.here.group, liar.progress.here.group.base(9)
    if len(data) < 64:
        return None
    return {
        "shares": [
            [group.add(data[:32], off) + group.sub(data[32:64], off) + data[64:], proof],
            *rest,
        ]
    }


def earlier_shares(liar, stage_key, head, body):
    """Shares of the deal before, another deck's."""
    for step in reversed(liar.progress.records):
        for entry in step.entries:
            if (
                entry.seat == liar.seat
                and "shares" in entry.body
                and len(entry.body["shares"]) == len(body["shares"])
            ):
                return entry.body
    return None


# Claims.


def claim_among_more(liar, stage_key, head, body):
    """Prove the slot to hold one of more faces, and leave out what is too many."""
    here, request, masks = liar.progress.here, turn(liar).request, liar.progress.here.masks
    slot = request.claims[liar.seat][0]
    masked = masks.masked(slot)
    a, c = masks.last_mask(slot, masked.secret.public, masked)
    points = list(masks.points(masked.deck))
    real = points.index(here.group.sub(c, here.group.mult(masked.secret.secret, a)))
    ctx = masks.context(masked.deck, head)
    proof = prove_one_of(
        here.group, ctx, slot, masked.secret.secret, a, c, points, real, here.entropy
    )
    return {"claims": [proof[: len(body["claims"][0])], *body["claims"][1:]]}


def claims_swapped(liar, stage_key, head, body):
    first, *rest = body["claims"]
    return {"claims": [*rest, first]} if rest else None


def claims_missing(liar, stage_key, head, body):
    return {"claims": body["claims"][:-1]}


# Reveals.


def other_value(liar, stage_key, head, body):
    return (
        {**body, "value": [*body["value"][:-1], (body["value"][-1] + 1) % 3]}
        if "shares" in body
        else {**body, "value": 2 - body["value"]}
    )


def commit_to(value: Any):
    """Commit to a value, and have the journal reveal it."""

    def tell(liar: Liar, stage_key: StageKey, head: bytes, body: Body) -> Body:
        here, nonce = liar.progress.here, b"n" * 32
        liar.journal.note_committed(here.step, nonce, pack(value))
        return {"commit": commit(here.match, head, liar.seat, nonce, pack(value))}

    return tell


def others_commitment(liar, stage_key, head, body):
    """Commit to the value that another has committed to; its opening is bound to its seat."""
    return next(iter(liar.progress.exchange.signed.values())).body


def lies() -> list[Lie]:
    """List them."""
    found = [
        Lie("another seat's key and proof", KEYS, copied_key, PROOF, last=True),
        Lie("a key that another has too", KEYS, shared_key, PROOF, last=True),
        Lie("a key that makes the sum nothing", KEYS, cancelling_key, PROOF, seat=2, last=True),
        Lie("a rogue key", KEYS, rogue_key, PROOF, last=True),
        Lie("a key proven for another match", KEYS, key_of_another_match, PROOF),
        Lie("a key proven for another seat", KEYS, key_of_another_seat, PROOF),
        Lie("shares that are exchanged", DEAL, swap, PROOF),
        Lie("shares that are exchanged", OPEN, swap, PROOF),
        Lie(
            "shares of other slots",
            DEAL,
            tell_shares(lambda t, k, s, c, x: (k, s, c[1:] + c[:1], x)),
            PROOF,
        ),
        Lie(
            "shares with another key",
            DEAL,
            tell_shares(lambda t, k, s, c, x: (key_from_secret(t.progress.here.group, 7), s, c, x)),
            PROOF,
        ),
        Lie(
            "shares for another head",
            DEAL,
            tell_shares(lambda t, k, s, c, x: (k, s, c, b"elsewhere")),
            PROOF,
        ),
        Lie("a share less", DEAL, tell_shares(lambda t, k, s, c, x: (k, s[:-1], c[:-1], x)), PROOF),
        Lie("two false shares whose sum is right", DEAL, crafted_pair, PROOF),
        Lie("the shares of an earlier deck", DEAL, earlier_shares, PROOF),
        Lie("the shares of an earlier deck", OPEN, earlier_shares, PROOF),
        Lie("a claim about more faces", PROVE, claim_among_more, PROOF),
        Lie("a claim about more faces", PROVE, claim_among_more, PROOF, game="escoba"),
        Lie("claims that are exchanged", PROVE, claims_swapped, PROOF),
        Lie("a claim less", PROVE, claims_missing, (BadForm,)),
        Lie(
            "numbers for claims",
            PROVE,
            lambda liar, stage_key, head, body: {"claims": [7] * len(body["claims"])},
            (BadForm,),
        ),
        Lie("another number than committed", ("toss", 1), other_value, PROOF),
        Lie("a number that the toss has not", TOSS, commit_to(3), (BadForm,)),
        Lie("a number below nothing", TOSS, commit_to(-1), (BadForm,)),
        Lie("a word for a number", TOSS, commit_to("one"), (BadForm,)),
        Lie("true for a number", TOSS, commit_to(value=True), (BadForm,)),
        Lie("nothing for a number", TOSS, commit_to(None), (BadForm,)),
        Lie("another's commitment", TOSS, others_commitment, PROOF, last=True),
        *[
            Lie(
                f"a commitment of {size} bytes",
                at,
                lambda *_, size=size: {"commit": bytes(size)},
                (BadForm,),
            )
            for at in (TOSS, SEALED)
            for size in (31, 33)
        ],
        Lie("another choice than committed", ("sealed", 1), other_value, PROOF),
        Lie("another's commitment", SEALED, others_commitment, PROOF, last=True),
        Lie(
            "a sealed choice that is not allowed",
            SEALED,
            commit_to(spell_move(Bid(7))),
            (IllegalPlay,),
        ),
        Lie(
            "a sealed choice of another question",
            SEALED,
            commit_to(spell_move(Say("pass"))),
            (IllegalPlay,),
        ),
    ]
    for seat in range(3):
        at = ("shuffle", seat + 1)
        shuffles = {
            "a card twice": tell_shuffle(spoil=card_twice),
            "a card of its own": tell_shuffle(spoil=other_card),
            "two slots that one share opens": tell_shuffle(spoil=one_share_for_two),
            "a slot without a mask": tell_shuffle(spoil=unmasked),
            "a proof for another match": tell_shuffle(ctx=b"another match"),
            "two slots exchanged after proving": swapped_after,
            "the deck as it came": not_shuffled,
            "a deck with a card less": a_card_less,
        }
        if seat:
            shuffles["the shuffle before, once more"] = before_us
            shuffles["a good shuffle of the starting deck"] = from_the_start
        found += [Lie(name, at, tell, PROOF, seat=seat) for name, tell in shuffles.items()]
    return found
