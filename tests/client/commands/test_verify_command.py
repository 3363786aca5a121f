"""`sobremesa verify`: its answers to good logs, to cut ones, and to files that are no log."""

import json
import os
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from client.__main__ import main
from client.commands.verify import Report
from client.i18n.sentences import DECODING, said
from client.session.status import Status
from client.ui.plain.verdicts import open_ends, proven
from crypto.identity import fingerprint
from p2p.table.log import make_entry, opening_record, record
from p2p.table.replay import BadLog, verify_log
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import PROTOCOL, unpack
from tests.client.ui.screen.boxes import reading
from tests.ring import Ring, first_choice, identities, terms_for
from tests.standin import standin_group

GROUP = standin_group()


@pytest.fixture(scope="module")
def log() -> bytes:
    """The log of a one-deal match, over the real group."""
    ring = Ring("escoba", 2, target=1, seed="verify2")
    ring.play()
    assert ring.logs[0] == ring.logs[1]
    return ring.logs[0]


@pytest.fixture
def check(tmp_path, capsys):
    def run(*contents: bytes, args=()):
        names = []
        for number, content in enumerate(contents):
            path = tmp_path / f"{number}.sobremesa"
            path.write_bytes(content)
            names.append(str(path))
        status = main(["verify", *args, *names])
        out, err = capsys.readouterr()
        return status, out.replace(str(tmp_path), ""), err

    return run


def cut(log: bytes, records: int) -> bytes:
    """Return so many records of a log; of a negative number, all but the last so many."""
    kept = split_records(log)[0][:records]
    return b"".join(struct.pack(">I", len(data)) + data for data in kept)


def test_a_whole_log_is_good_and_names_players_and_result(check, log):
    status, out, err = check(log)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "/0.sobremesa: good and complete"
    assert lines[1] == "  game: Escoba (Points to win: 1; all other options as usual)"
    for seat, who in enumerate(identities(2)):
        assert f"  p{seat + 1}: nick{seat}, {fingerprint(who.id)}" in lines
    assert any(line.startswith("  score: nick0: ") for line in lines)
    assert any(line.startswith("  won by nick") for line in lines)
    assert lines[-2].startswith("  proven: these keys signed it, and all shuffles, cards, proofs ")
    assert "shuffles 2, moves 36" in lines[-2]
    assert lines[-1].startswith("  only claimed: the names, whether a person or a computer plays")


def test_an_option_that_is_not_usual_is_named_once(check):
    ring = Ring("escoba", 2, target=1, capture="free", seed="verify2")
    ring.play(moves=1)
    status, out, _ = check(ring.logs[0])
    assert status == 7
    assert out.count("Laying a card") == 1
    assert "capture=" not in out


def test_json_has_all_of_it(check, log):
    status, out, _ = check(log, args=["--json"])
    found = json.loads(out)
    assert (status, found["ok"], found["complete"], found["game"]) == (0, True, True, "escoba")
    assert [(player["seat"], player["nick"]) for player in found["players"]] == [
        (0, "nick0"),
        (1, "nick1"),
    ]
    assert found["players"][0]["id"] == fingerprint(identities(2)[0].id)
    assert found["options"]["target"] == 1
    assert len(found["winners"]) == 1
    assert len(found["match"]) == 64
    assert found["checked"]["moves"] == 36
    assert "missing" not in found
    assert "error" not in found


def test_a_log_without_seals_is_good_as_far_as_it_goes_and_names_who_has_not_sealed(check, log):
    status, out, _ = check(cut(log, -1))
    assert status == 7
    assert out.splitlines()[0] == "/0.sobremesa: good as far as it goes, NOT COMPLETE"
    assert out.splitlines()[1] == "  The match is finished, but not signed by p1 and p2."
    status, out, _ = check(cut(log, -1), args=["--json"])
    found = json.loads(out)
    assert (status, found["status"], found["ok"], found["complete"]) == (7, 7, False, False)
    assert (found["missing"], found["waiting"]) == (
        "the match is over, but not all have signed its end",
        [0, 1],
    )


@pytest.mark.parametrize("language", ["eu", "es", "is"])
def test_a_damaged_log_is_explained_in_the_readers_language(log, language):
    english = {*DECODING, "not signed by"}
    found = set()
    for at in range(40, len(log), len(log) // 60):
        data = log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]
        try:
            assert verify_log(data).missing  # a length that changes tears the last record
        except BadLog as error:
            with reading(language):
                found.add(said(error))
    assert len(found) > 20
    assert [line for line in found for part in english if part in line] == []


@pytest.fixture(scope="module")
def voted() -> Ring:
    """Play a match of four whose third seat falls silent: two of the others and the fourth vote it
    out."""
    ring = Ring("siete-y-media", 4, group=GROUP, deals=1)
    ring.settle()
    while not ring.tables[2].asked:
        ring.play(moves=1)
    ring.tap = lambda sender, receiver, data: (data,) if 2 not in (sender, receiver) else ()
    for seat in (0, 1, 3):
        ring.tables[seat].vote(2)
    ring.settle()
    for seat in (0, 1, 3):
        while ring.tables[seat].asked or any(ring.tables[other].asked for other in (0, 1, 3)):
            asked = next(other for other in (0, 1, 3) if ring.tables[other].asked)
            ring.tables[asked].act(first_choice(ring.tables[asked].view()))
            ring.settle()
    assert all(ring.tables[seat].sealed for seat in (0, 1, 3))
    return ring


def test_votes_are_named_and_are_no_proof(voted):
    verdict = verify_log(voted.logs[0], GROUP)
    (gone,) = verdict.voted_out
    assert open_ends(verdict) == [
        f"p3 was voted out by p1, p2 and p4 (3 of 4) at step {gone.record}: that is their word, "
        f"not a proof."
    ]
    assert proven(verdict)[-1] == "only claimed by those who voted: that a player was away"
    assert Report("x", Status.INCOMPLETE, verdict=verdict).as_json()["gone"] == [
        {"seat": 2, "how": "voted", "step": gone.record, "voters": [0, 1, 3], "electorate": 4}
    ]


def test_a_whole_log_that_convicts_a_seat_says_so_first_and_names_those_who_have_signed(check):
    ring = Ring("siete-y-media", 3, deals=1)
    ring.settle()
    table = ring.tables[0]
    for number in (1, 2):
        place, head = (("step", 0, 1000), 0), bytes(32)
        table.receive(make_entry(ring.who[1], table.match, place, 1, head, {"a": number}).data)
    ring.settle()
    ring.tap = lambda sender, receiver, data: () if 1 in (sender, receiver) else (data,)
    ring.settle()
    ring.play()
    status, out, _ = check(ring.logs[0])
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "/0.sobremesa: good and complete; convicted: nick1"
    assert "  nick1 is out of the match, convicted by an entry that nick1 signed." in lines
    assert lines[-3] == "  the end is signed by nick0 and nick2"
    assert "proven: these keys signed it, faults too; all else follows the rules" in lines[-2]


def test_a_log_with_an_entry_left_over_is_3(check):
    ring = Ring("escoba", 2, target=5, seed="left")
    ring.play(moves=1)
    ring.tables[0].leave()
    ring.settle()
    log = ring.logs[1]
    assert check(log)[0] == 0
    *before, change, _seals = (unpack(item, RECORD_LIMIT) for item in split_records(log)[0])
    leave = make_entry(ring.who[1], ring.terms.match, (("leave", 0), 0), 1, bytes(32), {}).data
    more = {"epoch": [change["epoch"][0], leave, *change["epoch"][1:]]}
    status, out, _ = check(b"".join(record(value) for value in [*before, more]))
    assert status == 3
    assert out.splitlines()[1].endswith("or has more entries than that takes")


@pytest.mark.parametrize("number", [1, 2])
def test_a_log_of_an_older_protocol_is_not_checked_and_says_so_in_one_sentence(check, number):
    old = (Path(__file__).parents[2] / "vectors" / f"protocol-{number}.sobremesa").read_bytes()
    sentence = f"a log of protocol {number}; this program speaks {PROTOCOL}"
    assert check(old) == (5, f"/0.sobremesa: NOT CHECKED: {sentence}\n", "")
    status, out, err = check(old, args=["--json"])
    assert (status, err) == (5, "")
    assert (json.loads(out)["ok"], json.loads(out)["error"]) == (False, sentence)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "mus"}, "a log of the game 'mus', which this version does not know"),
        ({"rules": 99}, "rules 99 of escoba, and this program plays by rules "),
    ],
)
def test_a_log_of_a_newer_game_or_of_newer_rules_is_not_checked_either(check, log, changes, why):
    terms = replace(terms_for("escoba", 2, target=1), **changes)
    (size,) = struct.unpack_from(">I", log)
    newer = opening_record(terms, [terms.sign(who) for who in identities(2)]) + log[4 + size :]
    status, out, err = check(newer)
    assert (status, err) == (5, "")
    assert f"NOT CHECKED: {why}" in out.replace("the terms: ", "")


def test_two_logs_of_one_match_are_compared(check, log):
    status, out, _ = check(log, cut(log, -3))
    assert status == 7
    assert (
        out.splitlines()[-1]
        == "/1.sobremesa is the beginning of /0.sobremesa, which has 2 records more."
    )
    status, out, _ = check(log, log, args=["--json"])
    assert status == 0
    assert json.loads(out.splitlines()[-1])["differ"] is False


def test_two_logs_that_part_are_as_bad_as_a_bad_log_and_name_who_signed_both(check, log):
    """Both seats have told two stories, and stand for both."""
    other = Ring("escoba", 2, target=1, seed="another")
    other.play()
    status, out, _ = check(log, other.logs[0])
    assert status == 3
    assert "differ from step 1 on: the steps before it are the same." in out
    assert "p1 and p2 have signed two different entries for one place" in out
    status, out, _ = check(log, other.logs[0], args=["--json"])
    found = json.loads(out.splitlines()[-1])
    assert (status, found["differ"], found["twice"]) == (3, True, [0, 1])


@pytest.mark.parametrize("name", ["match.html", "match.SHTM"])
def test_a_log_that_is_called_a_page_is_not_good(log, tmp_path, capsys, name):
    """A browser would show as a page what a nick or the end of the file may contain."""
    (tmp_path / name).write_bytes(log)
    assert main(["verify", str(tmp_path / name)]) == 3
    assert "NOT GOOD" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"x", b"[[expect]]\n" * 100, bytes(64), b"\xff" * 64])
def test_a_file_that_is_no_log_is_3_with_one_line_why(check, content):
    status, out, err = check(content)
    assert (status, err) == (3, "")
    assert out.splitlines()[0].endswith("NOT GOOD")
    assert len(out.splitlines()) == 2
    status, out, _ = check(content, args=["--json"])
    found = json.loads(out)
    assert (found["ok"], found["complete"]) == (False, False)
    assert found["error"]


def test_a_signature_that_does_not_fit_accuses_nobody(check, log):
    records = split_records(log)[0]
    seals = bytearray(records[-1])
    place = seals.index(b"\xc4\x40") + 2  # the first of 64 bytes, as msgpack writes a signature
    seals[place] ^= 1
    head = b"".join(struct.pack(">I", len(data)) + data for data in records[:-1])
    status, out, _ = check(head + struct.pack(">I", len(seals)) + bytes(seals))
    assert status == 3
    assert "not signed by p1" in out.splitlines()[1]
    assert out.splitlines()[2] == (
        "  Somebody changed the file, or it was damaged, after it was written. This is no "
        "evidence against any player."
    )


def test_the_highest_status_counts_and_every_file_is_looked_at(check, log, tmp_path, capsys):
    status, out, _ = check(log, b"x")
    assert status == 3
    assert "good and complete" in out
    assert "NOT GOOD" in out
    good = tmp_path / "0.sobremesa"
    assert main(["verify", str(tmp_path / "none"), str(good)]) == 2
    out, err = capsys.readouterr()
    assert "good and complete" in out
    assert err.startswith(f"sobremesa: {tmp_path / 'none'} cannot be read: ")


def test_colour_only_decorates(check, log):
    plain, painted = (
        check(log, b"x", args=["--color=never"])[1],
        check(log, b"x", args=["--color=always"])[1],
    )
    assert "\x1b[32m" in painted
    assert "\x1b[31m" in painted
    assert re.sub("\x1b\\[[0-9]*m", "", painted) == plain == check(log, b"x")[1]


def test_without_a_name_it_is_the_log_that_was_written_last(log, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    assert main(["verify"]) == 2
    assert "no match has been played here yet" in capsys.readouterr().err
    (tmp_path / "logs").mkdir()
    for age, name, content in ((50, "old", b"no log"), (0, "last", log), (99, "older", b"no log")):
        path = tmp_path / "logs" / f"{name}.sobremesa"
        path.write_bytes(content)
        os.utime(path, (1_700_000_000 - age,) * 2)
    assert main(["verify"]) == 0
    assert "last.sobremesa" in capsys.readouterr().out.replace("\n", "")
