"""The times of frames, read from a trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.browser import frame_times

SHOWN, DROPPED, IDLE = "STATE_PRESENTED_ALL", "STATE_DROPPED", "STATE_NO_UPDATE_DESIRED"


def trace(*frames: tuple[int, str]) -> Iterator[dict[str, Any]]:
    """Frames by their numbers, 16 milliseconds apart, of an animation."""
    for number, state in frames:
        frame = {"state": state, "frame_sequence": number}
        moves = {"has_compositor_animation": True, "has_main_animation": False}
        yield {"ts": 16_000 * number, "args": {"frame_reporter": frame | moves}}


@pytest.mark.parametrize(
    ("frames", "times"),
    [
        ([(1, SHOWN), (2, SHOWN), (3, SHOWN)], [16, 16]),
        ([(1, SHOWN), (2, DROPPED), (3, DROPPED), (4, SHOWN)], [48]),
        ([(1, SHOWN), (2, IDLE), (3, SHOWN)], []),
        ([(1, SHOWN), (150, SHOWN), (151, SHOWN)], [16]),
        ([(1, SHOWN), (2, SHOWN), (2, DROPPED), (2, SHOWN)], [16]),
    ],
    ids=["each", "dropped", "idle", "ended", "twice"],
)
def test_a_time_between_frames_counts_while_a_picture_is_wanted(frames, times):
    assert list(frame_times(list(trace(*frames)))) == times


def test_a_frame_of_no_animation_does_not_count():
    frames = list(trace((1, SHOWN), (2, SHOWN)))
    frames[1]["args"]["frame_reporter"]["has_compositor_animation"] = False
    assert list(frame_times(frames)) == []
