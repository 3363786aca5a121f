"""The commands, one module each: `EXAMPLE`, `add_arguments(parser)` and `run(args) -> int`.

A module is imported only when its command runs.
"""
