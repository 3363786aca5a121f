"""The computer players of Truco.

Calls, answers and cards are compared by the chance to win the match.

The envido is a betting game of ranges, played so that nobody gains much (engine.bots.truco_envido).
The rest of a deal is tried out with hidden hands, which are the likelier the better they fit the
words said (engine.bots.truco_deal). Calls of this match, and the numbers stated, tell how far the
others can be believed (engine.bots.truco_habits). For two there is more: engine.bots.truco_solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engine.bots.player import FINE, Bot, Character, Rated, Ratings, Strength, by_lot
from engine.bots.small_change import Dice
from engine.bots.truco_chance import Held
from engine.bots.truco_deal import People, Table
from engine.bots.truco_envido import Envido, Word, class_of, plain_word, told
from engine.bots.truco_flor import denied, flor_worths
from engine.bots.truco_habits import habit
from engine.bots.truco_odds import Odds, standing
from engine.bots.truco_past import heard
from engine.bots.truco_solved import drawn, is_solved, plan
from engine.core.moves import Choose, Face, Move, Seat
from engine.core.view import View
from engine.games.truco.moves import ENVIDO, FLOR, TRUCO, Call, Play, Say
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, envido_points, is_flor, refused_points

SELDOM = 0.06
"""The share below which a word is not said: it is a trace of the first rounds of the solver."""
MEANT = 0.2
"""Openings whose values differ by less than this part of a point count as equal."""
GREAT = 29
"""The least envido points with which openings are mixed as in the betting game."""
BLUFFS = 80
"""How many of FINE openings with fewer points are mixed in the same way."""
FIRST = 0.04
"""The value of taking the first trick, in chances to win the deal, besides the samples, in which
all cards are known."""
CHEAP = 0.002
"""The price of a card in chances to win the deal, for each degree of its strength: of two equally
good cards the weaker is played."""
ALIKE = 0.002
"""The lot decides between calls whose chances to win the match differ by less."""


@dataclass(frozen=True)
class Temper:
    """The weaknesses of a player; the strongest has none."""

    dares: float = 0.0
    """The points by which it overvalues a call. Negative, it counts most where the deal may be
    lost, and more for raises."""
    hears: bool = True
    """Whether it infers cards from words and plays."""
    plainly: int | None = None
    """If given, it says in the envido simply what it has, and overvalues it by this much."""
    hasty: bool = False
    """Whether it looks at the present trick only."""
    solved: bool = False
    """Whether it plays by lot from solved games."""


CALM = Temper()


def player(temper: Temper) -> Bot:
    """Return a player of this temper."""

    def play(view: View, choose: Choose) -> Move:
        options = _options(view)
        if len(options) == 1 or _game(view).stating:
            return options[0]  # the number if it beats, else conceding
        if temper.solved and is_solved(view):
            return drawn(plan(view), choose)
        return Mind(view, choose, temper).choice(options)

    return play


play = player(Temper(solved=True))


def rate(view: View, choose: Choose) -> Ratings:
    """Return the chance to win the match with each move of the seat."""
    options = _options(view)
    mind = Mind(view, choose)
    if is_solved(view) and not _game(view).stating:
        worths = {move: one.worth for move, one in plan(view).items()}
        options = list(worths)  # of those worth alike, the likeliest first
    else:
        worths = mind.stated(options) if _game(view).stating else mind.worths(options)
    return Ratings(
        "win",
        tuple(
            sorted([Rated(move, worths[move]) for move in options], key=lambda rated: -rated.value)
        ),
    )


def _options(view: View) -> list[Move]:
    assert view.options is not None, "only a seat that is asked plays"
    return list(view.options)


def _game(view: View) -> Truco:
    assert isinstance(view.game, Truco)
    return view.game


class Mind:
    """One decision."""

    def __init__(self, view: View, choose: Choose, temper: Temper = CALM) -> None:
        assert view.seat is not None
        self.temper = temper
        self.view, self.game, self.seat, self.choose = view, _game(view), view.seat, choose
        self.side = self.game.side(view.seat)
        self.target = self.game.options["target"]
        self.faces = {**self.game.faces, **view.faces}
        self.words = heard(self.game, view.past)
        self.dealt = [
            self.faces[slot]
            for slot, holder in self.game.holder.items()
            if holder == self.seat and slot in self.faces
        ]
        self.people = People(self.game, self.side, self.words, self.worth)

    def worth(self, mine: int, theirs: int) -> float:
        """Return the chance to win the match if the deal brings us and them these points."""
        score = self.game.score
        return standing(
            self.target - score[self.side] - mine, self.target - score[1 - self.side] - theirs
        )

    # Choosing.

    def choice(self, options: Sequence[Move]) -> Move:
        """Return the move for the question that is asked."""
        game = self.game
        if game.flor_open:
            worths = self.worths(options)
            return max(worths, key=worths.__getitem__)
        said = self.envido(options)
        if said:
            meant = self.meant(said)
            least = min(SELDOM, max(meant.values()))
            word = by_lot(
                {one: often for one, often in meant.items() if often >= least}, self.choose
            )
            if word:
                return Call(word)
        odds = self.odds()
        alone = len(game.awake_of(self.side)) == 1
        if Call("mazo") in options and alone and game.results and odds.is_lost():
            return Call("mazo")
        barred = {Call("mazo")}
        if (
            game.waiting is not None
            and game.score[1 - self.side] + game.stake >= game.options["target"]
        ):
            barred.add(Call("no-quiero"))  # it loses the match, and no bet risks more than that
        worths = self.of_deal(
            [move for move in options if move not in barred and not _opens(move)],
            odds,
            self.awaited(said),
        )
        best = max(worths.values())
        alike = [
            move
            for move, value in worths.items()
            if value >= best - ALIKE and isinstance(move, Call)
        ]
        if (
            any(isinstance(move, Play) and value == best for move, value in worths.items())
            or not alike
        ):
            return max(worths, key=worths.__getitem__)
        alike.sort(key=lambda move: -worths[move])
        return alike[self.choose(len(alike)) - len(alike) // 2]  # hints look in the middle

    def meant(self, said: Mapping[str, Word]) -> dict[str, float]:
        """Return how often to say each word.

        With fewer than `GREAT` points, mostly open with the lowest of the words that count as equal
        to the best. Otherwise mix the words as in the betting game.
        """
        often = {word: one.often for word, one in said.items()}
        if self.temper.plainly is not None:
            return often
        enough = max(one.worth for one in said.values()) - MEANT * (
            self.worth(1, 0) - self.worth(0, 0)
        )
        if self.game.betting:
            return {
                word: often[word] + 1 / FINE for word, one in said.items() if one.worth >= enough
            }
        fair = [word for word in ("", *ENVIDO) if word in said and said[word].worth >= enough]
        if envido_points(self.dealt) >= GREAT or self.choose(FINE) >= FINE - BLUFFS:
            return {word: often[word] + 1 / FINE for word in fair}
        return {fair[0]: 1.0}

    # Rating.

    def worths(self, options: Sequence[Move]) -> dict[Move, float]:
        """Return the chance to win the match with each move."""
        if self.game.flor_open or Call(FLOR[0]) in options:
            more = self.temper.plainly or 0
            return flor_worths(self.game, self.seat, self.dealt, options, self.worth, more)
        said = self.envido(options)
        if self.game.betting:
            return {Call(word): one.worth for word, one in said.items()}
        found = self.of_deal(
            [move for move in options if not _opens(move)], self.odds(), self.awaited(said)
        )
        best = max(found.values())
        found.update(
            {Call(word): best + one.worth - said[""].worth for word, one in said.items() if word}
        )
        return {move: min(1.0, max(0.0, value)) for move, value in found.items()}

    def stated(self, options: Sequence[Move]) -> dict[Move, float]:
        """Return the chance to win the match after stating a number or conceding."""
        game = self.game
        points = game.flor_worth if game.flors else game.bet_points
        won, lost = self.worth(points(self.side), 0), self.worth(0, points(1 - self.side))
        return {move: won if isinstance(move, Say) else lost for move in options}

    # The envido.

    def envido(self, options: Sequence[Move]) -> dict[str, Word]:
        """Return how often to say each word of the envido, and its worth.

        Return nothing if no word may be said.
        """
        if not self.game.betting and not any(_opens(move) for move in options):
            return {}
        if self.temper.plainly is not None:
            return self.plainly(self.temper.plainly, options)
        solved = Envido(self.game, self.seat, self.dealt, self.words, self.worth)
        said = solved.says(last=self.game.waiting is not None)
        return {word: one for word, one in said.items() if not word or Call(word) in options}

    def plainly(self, more: int, options: Sequence[Move]) -> dict[str, Word]:
        """Return the words of the envido as `envido` does, for a player who says what it has.

        Where refusing loses the match, the player accepts.
        """
        calls, number = self.game.calls(), envido_points(self.dealt) + more
        words = [
            move.word
            for move in options
            if isinstance(move, Call) and (calls or move.word in ENVIDO)
        ]
        if calls and self.worth(0, refused_points(calls)) == 0.0:
            return {"quiero": Word(1.0, 0.0)}
        if not calls:
            words.append("")
        return {word: Word(plain_word(calls, word, number), 0.0) for word in words}

    def awaited(self, said: Mapping[str, Word]) -> float:
        """Return what an envido that the others may open is worth to us.

        After a truco there may be none.
        """
        return (
            max(0.0, said[""].worth - self.worth(0, 0))
            if "" in said and self.temper.plainly is None
            else 0.0
        )

    # The deal.

    def odds(self) -> Odds:
        """Return the hidden hands, sampled by the words and plays of this deal."""
        game, side = self.game, self.side
        now = [word for word in self.words if word.deal == game.round]
        others = [seat for seat in range(game.players) if seat != self.seat]
        of = {seat: [word for word in now if word.seat == seat] for seat in others}
        opens, answers = [
            [habit(self.words, by, question) for by in (0, 1)] for question in ("open", "envido")
        ]
        numbers = {seat: told(opens[seat % 2], answers[seat % 2], of[seat]) for seat in others}
        theirs = [
            word
            for word in now
            if word.seat % 2 != side and word.question in ("sing", "truco", "card")
        ]

        def likely(hands: Sequence[Sequence[Face]]) -> float:
            if not self.temper.hears:
                return 1.0
            share = (
                self.people.likely(side, self.top(hands, 1 - side, 3), theirs) if theirs else 1.0
            )
            for seat in others:
                if len(hands[seat]) == 3:
                    share *= numbers[seat][class_of(envido_points(hands[seat]))]
                    if denied(game, seat) and is_flor(hands[seat]):
                        return 1e-9
            return share + 1e-9

        return Odds(game, self.seat, dict(self.faces), self.choose, likely)

    def top(self, hands: Sequence[Sequence[Face]], side: int, count: int) -> Held:
        """Return the strongest cards of a side."""
        cards = [STRENGTH[card] for seat in self.game.awake_of(side) for card in hands[seat]]
        return tuple(sorted(cards, reverse=True)[:count])

    def of_deal(self, options: Sequence[Move], odds: Odds, awaited: float) -> dict[Move, float]:
        """Return the chance to win the match with each of these moves except envido moves.

        A truco costs what is awaited.
        """
        game = self.game
        cards = self.cards(odds) if any(isinstance(move, Play) for move in options) else {}
        tables = [self.table(hands) for hands in odds.samples]
        lot = self.choose(1 << 30)

        def tried(once: Callable[[Table, tuple[Held, Held], Dice], float]) -> float:
            """Return the mean of all samples, each with the same luck for each move."""
            values = [
                once(table, hands, Dice.at(lot + place + 1))
                for place, (table, hands) in enumerate(tables)
            ]
            return sum(values) / len(values)

        lost = bool(cards) and odds.is_lost()
        found: dict[Move, float] = {}
        for move in options:
            if not isinstance(move, Call):
                continue
            word = move.word
            if word in TRUCO and lost:
                found[move] = self.worth(0, game.stake + 1)  # for all to see: nobody would refuse
                continue
            found[move] = tried(partial(self.called, word)) - (awaited if word in TRUCO else 0.0)
            if self.temper.dares and (word == "quiero" or word in TRUCO):
                found[move] += self.daring(word, tables) * (self.worth(1, 0) - self.worth(0, 0))
        if cards:
            mean = tried(partial(self.people.value, quiet=True))
            best = max(cards.values())
            slope = self.worth(game.stake, 0) - self.worth(0, game.stake)
            for move in options:
                if isinstance(move, Play):
                    found[move] = mean + slope * (cards[self.faces[move.card]] - best)
        return found

    def daring(self, word: str, tables: Sequence[tuple[Table, tuple[Held, Held]]]) -> float:
        """Return how many points better than it is a word seems."""
        dares = self.temper.dares
        chances = [self.people.chance(0, at.results, *at.on, hands[0]) for at, hands in tables]
        lost = 1.0 - sum(chances) / len(chances)
        if dares > 0.0:
            ours = [
                heard
                for heard in self.words
                if heard.seat % 2 == self.side and heard.deal == self.game.round
            ]
            accepted = bool(ours) and ours[-1].question == "truco" and ours[-1].answer == "quiero"
            return 0.0 if word in TRUCO and (accepted or lost > HOPELESS) else dares
        if word in TRUCO and lost > HOPELESS / 2 ** TRUCO.index(word):
            return -NEVER
        raised = self.game.waiting is not None and word in TRUCO and lost > 0.0
        return dares * (min(1.0, 2 * lost) + raised)

    def called(self, word: str, at: Table, hands: tuple[Held, Held], dice: Dice) -> float:
        """Return the worth of a word, tried out once."""
        game, people = self.game, self.people
        if word == "no-quiero":
            return self.worth(0, game.stake)
        if word == "mazo":
            if len(game.awake_of(self.side)) > 1:
                return people.value(at, (hands[0][1:], hands[1]), dice)
            return self.worth(0, game.given_up_points())
        stake, right = at.stake, at.right
        if game.waiting:
            stake, right = stake + 1, 0
        if word in TRUCO:
            called = people.called(0, at.results, at.on, hands, stake, dice)
            if isinstance(called, float):
                return called
            stake, right = called
        return people.value(
            Table(at.results, at.on, at.first, stake, right), hands, dice, quiet=word in TRUCO
        )

    def table(self, sample: Sequence[Sequence[Face]]) -> tuple[Table, tuple[Held, Held]]:
        """Return the deal for two sides, and their hands.

        A side whose seats have not all played has its best card still in hand.
        """
        game, side = self.game, self.side
        results = tuple(
            [0 if won is None else 1 if game.side(won) == side else -1 for won in game.results]
        )
        done = game.played()
        on, held = [0, 0], []
        for which, by in enumerate((side, 1 - side)):
            laid = (
                [STRENGTH[game.faces[slot]] for seat, slot in game.tricks[-1] if seat % 2 == by]
                if game.tricks
                else []
            )
            cards = [STRENGTH[card] for seat in game.awake_of(by) for card in sample[seat]]
            waits = any(seat not in done for seat in game.awake_of(by))
            if laid and not waits:
                on[which] = max(laid)
            elif laid:
                cards.append(max(laid))
            left = 3 - len(results) - (1 if on[which] else 0)
            held.append(tuple(sorted(cards, reverse=True)[:left]))
        turn = next(seat for seat in self.order() if seat not in done)
        first = int(turn % 2 != side)
        return Table(results, (on[0], on[1]), first, game.stake, self.right()), (held[0], held[1])

    def order(self) -> list[Seat]:
        """Return the seats of this trick in their order."""
        game = self.game
        last = game.results[-1] if game.results else None
        return [*game.played(), *game.awake(game.mano if last is None else last)]

    def right(self) -> int | None:
        """Return who may raise: 0 for us, 1 for them."""
        return None if self.game.right is None else int(self.game.right != self.side)

    def cards(self, odds: Odds) -> dict[Face, float]:
        """Return how good each card of the hand is, as a chance in the deal."""
        if self.temper.hasty:
            return {card: self.present(card, odds) for card in odds.own}
        chances = odds.cards()
        found = {card: value - self.cost(card, odds) for card, value in chances.items()}
        worst = min(found.values())
        return {card: found.get(card, worst - CHEAP * STRENGTH[card]) for card in odds.own}

    def present(self, card: Face, odds: Odds) -> float:
        """Return how good a card is for the present trick.

        The best is the cheapest that takes the trick, or to lead, the strongest.
        """
        strength = STRENGTH[card]
        theirs, ours = odds.tricks.best_of(1 - self.side), odds.tricks.best_of(self.side)
        return (
            CHEAP * strength if not theirs else float(ours <= theirs < strength) - CHEAP * strength
        )

    def cost(self, card: Face, odds: Odds) -> float:
        """Return what it costs to part with a card: the stronger the more.

        But the first trick is worth a card. And leading after a win the stronger goes first, unless
        nothing beats it: then the weaker draws out the others' cards.
        """
        game = self.game
        ahead = len(game.results) == 1 and not game.played() and game.results[0] is not None
        beatable = max(STRENGTH[held] for held in odds.own) < max(
            STRENGTH[other] for other in odds.unseen
        )
        takes = (
            bool(game.played())
            and not game.results
            and odds.tricks.takes(STRENGTH[card], self.side)
        )
        return (-CHEAP if ahead and beatable else CHEAP) * STRENGTH[card] - (
            FIRST if takes else 0.0
        )


def _opens(move: Move) -> bool:
    return isinstance(move, Call) and move.word in ENVIDO


HOPELESS = 0.5
"""The chance to lose the deal above which nobody raises for the joy of it, and the cautious do not
sing. For each raise it must be half as high."""
NEVER = 100.0
"""The points that keep a cautious player from a word."""
CAUTIOUS = Temper(dares=-0.3, plainly=0)
DARING = Temper(dares=0.7, hears=False, plainly=4)
TIMID = Temper(dares=-0.6, hears=False, plainly=-2, hasty=True)

CHARACTERS = (
    # Weighs every call against the hands that the others may hold.
    Character("Ramona", Strength.STRONG, play),
    # Calls with good cards only, and folds when in doubt.
    Character("Anselmo", Strength.MIDDLE, player(CAUTIOUS)),
    # Overvalues its hand, calls often and hardly ever folds.
    Character("Eider", Strength.WEAK, player(DARING)),
    # Sees its own cards and the present trick only, and folds early.
    Character("Snæfríður", Strength.WEAK, player(TIMID)),
)
"""The characters of the game, the strongest first."""
