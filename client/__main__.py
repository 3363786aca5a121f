"""The command line: the list of commands, their common options, and the end of a command.

Nothing heavy is imported before it is known which command is wanted. A command is a module of
client.commands with `EXAMPLE`, `add_arguments(parser)` and `run(args) -> int`; it ends early by
raising a `Stop`.
"""

from __future__ import annotations

import gc
import gettext
import io
import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from typing import NoReturn

from client.i18n.translation import (
    DOMAIN,
    LOCALE,
    PROGRAM,
    _,
    as_called,
    call_program,
    languages,
    later,
    set_language,
    uncompiled,
)
from client.session.python_process import is_one_file, own_command
from client.session.status import Status, UsageError, ends, leaves, names_no_file
from client.ui.interactive import interactive, is_dumb
from client.ui.plain.printing import complain, crashed, log, open_closed_streams, say

COMMANDS: dict[str, str] = {
    "play": later("Play a match against computer players on this machine."),
    "learn": later(
        "Learn a game: a first deal against a computer player that waits for you, with every turn "
        "explained."
    ),
    "rules": later("Explain a game."),
    "games": later("Show the games and their options."),
    "host": later("Open a table for others to join."),
    "join": later("Sit down at a table on this network."),
    "watch": later(
        "Watch a match as a spectator, if its host offers that and its players have agreed; hidden "
        "cards stay hidden."
    ),
    "phone": later("Let somebody play on a phone: it scans a code and plays in its browser."),
    "resume": later("Return to a match after a crash or a closed window: same seat, same hand."),
    "tables": later("Show the tables on this network."),
    "history": later("Show your past matches: results, totals by game and by opponent."),
    "replay": later("Step through the log of a match."),
    "export": later("Export the log of a match as a page, a scenario or JSON."),
    "verify": later(
        "Check the log of a match: its players, its result, and every signature and proof."
    ),
    "id": later("Show your fingerprint, by which others recognise you."),
    "peers": later("Show the players you have met; trust, block or forget one."),
    "doctor": later(
        "Find out why you find no other players: check the network, this machine and the terminal."
    ),
    "demo": later(
        "Show the whole system on this machine: separate players find each other, play, and check "
        "every log."
    ),
    "scenario": later(
        "Play scenario files with open decks, and report whether their expectations hold."
    ),
}
"""Every command with its description; the module of the same name in client.commands implements
it."""

LANGUAGES = {
    "es": later("Spanish"),
    "eu": later("Basque"),
    "is": later("Icelandic"),
}
_YOUNG_OBJECTS = 10_000
"""New objects after which Python looks for garbage among them. By default it does so after 700: 80
times, and 20 ms, until the lobby is drawn. All that is made until then is kept."""
_WITH_VALUE = ("--lang", "--color", "--interface", "--nick")


class Parser(ArgumentParser):
    """Like argparse's, but a mistake is a UsageError."""

    def error(self, message: str) -> NoReturn:
        """Say in one sentence what is wrong and where help is."""
        raise UsageError(
            _("{message} (see `{command} --help`)").format(message=message, command=self.prog)
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out a command line and return the exit status.

    Only a bug of ours ends in a traceback.
    """
    sys.excepthook = crashed
    open_closed_streams()
    gc.set_threshold(_YOUNG_OBJECTS)
    call_program(own_command())
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a terminal that knows few letters shows ? for the others
        sys.stdout.reconfigure(errors="replace")
    try:
        status = run_command(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - sorted by kind below, and raised again if it is none of ours
        return _ended_by(error)
    return status


def run_command(words: list[str]) -> int:
    """Run the command of these words; return its status."""
    verb, rest = split_verb(words)
    try:
        asked_for = _language_of(words)
        _speak(asked_for)
        if "--version" in (asked := _options(words)):
            return _show_version(
                arithmetic="--verbose" in asked or any(word.startswith("-v") for word in asked)
            )
        if verb is None:
            return _alone(rest)
        if verb not in COMMANDS:
            raise UsageError(_unknown(verb))
        command = import_module(f"client.commands.{verb}")
        if asked_for is None and (language := _language_set()):
            _speak(language)
        about = (
            f"{_broken(_(COMMANDS[verb]))}\n\n"
            + _("Example:")
            + f"\n  {as_called(command.EXAMPLE)}"
        )
        parser = Parser(
            as_called(f"{PROGRAM} {verb}"),
            description=about,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(parser)
        add_global_options(parser)
        args = parser.parse_args(rest)
        _obey(args)
        return int(command.run(args))
    except SystemExit as end:  # argparse has shown its help
        return int(end.code or 0)


def _options(words: Sequence[str]) -> Sequence[str]:
    """Return the words before `--`, after which nothing is an option."""
    return words[: words.index("--")] if "--" in words else words


def _show_version(*, arithmetic: bool) -> int:
    from client.storage.version import version  # noqa: PLC0415 - costs more than all the rest of this file

    say(f"{PROGRAM} {version()}")
    if arithmetic:
        from crypto.backend import best  # noqa: PLC0415 - costs more than all the rest of this file

        say(_("arithmetic: {name}").format(name=_(best().name)))
    return Status.OK


def _language_of(words: Sequence[str]) -> str | None:
    """Return the language that the words ask for."""
    words = _options(words)
    asked = next(
        (words[place + 1] for place, word in enumerate(words[:-1]) if word == "--lang"), None
    )
    return next(
        (word.removeprefix("--lang=") for word in words if word.startswith("--lang=")), asked
    )


def _not_compiled(code: str) -> str:
    if is_one_file():
        sentence = _("This copy of Sobremesa has no {language}. Get another copy, or report this.")
        return sentence.format(language=_(LANGUAGES.get(code, code)))
    sentence = _(
        "the catalogue of the language {code!r} is not compiled: run `python -m pip install -e .` "
        "in the source tree"
    )
    return sentence.format(code=code)


def _language_set() -> str:
    """Return the language that was set for good; empty if none was."""
    from client.storage.home import StoreError, home_path  # noqa: PLC0415 - only for commands, which load as much anyway
    from client.storage.settings import read_settings  # noqa: PLC0415 - only for commands, which load as much anyway

    try:
        return read_settings(home_path()).language
    except StoreError:  # a command that needs a home says so
        return ""


def _speak(language: str | None) -> None:
    """Use a language, else the environment's: before help is made.

    argparse asks gettext for its own. Raises UsageError.
    """
    try:
        used = set_language(language)
    except LookupError:
        set_language()
        if code := uncompiled(language):
            raise UsageError(_not_compiled(code)) from None
        sentence = _("language {code!r} is not available; there is {known}")
        raise UsageError(sentence.format(code=language, known=", ".join(languages()))) from None
    if language is None and (code := uncompiled()):
        complain(_not_compiled(code))
    os.environ["LANGUAGE"] = used
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)


def split_verb(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the first word that is not an option, and the words without it.

    Global options may stand before it.
    """
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        place += 2 if words[place] in _WITH_VALUE else 1
    if place >= len(words) or words[place] == "--":
        return None, list(words)
    return words[place], [*words[:place], *words[place + 1 :]]


def add_global_options(parser: ArgumentParser) -> None:
    """Let a parser take the options that every command has."""
    group = parser.add_argument_group(_("options of every command"))
    group.add_argument(
        "--lang",
        metavar=_("CODE"),
        help=_("language: {codes}").format(codes=", ".join(languages())),
    )
    group.add_argument(
        "--plain", action="store_true", help=_("print one event per line, without the full screen")
    )
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help=_("when to use colours; auto: on a terminal"),
    )
    group.add_argument(
        "--interface",
        metavar=_("ADDRESS"),
        help=_("use only the network interface with this address"),
    )
    group.add_argument(
        "-v",
        "--verbose",
        action="count",
        default=0,
        help=_("log more to standard error; -vv logs most"),
    )
    about = _("show the version; with -v, also the library that computes the proofs")
    # run_command does it before anything is parsed
    group.add_argument("--version", action="store_true", default=SUPPRESS, help=about)


def add_lobby_options(parser: ArgumentParser) -> None:
    """Let a parser take the options of the program without a command, which begins in the lobby."""
    import_module("client.commands.showing").add_browser_arguments(parser)
    about = _("your nick (default: the name in the settings, or your login name)")
    parser.add_argument("--nick", metavar=_("NICK"), help=about)


def _alone(words: list[str]) -> int:
    """Without a command: the lobby, or where it cannot be shown, which commands there are.

    Raises UsageError.
    """
    lines = [
        _broken(
            _(
                "Cards and dominoes with the people in the same building: no server, no dealer, "
                "nobody you have to trust."
            )
        )
    ]
    lines += [
        _broken(
            _(
                "Without a command the program opens the lobby: tables near you, and games against "
                "the computer."
            )
        ),
        "",
    ]
    lines += [
        _("Commands:"),
        *(_broken(f"  {verb:10}{_(about)}", 12) for verb, about in COMMANDS.items()),
        "",
    ]
    command = _("COMMAND")
    lines += [
        _("For help on a command: {example}").format(example=f"{own_command()} {command} --help")
    ]
    parser = Parser(
        own_command(),
        usage=f"{own_command()} [{command}] …",
        description="\n".join(lines),
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_lobby_options(parser)
    add_global_options(parser)
    args = parser.parse_args(words)
    _obey(args)
    if not words and _is_clicked():
        args.browser = True
        # a desktop keeps our lines in a log, and the address of the window stands in them
        with redirect_stdout(io.StringIO()):
            return int(import_module("client.ui.choose").show_lobby(args))
    if args.browser or (interactive() and not is_dumb() and not args.plain):
        return int(import_module("client.ui.choose").show_lobby(args))
    parser.print_help()
    sys.stdout.flush()
    raise UsageError(
        _(
            "the lobby opens on a terminal with a cursor (TERM=dumb has none), without --plain, or "
            "in a browser with --browser. Else name one of the commands above."
        )
    )


def _is_clicked() -> bool:
    """Whether somebody has started the one file from a desktop, where nobody sees our lines."""
    if not is_one_file() or any(one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr)):
        return False
    from client.ui.browser.opening import has_windows  # noqa: PLC0415 - only there

    return has_windows(os.environ)


def _broken(text: str, indent: int = 0) -> str:
    """Break a description as argparse breaks its own text.

    Lines after the first are indented by `indent` columns.
    """
    import shutil  # noqa: PLC0415 - only for help
    import textwrap  # noqa: PLC0415 - only for help

    return textwrap.fill(
        text, max(shutil.get_terminal_size().columns - 2, 30), subsequent_indent=" " * indent
    )


def _obey(args: Namespace) -> None:
    """Do what the global options say that is not left to the commands."""
    if args.verbose:
        log(args.verbose)
    if args.interface is not None and not getattr(args, "examines", False):
        from p2p.net.addresses import is_own  # noqa: PLC0415 - only for a named interface
        from p2p.net.errors import NoSuchInterface  # noqa: PLC0415 - only for a named interface

        if not is_own(args.interface):
            raise NoSuchInterface(args.interface)


def _unknown(verb: str) -> str:
    import difflib  # noqa: PLC0415 - only for a mistyped command

    begin = [name for name in COMMANDS if name.startswith(verb)]
    if close := begin or difflib.get_close_matches(verb, COMMANDS, 1):
        return _("there is no command {verb!r}; did you mean `{close}`?").format(
            verb=verb, close=close[0]
        )
    return _("there is no command {verb!r}; there is {known}").format(
        verb=verb, known=", ".join(COMMANDS)
    )


def _ended_by(error: BaseException) -> int:
    """Report an error in one sentence, and return the exit status of the program.

    A bug is raised again.
    """
    if any(isinstance(leaf, KeyboardInterrupt) for leaf in leaves(error)):
        # An interruption within exec of a text, as a dataclass does when it is imported, would end
        # Python by the signal instead: CPython notes it until the next exec of a text
        # (run_eval_code_obj), even if it is caught.
        exec("")  # noqa: S102 - of nothing
        return Status.INTERRUPTED
    if any(isinstance(leaf, BrokenPipeError) for leaf in leaves(error)):
        # The reader of our output has gone. Python must not find that out once more when it flushes
        # at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.FAILED
    stop = ends(error)
    if stop is None:
        raise error
    if names_no_file(error):
        _note(error)
    complain(stop)
    return stop.status


def _note(error: BaseException) -> None:
    from client.storage import error_log  # noqa: PLC0415 - looked at only when something has gone wrong
    from client.storage.home import StoreError, home_path  # noqa: PLC0415 - looked at only when something has gone wrong

    with suppress(StoreError):  # there is no home to keep it in
        error_log.note(home_path(), error)


if __name__ == "__main__":
    sys.exit(main())
