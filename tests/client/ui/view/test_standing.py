"""The sentence above a count that says who is ahead."""

from __future__ import annotations

import pytest

from client.ui.view.standing import standing
from client.ui.view.table_parts import Score


def scores(*points: int) -> list[Score]:
    names = ("you", "Jon", "Nekane")
    return [Score(names[side], str(one), side) for side, one in enumerate(points)]


@pytest.mark.parametrize(
    ("points", "ours", "said"),
    [
        ((12, 9), 0, "You lead, 12 to 9."),
        ((9, 12), 0, "You are behind, 9 to 12."),
        ((9, 9), 0, "All are level, 9 each."),
        ((9, 12), None, "In the lead, 12 to 9: Jon."),
        ((12, 9, 4), 0, "You lead with 12."),
        ((12, 12, 4), 0, "You share the lead with 12."),
        ((9, 12, 4), 0, "In the lead with 12: Jon. You have 9."),
        ((9, 12, 12), 0, "In the lead with 12: Jon and Nekane. You have 9."),
        ((9, 12, 12), None, "In the lead with 12: Jon and Nekane."),
        ((0, 0, 0), 0, "All are level, 0 each."),
        ((12,), 0, "You lead with 12."),
    ],
)
def test_a_sentence_says_who_is_ahead(points, ours, said):
    assert standing(scores(*points), ours, most_wins=True) == said


@pytest.mark.parametrize(
    ("points", "ours", "said"),
    [
        ((4, 9, 12), 0, "You have the fewest points: 4."),
        ((9, 4, 12), 0, "Fewest points, 4: Jon. You have 9."),
        ((9, 4, 4), None, "Fewest points, 4: Jon and Nekane."),
    ],
)
def test_a_sentence_says_who_has_the_fewest_points(points, ours, said):
    assert standing(scores(*points), ours, most_wins=False) == said
