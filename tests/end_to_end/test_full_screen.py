"""Two full screens find each other on this machine and play a whole match, by keys alone; they
talk, and play again."""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from client.i18n.translation import KEY_CONTEXT, _, pgettext, set_language
from client.session.patience import ANSWER_TIMEOUT_S
from client.storage.settings import Settings, write_settings
from client.ui.screen.table_words import PLAY_AGAIN
from p2p.net.free import free_port
from tests.client.ui.screen.window import ROOT, Terminal
from tests.hints import sent
from tests.patience import PATIENCE
from tests.sample import sample

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
MATCH = 400.0
"""Seconds for a whole match, on a machine that has other things to do."""


class Player(Terminal):
    """Somebody before the full screen, who reads in one language."""

    def __init__(self, home: Path, language: str, *words: str) -> None:
        super().__init__(
            "-m", "client", *words, "--lang", language, "--interface", "127.0.0.1", home=home
        )
        self.home, self.language, self.hinted = home, language, ""

    def said(self, sentence: str, context: str = "") -> str:
        """Return a sentence as this player reads it."""
        set_language(self.language)
        try:
            return pgettext(context, sentence) if context else _(sentence)
        finally:
            set_language("en")

    def letter(self, action: str) -> str:
        """Return the letter of a key for this player."""
        return self.said(action, KEY_CONTEXT)[0]

    def foot(self) -> str:
        """Return the last lines: a notice, if there is one, and the keys."""
        return "\n".join(self.screen().splitlines()[-4:])

    def choose(self, words: str) -> None:
        """Go to the item with these words, and choose it."""
        end = time.monotonic() + PATIENCE
        while not re.search(f"▶.*{re.escape(words)}", self.screen()):
            assert time.monotonic() < end, self.screen()
            self.type("\x1b[B")
            time.sleep(0.3)
        self.type("\r")

    def act(self) -> None:
        """Do one thing, if there is one to do: leave a held table, put the count away, or ask for a
        hint and say what it says."""
        if (
            f"Enter {self.said('continue', 'key')}" in self.foot()
            or self.said("Enter: continue") in self.screen()
        ):
            self.type("\r")
        elif self.said("Your turn") in self.screen():
            label = (
                self.said("Hint: {reason} Choose: {steps}")
                .partition("{reason}")[2]
                .removesuffix("{steps}")
                .strip()
            )
            hint = re.search(
                rf"{re.escape(label)}\s+((?:[^()]+\([^()]*\),\s+)*[^()]+\([^()]*\))", self.screen()
            )
            if hint is None:
                self.type("?")
            elif hint[1] != self.hinted or self.screen() != self.last:
                self.hinted, self.last = hint[1], self.screen()
                for key in sent(hint[1]):
                    self.type(key)
        time.sleep(0.15)

    last = ""


@pytest.fixture
def players(tmp_path: Path) -> Iterator[list[Player]]:
    made: list[Player] = []
    yield made
    for player in made:
        player.close()


def verified(player: Player) -> tuple[dict, bytes]:
    """Return what is said of a player's first match, and its log."""
    logs = sorted((player.home / "logs").glob("*.sobremesa"), key=lambda path: path.stat().st_mtime)
    checked = subprocess.run(
        [sys.executable, "-m", "client", "verify", *map(str, logs[:1]), "--json"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return [json.loads(checked.stdout), logs[0].read_bytes()]


def greet(player: Player) -> None:
    player.type("\x1bOQ")  # F2
    player.sees(player.said("Good luck!"))
    player.type("\r")


def play_to_the_end(players: list[Player], spectators: Sequence[Player] = ()) -> None:
    """Play, and read the spectators' screens: a program with a full terminal stands still."""
    end = time.monotonic() + MATCH
    while not all(player.said("play again") in player.foot() for player in players):
        assert time.monotonic() < end, "\n".join(player.screen() for player in players)
        for player in players:
            player.act()
        for spectator in spectators:
            spectator.read()


@pytest.mark.parametrize("game", sample(["truco", "escoba"], 1))
def test_a_whole_match_between_two_full_screens(players, tmp_path, game):
    nick = f"Ane {secrets.token_hex(3)}"  # other tests open tables on this machine too
    port = free_port("127.0.0.1")
    host = Player(
        tmp_path / "ane",
        "eu",
        "host",
        game,
        "--option=target=5",
        "--nick",
        nick,
        "--spectators",
        "--hints=free",
        f"--port={port}",
    )
    players.append(host)
    host.sees(nick)
    (tmp_path / "jon").mkdir(mode=0o700)
    write_settings(tmp_path / "jon", Settings(presses="one"))
    guest = Player(tmp_path / "jon", "is", "--color", "never")
    players.append(guest)
    guest.sees(nick)
    guest.choose(nick)
    guest.sees(guest.said("Your name: "))
    guest.type("Jon\r")
    guest.sees(guest.said("sit down"))
    guest.type("\r")
    host.sees(host.said("begin"))
    spectator = Player(tmp_path / "eve", "es", "watch", f"127.0.0.1:{port}")
    spectator.sees("espectadores")
    host.type("\r")
    for player in (host, guest, spectator):
        player.sees(player.said("menu"))
    # A phrase goes as an id, and is read in the reader's language.
    greet(guest)
    host.sees(host.said("Hello!"))
    end = time.monotonic() + PATIENCE
    # it may have had no link to the guest yet
    while spectator.said("Hello!") not in spectator.screen():
        assert time.monotonic() < end, spectator.screen()
        greet(guest)
        time.sleep(3)
    play_to_the_end(players, [spectator])
    spectator.sees("sobremesa verify")
    (found, one), (_same, other) = verified(host), verified(guest)
    assert one == other
    assert found["complete"]
    # Once more, with the first seat moved on.
    for player in players:
        player.type("\r" if player.said("Enter: continue") in player.screen() else "")
    guest.type(guest.letter(PLAY_AGAIN))
    host.sees(host.said("{who} wants to play again: {key}.").partition("}")[2].partition(":")[0])
    time.sleep(1.5 * ANSWER_TIMEOUT_S)  # nobody is sent away while the other thinks it over
    host.type(host.letter(PLAY_AGAIN))
    host.sees(host.said("begin"))
    host.type("\r")
    for player in players:
        player.sees(player.said("menu"))
        player.sees(player.said("deal {number}, to {target}").format(number=1, target=5))
    spectator.sees(spectator.said("deal {number}, to {target}").format(number=1, target=5))
    players.append(spectator)
    for player in players:
        player.type("\x03\x03")
    for player in players:
        assert player.ends() == 130
        player.check_clean()
