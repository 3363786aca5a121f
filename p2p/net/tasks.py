"""A nursery for the helper tasks of a context manager; it raises the body's errors unwrapped."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import trio


@asynccontextmanager
async def background() -> AsyncIterator[trio.Nursery]:
    """Open a nursery whose tasks are cancelled when the body ends.

    An ordinary error of the body passes through unwrapped, so `async with open_mesh(...)` may stand
    in a `try` with `except NetError`. A crash of a helper still cancels the body, and is raised as
    trio's exception group.
    """
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except Exception as error:  # noqa: BLE001 -- raised again below, outside of the nursery that would wrap it
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


def raise_again(error: Exception) -> None:
    """Raise the error: contain nothing."""
    raise error


@contextmanager
def containing(failed: Callable[[Exception], object]) -> Iterator[None]:
    """Pass an unexpected error of the body to `failed`, and continue after the body."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 -- one packet ends no program
        failed(error)
