"""The table: rules meet cards meet signatures; no I/O, no clock, no randomness of its own."""
