"""The hashes and the cryptography of a second program that verifies a log, written from
docs/protocol.md alone: of ours it imports the group."""

import hashlib

import msgpack

from crypto.group import ristretto255

GROUP = ristretto255()
G = GROUP.generator
L = GROUP.order


class Wrong(Exception):
    """The log is not as the documents say."""


def require(holds, what):
    """Raise if something does not hold."""
    if not holds:
        raise Wrong(what)


# Section 1: hashes.


def digest(label, *parts):
    """Return SHA-512 over the label and the parts."""
    return hashlib.sha512(
        b"".join(spell(part) for part in ("sobremesa/v1", label, *parts))
    ).digest()


def spell(part):
    """Return the type, the length and the content."""
    if isinstance(part, list):
        kind, length, content = b"l", len(part), b"".join(spell(item) for item in part)
    elif isinstance(part, int):
        kind, content = b"i", part.to_bytes((part.bit_length() + 7) // 8, "big")
        length = len(content)
    else:
        kind, content = (b"s", part.encode()) if isinstance(part, str) else (b"b", part)
        length = len(content)
    return kind + length.to_bytes(8, "big") + content


def h(label, *parts):
    """H."""
    return digest(label, *parts)[:32]


def hl(label, *parts):
    """HL."""
    return int.from_bytes(digest(label, *parts), "little") % L


def h128(label, *parts):
    """H128."""
    return int.from_bytes(digest(label, *parts)[:16], "little")


def pack(value):
    """Return canonical MessagePack."""
    return msgpack.packb(value)


def player_id(key):
    """Section 2.1."""
    return hashlib.sha256(b"sobremesa/v1/player\0" + key).digest()


# Section 7: cryptography.


def halves(data, size=32):
    """Cut bytes into pieces of equal size."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def scalars(data, size=32):
    """Read scalars."""
    return [int.from_bytes(piece, "little") for piece in halves(data, size)]


def verify_relation(label, statement, rows, images, proof):
    """A proof of a relation with one secret: each row has one base."""
    c, s = scalars(proof)
    made = [
        GROUP.sub(GROUP.mult(s, base), GROUP.mult(c, image))
        for base, image in zip(rows, images, strict=True)
    ]
    require(
        c == hl(label, statement, [[[base] for base in rows], list(images)], made),
        f"a proof: {label}",
    )


class Deck:
    """One deck: 7.1 to 7.7."""

    def __init__(self, match, game, request, ids):
        self.number, self.first, self.faces, self.holders = request
        self.match, self.game, self.ids = match, game, ids
        name = game.encode()
        self.points = list(GROUP.family(b"sobremesa/v1/card", name, len(self.faces)))
        self.keys = {}
        self.slots = []
        self.shares = {}

    def context(self, head):
        """Return ctx."""
        return h(
            "context",
            self.match,
            self.number,
            self.game,
            [self.ids[seat] for seat in self.holders],
            head,
        )

    def take_keys(self, head, bodies):
        """7.1, 7.3."""
        for seat, body in bodies.items():
            key = body["key"]
            verify_relation(
                "key", [self.context(head), seat, self.ids[seat]], [G], [key], body["proof"]
            )
            self.keys[seat] = key
        self.joint = GROUP.sum(self.keys.values())
        require(len(set(self.keys.values())) == len(self.holders), "equal keys")
        self.slots = [(G, GROUP.add(point, self.joint)) for point in self.points]

    def take_shuffle(self, head, body):
        """7.4."""
        flat = halves(body["deck"])
        after = list(zip(flat[::2], flat[1::2], strict=True))
        verify_shuffle(self.context(head), self.joint, self.slots, after, body["proof"])
        self.slots = after

    def take_shares(self, head, seat, slots, item):
        """7.5."""
        data, proof = item
        firsts = [self.slots[slot - self.first][0] for slot in slots]
        shares = halves(data)
        require(len(shares) == len(slots) > 0, "the number of shares")
        statement = digest(
            "shares/statement", self.context(head), self.keys[seat], slots, firsts, shares
        )
        weights = [1, *(h128("shares/weight", statement, index) for index in range(1, len(slots)))]
        first, share = GROUP.combine_each([(weights, firsts), (weights, shares)])
        verify_relation("shares", statement, [G, first], [self.keys[seat], share], proof)
        for slot, share in zip(slots, shares, strict=True):
            self.shares.setdefault(slot, {})[seat] = share

    def without(self, slot, seats):
        """Take the masks of these seats off a slot."""
        rest = self.slots[slot - self.first][1]
        for seat in seats:
            rest = GROUP.sub(rest, self.shares[slot][seat])
        return rest

    def face(self, slot):
        """7.6."""
        return self.faces[self.points.index(self.without(slot, self.holders))]

    def kept_face(self, seat, slot, data):
        """7.9."""
        (share,), proof = halves(data[:32]), data[32:]
        holders = [self.ids[one] for one in self.holders]
        ctx = h("kept", self.match, self.number, self.game, holders)
        rows = [G, self.slots[slot - self.first][0]]
        verify_relation("kept-share", [ctx, slot], rows, [self.keys[seat], share], proof)
        rest = self.without(slot, [other for other in self.holders if other != seat])
        return self.faces[self.points.index(GROUP.sub(rest, share))]

    def take_claim(self, head, seat, slot, among, proof):
        """7.7."""
        a, key = self.slots[slot - self.first][0], self.keys[seat]
        c = self.without(slot, [other for other in self.holders if other != seat])
        points = [
            point for point, face in zip(self.points, self.faces, strict=True) if face in among
        ]
        pairs = scalars(proof)
        require(len(pairs) == 2 * len(points), "the length of a claim")
        made, total = [], 0
        for point, c_f, z_f in zip(points, pairs[::2], pairs[1::2], strict=True):
            made.append(GROUP.sub(GROUP.base(z_f), GROUP.mult(c_f, key)))
            made.append(GROUP.sub(GROUP.mult(z_f, a), GROUP.mult(c_f, GROUP.sub(c, point))))
            total += c_f
        require(
            total % L == hl("one-of", [self.context(head), slot, key, a, c, points], made),
            "a claim",
        )


def verify_shuffle(ctx, joint, before, after, proof):
    """7.4."""
    n = len(before)
    require(len(proof) == 128 * n + 144, "the length of a shuffle's proof")
    big_h = list(GROUP.family(b"sobremesa/v1/gen", b"", n + 1))
    h_0, gens = big_h[0], big_h[1:]
    coms, chain, rest = halves(proof[: 32 * n]), halves(proof[32 * n : 64 * n]), proof[64 * n :]
    c, s = int.from_bytes(rest[:16], "little"), scalars(rest[16:])
    s1, s2, s3, s4, s_hat, s_dash = *s[:4], s[4 : 4 + n], s[4 + n :]
    flat = [b"".join(part for pair in deck for part in pair) for deck in (before, after)]
    e = digest("tw/e", ctx, G, digest("tw/gen", h_0, gens), joint, *flat)
    st = digest("tw/u", e, b"".join(coms))
    u = [h128("tw/u", st, j) for j in range(n)]
    product = 1
    for factor in u:
        product = product * factor % L
    c_bar = GROUP.sub(GROUP.sum(coms), GROUP.sum(gens))
    c_hat = GROUP.sub(chain[-1], GROUP.mult(product, h_0))
    c_tilde, a_in, b_in = GROUP.combine_each(
        [(u, coms), *((u, [pair[part] for pair in before]) for part in (0, 1))]
    )
    a_out, b_out = ([pair[part] for pair in after] for part in (0, 1))
    rows = [
        ([s1, -c % L], [G, c_bar]),
        ([s2, -c % L], [G, c_hat]),
        ([s3, *s_dash, -c % L], [G, *gens, c_tilde]),
        ([-s4 % L, *s_dash, -c % L], [G, *a_out, a_in]),
        ([-s4 % L, *s_dash, -c % L], [joint, *b_out, b_in]),
    ]
    for i, last in enumerate([h_0, *chain[:-1]]):
        rows.append(([s_hat[i], s_dash[i], -c % L], [G, last, chain[i]]))
    t = GROUP.combine_each(rows)
    require(c == h128("tw/c", st, b"".join(chain), b"".join(t)), "the proof of a shuffle")
