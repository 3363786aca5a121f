"""A decent player of siete y media: counts the cards seen, and weighs standing against one more
card, in stakes expected.

As a punto it reckons with a bank that draws like most do; as the bank, with puntos who stand where
sensible people stand. Totals are half points, as in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from engine.core.cards import SPANISH_40
from engine.core.moves import Move, Seat, Slot
from engine.core.view import View
from engine.games.siete_y_media.rules import (
    SIETE_Y_MEDIA,
    WORTH,
    Bet,
    HitDown,
    HitUp,
    SieteYMedia,
    Stand,
)

STRONG, FAIR = 0.3, 0.0
"""The value per chip that the first card needs for the highest bet, and for a middling one."""
BANK_STANDS = 10
"""Where banks stand, as most do: at five."""
ASKS_BELOW = 8
"""Nobody stands on less than four, though the difference to asking may be small."""
HIDE_FROM = 8
"""A card of four or more stays hidden."""
PATIENCE: Mapping[int, float] = {8: 0.15, 9: 0.4, 10: 1.0, 11: 1.0, 12: 1.0, 13: 1.0, 14: 1.0}
"""How likely a punto stands at a total."""
RASH = 0.03
"""How likely a punto stands at any lower total."""


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the bet, the request or the stand that promises most."""
    game, seat = view.game, view.seat
    assert isinstance(game, SieteYMedia)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    mind = _Mind(view, game, seat)
    if seat == game.bank:
        return Stand() if mind.bank_stands() else HitUp()
    if isinstance(options[0], Bet):
        return Bet(mind.bet([bet.chips for bet in options if isinstance(bet, Bet)], choose))
    if mind.stands():
        return Stand(mind.raised(options))
    return mind.request(choose)


class _Mind:
    """The knowledge and plans of a seat at its turn."""

    def __init__(self, view: View, game: SieteYMedia, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.faces = {**game.faces, **view.faces}
        seen = set(self.faces.values())
        unseen = [WORTH[card] for card in SPANISH_40 if card not in seen]
        self.cards = {worth: unseen.count(worth) / len(unseen) for worth in sorted(set(unseen))}
        """How likely a card that nobody has shown counts so much."""
        self.total = sum(WORTH[self.faces[slot]] for slot in game.hands[seat])

    # A punto.

    def bet(self, chips: Sequence[int], choose: Callable[[int], int]) -> int:
        """Bet by the first card: the least on 1 to 5, a middling sum on a figure or a 6, the most
        on a 7; now and then less."""
        least, most = chips[0], chips[-1]
        if (told := self._last_deal()) is not None:
            return most if told else least
        worth = max(self._standing(self.total), self._asking(self.total))
        middle = (least + most) // 2
        mixed = choose(8) == 0
        if worth >= STRONG:
            return middle if mixed else most
        return middle if worth >= FAIR and not mixed else least

    def _last_deal(self) -> bool | None:
        """Return in the last deal whether all must be risked to catch up; None if it is not the
        last, or all is open."""
        game = self.game
        if game.round != game.options["deals"]:
            return None
        mine, best = (
            game.score[self.seat],
            max(score for seat, score in enumerate(game.score) if seat != self.seat),
        )
        if mine < best:
            return True
        return False if mine > best + game.options["max_bet"] else None

    def stands(self) -> bool:
        """Whether standing is worth at least as much as asking."""
        return self.total >= ASKS_BELOW and self._standing(self.total) >= self._asking(self.total)

    def raised(self, options: Sequence[Move]) -> int:
        """Raise to the cap on standing with six and a half or seven, or when only that can still
        win the match."""
        most = max(move.raised for move in options if isinstance(move, Stand))
        return most if self.total >= 13 or self._last_deal() else 0

    def request(self, choose: Callable[[int], int]) -> HitUp | HitDown:
        """Ask so that a high card stays hidden and a low one is shown; a four is either."""
        hidden: Slot = self.game.hidden(self.seat)
        worth = WORTH[self.faces[hidden]]
        if worth > HIDE_FROM or (worth == HIDE_FROM and choose(2)):
            return HitUp()
        return HitDown(hidden)

    @cached_property
    def _bank_ends(self) -> dict[int, float]:
        """How likely the bank ends at each total, 0 standing for over."""
        ends: dict[int, float] = {}
        running = dict(self.cards)
        while running:
            total = min(running)
            chance = running.pop(total)
            if total >= BANK_STANDS:
                total = total if total <= SIETE_Y_MEDIA else 0
                ends[total] = ends.get(total, 0.0) + chance
                continue
            for worth, share in self.cards.items():
                running[total + worth] = running.get(total + worth, 0.0) + chance * share
        return ends

    def _standing(self, total: int) -> float:
        """Return what standing is worth per chip staked."""
        won = sum(chance for end, chance in self._bank_ends.items() if end < total)
        return won * (2.0 if total == SIETE_Y_MEDIA else 1.0) - (1.0 - won)

    def _asking(self, total: int) -> float:
        """Return what asking is worth per chip staked, going on sensibly."""
        worth = 0.0
        for card, chance in self.cards.items():
            after = total + card
            if after > SIETE_Y_MEDIA:
                worth -= chance
            elif after == SIETE_Y_MEDIA:
                worth += chance * self._standing(after)
            else:
                worth += chance * self._going_on(after)
        return worth

    def _going_on(self, total: int) -> float:
        if total not in self._worths:
            self._worths[total] = max(self._standing(total), self._asking(total))
        return self._worths[total]

    @cached_property
    def _worths(self) -> dict[int, float]:
        return {}

    # The bank.

    def bank_stands(self) -> bool:
        """Whether the bank expects at least as much of standing as of another card; beaten for
        certain, it draws."""
        standing = self._bank_standing(self.total)
        return (
            standing > self._bank_asking(self.total)
            or standing >= sum(stake for stake, _, _ in self._puntos) > 0
        )

    @cached_property
    def _puntos(self) -> list[tuple[int, bool, dict[int, float]]]:
        """Return of each punto who stands the stake, whether it is paid double, and how likely each
        total is."""
        game = self.game
        found = []
        for seat in game.stood:
            shown = game.shown(seat)
            if seat in game.sevens:
                found.append((game.stakes[seat], True, {shown: 1.0}))
                continue
            bold = 2 * game.stakes[seat] > game.options["max_bet"]
            weights: dict[int, float] = {}
            for worth, chance in self.cards.items():
                total = shown + worth
                if total < SIETE_Y_MEDIA:
                    weight = PATIENCE.get(total, RASH) * (2.0 if bold and total >= 12 else 1.0)
                    weights[total] = chance * weight
            whole = sum(weights.values())
            found.append(
                (
                    game.stakes[seat],
                    False,
                    {total: weight / whole for total, weight in weights.items()},
                )
            )
        return found

    def _bank_standing(self, mine: int) -> float:
        """Return the chips that standing is worth."""
        chips = 0.0
        for stake, double, totals in self._puntos:
            lost = sum(chance for total, chance in totals.items() if total > mine)
            chips += stake * (1.0 - lost) - stake * lost * (2 if double else 1)
        return chips

    def _bank_asking(self, mine: int) -> float:
        """Return the chips that another card is worth, going on sensibly."""
        everything = sum(stake for stake, _, _ in self._puntos)
        ruin = sum(stake * (2 if double else 1) for stake, double, _ in self._puntos)
        chips = 0.0
        for card, chance in self.cards.items():
            after = mine + card
            if after > SIETE_Y_MEDIA:
                chips -= chance * ruin
            elif after == SIETE_Y_MEDIA:
                chips += chance * everything
            else:
                if after not in self._worths:
                    self._worths[after] = max(self._bank_standing(after), self._bank_asking(after))
                chips += chance * self._worths[after]
        return chips
