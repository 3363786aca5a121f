"""The table: rules, cards and signatures of a match; no I/O, clock or randomness of its own."""
