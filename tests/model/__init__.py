"""The model of protocol 3: the real `Epoch` of every honest member, with stand-in records.

The adversary delivers what it likes, in any order. Liars sign any well-formed words, votes,
flushes, stands and leaves, up to `STORIES` for one place, and junk. People answer, are late, vote
and leave. Members crash back to the last thing that they signed.

Checked in every state: G1, G2, G3, G6 (the pools alone), G7, G9, G10, G12 (in one epoch all words
of an honest seat lie on one line). Checked by letting everything arrive: G5 and G8. Not covered:
cryptography, the rules of games, decks and their keys, seals, files, spectators, a disk older than
the entries that its seat has sent, more than one epoch back, clocks.
"""
