"""The states of tables of which views are made, in a match and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from client.i18n.translation import letter
from client.session.analysis import Analysis
from client.session.messages import Late
from client.ui.games.domino.screen import SCREEN
from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.screen import KEYS
from client.ui.games.screen import CHOOSE
from client.ui.games.truco.deals import song_of, this_deal
from client.ui.screen import analysis
from client.ui.screen.kept import PhonesShown
from client.ui.screen.messages import PhonesChanged, Steps
from client.ui.screen.state import DealCount, OpenedLog, ScreenState
from client.ui.screen.table_words import scene_of
from engine.games.domino.moves import Draw
from engine.games.siete_y_media import events
from engine.games.truco import events as truco
from tests.client.ui.view.acts import State, bare, told
from tests.screens.judged import judged
from tests.screens.learner import Learner
from tests.screens.stage import Stage

NICKS = (
    "Ane", "Guðmundur Þorvaldsson", "Nekane Agirrezabalaga", "Wolfgang-Maximilian", "Eusebio",
    "Halla", "Benito", "Unai",
)  # fmt: skip
"""Names as long as they may be, and short ones."""
FLORS = ["7o", "6c", "5o", "3c", "12o", "2c"]
"""A deal of Truco in which both have a flor; p2, who is the mano, has the better one."""
NO_FLOR = ["7c", "6o", "5o", "3o", "12e", "2o"]
"""A deal in which p1, the last to play, has one."""


def table(
    game: str,
    players: int,
    ready: Callable[[Stage], bool],
    *keys: str,
    seat: int | None = 0,
    chance: bool = False,
    **options: object,
) -> State:
    """Return a match once something holds, all counts read, and then keys pressed."""

    def make() -> ScreenState:
        stage = Stage(game, players, seat, first=1, hold=True, nicks=NICKS, **options)

        def come(stage: Stage) -> bool:
            found = ready(stage)
            while not found and (stage.state.held or stage.state.count.lines):
                stage.press("enter")
            return found

        stage.until(come, by_chance=chance)
        return stage.press(*keys).state

    return make


def asked(stage: Stage) -> bool:
    """Whether our player may choose, and sees so."""
    return stage.state.match.asked and not stage.state.held and not stage.state.count.lines


def full(stage: Stage) -> bool:
    """Whether our player may choose among many cards."""
    return asked(stage) and len(stage.game.on_table) >= 4


def hit(stage: Stage) -> bool:
    """Whether our player has more cards than one, and may have more."""
    return asked(stage) and len(stage.game.hands[0]) > 1


def waits(stage: Stage) -> bool:
    """Whether somebody else is to choose, after some moves."""
    return bool(stage.state.match.turn) and not asked(stage) and stage.state.match.checked.moves > 3


def counted(stage: Stage) -> bool:
    """Whether a deal has been counted, and its last table is still to be seen."""
    return bool(stage.state.count.lines)


def balanced(stage: Stage) -> bool:
    """The same, of siete y media."""
    return counted(stage) and isinstance(stage.state.count.history[-1], events.Balance)


def ended(game: str, players: int, **options: object) -> State:
    """Return a match that is over, its count read."""
    over = table(game, players, lambda stage: stage.over, **options)
    return lambda: replace(over(), count=DealCount(), held=(), moment=None)


def stepped(game: str) -> State:
    """Return a match that is stepped through."""

    def make() -> ScreenState:
        stage, models = Stage(game, 2, first=1), []
        for _step in range(12):
            stage.step()
            models.append((stage.state.match, ("a step",)))
        state = told(bare(), Steps(tuple(models)))
        return replace(state, replay=replace(state.replay, step=7))

    return make


def taught(game: str) -> State:
    """Return a lesson at its first question, once its page is read."""

    def make() -> ScreenState:
        learner = Learner(game)
        learner.read_on()
        learner.press("enter")
        return learner.state

    return make


def seven_cards() -> ScreenState:
    """Return a table of siete y media at which our player has seven cards, and may have more."""
    small = ["1c", "6o", "1o", "12c", "12o", "12e", "12b", "11o"]
    deck = ["7o", "7c", "7e", "7b", *small]
    stage = Stage("siete-y-media", 6, first=1, hold=True, nicks=NICKS, decks=[deck])
    for player in ("p3", "p4", "p5", "p6"):
        stage.do(f"{player} bet 1", f"{player} stand")
    return stage.do("p1 bet 1", *["p1 hit up"] * 6).state


def analysed() -> ScreenState:
    """Return a match that is stepped through, below the sheet of its analysis."""
    moments = tuple(judged(3 * number, number, number / 10) for number in range(1, 4))
    looked = OpenedLog("/log", tuple(range(12)), Analysis("escoba", 0, "win", moments, 0))
    state = stepped("escoba")()
    state = replace(state, replay=replace(state.replay, opened=looked))
    return replace(state, overlay=analysis.sheet(state))


def called(stage: Stage) -> bool:
    """Whether our player has to answer a call, after a trick."""
    return asked(stage) and stage.game.waiting is not None and bool(stage.game.results)


def visited(state: State) -> State:
    """Return a match in which our seat and the third play through the second one's machine."""

    def make() -> ScreenState:
        found = state()
        players = list(found.match.players)
        machine = players[1].fingerprint
        for seat in (0, 2):
            players[seat] = replace(players[seat], machine=machine)
        return replace(found, match=replace(found.match, players=tuple(players)))

    return make


def late(game: str, players: int) -> State:
    """Return a match in which the next player is late."""

    def make() -> ScreenState:
        found = table(game, players, theirs_to_play)()
        return told(found, Late((1,), found.match.limit))

    return make


def asleep(game: str, players: int) -> State:
    """Return a match in which the phones of all others are away."""

    def make() -> ScreenState:
        found = visited(table(game, players, theirs_to_play))()
        keys = frozenset(one.fingerprint for one in found.match.players[1:] if one is not None)
        return told(found, PhonesChanged(PhonesShown(asleep=keys)))

    return make


def theirs_to_play(stage: Stage) -> bool:
    """Whether the player after ours may choose."""
    return (
        1 in stage.state.match.turn and not stage.state.match.asked and not stage.state.count.lines
    )


def betting(stage: Stage) -> bool:
    """Whether an envido waits for an answer."""
    return bool(stage.game.betting) and not stage.state.held


def leads(stage: Stage) -> bool:
    """Whether our player may choose, and play a card, once two tricks are over."""
    return asked(stage) and len(stage.game.results) > 1 and stage.game.waiting is None


def said(stage: Stage) -> bool:
    """Whether the words of two others stand beside them, and we may play."""
    sung = [song_of(this_deal(stage.state.match.history), seat) for seat in (1, 2, 3)]
    return asked(stage) and len(list(filter(None, sung))) > 1


def tricked(stage: Stage) -> bool:
    """Whether a deal with tricks has been counted."""
    deal = this_deal(stage.state.count.history)
    return (
        counted(stage) and sum(isinstance(one, truco.Trick | truco.EnvidoWon) for one in deal) > 2
    )


def long_line(stage: Stage) -> bool:
    """Whether our player may lay a tile at a long line."""
    return asked(stage) and len(stage.game.line) > 12 and len(stage.table.view(0).options) > 1


def two_ends(stage: Stage) -> bool:
    """Whether a tile fits both ends; then it is picked."""
    if not asked(stage) or stage.game.ends is None or len(set(stage.game.ends)) < 2:
        return False
    places = SCREEN.fitting(scene_of(stage.state))
    slot = next((slot for slot, ends in places.items() if len(ends) > 1), None)
    if slot is not None:
        stage.press(f"{CHOOSE}slot:{slot}")
    return slot is not None


def ten(stage: Stage) -> bool:
    """Whether our player may choose among ten tiles, and some lie."""
    return asked(stage) and len(stage.game.hands[0]) == 10 and len(stage.game.line) > 1


def many(stage: Stage) -> bool:
    """Whether our player may choose, and more tiles lie than the double-six set has."""
    return asked(stage) and len(stage.game.line) > 28


def draws(stage: Stage) -> bool:
    """Whether our player has to draw."""
    return asked(stage) and list(stage.table.view(0).options) == [Draw()]


def phase(name: str) -> Callable[[Stage], bool]:
    """Return whether our player may choose in a phase of Kínaskák."""
    return lambda stage: asked(stage) and stage.game.phase == name


def lays(action: str) -> Callable[[Stage], bool]:
    """Return whether our player of Kínaskák may lay down (`meld`) or lay off (`lay`)."""

    def found(stage: Stage) -> bool:
        scene = scene_of(stage.state)
        return phase("play")(stage) and bool(laying.moves_of(scene, action))

    return found


def crowded(stage: Stage) -> bool:
    """Whether our player of Kínaskák may choose among the melds of many."""
    return phase("play")(stage) and len({meld.owner for meld in stage.game.melds}) > 3


def fitting(stage: Stage) -> bool:
    """Pick a card that fits a meld, once there is one; return whether there is."""
    if not lays("lay")(stage):
        return False
    slot = laying.moves_of(scene_of(stage.state), "lay")[0].shows[0]
    stage.press(f"{CHOOSE}slot:{slot}")
    return True


def shuffled() -> ScreenState:
    """Return a match of six whose third seat shuffles a deck."""
    state = table("kinaskak", 6, asked)()
    match = replace(state.match, asked=False, turn=(), mixing=(2, 3, 4, 5), mixers=6)
    return replace(state, match=match)


def then(ready: Callable[[Stage], bool], action: str) -> Callable[[Stage], bool]:
    """Press the key of an action of Kínaskák as soon as something holds."""

    def found(stage: Stage) -> bool:
        now = ready(stage)
        if now:
            stage.press(letter(KEYS[action]))
        return now

    return found


TABLES: Mapping[str, State] = {
    "escoba": table("escoba", 2, full),
    "escoba-take": table("escoba", 2, full, "1"),
    "escoba-3": table("escoba", 3, full, "2"),
    "escoba-phones": visited(table("escoba", 3, full)),
    "kinaskak-phones": visited(table("kinaskak", 6, asked)),
    "siete-phones": visited(table("siete-y-media", 8, hit)),
    "truco-phones": visited(table("truco", 4, asked)),
    "domino-phones": visited(table("domino", 4, asked)),
    "escoba-4": table("escoba", 4, waits, teams=True),
    "escoba-6": table("escoba", 6, full, "1"),
    "escoba-late": late("escoba", 3),
    "siete-late": late("siete-y-media", 8),
    "truco-asleep": asleep("truco", 6),
    "kinaskak-asleep": asleep("kinaskak", 5),
    "escoba-watched": table("escoba", 2, waits, seat=None),
    "escoba-count": table("escoba", 2, counted),
    "escoba-count-4": table("escoba", 4, counted),
    "escoba-end": ended("escoba", 2, target=5),
    "escoba-menu": table("escoba", 2, full, "escape"),
    "escoba-rules": table("escoba", 2, full, "f1"),
    "escoba-lesson": lambda: Learner("escoba").state,
    "escoba-taught": taught("escoba"),
    "domino-taught": taught("domino"),
    "siete-taught": taught("siete-y-media"),
    "truco-taught": taught("truco"),
    "kinaskak-taught": taught("kinaskak"),
    "escoba-step": stepped("escoba"),
    "analysis": analysed,
    "siete-2": table("siete-y-media", 2, asked),
    "siete-3": table("siete-y-media", 3, waits, chance=True),
    "siete-6": table("siete-y-media", 6, hit, chance=True),
    "siete-8": table("siete-y-media", 8, hit, "+", chance=True),
    "siete-seven": seven_cards,
    "siete-count": table("siete-y-media", 6, balanced, chance=True),
    "kinaskak": table("kinaskak", 4, phase("window")),
    "kinaskak-3": table("kinaskak", 3, then(phase("offer"), "sort")),
    "kinaskak-6": table("kinaskak", 6, crowded, "home", " ", "right", " "),
    "kinaskak-shuffle": shuffled,
    "kinaskak-meld": table("kinaskak", 4, then(lays("meld"), "meld")),
    "kinaskak-lay": table("kinaskak", 5, fitting),
    "kinaskak-shown": table("kinaskak", 5, then(fitting, "lay")),
    "kinaskak-watched": table("kinaskak", 4, lambda stage: bool(stage.game.melds), seat=None),
    "kinaskak-count": table("kinaskak", 6, counted),
    "kinaskak-end": ended("kinaskak", 3, last_contract=1),
    "kinaskak-lesson": lambda: Learner("kinaskak").state,
    "siete-end": ended("siete-y-media", 6, deals=2),
    "truco": table("truco", 2, asked),
    "truco-picked": table("truco", 2, leads, "1"),
    "truco-4": table("truco", 4, called),
    "truco-bets": table("truco", 4, betting),
    "truco-6": table("truco", 6, leads),
    "truco-said": table("truco", 4, said, chance=True),
    "truco-said-6": table("truco", 6, said, chance=True),
    "truco-watched": table("truco", 4, waits, seat=None, target=30),
    "truco-count": table("truco", 4, tricked),
    "truco-end": ended("truco", 4, target=5),
    "truco-step": stepped("truco"),
    "truco-flor": table("truco", 2, asked, chance=True, flor=True, decks=[FLORS]),
    "truco-flor-picked": table("truco", 2, asked, "r", chance=True, flor=True, decks=[FLORS]),
    "truco-flor-due": table("truco", 2, asked, chance=True, flor=True, decks=[NO_FLOR]),
    "truco-flor-count": table("truco", 2, counted, chance=True, flor=True, decks=[FLORS]),
    "domino": table("domino", 2, long_line),
    "domino-open": table("domino", 2, asked, "1"),
    "domino-ends": table("domino", 4, two_ends),
    "domino-draw": table("domino", 3, draws),
    "domino-4": table("domino", 4, waits, partners=True),
    "domino-watched": table("domino", 3, waits, seat=None),
    "domino-nine": table("domino", 4, ten, chance=True, set="double-nine", partners=True),
    "domino-nine-line": table("domino", 4, many, chance=True, set="double-nine"),
    "domino-count": table("domino", 4, counted),
    "domino-end": ended("domino", 3, target=5),
    "domino-step": stepped("domino"),
}
"""They have the names of their golden views."""
