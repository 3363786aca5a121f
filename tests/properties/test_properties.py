"""Properties of every game, tried on matches played by chance."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import msgpack
import pytest

from engine.core.canonical import canonical
from engine.core.moves import IllegalMove, NotAMove, read_move, spell_move
from engine.core.open_deck import OpenDeck
from engine.core.requests import Ask, Deal
from engine.games import GAMES
from tests.properties.matches import MATCHES, NAMES, digest, replayed, start, steps, uncovered
from tests.sample import sample

EVERY = pytest.mark.parametrize("number", range(len(MATCHES)), ids=NAMES)
SEEDS = pytest.mark.parametrize("seeds", sample([range(2), range(2, 6)], 1), ids=["few", "more"])


def test_every_game_of_the_catalogue_is_tried():
    assert uncovered() == []
    for name, game in GAMES.items():
        assert {players for other, players, _ in MATCHES if other == name} == set(
            game.allowed_players
        )


@EVERY
@pytest.mark.parametrize("seeds", sample([range(8), range(8, 30)], 1), ids=["few", "more"])
def test_a_match_ends_whoever_leaves(number, seeds):
    for seed in seeds:
        *_, play = steps(number, seed, leaving=True)
        assert play.over
        assert play.game.winners
        assert set(play.game.winners) <= set(range(play.game.players))


@EVERY
@SEEDS
def test_no_card_is_dealt_from_a_deck_of_which_a_holder_has_gone(number, seeds, monkeypatch):
    """Its cards are only opened: nobody uses a deck key for cards to come after a change."""
    answer = OpenDeck.answer

    def answered(play, request):
        if isinstance(request, Deal):
            dealt = {slot for slots in request.to.values() for slot in slots}
            for deck in play.game.decks:
                assert set(deck.seats) <= set(play.game.seats) or dealt.isdisjoint(deck.slots)
        answer(play, request)

    monkeypatch.setattr(OpenDeck, "answer", answered)
    for seed in seeds:
        *_, play = steps(number, seed, leaving=True)
        assert play.over


@EVERY
@SEEDS
def test_a_game_says_whether_the_rules_end_the_match_when_a_seat_leaves(number, seeds):
    for seed in seeds:
        *_, whole = steps(number, seed)
        for count in range(0, len(whole.answers), max(1, len(whole.answers) // 8)):
            play = replayed(whole, number, count)
            if play.over or len(play.game.seats) < 2:
                continue
            seat = play.game.seats[seed % len(play.game.seats)]
            ends = play.game.ends_without(seat)
            play.leave(seat)
            few = len(play.game.seats) < 2  # of siete y media: others had no chips left
            assert play.over is (ends or few)


@EVERY
@SEEDS
def test_replay_equals_play(number, seeds):
    for seed in seeds:
        prints = [play.run.fingerprint() for play in steps(number, seed, leaving=True)]
        *_, play = steps(number, seed, leaving=True)
        again = []
        replayed(
            play,
            number,
            len(play.answers),
            seen=lambda twin, into=again: into.append(twin.run.fingerprint()),
        )
        assert again == prints


@EVERY
@SEEDS
def test_fewer_faces_never_forbid(number, seeds):
    random = Random(number)
    for seed in seeds:
        for play in steps(number, seed):
            for seat in play.turn:
                hand = play.known(seat)
                request = play.run.request
                assert isinstance(request, Ask)
                for move in request.options(seat, hand):
                    fewer = {
                        slot: face
                        for slot, face in hand.items()
                        if slot in move.shows or random.random() < 0.4
                    }
                    assert move in request.options(seat, fewer)
                    assert move in request.options(seat, {slot: hand[slot] for slot in move.shows})


@EVERY
@SEEDS
def test_there_is_always_something_to_do_and_looking_changes_nothing(number, seeds):
    for seed in seeds:
        for play in steps(number, seed):
            before = play.run.fingerprint()
            for seat in play.turn:
                listed = list(play.options(seat))
                assert listed
                assert listed == list(play.options(seat))
                assert len(set(listed)) == len(listed)
                for move in listed:
                    play.judge(seat, move)
            play.game.next_pack()
            play.game.table()
            for seat in (None, *range(play.game.players)):
                play.view(seat)
            assert play.run.fingerprint() == before


@EVERY
@SEEDS
def test_notation_round_trips(number, seeds):
    for seed in seeds:
        for play in steps(number, seed):
            for seat in play.turn:
                known = play.known(seat)
                for move in play.options(seat):
                    text = play.game.write(move, play.faces)
                    again = play.game.read(text, seat, known)
                    assert play.game.write(again, play.faces) == text
                    assert again == move
                    assert read_move(play.game.moves, spell_move(move)) == move


@EVERY
def test_text_is_malformed_always_or_never(number):
    """NotAMove does not depend on the state: an unplayed match with no cards tells the same."""
    unplayed, _ = start(number, 0)
    random = Random(number)
    words = [*unplayed.game.pack[:9], "play", "take", "bid", "0", "7", "01", "x"]
    for play in steps(number, 1):
        texts = [
            play.game.write(move, play.faces) for seat in play.turn for move in play.options(seat)
        ]
        texts += [" ".join(random.choices(words, k=random.randrange(1, 5))) for _ in range(10)]
        for text in texts:
            assert malformed(play.game, text, play.known(0)) == malformed(
                unplayed.game, text, {}
            ), text


def malformed(game, text, hand):
    try:
        game.read(text, 0, hand)
    except NotAMove:
        return True
    except IllegalMove:
        return False
    return False


@EVERY
@SEEDS
def test_cards_are_conserved(number, seeds):
    """No slot lies in two hands, or in a hand and the stock; every dealt card comes from a deck; no
    face too often."""
    for seed in seeds:
        for play in steps(number, seed, leaving=True):
            game = play.game
            slots = Counter(slot for place in (game.stock, *game.hands) for slot in place)
            assert not slots or max(slots.values()) == 1
            laid = {slot for deck in game.decks for slot in deck.slots}
            assert set(slots) <= laid
            assert set(game.holder) <= laid
            assert set(game.faces) <= laid
            for deck in game.decks:
                assert Counter(play.faces[slot] for slot in deck.slots) == Counter(deck.cards)
                assert all(play.faces[slot] == face for slot, face in game.faces.items())


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("seeds", sample([range(1), range(12)], 1), ids=["few", "more"])
def test_views_do_not_depend_on_faces_not_seen(number, seeds):
    """Rearrange what a seat has not seen and give the same answers: all that it sees stays the
    same."""
    compared = 0
    for seed in seeds:
        *_, whole = steps(number, seed)
        random = Random(seed)
        count = random.randrange(1, len(whole.answers))
        seat = random.choice([None, *range(whole.game.players)])
        views = []
        play = replayed(
            whole,
            number,
            count,
            seen=lambda twin, into=views, seat=seat: into.append(seen_by(twin, seat)),
        )
        for _ in range(6):
            laid = rearranged(play, seat, random)
            if laid == play.laid:
                continue
            others = []
            try:
                twin = replayed(
                    play,
                    number,
                    count,
                    laid,
                    seen=lambda twin, into=others, seat=seat: into.append(seen_by(twin, seat)),
                )
            except IllegalMove:
                continue  # with these cards somebody could not have played so
            if twin.attested != play.attested:
                continue  # nor could a program have answered so
            assert others == views
            compared += 1
    assert compared >= max(1, 5 * len(seeds) // 6)


def seen_by(play, seat):
    """Return all of a view as plain values."""
    view = play.view(seat)
    options = (
        None
        if view.options is None
        else sorted(canonical(spell_move(move)) for move in view.options)
    )
    games = [view.game, *(view.game.pictures[at] for at in sorted(view.game.pictures))]
    shown = [
        {name: value for name, value in vars(game).items() if name != "pictures"} for game in games
    ]
    past = [
        (one.deal, one.question, one.seat, spell_move(one.move), one.faces) for one in view.past
    ]
    return canonical(
        (view.seat, sorted(view.game.pictures), shown, dict(view.faces), view.over, view.turn, past)
    ), options


def rearranged(play, seat, random):
    """Return the decks with the faces of the last deal that this seat has not seen changed about,
    deck by deck."""
    laid = list(play.laid)
    for deck in play.game.decks:
        hidden = [
            slot
            for slot in deck.slots
            if slot not in play.game.faces and (seat is None or play.game.holder.get(slot) != seat)
        ]
        faces = [play.faces[slot] for slot in hidden]
        random.shuffle(faces)
        new = {**play.faces, **dict(zip(hidden, faces, strict=True))}
        laid[deck.number - 1] = tuple(new[slot] for slot in deck.slots)
    return laid


@pytest.mark.slow
def test_hash_randomisation_changes_no_fingerprint():
    """GGPO's sync test at our size: other processes, other hash seeds, the same states."""
    root = Path(__file__).parent.parent.parent
    for hash_seed in ("1", "2024"):
        result = subprocess.run(
            [sys.executable, "-m", "tests.properties.matches"],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == digest()


def other_pythons() -> list[str]:
    """Return the Pythons of this machine that are not ours, and not older than we allow."""
    found = [
        shutil.which(f"python3.{minor}")
        for minor in range(11, 20)
        if minor != sys.version_info.minor
    ]
    return [
        path
        for path in found
        if path
        and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    ]


def test_other_pythons_come_to_the_same_fingerprints(figure):
    if not (pythons := other_pythons()):
        pytest.skip("there is no other Python here (python3.12, python3.13, ...)")
    root = Path(__file__).parent.parent.parent
    # All that rules need from elsewhere, and it can do without its part in C, which is of our
    # Python.
    where = os.pathsep.join([str(root), str(Path(msgpack.__file__).parent.parent)])
    for python in pythons:
        result = subprocess.run(
            [python, "-m", "tests.properties.matches"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": where, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == digest(), python
    names = ", ".join(Path(python).name for python in pythons)
    figure(f"the same fingerprints by python3.{sys.version_info.minor}, {names}")
