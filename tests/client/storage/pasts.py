"""Past matches for tests of pages and commands that show them: one of each kind."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from client.storage.past_match import DAMAGED, OTHER_VERSION, MatchFacts, MatchSummary, PastPlayer
from p2p.table.outline import Outline

ANE, JONE, MIREN, BOT = (
    PastPlayer(f"{number:064x}", nick, f"{nick[:4].upper():A<4}-BBBB-CCCC-DDDD", computer)
    for number, nick, computer in (
        (1, "Ane", False),
        (2, "Jone", False),
        (3, "Miren", False),
        (4, "Computer 1", True),
    )
)
FACTS = MatchFacts(
    *("0" * 64, "escoba", (ANE, JONE), 0),
    Outline(
        *(2, 2, 30, ((10, 7), (21, 15)), (21, 15), (0,)),
        over=True,
        begun=True,
        unsealed=(),
        gone=(),
    ),
)
"""A match of Escoba that Ane has won."""


def changed(facts: MatchFacts, **changes: Any) -> MatchFacts:
    """Return these facts with other fields, of the match or of its outline."""
    of_match = {field.name for field in fields(MatchFacts)}
    outline = {name: value for name, value in changes.items() if name not in of_match}
    others = {name: value for name, value in changes.items() if name in of_match}
    return replace(facts, outline=replace(facts.outline, **outline), **others)


def summary(facts: MatchFacts, at: int = 0, **more: Any) -> MatchSummary:
    """Return a match with these facts, whose log was written then."""
    name = f"{at:032x}"
    nicks = tuple(one.nick for one in facts.players)
    return MatchSummary(
        name,
        facts.game,
        nicks,
        "2026-11-21 18:05",
        f"/x/{name}.sobremesa",
        facts=facts,
        id=facts.id[:32],
        seat=facts.seat,
        written=at,
        **more,
    )


def of_each_kind() -> tuple[MatchSummary, ...]:
    """Return a match of each ending, one that was watched, one of partners, and logs that cannot be
    read."""
    four = changed(
        FACTS,
        game="truco",
        players=(ANE, JONE, BOT, MIREN),
        score=(30, 22, 30, 22),
        scores=(),
        moves=88,
    )
    unfinished = changed(FACTS, over=False, winners=(), score=(10, 7), scores=((10, 7),))
    changes = (
        *(
            unfinished,
            FACTS,
            changed(FACTS, winners=(1,), score=(15, 21)),
            changed(FACTS, players=(ANE, BOT)),
            four,
            unfinished,
        ),
        *(
            changed(unfinished, begun=False, deals=0, scores=(), score=(0, 0)),
            changed(FACTS, unsealed=(1,)),
        ),
        *(
            changed(FACTS, gone=((1, "voted"),)),
            changed(FACTS, gone=((1, "left"),), score=(0, 0), scores=((0, 0),)),
            changed(FACTS, gone=((1, "convicted"),)),
            changed(FACTS, seat=None),
        ),
        *(changed(unfinished, gone=((0, how),)) for how in ("left", "convicted", "voted")),
        changed(FACTS, game="domino", convicts=True),
        changed(FACTS, winners=(0, 1), score=(21, 21), scores=((10, 7), (21, 21))),
    )
    found = [
        summary(changed(facts, id=f"{place:064x}"), 1000 - place, unfinished=not place)
        for place, facts in enumerate(changes)
    ]
    bad = [
        MatchSummary(f"b{reason}", "", (), "2026-11-20 20:30", f"/x/{reason}", unreadable=reason)
        for reason in (DAMAGED, OTHER_VERSION)
    ]
    return (
        *found,
        *bad,
        MatchSummary("new", "kinaskak", ("Ane", "Miren"), "2026-11-19 09:00", "/x/new", seat=0),
    )
