"""Access for browsers: the requests that are answered at all, and the secrets that admit a window.

The page is served on the loopback interface, which every program and every user of this machine
reaches, and so does any web page that our player's browser shows. Therefore:

- `Host` must be ours to the letter: a hostile name that resolves to 127.0.0.1 (DNS rebinding) is
  another host.
- `Origin` must be ours wherever a browser sends one, and must be there where something is asked
  for.
- `Sec-Fetch-Site` must name no other site: a page that leads its window to ours could have our
  player press a key in it that was meant for that page.
- A token from the address is exchanged, once, for two secrets: a cookie that no script can read,
  and a pass that only the pages of our own origin can read. A browser sends the cookie to every
  port of this host, so other programs may come to see it; the pass is kept by origin, which has the
  port in it. The socket needs both.
- When this program has ended, another one may have its port, and our pages ask there whether it is
  back. So with the pass they get a seal, which is in the first view of each socket: they show
  nothing of a program that does not know it.
- A browser that our program starts opens a file, which no other user can read and which leads to a
  path with the token. For browsers a file is another site, so this path alone may be reached from
  one, and only with a token that nobody has used yet.
- A token that comes a second time was seen by somebody else: the browser that it has let in is put
  out again (RFC 6749, 4.1.2), and our player gets a new address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from secrets import token_urlsafe

from client.ui.browser.shell import SCRIPT, headers

SECRET_BYTES = 32
LEADING = "/open/"
"""How the paths begin that lead from a file to an address."""
SECRETS_KEPT = 16
"""Tokens and browsers that are known at a time; the oldest are forgotten."""


def headers_for(host: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of every answer of a host, errors too."""
    return (*headers(host, SCRIPT), ("cross-origin-opener-policy", "same-origin"))


@dataclass
class Admitted:
    """A browser that was let in: its two secrets, and the functions that close its open pages."""

    cookie: str = field(repr=False)
    word: str = field(repr=False)
    """The pass."""
    leave: list[Callable[[], None]] = field(repr=False)
    seal: str = field(default_factory=lambda: token_urlsafe(SECRET_BYTES), repr=False)
    """The first word of our program to its pages, once they have said the pass."""


class Gate:
    """The address of a table in a browser, and those that it has let in."""

    def __init__(self, port: int) -> None:
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"
        self.cookie_name = f"sobremesa-{port}"
        """With the port in it: cookies do not tell ports apart."""
        self._put_out_heard: Callable[[], None] | None = None
        self._tokens: dict[str, Admitted | None] = {}
        self._admitted: list[Admitted] = []
        self._used_heard: dict[str, Callable[[], None]] = {}

    def address(self) -> str:
        """Return a new address, which lets one browser in, once.

        The token is in the fragment, which no browser sends.
        """
        token = token_urlsafe(SECRET_BYTES)
        self._tokens[token] = None
        while len(self._tokens) > SECRETS_KEPT:
            oldest = next(iter(self._tokens))
            del self._tokens[oldest]
            self._let_nobody_in(oldest)
        return f"{self.origin}/#{token}"

    def by_file(self, address: str) -> str:
        """Return the address for a file that leads to an address of ours."""
        return f"{self.origin}{LEADING}{address.partition('#')[2]}"

    def leads(self, headers: Mapping[str, str], path: str) -> str | None:
        """Return where a path leads that a file has given; None if it leads nowhere."""
        if headers.get("host") != self.host or not path.startswith(LEADING):
            return None
        known = self._known(path.removeprefix(LEADING))
        return None if known is None or self._tokens[known] is not None else f"/#{known}"

    def on_use(self, address: str, hear: Callable[[], None]) -> None:
        """Call this function when an address of ours was used, or was forgotten."""
        self._used_heard[address.partition("#")[2]] = hear

    def on_putting_out(self, hear: Callable[[], None]) -> None:
        """Call this function, instead of an earlier one, whenever a browser is put out."""
        self._put_out_heard = hear

    def answers(self, headers: Mapping[str, str], *, asks: bool) -> bool:
        """Return whether a request is from our page, or from a person that types the address.

        `asks` is whether the request is for more than the page's files.
        """
        if headers.get("host") != self.host:
            return False
        origin = headers.get("origin")
        if origin != self.origin and (asks or origin is not None):
            return False
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")

    def exchange(self, token: str) -> Admitted | None:
        """Return the secrets for a token; None if it is wrong or was used.

        If it was used, the browser that used it is put out too.
        """
        known = self._known(token)
        if known is None:
            return None
        if (thief := self._tokens[known]) is not None:
            self._put_out(thief)
            return None
        admitted = Admitted(token_urlsafe(SECRET_BYTES), token_urlsafe(SECRET_BYTES), [])
        self._use(known, admitted)
        self._admitted.append(admitted)
        if len(self._admitted) > SECRETS_KEPT:
            self._put_out(self._admitted[0])
        return admitted

    def use_up(self, token: str, admitted: Admitted) -> None:
        """Take a token from a browser that is in already: it lets nobody else in any more.

        If another browser used it, that one is put out.
        """
        known = self._known(token)
        if known is None:
            return
        if (other := self._tokens[known]) is None:
            self._use(known, admitted)
        elif other is not admitted:
            self._put_out(other)

    def by_cookie(self, cookie: str) -> Admitted | None:
        """Return the browser that has this cookie."""
        given = cookie.encode()
        return next(
            (one for one in self._admitted if compare_digest(one.cookie.encode(), given)), None
        )

    def _use(self, token: str, admitted: Admitted) -> None:
        self._tokens[token] = admitted
        self._let_nobody_in(token)

    def _let_nobody_in(self, token: str) -> None:
        if (hear := self._used_heard.pop(token, None)) is not None:
            hear()

    def _known(self, token: str) -> str | None:
        given = token.encode(errors="replace")
        return next((one for one in self._tokens if compare_digest(one.encode(), given)), None)

    def _put_out(self, admitted: Admitted) -> None:
        if admitted in self._admitted:
            self._admitted.remove(admitted)
            if self._put_out_heard is not None:
                self._put_out_heard()
        for leave in admitted.leave:
            leave()


def passes(admitted: Admitted, word: object) -> bool:
    """Whether a page knows the pass of its browser."""
    return isinstance(word, str) and compare_digest(
        admitted.word.encode(), word.encode(errors="replace")
    )
