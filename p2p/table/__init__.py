"""The table: the rules, cards and signatures of a match; no I/O, no clock, no own randomness."""
