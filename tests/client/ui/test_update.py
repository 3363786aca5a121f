"""Messages and typed lines change the model, and commands follow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.sentences import PLAYERS_ONLY
from client.session.messages import (
    Act,
    Advise,
    Advised,
    Arrange,
    Compare,
    InTime,
    Late,
    Leave,
    Lobby,
    LobbySeat,
    News,
    Quit,
    Renew,
    Seated,
    Stored,
    Typed,
    Vouch,
    Without,
    Words,
)
from client.ui.games.escoba.words import EscobaWords
from client.ui.model import NO_TABLE, MatchPhase, Model, Pending, legal_moves, shown_nicks
from client.ui.update import TYPED_LIMIT, is_early, update
from engine.games.escoba import events
from p2p.table.events import Accused, Mixed, Shuffling
from p2p.table.faults import FAULTS
from tests.client.ui.person import Person

OURS = replace(NO_TABLE, hosting=True)


@pytest.fixture
def asked() -> Person:
    """A person whose turn it is."""
    person = Person(2).sit()
    person.others_play()
    assert person.model.asked
    return person


def reply_of(model: Model) -> list[str]:
    return [reply.id for reply in model.reply]


def typed(model: Model, text: str):
    return update(model, Typed(text))


def test_the_host_of_a_table_renews_its_invite():
    hosting = Model(phase=MatchPhase.LOBBY, lobby=OURS)
    # once we play, spectators may come
    for host in (hosting, replace(hosting, phase=MatchPhase.PLAYING, seat=0)):
        assert typed(host, "renew")[1] == (Renew(),)
    model, commands = typed(replace(hosting, lobby=NO_TABLE), "renew")
    assert (commands, [reply.id for reply in model.reply]) == ((), ["no-invite-here"])


def test_the_host_of_a_table_that_fills_changes_two_seats_or_draws_all():
    jon = LobbySeat("Jon", "JJJJ")
    host = Model(phase=MatchPhase.LOBBY, lobby=OURS, players=(jon, None, None, None))
    assert typed(host, "seats p2 P4")[1] == (Arrange((0, 3, 2, 1)),)
    assert typed(host, "seats lot")[1] == (Arrange(),)
    for line in ("seats", "seats p2", "seats p2 p2", "seats p0 p1", "seats p1 p5", "seats lot lot"):
        model, commands = typed(host, line)
        assert (commands, [reply.id for reply in model.reply]) == ((), ["which-seats"]), line
    for other in (replace(host, lobby=NO_TABLE), replace(host, phase=MatchPhase.PLAYING, seat=0)):
        model, commands = typed(other, "seats lot")
        assert (commands, [reply.id for reply in model.reply]) == ((), ["no-seats-here"])


def a_move(person: Person) -> str:
    view = person.model.view
    return view.game.write(next(iter(view.options)), {**view.game.faces, **view.faces})


def seats_of(model: Model) -> Lobby:
    """Return the Lobby message for the full table, as it was before the match."""
    return Lobby(model.game, model.options, model.players, (0,), 120)


def test_lobby_message_changes_nothing_once_the_match_has_begun(asked):
    assert update(asked.model, seats_of(asked.model)) == (asked.model, ())


def test_lobby_message_changes_nothing_after_the_match_until_it_is_stored(asked):
    asked.play()
    model = replace(asked.model, reply=())
    assert model.phase is MatchPhase.OVER
    assert update(model, seats_of(model)) == (model, ())
    stored, _ = update(model, Stored("x"))
    lobby = seats_of(model)
    assert update(stored, lobby) == update(Model(), lobby)


def test_an_illegal_move_is_refused_with_the_reason(asked):
    held = {asked.model.view.face(slot) for slot in asked.model.view.game.hands[0]}
    absent = next(card for card in asked.model.view.game.pack if card not in held)
    model, commands = typed(asked.model, f"play {absent}")
    assert (commands, model.asked) == ((), True)
    assert model.reply[0].params["why"] == ("not-in-hand", absent)


@pytest.mark.parametrize(
    "text", ["foo", "play", "play 1x", "play 7o take", "\x1b[2J", "leave now please", "🂡"]
)
def test_a_line_that_is_no_move_is_answered_and_changes_nothing(asked, text):
    model, commands = typed(asked.model, text)
    assert commands == ()
    assert len(model.reply) == 1
    assert replace(model, reply=(), pending=Pending.NOTHING) == asked.model
    assert "\x1b" not in str(model.reply)


def test_a_hint_is_a_legal_move_and_always_the_same(asked):
    model, _ = typed(asked.model, "hint")
    assert model == typed(asked.model, "hint")[0]
    assert isinstance(typed(asked.model, model.reply[0].params["text"])[1][0], Act)


def test_a_hint_is_what_the_computer_player_does_as_a_rule(monkeypatch, asked):
    """Numbers at the ends of the range stand for bluffs and other rare choices."""
    numbers = []

    def bot(view, choose):
        numbers.extend(choose(bound) for bound in (2, 8, 100))
        return next(iter(view.options))

    monkeypatch.setattr("client.ui.update.bot_for", lambda _game: bot)
    typed(asked.model, "hint")
    assert numbers == [1, 4, 50]


def test_where_others_may_see_how_busy_we_are_another_process_finds_the_hint(asked, monkeypatch):
    here, _ = typed(asked.model, "hint")
    apart = replace(asked.model, apart=True)
    monkeypatch.setattr("client.ui.update.bot_for", lambda _game: pytest.fail("it thinks here"))
    model, commands = typed(apart, "hint")
    assert (model, commands) == (apart, (Advise(apart.view),))
    model, commands = update(model, Advised(here.reply[0].params["move"]))
    assert (model.reply, commands) == (here.reply, ())


@pytest.mark.parametrize(
    ("lines", "reply", "commands"),
    [
        (["leave"], "leave-price", ()),
        (["leave", "leave yes"], "leaving", (Leave(),)),
        (["leave yes"], "leave-price", ()),
        (["leave", "table", "leave yes"], "leave-price", ()),
        (["quit"], "quit-price", ()),
        (["quit", "quit yes"], "", (Quit(1),)),
        (["quit", "quit"], "", (Quit(1),)),
        (["quit", "yes"], "", (Quit(1),)),
        (["quit", "help", "yes"], "not-understood", ()),
        (["play " + "7o " * TYPED_LIMIT], "too-long", ()),
    ],
    ids=lambda given: given[-1][:9] if isinstance(given, list) else "",
)
def test_a_line_that_costs_is_asked_about_and_any_other_takes_the_question_back(
    asked, lines, reply, commands
):
    model, made = asked.model, ()
    for line in lines:
        assert made == ()
        model, made = typed(model, line)
    assert (reply_of(model)[:1], made) == ([reply] if reply else [], commands)


def test_a_move_that_was_sent_is_not_sent_twice(asked):
    text = a_move(asked)
    model, (act,) = typed(asked.model, text)
    assert isinstance(act, Act)
    model, commands = typed(model, text)
    assert (commands, reply_of(model)) == ((), ["not-your-turn"])


def test_the_whole_match_is_in_the_model():
    person = Person(3, target=1).sit()
    person.play()
    model = person.model
    assert (model.phase, model.sealed, model.asked, model.turn) == (
        MatchPhase.OVER,
        True,
        False,
        (),
    )
    assert model.winners == person.table.run.game.winners
    assert model.score == tuple(person.table.run.game.score)
    assert model.checked.shuffles == 3 * person.table.run.game.round
    assert model.checked.moves == 36 * person.table.run.game.round
    assert {events.Count, events.Score, events.Leftovers} <= set(map(type, model.history))
    assert update(model, Stored("x"))[0].log == "x"


@pytest.mark.parametrize("how", ["left", "convicted", "voted"])
def test_a_seat_that_has_gone_takes_nobodys_turn_by_accusing_itself(asked, how):
    """Its contradictions are told, but no change follows, and so no other question."""
    asked.model = replace(asked.model, gone={1: how})
    asked.ring.events[0].append(Accused(FAULTS[0](1, "why", (b"",))))
    asked.hear()
    assert asked.model.asked
    assert asked.model.accused is None
    assert [type(one) for one in typed(asked.model, a_move(asked))[1]] == [Act]


def test_nicks_are_cleaned_and_told_apart():
    assert shown_nicks(["Ane", "ane", "", "\x1b[31mJon\u202e", "x" * 99]) == [
        "Ane (1)",
        "ane (2)",
        "p3",
        "Jon",
        "x" * 23 + "…",
    ]


def test_nicks_that_look_alike_are_told_apart():
    assert shown_nicks(["Arnaia", "Amaia", "Jon"]) == ["Arnaia (1)", "Amaia (2)", "Jon"]
    assert shown_nicks(["\u0410ne", "Ane"]) == ["⚠\u0410ne (1)", "Ane (2)"]


def test_a_move_that_costs_is_asked_twice(asked, monkeypatch):
    monkeypatch.setattr(EscobaWords, "price", lambda _words, _view, _move: "It costs the earth.")
    move = a_move(asked)
    model, commands = typed(asked.model, move)
    assert (commands, reply_of(model)) == ((), ["move-price"])
    assert typed(typed(model, "help")[0], move)[1] == ()
    assert [type(command) for command in typed(model, move)[1]] == [Act]


COMMANDS = (
    "",
    "help",
    "hint",
    "leave",
    "talk hm",
    "quit",
    "quit yes",
    "trust p2",
    "aside",
    "without",
)


def test_a_move_before_our_turn_is_early_until_no_turn_can_come():
    person = Person(2).sit()
    while person.table.asked:
        person.type(next(iter(legal_moves(person.model))))
    playing = person.model
    assert not playing.asked
    for model in (Model(), replace(playing, view=None), playing):
        assert is_early(model, "play 7o take 5c 3b")
        assert is_early(model, " PLAY 7o ")
        assert not [line for line in COMMANDS if is_early(model, line)]
        assert is_early(model, "tpyo") is (model is not playing)
    for model in (
        replace(playing, phase=MatchPhase.OVER),
        replace(playing, gone={0: "left"}),
        replace(playing, seat=None),
        replace(playing, asked=True),
    ):
        assert not is_early(model, "play 7o")
    assert not is_early(replace(playing, pending=Pending.LEAVE), "yes")


@pytest.mark.parametrize(
    "nick", ["p1", "P16", "you", "You", "y\u043eu", "tú", "Vos", "zu", "þú", "✓", "✓ p2"]
)
def test_a_nick_that_the_program_uses_for_a_seat_or_for_its_player_is_not_shown(nick):
    assert shown_nicks(["Ane", nick]) == ["Ane", "p2"]


LETTERS = (
    "7K3M-Q2XD-9TCA-4HWE",
    "M3PS-AAAA-BBBB-CCCC",
    "M3PT-AAAA-BBBB-CCCC",
    "7K3M-XXXX-BBBB-CCCC",
)


@pytest.fixture
def full() -> Model:
    """A table with us, Miren Ane, Jon and a computer."""
    nicks = ("Ane", "Miren Ane", "Jon", "Computer 1")
    seats = tuple(
        LobbySeat(nick, letters, bot=nick[-1] == "1")
        for nick, letters in zip(nicks, LETTERS, strict=True)
    )
    return update(Model(), Lobby("escoba", {}, seats, (0, 3), 120))[0]


@pytest.mark.parametrize(
    "line", ["trust p3", "TRUST P3", "trust M3PT-AAAA-BBBB-CCCC", "trust  m3pt-aaaa-bbbb-cccc "]
)
def test_a_player_that_is_trusted_is_named_by_the_seat_or_the_fingerprint(full, line):
    assert typed(full, line)[1] == (Vouch(LETTERS[2]),)


@pytest.mark.parametrize(
    "line",
    ["trust", "trust Jon", "trust M3PT", "trust p1", "trust p5", f"trust {LETTERS[0]}"],
)
def test_only_other_people_named_by_seat_or_fingerprint_are_trusted(full, line):
    model, commands = typed(full, line)
    assert commands == ()
    assert reply_of(model) == ["trust-whom"]


@pytest.mark.parametrize("command", PLAYERS_ONLY)
def test_a_spectator_is_told_that_only_players_can_do_that(command):
    watching = replace(Person(2).sit().model, seat=None, asked=False)
    model, commands = typed(watching, f"{command} yes")
    assert (commands, reply_of(model)) == ((), ["watching"])


@pytest.mark.parametrize("nick", [LETTERS[2], LETTERS[2][:9], "p3", "-"])
def test_a_player_whose_nick_looks_like_somebody_elses_fingerprint_or_seat_is_not_trusted_for_them(
    full, nick
):
    eve = replace(full.players[1], nick=nick)
    model = replace(full, players=(full.players[0], eve, *full.players[2:]))
    assert typed(model, f"trust {LETTERS[2]}")[1] == (Vouch(LETTERS[2]),)
    assert typed(model, "trust p3")[1] == (Vouch(LETTERS[2]),)


def test_a_seat_that_has_another_player_than_when_the_words_were_shown_is_not_trusted(full):
    """Guests come and go while two people compare their words: a seat is no name of a player."""
    shown = update(full, Words({LETTERS[1]: "a b c", LETTERS[2]: "d e f"}))[0]
    assert typed(shown, "trust p2")[1] == (Vouch(LETTERS[1]),)
    seats = (shown.players[0], shown.players[2], shown.players[1], shown.players[3])
    moved = update(shown, Lobby("escoba", {}, seats, (0, 3), 120))[0]
    assert typed(moved, "trust p2")[1] == (Compare(),), "the words are shown once more"
    assert typed(moved, f"trust {LETTERS[1]}")[1] == (Vouch(LETTERS[1]),)
    again = update(moved, Words({LETTERS[1]: "a b c", LETTERS[2]: "d e f"}))[0]
    assert typed(again, "trust p2")[1] == (Vouch(LETTERS[2]),)


def test_a_seat_that_a_computer_plays_is_never_asked():
    person = Person(2)
    person.model, _ = update(Model(), Seated(person.ring.terms, 0, "00", auto=True))
    person.hear()
    person.others_play()
    assert person.table.asked
    assert not person.model.asked


def test_a_question_about_late_players_goes_with_the_first_of_them_that_moves():
    waiting = Person(4).sit().model
    late = update(waiting, Late((1, 2), 60))[0]
    asked, commands = typed(late, "without")
    assert (asked.pending, commands) == (Pending.WITHOUT, ())
    assert typed(asked, "without yes")[1] == (Without(),)
    for message in (InTime((1,)), Late((3,), 60)):
        assert typed(update(asked, message)[0], "without yes")[1] == ()
    assert update(asked, InTime((3,)))[0].pending is Pending.WITHOUT


def test_a_seat_that_has_shuffled_is_waited_for_no_longer(asked):
    view, found = asked.table.view(), []
    for event in (Shuffling(1, (0, 1)), Mixed(1, 0), Mixed(1, 1)):
        asked.model = update(asked.model, News(event, view, ()))[0]
        found.append((asked.model.mixing, asked.model.mixers))
    assert found == [((0, 1), 2), ((1,), 2), ((), 2)]
