"""Masked decks, proofs, identities and a sealed channel; no I/O, no games.

Here a face is an index and a seat a number. In this example two seats mask, shuffle and open a deck
of four cards, and verify each other's proofs:

>>> from os import urandom
>>> from crypto import masking, shuffle
>>> from crypto.group import ristretto255
>>> group, ctx = ristretto255(), b"names the match, the deck and its holders"
>>> points = masking.card_points(group, "four cards", 4)

>>> keys = [masking.new_key(group, urandom) for seat in range(2)]
>>> for seat, key in enumerate(keys):
...     proof = masking.prove_key(group, ctx, seat, b"player's id", key, urandom)
...     _ = masking.verify_key(group, ctx, seat, b"player's id", key.public, proof)
>>> joint = masking.joint_key(group, [key.public for key in keys])

>>> deck = masking.starting_deck(group, points, joint)
>>> for seat in range(2):
...     order = shuffle.draw_permutation(4, urandom)
...     randomness = [group.random_scalar(urandom) for _ in order]
...     after = shuffle.shuffle_deck(group, joint, deck, order, randomness)
...     proof = shuffle.prove_shuffle(group, ctx, joint, deck, after, order, randomness, urandom)
...     received = masking.decode_deck(group, masking.encode_deck(after), 4)
...     shuffle.verify_shuffle(group, ctx, joint, deck, received, proof)
...     deck = received

>>> shares = []
>>> for key in keys:
...     data, proof = masking.make_shares(group, ctx, key, [2], [deck[2]], urandom)
...     shares += masking.verify_shares(group, ctx, key.public, [2], [deck[2]], data, proof)
>>> masking.unmask(group, deck[2], shares) in points
True
"""
