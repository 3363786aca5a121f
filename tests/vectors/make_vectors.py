"""Our own vectors, one file per function: its results for fixed randomness, and the inputs that it
must refuse.

A file has cases, `given` to the function and its results `gives`, and rejects: the case each is
made `of`, the `change` in it, and the error that must be raised. Bytes are in hexadecimal. `python
-m tests.vectors.make_vectors` writes them anew; do that only together with a new version in
`crypto.transcript.DOMAIN`, since logs that people keep depend on them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from crypto import commitment, identity, masking, shuffle, sigma, transcript
from crypto.group import Group, ristretto255
from tests.standin import seeded

HERE = Path(__file__).parent
Values = dict[str, Any]


# The results of each file's function, and how they are checked.


def give_transcript(_: Group, v: Values) -> Values:
    spelled = transcript.statement_bytes(v["label"], *map(_part, v["parts"]))
    return {
        "hashed": spelled.hex(),
        "digest": transcript.digest(v["label"], *map(_part, v["parts"])).hex(),
    }


def check_transcript(group: Group, v: Values) -> None:
    given = give_transcript(group, v)
    if (given["hashed"], given["digest"]) != (v["hashed"], v["digest"]):
        raise ValueError("another hash")


def give_cards(group: Group, v: Values) -> Values:
    points = masking.card_points(group, v["pack"], v["n"])
    gens = shuffle.generators(group, v["n"])
    return {
        "points": [p.hex() for p in points],
        "generators": [p.hex() for p in (gens.first, *gens.rest)],
    }


def check_cards(group: Group, v: Values) -> None:
    if give_cards(group, v) != {"points": v["points"], "generators": v["generators"]}:
        raise ValueError("other points")


def give_key(group: Group, v: Values) -> Values:
    key = masking.key_from_secret(group, _number(v["secret"]))
    proof = masking.prove_key(
        group, _b(v["ctx"]), v["seat"], _b(v["owner"]), key, seeded(v["seed"])
    )
    return {"public": key.public.hex(), "proof": proof.hex()}


def check_key(group: Group, v: Values) -> None:
    masking.verify_key(
        group, _b(v["ctx"]), v["seat"], _b(v["owner"]), _b(v["public"]), _b(v["proof"])
    )


def give_shares(group: Group, v: Values) -> Values:
    key = masking.key_from_secret(group, _number(v["secret"]))
    shares, proof = masking.make_shares(
        group, _b(v["ctx"]), key, v["slots"], _deck(v["ciphers"]), seeded(v["seed"])
    )
    return {"public": key.public.hex(), "shares": shares.hex(), "proof": proof.hex()}


def check_shares(group: Group, v: Values) -> None:
    ciphers = _deck(v["ciphers"])
    masking.verify_shares(
        group, _b(v["ctx"]), _b(v["public"]), v["slots"], ciphers, _b(v["shares"]), _b(v["proof"])
    )


def give_kept_share(group: Group, v: Values) -> Values:
    key = masking.key_from_secret(group, _number(v["secret"]))
    made = masking.make_kept_share(group, _b(v["ctx"]), key, v["slot"], _b(v["a"]))
    return {"public": key.public.hex(), "share": made[:32].hex(), "proof": made[32:].hex()}


def check_kept_share(group: Group, v: Values) -> None:
    made = _b(v["share"]) + _b(v["proof"])
    masking.verify_kept_share(group, _b(v["ctx"]), _b(v["public"]), v["slot"], _b(v["a"]), made)


def give_one_of(group: Group, v: Values) -> Values:
    secret = _number(v["secret"])
    a = _b(v["a"])
    candidates = [_b(face) for face in v["candidates"]]
    c = group.add(candidates[v["real"]], group.mult(secret, a))
    proof = sigma.prove_one_of(
        group, _b(v["ctx"]), v["slot"], secret, a, c, candidates, v["real"], seeded(v["seed"])
    )
    return {"public": group.base(secret).hex(), "c": c.hex(), "proof": proof.hex()}


def check_one_of(group: Group, v: Values) -> None:
    candidates = [_b(face) for face in v["candidates"]]
    sigma.verify_one_of(
        group,
        _b(v["ctx"]),
        v["slot"],
        _b(v["public"]),
        _b(v["a"]),
        _b(v["c"]),
        candidates,
        _b(v["proof"]),
    )


def give_shuffle(group: Group, v: Values) -> Values:
    joint, before = _b(v["joint"]), _deck(v["before"])
    randomness = [_number(r) for r in v["randomness"]]
    after = shuffle.shuffle_deck(group, joint, before, v["permutation"], randomness)
    proof = shuffle.prove_shuffle(
        group, _b(v["ctx"]), joint, before, after, v["permutation"], randomness, seeded(v["seed"])
    )
    return {"after": masking.encode_deck(after).hex(), "proof": proof.hex()}


def check_shuffle(group: Group, v: Values) -> None:
    before = _deck(v["before"])
    after = masking.decode_deck(group, _b(v["after"]), len(before))
    shuffle.verify_shuffle(group, _b(v["ctx"]), _b(v["joint"]), before, after, _b(v["proof"]))


def give_commitment(_: Group, v: Values) -> Values:
    made = commitment.commit(
        _b(v["match"]), _b(v["head"]), v["seat"], _b(v["nonce"]), _b(v["value"])
    )
    return {"commitment": made.hex()}


def check_commitment(_: Group, v: Values) -> None:
    commitment.check_reveal(
        _b(v["commitment"]),
        _b(v["match"]),
        _b(v["head"]),
        v["seat"],
        _b(v["nonce"]),
        _b(v["value"]),
    )


def give_identity(_: Group, v: Values) -> Values:
    me = identity.Identity.from_seed(_b(v["seed"]))
    return {
        "public": me.public.hex(),
        "id": me.id.hex(),
        "fingerprint": identity.fingerprint(me.id),
        "words": identity.words(me.id),
        "signature": me.sign(v["context"], _b(v["data"])).hex(),
        "certificate": me.certificate().hex(),
    }


def check_identity(_: Group, v: Values) -> None:
    identity.verify(_b(v["public"]), v["context"], _b(v["data"]), _b(v["signature"]))
    identity.public_of_certificate(_b(v["certificate"]))


FILES: dict[str, tuple[Callable[[Group, Values], Values], Callable[[Group, Values], None]]] = {
    "transcript": (give_transcript, check_transcript),
    "cards": (give_cards, check_cards),
    "key": (give_key, check_key),
    "shares": (give_shares, check_shares),
    "kept_share": (give_kept_share, check_kept_share),
    "one_of": (give_one_of, check_one_of),
    "shuffle": (give_shuffle, check_shuffle),
    "commitment": (give_commitment, check_commitment),
    "identity": (give_identity, check_identity),
}


# The cases, and the changes in them.


def cases(name: str, group: Group) -> list[Values]:
    """Give the `given` of each case of a file."""
    secret = group.scalar_bytes(group.random_scalar(seeded("secret"))).hex()
    ctx = transcript.digest("vector", name)[:32].hex()
    owner = transcript.digest("vector", "owner")[:32].hex()
    joint = group.base(group.random_scalar(seeded("joint")))
    start = masking.starting_deck(group, masking.card_points(group, "vector", 4), joint)
    ciphers = [(group.base(group.random_scalar(seeded(j))), b) for j, (_, b) in enumerate(start)]
    nonce = bytes(range(32)).hex()
    made: dict[str, list[Values]] = {
        "transcript": [
            {"label": "empty", "parts": []},
            {"label": "all kinds", "parts": [{"bytes": "00ff"}, "é", 0, 256, [[], "a", ["b", 1]]]},
        ],
        "cards": [{"pack": "spanish-40", "n": 3}, {"pack": "", "n": 1}],
        "key": [{"ctx": ctx, "seat": 1, "owner": owner, "secret": secret, "seed": "key"}],
        "shares": [
            {
                "ctx": ctx,
                "secret": secret,
                "slots": slots,
                "ciphers": _hex([ciphers[j] for j in slots]),
                "seed": "s",
            }
            for slots in ([2], [0, 3, 1])
        ],
        "kept_share": [{"ctx": ctx, "secret": secret, "slot": 3, "a": ciphers[0][0].hex()}],
        "one_of": [
            {
                "ctx": ctx,
                "slot": 3,
                "secret": secret,
                "a": ciphers[0][0].hex(),
                "candidates": [p.hex() for p in masking.card_points(group, "vector", n)],
                "real": n - 1,
                "seed": "one-of",
            }
            for n in (1, 3)
        ],
        "shuffle": [
            {
                "ctx": ctx,
                "joint": joint.hex(),
                "before": _hex(before),
                "permutation": list(order),
                "randomness": [
                    group.scalar_bytes(group.random_scalar(seeded(("r", j)))).hex() for j in order
                ],
                "seed": "shuffle",
            }
            for before, order in ((start[:1], (0,)), (start, (2, 0, 3, 1)), (ciphers, (3, 1, 0, 2)))
        ],
        "commitment": [{"match": ctx, "head": nonce, "seat": 0, "nonce": nonce, "value": "0203"}],
        "identity": [{"seed": bytes(range(32)).hex(), "context": "entry", "data": "00ff"}],
    }
    return made[name]


def rejects(name: str, index: int, v: Values, group: Group) -> list[Values]:
    """Give what must be refused of a case: pairs of a change and the error it must raise."""
    out: list[Values] = []

    def refuse(why: str, error: str, **change: Any) -> None:
        out.append({"of": index, "why": why, "change": change, "error": error})

    if "ctx" in v:
        refuse("another context", "InvalidProof", ctx="00" * 32)
    if "proof" in v:
        _refuse_proofs(refuse, v, group)
    if name == "key":
        refuse("another seat", "InvalidProof", seat=v["seat"] + 1)
        refuse("another owner", "InvalidProof", owner="11" * 32)
        refuse("another key", "InvalidProof", public=group.base(2).hex())
        refuse("the identity", "InvalidEncoding", public="00" * 32)
        spelled = int.from_bytes(_b(v["public"]), "little") | 1 << 255
        refuse(
            "the highest bit set", "InvalidEncoding", public=spelled.to_bytes(32, "little").hex()
        )
    if name == "shares":
        first = _b(v["shares"])[:32]
        false = group.add(first, group.generator).hex() + v["shares"][64:]
        refuse("a false share", "InvalidProof", shares=false)
        refuse("the identity", "InvalidEncoding", shares="00" * 32 + v["shares"][64:])
        refuse("a share too many", "InvalidEncoding", shares=v["shares"] + v["shares"][:64])
        refuse("another key", "InvalidProof", public=group.base(2).hex())
        refuse("another slot", "InvalidProof", slots=[v["slots"][0] + 9, *v["slots"][1:]])
    if name == "one_of":
        refuse("another slot", "InvalidProof", slot=v["slot"] + 1)
        refuse("another key", "InvalidProof", public=group.base(2).hex())
        refuse("another cipher", "InvalidProof", c=group.base(2).hex())
        refuse(
            "other candidates",
            "InvalidProof",
            candidates=[group.base(9).hex(), *v["candidates"][1:]],
        )
        refuse(
            "one candidate more",
            "InvalidEncoding",
            candidates=[*v["candidates"], group.base(9).hex()],
        )
        refuse("no candidates", "InvalidProof", candidates=[])
    _refuse_others(refuse, name, v, group)
    return out


def _refuse_others(refuse: Callable[..., None], name: str, v: Values, group: Group) -> None:
    if name == "kept_share":
        key = masking.key_from_secret(group, _number(v["secret"]))
        cipher = (_b(v["a"]), group.generator)
        _, played = masking.make_shares(
            group, _b(v["ctx"]), key, [v["slot"]], [cipher], seeded("s")
        )
        refuse("the proof of a share of a step", "InvalidProof", proof=played.hex())
        refuse("another slot", "InvalidProof", slot=v["slot"] + 1)
        refuse("another key", "InvalidProof", public=group.base(2).hex())
        refuse("another A", "InvalidProof", a=group.base(2).hex())
        refuse("a false share", "InvalidProof", share=group.base(2).hex())
        refuse("the identity", "InvalidEncoding", share="00" * 32)
        refuse("a share too short", "InvalidEncoding", share=v["share"][:-2])
    if name == "shuffle":
        after = v["after"]
        refuse("another joint key", "InvalidProof", joint=group.base(2).hex())
        refuse("a slot less", "InvalidEncoding", after=after[:-128])
        refuse("an A that is 0", "InvalidProof", after="00" * 32 + after[64:])
        refuse(
            "a shifted face", "InvalidProof", after=after[:64] + group.base(5).hex() + after[128:]
        )
        if len(after) > 128:
            refuse("rotated", "InvalidProof", after=after[128:] + after[:128])
            refuse("a slot twice", "InvalidProof", after=after[:-128] + after[:128])
    if name == "commitment":
        for field, value in {
            "match": "",
            "head": v["match"],
            "seat": 1,
            "nonce": "11" * 32,
            "value": "02",
        }.items():
            refuse(f"another {field}", "InvalidProof", **{field: value})
        refuse("a short nonce", "InvalidProof", nonce=v["nonce"][:-2])
    if name == "identity":
        unreduced = (
            (int.from_bytes(_b(v["signature"])[32:], "little") + group.order)
            .to_bytes(32, "little")
            .hex()
        )
        refuse("another purpose", "InvalidSignature", context="terms")
        refuse("other data", "InvalidSignature", data="00fe")
        refuse(
            "S that is not reduced", "InvalidSignature", signature=v["signature"][:64] + unreduced
        )
        refuse("half a signature", "InvalidSignature", signature=v["signature"][:64])
        refuse("a key of small order", "InvalidEncoding", public="01" + "00" * 31)
        refuse(
            "a forged certificate",
            "InvalidSignature",
            certificate=v["certificate"][:-128] + v["signature"],
        )
        refuse(
            "another serial",
            "InvalidEncoding",
            certificate=v["certificate"].replace("020101", "020102", 1),
        )


def _refuse_proofs(refuse: Callable[..., None], v: Values, group: Group) -> None:
    """Refuse each 32 bytes of a proof made one greater, the last scalar not reduced, and other
    lengths."""
    proof = _b(v["proof"])
    for at in range(0, len(proof) - 31, 32):
        part = int.from_bytes(proof[at : at + 32], "little") + 1
        changed = proof[:at] + part.to_bytes(32, "little") + proof[at + 32 :]
        n = len(v.get("before", "")) // 128
        # One more than the encoding of an element is odd, so not one; one more than a scalar is
        # another scalar.
        kind = "InvalidEncoding" if at < 64 * n else "InvalidProof"
        refuse(f"the proof's bytes from {at}", kind, proof=changed.hex())
    unreduced = (int.from_bytes(proof[-32:], "little") + group.order).to_bytes(32, "little")
    refuse("a scalar that is not reduced", "InvalidEncoding", proof=(proof[:-32] + unreduced).hex())
    refuse("a proof too short", "InvalidEncoding", proof=proof[:-32].hex())
    refuse("a proof too long", "InvalidEncoding", proof=(proof + bytes(32)).hex())
    refuse("no proof", "InvalidEncoding", proof="")


def make(name: str, group: Group) -> Values:
    """Make the whole content of a file."""
    give, _ = FILES[name]
    made: Values = {"cases": [], "rejects": []}
    for index, given in enumerate(cases(name, group)):
        gives = give(group, given)
        made["cases"].append({"given": given, "gives": gives})
        made["rejects"] += rejects(name, index, {**given, **gives}, group)
    return made


def _part(value: Any) -> transcript.Part:
    if isinstance(value, dict):
        return bytes.fromhex(value["bytes"])
    if isinstance(value, list):
        return [_part(item) for item in value]
    return value


def _b(text: str) -> bytes:
    return bytes.fromhex(text)


def _number(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def _hex(ciphers: Any) -> str:
    return masking.encode_deck(tuple(ciphers)).hex()


def _deck(text: str) -> masking.Ciphers:
    data = bytes.fromhex(text)
    return tuple((data[at : at + 32], data[at + 32 : at + 64]) for at in range(0, len(data), 64))


if __name__ == "__main__":
    for file in FILES:
        text = json.dumps(make(file, ristretto255()), indent=1, ensure_ascii=False)
        (HERE / f"{file}.json").write_text(text + "\n", encoding="utf-8")
