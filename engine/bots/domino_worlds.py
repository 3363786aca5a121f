"""The hidden tiles of dominoes, laid as they may lie, for a seat at its turn.

No tile is laid where it has been proven not to be. Of the ways that are left those are the likelier
ones in which the others have played what most people would: doubles and heavy tiles first.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, exp

from engine.bots.domino_deal import (
    EAGER,
    FITS,
    NUMBER,
    OTHER,
    PIPS,
    WITH,
    Deal,
    tiles_of,
    whole_set,
)
from engine.bots.small_change import Dice
from engine.core.moves import Seat, Slot
from engine.core.view import View
from engine.games.domino.moves import Draw, Place
from engine.games.domino.rules import Domino

TRIES = 5
"""How often hidden tiles are laid at random before they are laid with care."""
TRIED_WAYS = 2000
"""Where there may be more ways to lay the hidden tiles, they are not counted."""
LIKELY = [exp(0.12 * eager) for eager in EAGER]
"""How much likelier a player chooses a tile than another."""


@dataclass(frozen=True)
class Played:
    """A play of another seat in this deal, where it had a choice or may have had one."""

    seat: Seat
    tile: int
    fitting: int
    """The tiles that fitted."""
    later: list[int]
    """The tiles that fitted and that it held too, as it has played them since."""
    held_before: Slot
    """The first slot that was not in any hand yet."""


class Worlds:
    """The knowledge of a seat."""

    def __init__(self, view: View, game: Domino, seat: Seat, dice: Dice) -> None:
        """Take the view of the seat."""
        self.game, self.seat, self.dice = game, seat, dice
        self.faces = {**game.faces, **view.faces}
        known = sum(1 << NUMBER[face] for face in self.faces.values())
        self.line = sum(1 << NUMBER[face] for face in game.table())
        self.seen_hands = [
            sum(1 << NUMBER[self.faces[slot]] for slot in hand if slot in self.faces)
            for hand in game.hands
        ]
        self.unseen = whole_set(game) & ~known
        self.dealt = game.decks[0].first + game.tile_set.hand * len(game.seats)
        """The first slot that was drawn, if any was."""
        self.slots = self._hidden_slots()
        self.played = self._played(view)

    def several(self, count: int) -> list[Deal]:
        """Return `count` deals, the likelier ones more often."""
        drawn = self._all_laid(count)
        if drawn is None and not self.played:
            return [self.one() for _ in range(count)]
        drawn = drawn or [self._laid() for _ in range(2 * count)]
        weights = [self._likelihood(tiles) for tiles in drawn]
        step = sum(weights) / count
        found: list[Deal] = []
        reached = step * self.dice.below(1000) / 1000
        for tiles, weight in zip(drawn, weights, strict=True):
            while reached < weight and len(found) < count:
                found.append(self._started(tiles))
                reached += step
            reached -= weight
        return found

    def one(self) -> Deal:
        """Return a deal with the hidden tiles at random.

        A tile is not laid in a place if it is known to lie elsewhere.
        """
        return self._started(self._laid())

    def _hidden_slots(self) -> list[tuple[Seat, int, Slot]]:
        """Return each hidden slot of the others, with its seat and its possible tiles.

        The slots with the fewest possible tiles come first.
        """
        denied = sum(1 << NUMBER[face] for face in self.game.denied)
        found: list[tuple[Seat, int, Slot]] = []
        for seat, hand in enumerate(self.game.hands):
            for slot in hand:
                if slot not in self.faces:
                    possible = self.unseen if slot >= self.dealt else self.unseen & ~denied
                    for number in self.game.lacks.get(slot, ()):
                        possible &= ~WITH[number]
                    found.append((seat, possible, slot))
        return sorted(found, key=lambda item: item[1].bit_count())

    def _played(self, view: View) -> list[Played]:
        """Return the plays of the others in this deal."""
        found: list[Played] = []
        ends, drawn = (-1, -1), self.dealt
        for answered in view.past:
            move = answered.move
            if answered.deal != self.game.round:
                continue
            if isinstance(move, Draw):
                drawn += 1
            elif isinstance(move, Place):
                tile = NUMBER[answered.faces[0]]
                for earlier in found:
                    if (
                        earlier.seat == answered.seat
                        and move.tile < earlier.held_before
                        and earlier.fitting >> tile & 1
                    ):
                        earlier.later.append(tile)
                left, right = ends
                if left < 0:
                    ends = PIPS[tile]  # an opening is forced, or tells little
                    continue
                if answered.seat != self.seat:
                    found.append(Played(answered.seat, tile, FITS[left][right], [], drawn))
                ends = (
                    (OTHER[tile][left], right) if move.end == "left" else (left, OTHER[tile][right])
                )
        return found

    def _likelihood(self, tiles: list[int]) -> float:
        """Return how likely the others would have played as they did, given these hidden tiles."""
        likelihood = 1.0
        for played in self.played:
            among = sum([LIKELY[tile] for tile in played.later])
            for (seat, _, slot), tile in zip(self.slots, tiles, strict=True):
                if seat == played.seat and slot < played.held_before and played.fitting >> tile & 1:
                    among += LIKELY[tile]
            mine = LIKELY[played.tile]
            likelihood *= mine / (mine + among)
        return likelihood

    def _all_laid(self, most: int) -> list[list[int]] | None:
        """Return every way to lay the hidden tiles, None if there are more than `most`.

        Slots of a hand of which the same is known take each set of tiles once.
        """
        groups: dict[tuple[Seat, int, tuple[bool, ...]], list[int]] = {}
        for at, (seat, possible, slot) in enumerate(self.slots):
            before = tuple([slot < played.held_before for played in self.played])
            groups.setdefault((seat, possible, before), []).append(at)
        ways = 1
        for (_, possible, _), places in groups.items():
            ways *= comb(possible.bit_count(), len(places))
        if ways > TRIED_WAYS:
            return None
        found = [([0] * len(self.slots), self.unseen)]
        for (_, possible, _), places in groups.items():
            wider = []
            for laid, left in found:
                for tiles in combinations(tiles_of(possible & left), len(places)):
                    longer, rest = laid.copy(), left
                    for at, tile in zip(places, tiles, strict=True):
                        longer[at], rest = tile, rest ^ 1 << tile
                    wider.append((longer, rest))
            found = wider
        return [laid for laid, _ in found] if len(found) <= most else None

    def _laid(self) -> list[int]:
        """Return a tile for each hidden slot."""
        below = self.dice.below
        for _ in range(TRIES):
            left = self.unseen
            found = []
            for _, possible, _ in self.slots:
                tiles = tiles_of(possible & left)
                if not tiles:
                    break
                tile = tiles[below(len(tiles))]
                found.append(tile)
                left ^= 1 << tile
            else:
                return found
        return self._laid_with_care()

    def _laid_with_care(self) -> list[int]:
        """Lay the hidden tiles by Kuhn's matching, where luck finds no way.

        A tile that a slot needs makes way if its own slot has another.
        """
        lies: dict[int, int] = {}  # tile -> place in `slots`

        def finds(place: int, tried: set[int]) -> bool:
            for tile in self.dice.shuffled(tiles_of(self.slots[place][1])):
                if tile not in tried:
                    tried.add(tile)
                    if tile not in lies or finds(lies[tile], tried):
                        lies[tile] = place
                        return True
            return False

        laid = all(finds(place, set()) for place in range(len(self.slots)))
        assert laid, "proven claims are true, so there is a way"
        return sorted(lies, key=lies.__getitem__)

    def _started(self, tiles: list[int]) -> Deal:
        game = self.game
        hands, left = self.seen_hands.copy(), self.unseen
        for (seat, _, _), tile in zip(self.slots, tiles, strict=True):
            hands[seat] |= 1 << tile
            left ^= 1 << tile
        deal = Deal(
            hands, self.dice.shuffled(tiles_of(left)), self.line, game.ends or (-1, -1), self.seat
        )
        placer = self.seat if game.placer is None else game.placer
        return deal.go_on(placer, game.in_a_row, game.passes, game.sides)
