"""The commands, a module each: `EXAMPLE`, `add_arguments(parser)` and `run(args) -> int`.

Imported only when wanted.
"""
