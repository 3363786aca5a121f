"""Results that are cached until their object learns more."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast


class Remembering(Protocol):
    """An object that clears `cached` when it learns more."""

    cached: dict[tuple[Any, ...], Any]


Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Cache a result until the object learns more."""

    @wraps(method)
    def asked(self: Remembering, *about: Any) -> Any:
        key = (method.__name__, *about)
        if key not in self.cached:
            self.cached[key] = method(self, *about)
        return self.cached[key]

    return cast(Method, asked)
