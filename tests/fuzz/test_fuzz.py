"""Every input that the fuzzer ever found worth keeping, and a short while of Hypothesis on the same
targets."""

from __future__ import annotations

import re
import time
import tracemalloc
from types import SimpleNamespace
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto.plain import Plain
from p2p.net import invite
from p2p.net.framing import FrameReader
from p2p.table import replay
from p2p.table.events import Accused
from p2p.table.faults import BadForm
from p2p.table.log import opening_record, record
from p2p.table.steps import Exchange
from p2p.table.table import Table
from p2p.wire import pack
from tests.fuzz import __main__ as command
from tests.fuzz import entries, scenarios
from tests.fuzz.draw import Draw
from tests.fuzz.matches import LIAR
from tests.fuzz.minimise import MOST_FILES, reached
from tests.fuzz.targets import CORPUS, LONGEST, MEBIBYTES, SECONDS, corpus, load
from tests.sample import sample

EXAMPLES = {
    "frames": 200,
    "entries": 40,
    "logs": 100,
    "scenarios": 40,
    "invites": 400,
    "arithmetic": 200,
}
MOST_BYTES = 200_000
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


def test_the_corpus_is_small():
    for target in LONGEST:
        sizes = [path.stat().st_size for path in corpus(target)]
        assert 5 < len(sizes) <= MOST_FILES, target
        assert sum(sizes) <= MOST_BYTES, target
    assert {path.name for path in CORPUS.iterdir()} == set(LONGEST)


def all_of(target: str) -> None:
    for path in corpus(target):
        load(target).one_input(path.read_bytes())


def fails(*args: object, **kwargs: object) -> None:
    raise KeyError("planted")


@pytest.mark.parametrize(
    ("target", "where", "name"),
    [
        ("invites", invite, "_number"),
        ("arithmetic", Plain, "total"),
        ("frames", FrameReader, "feed"),
        ("entries", Exchange, "receive"),
        ("logs", replay, "read_entry"),
        ("scenarios", scenarios, "report"),
    ],
)
def test_an_error_that_nobody_defined_comes_out(monkeypatch, target, where, name):
    monkeypatch.setattr(where, name, fails)
    with pytest.raises(KeyError, match="planted"):
        all_of(target)


def test_a_seat_that_has_not_lied_may_not_be_accused(monkeypatch):
    events = Table.events
    monkeypatch.setattr(
        Table,
        "events",
        lambda self: [*events(self), Accused(BadForm(self.seat or 0, "planted", ()))],
    )
    with pytest.raises(AssertionError, match="planted"):
        all_of("entries")


def test_two_honest_logs_may_not_disagree(monkeypatch):
    def other_log(table, mark):
        log = opening_record(table.terms, table.signatures)
        return 0, log + record({"step": [pack([table.seat, ["step", 0, 1]])]})

    monkeypatch.setattr(Table, "log_update", other_log)
    liar = SimpleNamespace(seat=LIAR, how="convicted")
    verdict = SimpleNamespace(faults=[liar], gone=[liar], voted_out=[], complete=ANY)
    monkeypatch.setattr(entries, "verify_log", lambda log, group: verdict)
    with pytest.raises(AssertionError, match="two honest logs disagree"):
        all_of("entries")


def test_a_spoiled_log_may_not_be_complete(monkeypatch):
    monkeypatch.setattr(replay.Verdict, "complete", True)
    with pytest.raises(AssertionError):
        all_of("logs")


def test_a_scenario_that_was_played_must_hold(monkeypatch):
    monkeypatch.setattr(scenarios, "judged", lambda play, seat, text: "legal")
    with pytest.raises(AssertionError):
        load("scenarios").one_input(b"\0\0\7" + bytes([8, 1, 1, 0, 0, 3, 1, 3]) * 8)


def test_the_reach_of_an_input_is_measured():
    one_input = load("invites").one_input
    assert len(reached(one_input, b"SBM1")) > len(reached(one_input, b"")) > 10
    assert reached(fails, b"") == frozenset()


def test_choices_are_a_function_of_the_bytes():
    like = {"move": ["Play", 3, [4, 5]], "shares": [[b"x" * 64, b"y" * 80]]}
    made = [Draw(bytes(range(at, 256))).value(like) for at in range(200)]
    assert made == [Draw(bytes(range(at, 256))).value(like) for at in range(200)]
    assert len({repr(value) for value in made}) > 50
    assert like == {"move": ["Play", 3, [4, 5]], "shares": [[b"x" * 64, b"y" * 80]]}


def test_without_a_fuzzer_the_command_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    assert command.main(["frames", "--keep", str(tmp_path)]) == 2
    assert "no atheris" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


SAID = """#2313 NEW    cov: 40 ft: 289 corp: 30/3Kb lim: 185 exec/s: 105 rss: 94Mb L: 10/1185
MEASURED seconds 0.0200 of 30 bytes
MEASURED mebibytes 7 above 60
MEASURED seconds 0.0415 of 90 bytes
#5000 DONE   cov: 41 ft: 300 corp: 31/4Kb lim: 185 exec/s: 105 rss: 94Mb
stat::number_of_executed_units: 5000
stat::peak_rss_mb:              94
"""


def test_the_output_of_the_fuzzer_is_summed_up():
    line = command.summary("logs", 600, 0, SAID)
    assert (
        "NOTHING FOUND; 5000 executions in 10.0 minutes; covered 41 edges, 300 features, corpus "
        "31/4Kb" in line
    )
    assert "slowest input 0.0415 s" in line
    assert "grew by 7 MiB (limit 64), peak of the whole process 94 MiB" in line
    truncated = command.summary("logs", 6, 2, "\n".join(SAID.splitlines()[:1]))
    assert re.search(r"2 FOUND; 2313 executions .* slowest input \? s", truncated)
