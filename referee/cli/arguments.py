"""What commands take, declared once on their parameters, and read in two ways.

Typer explains: help, and whatever is missing, unknown or of the wrong form. But to import it takes as long as to verify
and to parse a save, so arguments that need no explanation are read by `plain`, which gives up at the first doubt.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typer import Typer

Command = Callable[..., None]


class Takes:
    """What a parameter of a command takes; the metadata of its annotation.

    Attributes:
        metavar: what stands for it in a help; "" for a flag.
        help: one sentence or less.
        option: `--name`; "" for what is told by its place.

    Example:
        >>> from typing import Annotated
        >>> def report(saved: Annotated[str, Takes("DIR", "The match.")], seat: Annotated[str, Takes("SEAT", "", "--for")]):
        ...     pass
        >>> plain(report, ["m", "--for", "alice"])
        {'saved': 'm', 'seat': 'alice'}
        >>> plain(report, ["m", "--four", "alice"]) is None
        True
    """

    __slots__ = ("help", "metavar", "option")

    def __init__(self, metavar: str, help: str, option: str = "") -> None:
        self.metavar, self.help, self.option = metavar, help, option


class _Doubt(Exception):
    """Something that Typer should explain, or decide."""


def plain(command: Command, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of a command's parameters; None if anything needs to be explained or is out of the ordinary."""
    parameters = command.__annotations__
    options = {mark.option: name for name in parameters if (mark := _mark(parameters, name)) and mark.option}
    places = [name for name in parameters if (mark := _mark(parameters, name)) and not mark.option]
    found: dict[str, Any] = {}
    rest = iter(words)
    try:
        for word in rest:
            if word.startswith("-") and word != "-":
                _option(parameters, options, word, rest, found)
            else:
                name = places[0] if _is_list(parameters[places[0]]) else places.pop(0)
                _add(found, name, parameters[name], word)
        return _complete(command, found)
    except (_Doubt, IndexError):
        return None


def _mark(parameters: Mapping[str, Any], name: str) -> Takes | None:
    return parameters[name].__metadata__[0] if name != "return" else None


def _is_list(annotation: Any) -> bool:
    return getattr(annotation.__origin__, "__origin__", None) is list


def _option(parameters: Mapping[str, Any], options: Mapping[str, str], word: str, rest: Any, found: dict[str, Any]) -> None:
    option, equals, value = word.partition("=")
    name = options.get(option)
    if name is None:
        raise _Doubt
    if parameters[name].__origin__ is bool:
        if equals:
            raise _Doubt
        found[name] = True
        return
    if not equals:
        value = next(rest, "-?")
        if value.startswith("-") and value != "-":
            raise _Doubt
    _add(found, name, parameters[name], value)


def _add(found: dict[str, Any], name: str, annotation: Any, value: str) -> None:
    kind = annotation.__origin__
    if _is_list(annotation):
        found.setdefault(name, []).append(value)
        return
    choices = getattr(kind, "__args__", None)
    if name in found or (choices and value not in choices):
        raise _Doubt
    if kind is int and not (value.isascii() and value.isdigit() and len(value) < 19):
        raise _Doubt
    found[name] = int(value) if kind is int else value


def _complete(command: Command, found: dict[str, Any]) -> dict[str, Any]:
    """Return the values with the defaults of parameters that were not named."""
    code = command.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = command.__defaults__ or ()
    values = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    values = {name: value[:] if isinstance(value, list) else value for name, value in values.items()} | found
    if values.keys() != set(names):
        raise _Doubt
    return {name: values[name] for name in names}


def by_typer(name: str, commands: Command | Mapping[str, Command], words: Sequence[str]) -> int:
    """Run a command, or one of a group, through Typer, and return its exit status.

    Raises:
        Exception: Typer's own, for wrong usage; it has the method `format_message`.
    """
    import typer
    from typer.main import get_command

    # Rich would take longer to import than most commands take to run.
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if callable(commands):
        _add_command(app, name, commands)
    else:
        app.callback()(lambda: None)
        for one, command in commands.items():
            _add_command(app, one, command)
    status = get_command(app).main(list(words), prog_name=f"referee {name}", standalone_mode=False)
    return status if isinstance(status, int) else 0


def _add_command(app: "Typer", name: str, command: Command) -> None:
    """Tell Typer what a command takes, in its own words."""
    import inspect
    from typing import Annotated

    import typer

    def call(**given: Any) -> None:
        command(**given)

    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        kind, mark = parameter.annotation.__origin__, parameter.annotation.__metadata__[0]
        metavar = mark.metavar or None
        told = typer.Option(mark.option, metavar=metavar, help=mark.help) if mark.option else None
        told = told or typer.Argument(metavar=metavar, help=mark.help)
        parameters.append(parameter.replace(annotation=Annotated[kind, told]))
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__doc__ = command.__doc__
    app.command(name)(call)
