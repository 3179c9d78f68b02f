"""Templates: what is escaped, where they are looked for, and that no compiled form outlives its source."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import templating
from referee.templating import TemplateFault, compile_ahead, render

SCRIPT = "<script>alert('x')</script>"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of compiled templates that belongs to this test alone."""
    monkeypatch.setattr(templating, "COMPILED", tmp_path / "compiled")
    return tmp_path / "compiled"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return tmp_path / "games" / "toy"


@pytest.mark.parametrize("name", ["page.html.j2", "board.svg.j2", "page.j2"])
@pytest.mark.parametrize("sandboxed", [False, True])
def test_what_may_be_shown_by_a_browser_is_escaped(tmp_path: Path, name: str, sandboxed: bool) -> None:
    write(tmp_path, name, "<b>{{ name }}</b>")
    where = {"user_folder": tmp_path} if sandboxed else {"folders": [tmp_path]}
    assert render(name, {"name": SCRIPT}, **where) == "<b>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</b>"


def test_an_included_or_inherited_template_is_escaped_too(tmp_path: Path) -> None:
    write(tmp_path, "frame.html.j2", "{% block body %}{% endblock %}")
    write(tmp_path, "part.html.j2", "{{ name }}")
    write(
        tmp_path,
        "page.html.j2",
        "{% extends 'frame.html.j2' %}{% block body %}{{ name }}{% include 'part.html.j2' %}{% endblock %}",
    )
    assert "<script>" not in render("page.html.j2", {"name": SCRIPT}, folders=[tmp_path])


def test_plain_text_is_not_escaped(tmp_path: Path) -> None:
    write(tmp_path, "page.txt.j2", "{{ name }}\n")
    assert render("page.txt.j2", {"name": SCRIPT}, folders=[tmp_path]) == SCRIPT + "\n"


def test_lines_that_hold_only_a_tag_leave_no_trace(tmp_path: Path) -> None:
    write(tmp_path, "page.txt.j2", "hands:\n  {% for seat in seats %}\n* {{ seat }}\n  {% endfor %}\nend\n")
    assert render("page.txt.j2", {"seats": ["alice", "bob"]}, folders=[tmp_path]) == "hands:\n* alice\n* bob\nend\n"


def test_the_folders_are_searched_in_order_and_the_referee_s_own_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {word: tmp_path / word for word in ("user", "game", "own")}
    monkeypatch.setattr(templating, "TEMPLATES", places["own"])
    found = []
    for word in ("own", "game", "user"):
        write(places[word], "page.txt.j2", word)
        found.append(render("page.txt.j2", {}, folders=[places["game"]], user_folder=places["user"]))
        # Each round is a search of its own; within one process a template that was found stays in use until it changes.
        templating._environment.cache_clear()
    assert found == ["own", "game", "user"]


def test_a_template_of_the_game_may_be_used_by_one_of_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(templating, "TEMPLATES", tmp_path / "own")
    write(tmp_path / "own", "page.txt.j2", "{% include 'board.txt.j2' %}")
    write(tmp_path / "game", "board.txt.j2", "the board of {{ game }}")
    assert render("page.txt.j2", {"game": "toy"}, folders=[tmp_path / "game"]) == "the board of toy"


def test_a_compiled_template_is_used(game: Path, compiled: Path) -> None:
    write(game, "page.txt.j2", "from the source")
    for module in compile_ahead(game.parents[1], compiled):
        # Marked, so that the answer tells which of the two was used.
        module.write_text(module.read_text().replace("from the source", "from the module"))
        os.utime(module, (1, 1))
    assert render("page.txt.j2", {}, folders=[game]) == "from the module"
    assert render("page.txt.j2", {}, user_folder=game) == "from the module"


def test_a_compiled_template_is_not_used_once_its_source_changed(game: Path, compiled: Path) -> None:
    path = write(game, "page.txt.j2", "old {{ turn }}")
    compile_ahead(game.parents[1], compiled)
    path.write_text("new {{ turn }}")
    assert render("page.txt.j2", {"turn": 1}, folders=[game]) == "new 1"


def test_a_template_that_changes_while_the_program_runs_is_read_again(game: Path) -> None:
    path = write(game, "page.txt.j2", "old")
    assert render("page.txt.j2", {}, folders=[game]) == "old"
    path.write_text("new")
    os.utime(path, (1, 1))
    assert render("page.txt.j2", {}, folders=[game]) == "new"


def test_a_compiled_template_of_another_jinja2_is_not_used(
    game: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(game, "page.txt.j2", "text")
    with monkeypatch.context() as older:
        older.setattr("jinja2.__version__", "3.1.0")
        of_the_older = compile_ahead(game.parents[1], compiled)
    assert not set(of_the_older) & set(compile_ahead(game.parents[1], compiled))


def test_text_and_html_of_the_same_bytes_are_compiled_apart(game: Path, compiled: Path) -> None:
    write(game, "page.txt.j2", "{{ name }}")
    write(game, "page.html.j2", "{{ name }}")
    assert len(set(compile_ahead(game.parents[1], compiled))) == 4
    assert render("page.txt.j2", {"name": "<"}, folders=[game]) == "<"
    assert render("page.html.j2", {"name": "<"}, folders=[game]) == "&lt;"


def test_compiling_again_keeps_what_is_needed_and_removes_the_rest(game: Path, compiled: Path) -> None:
    path = write(game, "page.txt.j2", "old")
    first = compile_ahead(game.parents[1], compiled)
    assert compile_ahead(game.parents[1], compiled) == first
    path.write_text("new")
    second = compile_ahead(game.parents[1], compiled)
    assert set(compiled.glob("*.py")) == set(second)
    assert not set(first) & set(second)


@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_missing_variable_is_an_error_that_names_it_and_its_line(tmp_path: Path, sandboxed: bool) -> None:
    path = write(tmp_path, "page.txt.j2", "first\n{{ absent_word }}\n")
    where = {"user_folder": tmp_path} if sandboxed else {"folders": [tmp_path]}
    with pytest.raises(TemplateFault, match="absent_word") as caught:
        render("page.txt.j2", {}, **where)
    assert f"{path}, line 2" in str(caught.value)


def test_a_missing_variable_in_a_compiled_template_names_the_line_of_the_template(game: Path, compiled: Path) -> None:
    path = write(game, "page.txt.j2", "{% if true %}\n\n{{ ship.fuel }}\n{% endif %}")
    compile_ahead(game.parents[1], compiled)
    with pytest.raises(TemplateFault, match="fuel") as caught:
        render("page.txt.j2", {"ship": {}}, folders=[game])
    assert f"{path}, line 3" in str(caught.value)


def test_an_error_of_syntax_names_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, "page.txt.j2", "first\n{% if %}\n")
    with pytest.raises(TemplateFault) as caught:
        render("page.txt.j2", {}, folders=[tmp_path])
    assert f"{path}, line 2" in str(caught.value)


def test_an_error_of_arithmetic_is_the_template_s_fault(tmp_path: Path) -> None:
    write(tmp_path, "page.txt.j2", "{{ 1 // seats }}")
    with pytest.raises(TemplateFault, match="zero"):
        render("page.txt.j2", {"seats": 0}, folders=[tmp_path])


def test_a_missing_template_names_it_and_the_folders(tmp_path: Path) -> None:
    write(tmp_path, "page.txt.j2", "{% include 'part.txt.j2' %}")
    for name in ("part.txt.j2", "page.txt.j2"):
        with pytest.raises(TemplateFault, match=r"part\.txt\.j2") as caught:
            render(name, {}, folders=[tmp_path])
        assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("name", ["../secret.txt.j2", "part/../../secret.txt.j2", "{root}/secret.txt.j2"])
def test_no_template_outside_the_folders_is_read(tmp_path: Path, name: str) -> None:
    write(tmp_path, "secret.txt.j2", "secret")
    (tmp_path / "inside" / "part").mkdir(parents=True)
    with pytest.raises(TemplateFault, match="There is no template"):
        render(name.format(root=tmp_path), {}, folders=[tmp_path / "inside"])


@pytest.mark.parametrize("deed", ["{{ ''.__class__.__mro__ }}", "{{ seats.append('x') }}"])
def test_a_user_s_template_can_neither_reach_python_nor_change_the_view(tmp_path: Path, deed: str) -> None:
    write(tmp_path, "page.txt.j2", deed)
    seats = ["alice"]
    with pytest.raises(TemplateFault):
        render("page.txt.j2", {"seats": seats}, user_folder=tmp_path)
    assert seats == ["alice"]


def test_importing_the_module_imports_no_jinja2_and_rendering_no_sandbox(tmp_path: Path) -> None:
    write(tmp_path, "page.txt.j2", "text")
    program = (
        "import sys; from pathlib import Path; import referee.templating as t; print('jinja2' in sys.modules);"
        "t.render('page.txt.j2', {}, folders=[Path(sys.argv[1])]); print('jinja2.sandbox' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]
