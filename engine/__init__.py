"""The rule books: games as coroutines that await the table; no I/O, no cryptography."""
