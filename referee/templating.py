"""Turn a view into text or HTML by Jinja2 templates that were compiled ahead.

Compiling a template takes as long as four starts of Python, so it is done when the wheel is built (or the tree is
installed) and the result is kept as a Python module in `referee/_compiled/`. Such a module is found by the hash of
the template's bytes, of Jinja2's version and of the options here: for a template that was edited since, none is
found, and it is compiled in memory. Jinja2 itself is imported by the first `render`, since most commands make no
report.

`python -m referee.templating` compiles whatever changed, and the data of the games with it (`referee.ready`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError
from referee.layout import FILTERS
from referee.ready import COMPILED, code_of

if TYPE_CHECKING:
    from types import CodeType

    import jinja2

PACKAGE = Path(__file__).parent
TEMPLATES = PACKAGE / "templates"

# What else decides the code that Jinja2 writes: to be raised when the options in `_environment` change.
_OPTIONS = 2
_FAULTS_OF_A_TEMPLATE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class TemplateFault(RefereeError):
    """A template is missing, cannot be read as Jinja2, or asks for something that the view does not hold.

    >>> TemplateFault("There is no template report.txt.j2.").exit_code
    5
    """


def render(name: str, context: Mapping[str, object], *, folders: Sequence[Path] = (), user_folder: Path | None = None) -> str:
    """Fill the template `name` with `context`.

    The template (and every one that it includes) is taken from `user_folder` if it is there, else from the first of
    `folders` that has it (a game's own package), else from the templates of the referee. Only names that end in
    `.txt.j2` are written without HTML escapes. With a `user_folder` everything runs in Jinja2's sandbox, because such
    a folder may come from a stranger.

    Raises `TemplateFault` with one sentence for the moderator: a missing template, a variable that is not in `context`,
    an error of syntax, all with the line if there is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "hail.html.j2").write_text("Hail, {{ seat }}!")
    ...     _ = Path(folder, "hail.txt.j2").write_text("Hail, {{ seat }}!")
    ...     for name in ("hail.html.j2", "hail.txt.j2"):
    ...         print(render(name, {"seat": "<alice>"}, folders=[Path(folder)]))
    Hail, &lt;alice&gt;!
    Hail, <alice>!
    """
    import jinja2

    places = (*([user_folder] if user_folder else []), *folders, TEMPLATES)
    try:
        return _environment(places, user_folder is not None).get_template(name).render(context)
    except jinja2.TemplateNotFound as error:
        raise _absent(str(error.name), places) from error
    except (jinja2.TemplateError, *_FAULTS_OF_A_TEMPLATE) as error:
        raise _broken(name, error) from error


def escapes(name: str | None) -> bool:
    """Tell whether what a template of this name prints is escaped for HTML: always, unless it makes plain text.

    >>> escapes("report.html.j2"), escapes("board.svg.j2"), escapes("report.txt.j2")
    (True, True, False)
    """
    return name is None or not name.endswith(".txt.j2")


def compile_ahead(root: Path = PACKAGE.parent, target: Path = COMPILED) -> list[Path]:
    """Compile into `target` every template under `root`/referee/templates and `root`/games, and the data of the games.

    Modules that are already there are left alone, those that nothing needs are removed. Each template is made twice, for
    use inside and outside the sandbox, because Jinja2 writes different code for the two. Returns the modules. Raises
    `jinja2.TemplateSyntaxError` for a template that cannot be compiled, `BadData` for data that cannot be used.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "games" / "toy").mkdir(parents=True)
    ...     _ = Path(folder, "games", "toy", "board.txt.j2").write_text("{{ turn }}")
    ...     len(compile_ahead(Path(folder), Path(folder) / "compiled"))
    2
    """
    target.mkdir(exist_ok=True)
    made = [_compile_one(path, sandbox, target) for path in _templates_under(root) for sandbox in (False, True)]
    for name, text in _data_under(root):
        made.append(_write_module(target / f"{name}.py", text))
    for stale in set(target.glob("*.py")) - set(made):
        stale.unlink()
    return made


def _compile_one(path: Path, sandbox: bool, target: Path) -> Path:
    source = path.read_bytes()
    module = target / _module_name(path.name, source, sandbox)
    if module.exists():
        return _write_module(module)
    return _write_module(module, _environment((path.parent,), sandbox).compile(source.decode(), path.name, str(path), raw=True))


def _write_module(module: Path, text: str = "") -> Path:
    """Write a module unless it is there, compile it, and return its path."""
    import os
    import py_compile

    if not module.exists():
        # Written beside and renamed: a process that renders at this moment must not read half a module.
        unfinished = module.with_suffix(f".{os.getpid()}.tmp")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(module)
    # Asked for by name, because PYTHONDONTWRITEBYTECODE would have every start compile the module again.
    py_compile.compile(str(module), doraise=True)
    return module


def _data_under(root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of the modules that hold the data and the sentences of games."""
    from referee import components, words
    from referee.engine import find_game

    for package in sorted((root / "games").glob("*/__init__.py")):
        game = find_game(package.parent.name.replace("_", "-"))
        yield components.made_ready(game)
        yield words.made_ready(game)


def _templates_under(root: Path) -> Iterator[Path]:
    for folder in (root / "referee" / "templates", root / "games"):
        yield from sorted(folder.rglob("*.j2"))


def _module_name(name: str, source: bytes, sandbox: bool) -> str:
    import jinja2

    made_by = f"{jinja2.__version__} {_OPTIONS} {escapes(name)} {sandbox}\n"
    digest = hashlib.sha256(made_by.encode() + source).hexdigest()
    return f"template_{digest[:40]}.py"


def _compiled_ahead(name: str, source: bytes, sandbox: bool) -> CodeType | None:
    # The code alone, not an import: it runs once in each environment, a module only once in a process.
    return code_of(COMPILED / _module_name(name, source, sandbox))


@lru_cache(maxsize=32)
def _environment(places: tuple[Path, ...], sandbox: bool) -> jinja2.Environment:
    import jinja2

    kind: type[jinja2.Environment] = jinja2.Environment
    if sandbox:
        from jinja2.sandbox import ImmutableSandboxedEnvironment as kind
    environment = kind(
        loader=_loader(places, sandbox),
        autoescape=escapes,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    return environment


def _loader(places: tuple[Path, ...], sandbox: bool) -> jinja2.BaseLoader:
    import jinja2

    class Loader(jinja2.BaseLoader):
        """Finds a template in the first place that has it, and its compiled form by its bytes."""

        def load(
            self, environment: jinja2.Environment, name: str, globals: MutableMapping[str, Any] | None = None
        ) -> jinja2.Template:
            path = _find(name, places)
            source, written = path.read_bytes(), path.stat().st_mtime_ns
            code = _compiled_ahead(name, source, sandbox) or environment.compile(source.decode(), name, str(path))
            # Jinja2 names this file in its errors.
            code = code.replace(co_filename=str(path))
            return environment.template_class.from_code(
                environment, code, globals or {}, lambda: path.stat().st_mtime_ns == written
            )

    return Loader()


def _find(name: str, places: Sequence[Path]) -> Path:
    import jinja2

    # An include must not climb out of the folders of templates.
    inside = not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts
    for place in places if inside else ():
        if (place / name).is_file():
            return place / name
    raise jinja2.TemplateNotFound(name)


def _absent(name: str, places: Sequence[Path]) -> TemplateFault:
    searched = ", ".join(map(str, places))
    return TemplateFault(f"There is no template {name} in {searched}.", "Check its name and the folder of templates.")


def _broken(name: str, error: Exception) -> TemplateFault:
    sentence = f"The template {_line_of(error) or name} cannot be used: {error}."
    return TemplateFault(sentence, "Correct it, or remove it to have the referee's own.")


def _line_of(error: Exception) -> str:
    import traceback

    import jinja2

    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.filename or error.name}, line {error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else ""


if __name__ == "__main__":
    print(f"{len(compile_ahead())} modules of templates and data in {COMPILED}")
