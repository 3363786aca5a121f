"""Talk in the plain face: it is typed as `talk WORDS`, and remarks of others are lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.translation import languages, set_language
from client.session.messages import Speak, Talked, Typed
from client.session.talk import TALK_CHARACTERS
from client.ui.phrases import PHRASES
from client.ui.update import update
from tests.client.ui.person import Person


@pytest.fixture(scope="module")
def seated() -> Person:
    return Person(2).sit()


@pytest.fixture
def person(seated: Person) -> Person:
    seated.read = []
    return seated


def test_remarks_of_a_muted_player_are_not_shown_until_it_is_heard_again(person):
    assert person.tell(Typed("mute p2")) == ()
    assert person.read == ["You no longer hear nick1. To hear this player again: mute p2"]
    person.tell(Talked(1, "Kaixo!", phrase=False))
    assert person.read[1:] == []
    person.tell(Typed("Mute P2"))
    person.tell(Talked(1, "Kaixo!", phrase=False))
    assert person.read[1:] == ["You hear nick1 again.", "nick1: “Kaixo!”"]


@pytest.mark.parametrize("who", ["", "p1", "p9", "nick1", "x"])
def test_only_another_person_can_be_muted(person, who):
    before = person.model
    after, commands = update(before, Typed(f"mute {who}"))
    assert (after.muted, commands) == (frozenset(), ())
    assert after.reply[0].id == "mute-whom"
    players = tuple(replace(one, bot=seat != 0) for seat, one in enumerate(before.players))
    alone, _none = update(replace(before, players=players), Typed("mute p2"))
    assert alone.reply[0].id == "no-person"


@pytest.mark.parametrize("lang", languages())
def test_a_phrase_in_any_language_travels_by_its_id(person, lang):
    try:
        set_language(lang)
        listed = person.type("talk")[1]
        for name, shown in zip(PHRASES, listed.strip().split("; "), strict=True):
            typed = shown.replace("\u00a0", " ")
            assert person.tell(Typed(f"talk {typed}")) == (Speak(name),)
            assert person.tell(Typed(f"talk {typed.upper().rstrip('!.… ')}")) == (Speak(name),)
    finally:
        set_language("en")


def test_talk_is_cleaned_of_everything_that_reaches_a_terminal(person):
    (command,) = person.tell(Typed("talk \x1b]0;x\x07a\u202eb\u200d\tc"))
    assert command == Speak("ab c", phrase=False)


@pytest.mark.parametrize("words", ["x" * (TALK_CHARACTERS + 1), "漢" * 61])
def test_talk_that_is_too_long_is_not_cut_but_refused(person, words):
    assert person.tell(Typed(f"talk {words}")) == ()
    assert person.read == [
        "That is too long: say at most 120 characters at once. Nothing was said."
    ]
    assert len(person.tell(Typed(f"talk {words[:60]}"))) == 1


def test_our_words_are_said_and_shown(person):
    assert person.tell(Typed("  Talk  Kaixo, zer moduz? ")) == (
        Speak("Kaixo, zer moduz?", phrase=False),
    )
    assert person.read == ["nick0: “Kaixo, zer moduz?”"]
