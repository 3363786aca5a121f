"""Bytes made into choices: bytes that interest the fuzzer choose the words of a liar, and how they
differ from the truth."""

from __future__ import annotations

from typing import Any

from p2p.wire import pack

WORDS = (
    *("move", "shares", "commit", "nonce", "value", "yield", "key", "proof", "deck", "claims"),
    *(
        "step",
        "leave",
        "seal",
        "vote",
        "flush",
        "epoch",
        "end",
        "seals",
        "more",
        "",
        "done",
        "reasons",
    ),
    *(
        "look",
        "sit",
        "stand",
        "table",
        "terms",
        "sign",
        "refuse",
        "need",
        "why",
        "nodes",
        "match",
        "seat",
        "seats",
        "t",
    ),
    *("\x1b[2J", "\u202e", "漢" * 30, "x" * 300, "__class__", "%s{0}"),
)
NUMBERS = (
    0,
    1,
    2,
    3,
    15,
    16,
    17,
    63,
    64,
    -1,
    -(2**63),
    2**31 - 1,
    2**31,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
)

SPACE = 70_000
"""Bytes of repetitions at most: a little more than a frame may have."""


def told(error: Exception, *, one_line: bool = False) -> None:
    """Require that an error says something."""
    assert str(error)
    assert not one_line or str(error).isprintable()


class Draw:
    """Chooses by one byte after another; when they are spent every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self._space = data, 0, SPACE

    @property
    def more(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, most: int) -> int:
        """A number below `most`, which is above 0."""
        number = self.byte()
        return (number if most <= 256 else number << 8 | self.byte()) % most

    def one(self, choices: Any) -> Any:
        return choices[self.below(len(choices))]

    def some(self, size: int) -> bytes:
        """So many of the bytes, or the rest of them."""
        found = self._data[self._at : self._at + size]
        self._at += size
        return found

    def rest(self) -> bytes:
        return self.some(len(self._data))

    def number(self) -> int:
        return self.one(NUMBERS) if self.byte() % 2 else self.byte()

    def value(self, like: Any, depth: int = 0) -> Any:
        """A value that has a spelling; most often it is `like`, spoiled in one place."""
        if type(like) in (list, dict) and like and depth < 8 and self.byte() % 4:
            return self._inside(like, depth)
        match self.below(12):
            case 0:
                return like
            case 1 | 2 | 3 if type(like) is bytes:
                return self._bytes(like)
            case 1 | 2 if type(like) is int and type(like) is not bool:
                return min(max(like + self.byte() - 128, -(2**63)), 2**64 - 1)
            case 1 | 2 | 3 | 4:
                return self.number()
            case 5:
                return self.one(WORDS)
            case 6:
                return self.some(self.byte())
            case 7:
                return self.one((None, False, True))
            case 8 if depth < 6:
                return [self.value(like, depth + 1) for _ in range(self.below(5))]
            case 9 if depth < 6:
                return {self.one(WORDS): self.value(like, depth + 1) for _ in range(self.below(4))}
            case 10 if depth < 6:
                return self._many(like)
        return [] if type(like) is not list else {}

    def _many(self, like: Any) -> list[Any]:
        """A list of the same many times; of all such lists no more than can be sent, so that it is
        not we that take the memory."""
        try:
            size = len(pack(like))
        except TypeError:  # nested too deeply to be spelled
            return [like]
        times = min(self.byte() << self.below(9), self._space // size)
        self._space -= times * size
        return [like] * times

    def _inside(self, like: Any, depth: int) -> Any:
        """Spoil one item of a list or dict; or leave it out, say it twice, or put it in another
        place."""
        names = sorted(like) if type(like) is dict else range(len(like))
        name, how = self.one(names), self.below(8)
        changed = like.copy()
        if how < 5:
            changed[name] = self.value(like[name], depth + 1)
        elif how == 5:
            del changed[name]
        elif type(like) is list:
            changed.insert(self.below(len(like) + 1), like[name])
        else:
            changed[self.one(WORDS)] = changed[name] if how == 6 else changed.pop(name)
        return changed

    def _bytes(self, like: bytes) -> bytes:
        at = self.below(len(like) + 1)
        match self.below(5):
            case 0:
                return (
                    like[:at] + bytes([like[at] ^ 1 << self.below(8)]) + like[at + 1 :]
                    if at < len(like)
                    else like + b"\0"
                )
            case 1:
                return like[:at]
            case 2:
                return like[:at] + self.some(self.below(33)) + like[at:]
            case 3:
                return like[:at] + like[at + 1 :]
        return like[at:] + like[:at]
