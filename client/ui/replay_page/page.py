"""The page of a match as one HTML file, and its comparison with its log.

The file has the log, the views of the steps, one style and one script.

The same log, seat and version give the same page. Compressed parts are compared by their contents,
because two builds of zlib may compress one text differently.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from client.i18n.translation import languages
from client.session.analysis import NoAnalysisError, Progress, analyse
from client.storage.own_cards import LIMIT_BYTES as SHARES_LIMIT_BYTES
from client.storage.own_cards import read_shares, spell_shares
from client.storage.regular import LOG_BYTES
from client.storage.version import version
from client.ui.browser.shell import OWN, TABLE_SCRIPTS, TABLES, filled, source, text_of
from client.ui.replay import NONE, Shares
from client.ui.replay_page import dense
from client.ui.replay_page.data import Data, data_of_match
from client.ui.replay_page.match import Match, read_match
from client.ui.screen.settings import LANGUAGES
from engine.core.errors import Explained
from engine.core.moves import Seat
from p2p.table.replay import read_form
from p2p.wire import Malformed

LOG_RATIO, SHORT_LOG_BYTES = 16, 64 * 1024
"""How many times as long as packed the log may be at most, if it is no short one. Keys, points and
signatures cannot be compressed: real logs are 1.1 times as long."""
DATA_LIMIT_BYTES = 1024 * 1024 * 1024
"""The same of its pictures: our own, in a comparison."""
PAGE = Path(__file__).parent / "page"
_MADE = re.compile(
    r'<meta name="sobremesa" content="(p[1-9][0-9]?|public)( anyway)?( analysis)? by '
    r'([^"<>&]{1,40})">'
)
MATCH_STYLE = text_of("match.css", PAGE)
MATCH_SCRIPT = "".join(map(text_of, TABLE_SCRIPTS))
MATCH_SCRIPT += text_of("match.js", PAGE)
_PART = '<script type="text/plain" class="dense" id="{name}">'
_PICTURED = '<script type="text/plain" id="{name}">'
"""The same in a page of pictures, as earlier versions made them: its parts are base64."""
_PARTS = ("log", "kept-shares", "data")


class NoPage(Explained):
    """A file that is no replay page, or from which its log cannot be taken out."""


@dataclass(frozen=True)
class ReplayPage:
    """A replay page, taken apart and not yet compared with its log."""

    made_by: str
    """The version that made it."""
    seat: Seat | None
    log: bytes
    shell: str
    """The page without its packed parts."""
    data: bytes
    """The packed pictures."""
    analysed: bool = False
    """Whether it has the analysis of its seat."""
    shares: Shares = field(default_factory=dict, repr=False)
    """The kept shares of its seat, which open the cards of it that never became public."""


def page_of(match: Match, log: bytes) -> bytes:
    """Return the page of a match, and of the bytes of its log."""
    data = data_of_match(match, version())
    data["languages"] = [{"code": code, "name": LANGUAGES[code]} for code in languages()]
    seat = "public" if match.seat is None else f"p{match.seat + 1}"
    anyway = " anyway" if match.error is not None else ""
    analysis = " analysis" if match.analysis else ""
    made = f"{seat}{anyway}{analysis} by {version()}"
    packed = {"log": zlib.compress(log, 9), "kept-shares": spell_shares(match.shares)}
    packed["kept-shares"] = zlib.compress(packed["kept-shares"], 9)
    own = OWN.get(match.log.terms.game, "")
    style, script = text_of("look.css") + TABLES + own + MATCH_STYLE, MATCH_SCRIPT
    data |= {"icons": text_of("icons.svg"), "style": style, "script": script}
    first = text_of("unpack.js", PAGE)
    parts = {
        "made": made,
        "script": first,
        "script-source": f"{source(first)} {source(script)}",
        "style-source": source(style),
        **{name: dense.spelled(part) for name, part in packed.items()},
        "data": dense.spelled(zlib.compress(_as_json(data), 9)),
    }
    return filled(text_of("match.html", PAGE), parts).encode()


def _as_json(data: Data) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def make_page(
    log: bytes,
    seat: Seat | None,
    *,
    anyway: bool = False,
    analysed: bool = False,
    progress: Progress | None = None,
    shares: Shares = NONE,
) -> bytes:
    """Verify a log and return its page, with the analysis of its seat if that is wanted.

    `shares` are kept shares of the seat. Raises BadLog or NoAnalysisError.
    """
    match = read_match(log, seat, anyway=anyway, shares=shares)
    if analysed and seat is not None:
        match = replace(match, analysis=analyse(log, seat, progress or _nothing, shares=shares))
    return page_of(match, log)


def _nothing(_done: int, _whole: int) -> None:
    """Show no progress."""


def read_page(file: bytes) -> ReplayPage:
    """Take a page apart. NoPage; nothing larger than the file and the limit of a log is held."""
    try:
        text = file.decode()
    except UnicodeDecodeError as error:
        raise NoPage("no-replay-page") from error
    made = _MADE.findall(text)
    if len(made) != 1:
        raise NoPage("no-replay-page")
    shell, packed = text, {}
    form, unspelled = (_PART, _dense) if _PART.format(name="log") in text else (_PICTURED, _bytes)
    for name in _PARTS:
        head = form.format(name=name)
        if name == "kept-shares" and head not in shell:  # earlier versions wrote none
            packed[name] = _packed(b"")
            continue
        if shell.count(head) != 1:
            raise NoPage("no-replay-page")
        before, _head, rest = shell.partition(head)
        packed[name], end, after = rest.partition("</script>")
        if not end:
            raise NoPage("no-replay-page")
        shell = f"{before}{head}{end}{after}"
    shown, _anyway, analysed, made_by = made[0]
    seat = None if shown == "public" else int(shown[1:]) - 1
    return ReplayPage(
        made_by,
        seat,
        _unpacked_log(unspelled(packed["log"])),
        shell,
        unspelled(packed["data"]),
        bool(analysed),
        _shares_in(_unpacked(unspelled(packed["kept-shares"]), SHARES_LIMIT_BYTES)),
    )


def shows_its_log(page: ReplayPage) -> bool:
    """Whether a page is the one that this version makes of its log, which verifies.

    Raises BadLog.
    """
    seats = len(read_form(page.log).terms.participants)
    if page.seat is not None and page.seat >= seats:
        return False
    try:
        own = read_page(make_page(page.log, page.seat, analysed=page.analysed, shares=page.shares))
    except NoAnalysisError:
        return False
    wanted = _unpacked(own.data, DATA_LIMIT_BYTES)
    if (page.shell, page.shares) != (own.shell, own.shares):
        return False
    try:
        return _unpacked(page.data, len(wanted)) == wanted
    except NoPage:
        return False


def _shares_in(data: bytes) -> Shares:
    """Return the kept shares of a page. Raises NoPage."""
    try:
        return read_shares(data)
    except Malformed as error:
        raise NoPage("damaged-page") from error


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _bytes(packed: str) -> bytes:
    """Return the bytes of a packed part, which has one spelling only. Raises NoPage."""
    try:
        data = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoPage("damaged-page") from error
    if base64.b64encode(data).decode() != packed:
        raise NoPage("damaged-page")
    return data


def _dense(packed: str) -> bytes:
    """Do the same for a part of seven bits a character. Raises NoPage."""
    try:
        return dense.read(packed)
    except ValueError as error:
        raise NoPage("damaged-page") from error


def _unpacked_log(data: bytes) -> bytes:
    """Decompress a log. NoPage; a small page does not lead to much memory or time."""
    limit = min(LOG_BYTES, max(SHORT_LOG_BYTES, LOG_RATIO * len(data)))
    return _unpacked(data, limit, NoPage("page-too-long", limit=limit))


def _unpacked(data: bytes, limit: int, longer: NoPage | None = None) -> bytes:
    """Decompress at most `limit` bytes: all of the data must be one whole stream.

    NoPage; `longer` is raised if there are more.
    """
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, limit + 1)
    except zlib.error as error:
        raise NoPage("damaged-page") from error
    if len(found) > limit:
        raise longer or NoPage("damaged-page")
    if not stream.eof or stream.unused_data:
        raise NoPage("damaged-page")
    return found
