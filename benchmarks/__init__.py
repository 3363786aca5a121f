"""The measurements of `python -m benchmarks`: one module per kind of figure.

Each figure stands beside the physical limit of its work.

A section is a function `Settings -> dict` of plain JSON values, and one that makes rows for people
out of such a dict. Group operations are counted by the group while the work is done, never
computed; their unit cost is measured between the repetitions of the very work that it is held
against, so that a busy machine slows both.
"""
