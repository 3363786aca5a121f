"""The measurements of `python -m benchmarks`: one module per kind of figure.

Each figure stands beside the physical limit of its work.

A section is two functions: one takes the settings, measures, and returns plain JSON values, the
other makes rows for people of these. Group operations are counted by the group while the work is
done, never computed; their unit cost is measured between the repetitions of the very work that it
is held against, so that a busy machine slows both.
"""
