"""Messages change the model, and commands follow."""

from dataclasses import replace

import pytest

from client.session.messages import (
    Act,
    Advise,
    Advised,
    Arrange,
    Leave,
    Lobby,
    LobbySeat,
    MoveRefused,
    News,
    Quit,
    Renew,
    Seated,
    Stored,
    Typed,
)
from client.session.status import Status
from client.ui.games.escoba.words import EscobaWords
from client.ui.model import MatchPhase, Model, Pending, legal_moves, shown_nicks
from client.ui.update import TYPED_LIMIT, is_early, update
from engine.games.escoba import events
from p2p.table.events import Accused, Gone
from p2p.table.faults import FAULTS
from p2p.table.read_outline import read_outline
from p2p.table.replay import verify_log
from tests.client.ui.person import Person


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
    hosting = Model(phase=MatchPhase.LOBBY, hosting=True)
    # once we play, spectators may come
    for host in (hosting, replace(hosting, phase=MatchPhase.PLAYING, seat=0)):
        assert typed(host, "renew")[1] == (Renew(),)
    model, commands = typed(replace(hosting, hosting=False), "renew")
    assert (commands, [reply.id for reply in model.reply]) == ((), ["no-invite-here"])


def test_the_host_of_a_table_that_fills_changes_two_seats_or_draws_all():
    jon = LobbySeat("Jon", "JJJJ")
    host = Model(phase=MatchPhase.LOBBY, hosting=True, players=(jon, None, None, None))
    assert typed(host, "seats p2 P4")[1] == (Arrange((0, 3, 2, 1)),)
    assert typed(host, "seats lot")[1] == (Arrange(),)
    for line in ("seats", "seats p2", "seats p2 p2", "seats p0 p1", "seats p1 p5", "seats lot lot"):
        model, commands = typed(host, line)
        assert (commands, [reply.id for reply in model.reply]) == ((), ["which-seats"]), line
    for other in (replace(host, hosting=False), replace(host, phase=MatchPhase.PLAYING, seat=0)):
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


def test_our_seat_is_asked_and_a_legal_move_becomes_a_command(asked):
    model, commands = typed(asked.model, a_move(asked))
    assert [type(command) for command in commands] == [Act]
    assert commands[0].move in asked.model.view.options
    assert not model.asked, "a second line is no second move"


def test_a_move_that_was_sent_is_not_sent_twice(asked):
    text = a_move(asked)
    model, _ = typed(asked.model, text)
    model, commands = typed(model, text)
    assert (commands, reply_of(model)) == ((), ["not-your-turn"])


def test_a_move_that_the_table_refuses_may_be_made_anew(asked):
    model, _ = typed(asked.model, a_move(asked))
    model, commands = update(model, MoveRefused(("not-your-turn",)))
    assert (model.asked, commands, reply_of(model)) == (True, (), ["refused"])


def test_an_illegal_move_is_refused_with_the_reason(asked):
    held = {asked.model.view.face(slot) for slot in asked.model.view.game.hands[0]}
    absent = next(card for card in asked.model.view.game.pack if card not in held)
    model, commands = typed(asked.model, f"play {absent}")
    assert (commands, model.asked) == ((), True)
    assert model.reply[0].params["why"] == ("not-in-hand", absent)


def test_a_wrong_sum_is_refused_by_the_rules(asked):
    view = asked.model.view
    faces = {**view.game.faces, **view.faces}
    card, table = faces[view.game.hands[0][0]], view.game.table()
    model, commands = typed(asked.model, f"play {card} take {' '.join(table)}")
    assert (commands, model.reply[0].params["why"][0]) == ((), "not-fifteen")


@pytest.mark.parametrize(
    "text", ["foo", "play", "play 1x", "play 7o take", "\x1b[2J", "leave now please", "🂡"]
)
def test_a_line_that_is_no_move_is_answered_and_changes_nothing(asked, text):
    model, commands = typed(asked.model, text)
    assert commands == ()
    assert len(model.reply) == 1
    assert replace(model, reply=(), pending=Pending.NOTHING) == asked.model
    assert "\x1b" not in str(model.reply)


def test_a_line_without_end_is_not_read(asked):
    model, commands = typed(asked.model, "play " + "7o " * TYPED_LIMIT)
    assert (commands, reply_of(model)) == ((), ["too-long"])


@pytest.mark.parametrize("word", ["help", "?", "HELP", "rules", "table", "state"])
def test_questions_are_answered_without_commands(asked, word):
    model, commands = typed(asked.model, word)
    assert (commands, len(model.reply)) == ((), 1)
    assert model.asked


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


def test_a_hint_that_comes_after_its_turn_is_not_shown(asked):
    apart = replace(asked.model, apart=True)
    move = typed(asked.model, "hint")[0].reply[0].params["move"]
    over = replace(apart, asked=False)
    assert update(over, Advised(move)) == (over, ())
    other = replace(apart, view=replace(apart.view, options=()))
    assert update(other, Advised(move)) == (other, ())


def test_leaving_is_asked_twice(asked):
    model, commands = typed(asked.model, "leave")
    assert (commands, reply_of(model), model.pending) == ((), ["leave-price"], Pending.LEAVE)
    model, commands = typed(model, "leave yes")
    assert commands == (Leave(),)


def test_anything_in_between_takes_the_question_back(asked):
    model, _ = typed(asked.model, "leave")
    model, _ = typed(model, "table")
    model, commands = typed(model, "leave yes")
    assert (commands, reply_of(model)) == ((), ["leave-price"])


def test_quitting_a_match_is_asked_twice_too(asked):
    model, commands = typed(asked.model, "quit")
    assert (commands, reply_of(model)) == ((), ["quit-price"])
    assert typed(model, "quit yes")[1] == (Quit(1),)
    assert typed(model, "quit")[1] == (Quit(1),)


def test_quitting_in_the_lobby_and_after_the_end_is_not_asked(asked):
    assert typed(Model(), "quit")[1] == (Quit(1),)
    assert typed(replace(asked.model, phase=MatchPhase.OVER), "quit")[1] == (Quit(0),)
    assert typed(replace(asked.model, phase=MatchPhase.OVER), "leave")[1] == (Quit(0),)


@pytest.mark.parametrize("line", ["quit", "leave", "aside"])
def test_a_player_that_has_left_ends_it_without_being_asked(asked, line):
    """The match does not wait for this player, though others are still to be told."""
    news = News(Gone(asked.model.seat), asked.model.view, (), last=True)
    left, _commands = update(asked.model, news)
    assert typed(left, line)[1] == (Quit(0),)


def test_a_spectator_makes_no_moves(asked):
    model, commands = typed(replace(asked.model, seat=None, asked=False), "play 7o")
    assert (commands, reply_of(model)) == ((), ["not-understood"])


def test_a_seat_that_a_computer_plays_is_never_asked():
    person = Person(2)
    person.model, _ = update(Model(), Seated(person.ring.terms, 0, "00", auto=True))
    person.hear()
    person.others_play()
    assert person.table.asked
    assert not person.model.asked


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


def test_the_table_verify_and_the_history_count_the_same_moves():
    person = Person(2, game="siete-y-media", deals=2).sit()
    person.play()
    log = person.ring.logs[0]
    counted = verify_log(log, person.ring.group).checked["moves"]
    outline = read_outline(log, person.ring.group)[1]
    assert person.model.checked.moves == counted == outline.moves


def test_a_verdict_is_shown_and_nothing_is_asked_meanwhile(asked):
    asked.model = replace(asked.model, pending=Pending.LEAVE)
    person, fault = asked, FAULTS[0](1, "why", (b"",))
    person.ring.events[0].append(Accused(fault))
    person.hear()
    assert (person.model.asked, person.model.accused.fault.seat) == (False, 1)


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
        "Ane (p1)",
        "ane (p2)",
        "p3",
        "Jon",
        "x" * 23 + "…",
    ]


def test_nicks_that_look_alike_are_told_apart():
    assert shown_nicks(["Arnaia", "Amaia", "Jon"]) == ["Arnaia (p1)", "Amaia (p2)", "Jon"]
    assert shown_nicks(["\u0410ne", "Ane"]) == ["⚠\u0410ne (p1)", "Ane (p2)"]


def test_a_move_that_costs_is_asked_twice(asked, monkeypatch):
    monkeypatch.setattr(EscobaWords, "price", lambda _words, _view, _move: "It costs the earth.")
    move = a_move(asked)
    model, commands = typed(asked.model, move)
    assert (commands, reply_of(model)) == ((), ["move-price"])
    assert typed(typed(model, "help")[0], move)[1] == ()
    assert [type(command) for command in typed(model, move)[1]] == [Act]


def test_a_bare_yes_answers_what_is_asked_and_nothing_else():
    model = replace(Model(phase=MatchPhase.PLAYING), seat=0)
    asked, _none = update(model, Typed("quit"))
    assert update(asked, Typed("yes"))[1] == (Quit(Status.FAILED),)
    other, _none = update(asked, Typed("help"))
    assert update(other, Typed("yes"))[1] == ()


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
