"""The locksmith: masked decks, proofs and identities; no I/O, no games."""
