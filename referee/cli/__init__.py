"""The command line: finds the command, runs it, and turns whatever goes wrong into one sentence and an exit status.

0 done, 2 wrong usage, 3 refused, 4 does not verify, 5 anything else; 130 when stopped by Ctrl-C. A command is a plain
function in one of the modules here, which is imported only when it is called; `--version` and `--help` import nothing.
"""

import gc
import sys

COMMANDS = {
    "games": ("games:games", "the games; for one its seats, options, data and order lines"),
    "keys": ("keys:keys", "make the referee's key or a player's, and show what others may compare"),
    "new": ("new:new", "begin a match in a folder and write everybody's first report"),
    "begin": ("begin:begin", "deal a match whose seats were invited, or whose beginning was interrupted"),
    "apply": ("apply:apply", "play a submission: the next save, and the reports of those concerned"),
    "report": ("look:report", "one report for a seat, the observer, the table or the moderator"),
    "orders": ("look:orders", "the lines that a seat may send now"),
    "verify": ("verify:verify", "check saves, whole matches and reports, and play every move again"),
    "rule": ("rule:rule", "make a ruling: roll back, halt, extend, substitute, ..."),
    "tick": ("tick:tick", "what time does: reminders, and deadlines that take effect"),
    "run": ("run:run", "a round of the desk: fetch mail, play and answer it, look at the clocks, send"),
    "status": ("run:status", "all matches: whose turn, since when, until when, and what mail waits"),
    "mail": ("mail:mail", "one mail in, mailboxes in, the outbox out; what is in it; send again"),
    "tournament": ("tournament:tournament", "an event of many matches: enter, pair, publish, rule, standings, verify"),
    "selfplay": ("selfplay:selfplay", "play a whole match by random lines"),
    "pack": ("pack:pack", "component data typed in from a box: a file to begin with, and its mistakes"),
    "sign": ("keys:sign", "sign a block of orders with a player's key"),
}
"""For each command the module and the name in it, and what it does."""


def main() -> int:
    """Run the command that the process was called with, and return its exit status."""
    # A command drops little that refers to itself, and to look for that took an eighth of its time, at its end above all.
    gc.set_threshold(100_000)
    try:
        return _answered()
    finally:
        gc.freeze()


def _answered() -> int:
    """Run the command, and return the exit status; whatever goes wrong becomes one sentence."""
    try:
        status = _run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return _say("Stopped; what was written by then is whole.", 130)
    except (BrokenPipeError, SystemExit):  # Typer answers a broken pipe with the second
        _drop_output()
        return 0
    except Exception as error:
        return _explain(error)


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name == "--version":
        from referee import __version__

        print(f"referee {__version__}")
        return 0
    if name in ("--help", "-h", "help"):
        print(_help())
        return 0
    if name not in COMMANDS:
        return _say(_unknown(name), 2)
    return _call(name, arguments[1:])


def _call(name: str, words: list[str]) -> int:
    """Run a command with its arguments, through Typer only if they need to be explained."""
    from importlib import import_module

    from .arguments import by_typer, plain

    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(import_module(f"referee.cli.{module}"), attribute)
    command, rest = found, words
    if isinstance(found, dict):  # a group, such as `keys`
        command, rest = found.get(words[0] if words else ""), words[1:]
    values = plain(command, rest) if command else None
    if values is None:
        status = by_typer(name, found, words)
        if status == 130:  # so Typer hands on Ctrl-C
            raise KeyboardInterrupt
        return status
    command(**values)
    return 0


def _help() -> str:
    width = max(map(len, COMMANDS))
    rows = [f"  {name:{width}}  {about}" for name, (_, about) in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: referee COMMAND ...",
            "",
            "Runs board games by email: signed saves, redacted reports, order lines checked against the rules.",
            "",
            *rows,
            "",
            "`referee COMMAND --help` says more about one. `referee --version` prints the version.",
            "Exit status: 0 done, 2 wrong usage, 3 refused, 4 does not verify, 5 anything else.",
        ]
    )


def _unknown(name: str) -> str:
    if not name:
        return f"Name a command: {', '.join(COMMANDS)}. See `referee --help`."
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, 1)
    hint = f"Did you mean {near[0]}?" if near else "See `referee --help`."
    return f"There is no {'option' if name.startswith('-') else 'command'} {name!r}. {hint}"


# What went wrong


def _explain(error: Exception) -> int:
    """Print one sentence about an error, and return the exit status."""
    from referee.errors import RefereeError

    if isinstance(error, RefereeError):
        sentence, status = str(error), error.exit_code
    elif hasattr(error, "format_message"):  # Typer's errors of usage; their class has moved between its versions
        sentence, status = _usage(error), 2
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        sentence, status = f"{where}{error.strerror or 'the machine gives no reason'}. Check the path and the disk.", 5
    else:
        sentence, status = _unforeseen(error), 5
    import os

    if os.environ.get("REFEREE_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    return _say(sentence, status)


def _usage(error: Exception) -> str:
    said = " ".join(error.format_message().split()).replace("?.", "?")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "referee"
    return f"{said if said.endswith('?') else said.rstrip('.') + '.'} See `{command} --help`."


def _unforeseen(error: Exception) -> str:
    """Name the place of a mistake in the program, and nothing that was at hand there: it might be hidden."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return (
        f"The program made a mistake ({type(error).__name__} in {place}). "
        "Please report it with this sentence and the command; REFEREE_DEBUG=1 shows more, hidden things perhaps."
    )


def _say(sentence: str, status: int) -> int:
    """Print a sentence on standard error, without anything that could command a terminal."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in sentence)
    try:
        print(f"referee: {text}", file=sys.stderr)
    except (OSError, ValueError):
        return status  # nobody listens; the status still says it
    return status


def _drop_output() -> None:
    """Let the end of the process flush into nothing: the reader of a pipe has had enough."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
