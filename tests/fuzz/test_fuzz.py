"""Every input that the fuzzer ever found worth keeping, and a short while of Hypothesis on the same
targets."""

from __future__ import annotations

import re
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import LONGEST, MEBIBYTES, SECONDS, corpus, load
from tests.sample import sample

EXAMPLES = {
    "frames": 200,
    "entries": 40,
    "logs": 100,
    "scenarios": 40,
    "invites": 400,
}
FILES = [(target, path) for target in LONGEST for path in corpus(target)]
HASHED = [(target, path) for target, path in FILES if re.fullmatch("[0-9a-f]{40}", path.name)]
"""Inputs that are kept because they reach other code; the others are named after their effect."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "path"), FILES, ids=[f"{target}/{path.name}" for target, path in FILES]
)
def test_a_kept_input_does_no_harm_and_takes_little_time(target, path):
    one_input, data = load(target).one_input, path.read_bytes()
    began = time.process_time()
    one_input(data)
    assert time.process_time() - began < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "path"),
    sample(sorted(FILES, key=HASHED.__contains__), (len(FILES) - len(HASHED)) // 4, rows=True),
)
def test_a_kept_input_takes_little_memory(target, path):
    one_input, data = load(target).one_input, path.read_bytes()
    tracemalloc.start()
    try:
        one_input(data)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < MEBIBYTES << 20


@pytest.mark.slow
@pytest.mark.parametrize("part", sample([3, 1], 1), ids=["a-part", "all"])
@pytest.mark.parametrize("target", LONGEST)
def test_inputs_by_hypothesis_do_no_harm(target, part):
    one_input, kept = load(target).one_input, [path.read_bytes() for path in corpus(target)]
    pieces = st.lists(
        st.tuples(st.integers(0, 400), st.binary(max_size=12), st.integers(0, 12)), max_size=4
    )

    # The same inputs each time: to search is the fuzzer's business.
    @settings(max_examples=EXAMPLES[target] // part, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(kept), pieces, st.binary(max_size=200))
    def search(data, changes, fresh):
        for at, new, old in changes:
            data = data[:at] + new + data[at + old :]
        one_input(data)
        one_input(fresh)

    search()
