"""The command line: every command, every exit status, standard input and output, JSON, and what hostile input gets."""

import functools
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee import cli, report
from referee.cli import keys, look
from referee.cli.apply import apply
from referee.cli.arguments import Command, by_typer, plain
from referee.cli.games import games
from referee.cli.new import new
from referee.cli.rule import rule
from referee.cli.selfplay import selfplay
from referee.cli.verify import opening_hashes, verify

ROOT = Path(__file__).parent.parent
SEED = "01" * 32
GAME = "lantern-reef"
REFUSED, UNVERIFIED, TROUBLE = 3, 4, 5


@dataclass
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return the output as the data that it should be."""
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture(scope="session")
def toy_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the toy game is installed as another package's game."""
    place = tmp_path_factory.mktemp("site")
    info = place / "lantern_reef-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern-reef\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[referee.games]\n{GAME} = tests.toy:GAME\n")
    return place


@pytest.fixture
def run(tmp_path: Path, toy_package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in an empty folder, with a key of its own."""
    monkeypatch.syspath_prepend(str(toy_package))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_KEY", str(tmp_path / "referee.key"))

    def _run(*arguments: str, stdin: bytes = b"") -> Result:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["referee", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert err.count("\n") <= 1, err
        assert bool(err) == (status != 0), (status, err)
        return Result(status, out, err)

    assert _run("keys", "new").status == 0
    return _run


@pytest.fixture
def begun(run: Run) -> Run:
    """Begin a match in the folder `m`."""
    done = run("new", GAME, "m", "--seat", "alice=alice@example.org", "--seat", "bob", "--seed", SEED, "--id", "reef")
    assert done.status == 0
    return run


def block(seat: str, *lines: str, stop: int | None = None) -> bytes:
    """Return the block of a seat's newest report with lines in it."""
    reports = sorted(Path("m/reports", seat).glob("*.txt"))
    header = re.search(r"^#referee \S+ (\d+) .*$", reports[-1].read_text(), re.MULTILINE)
    assert header
    first = header[0] if stop is None else header[0].replace(f" {header[1]} ", f" {stop} ")
    return "\n".join([first, *lines, "#end", ""]).encode()


def saves(folder: str = "m") -> dict[str, bytes]:
    """Return all files of a folder with their bytes."""
    return {str(path): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def start_turns(run: Run) -> None:
    """Let both captains choose their waters."""
    for seat in ("alice", "bob"):
        assert run("apply", "m", "-", stdin=block(seat, "sail north", "pirate: sail south")
                   if seat == "bob" else block(seat, "sail north")).status == 0  # fmt: skip


# The command itself


def test_version_and_help_import_nothing_that_takes_time() -> None:
    for argument in ("--version", "--help"):
        code = f"import sys; sys.argv = ['referee', {argument!r}]; from referee.cli import main; main(); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
        loaded = set(done.stdout.splitlines()[-1].split())
        assert not loaded & {"typer", "inspect", "re", "json", "jinja2", "cryptography", "importlib.metadata"}


def test_help_names_every_command(run: Run) -> None:
    assert re.findall(r"^  (\w+)  ", run("--help").out, re.MULTILINE) == list(cli.COMMANDS)


@pytest.mark.parametrize("command", [*cli.COMMANDS, "keys new", "keys show"])
def test_every_command_explains_itself(run: Run, command: str) -> None:
    done = run(*command.split(), "--help")
    assert done.status == 0
    assert f"referee {command}" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name a command"),
        (["aply"], "Did you mean apply?"),
        (["--loud"], "no option '--loud'"),
        (["apply"], "Missing argument"),
        (["apply", "m"], "Missing argument"),
        (["apply", "m", "-", "--now"], "No such option"),
        (["report", "m"], "Missing option"),
        (["report", "m", "--for", "alice", "--format", "pdf"], "pdf"),
        (["report", "m", "--for", "alice", "--format", "html", "--json"], "cannot go together"),
        (["selfplay", GAME, "x", "--seed", "one"], "not a valid int"),
        (["selfplay", GAME, "x", "--seed", "1", "--bots", "clever"], "clever"),
        (["keys", "lose"], "No such command"),
        (["new", "chess", "x", "--seat", "alice"], "not installed"),
        (["new", GAME, "x", "--seat", "alice"], "2 to 4 seats"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "table"], "cannot be the name"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--option", "rounds"], "form K=V"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--option", "rounds=9"], "1 to 4"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--option", "wind=9"], "no option"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--seed", "12"], "64 hex digits"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--id", "../x"], "cannot name a match"),
        (["new", GAME, "x", "--seat", "alice", "--seat", "bob", "--nonce", "carol=1"], "no seat 'carol'"),
        (["new", GAME, "x", "--seat", "alice=a\x1b[2J", "--seat", "bob"], "control characters"),
        (["keys", "new", "--for", "../alice"], "cannot name a file"),
        (["keys", "new", "--out", "x"], "--key"),
        (["verify", ""], "no file and no folder"),
        (["apply", "", "-"], "no file and no folder"),
        (["selfplay", GAME, "", "--seed", "1"], "no file and no folder"),
    ],
)
def test_wrong_usage_leaves_with_2(run: Run, arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert said in done.err
    assert not Path("x").exists()


def test_a_mistake_of_the_program_is_one_sentence_and_hides_what_was_at_hand(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("ace of spades")

    monkeypatch.setattr(cli, "_call", fail)
    done = run("games")
    assert done.status == TROUBLE
    assert "KeyError in fail" in done.err
    assert "ace" not in done.err


def test_ctrl_c_leaves_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.cli.games.games", stop)
    done = run("games")
    assert done.status == 128 + signal.SIGINT
    assert done.err.startswith("referee: Stopped")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_who_has_had_enough_is_no_failure(run: Run, toy_package: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{toy_package}:{ROOT}"}
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "referee", "games", GAME]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_output_that_cannot_be_written_leaves_with_5(run: Run, toy_package: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{toy_package}:{ROOT}"}
    command = [sys.executable, "-m", "referee", "games", GAME]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert done.returncode == TROUBLE
    assert done.stderr.startswith("referee: No space left")
    assert "Traceback" not in done.stderr


# Arguments are read in two ways

PLAIN = [
    (apply, "apply", ["m", "mail.txt"]),
    (apply, "apply", ["m", "-", "--seat", "alice", "--dry-run", "--json"]),
    (apply, "apply", ["--seat=alice", "m", "--key", "k", "-", "--out=x=y"]),
    (new, "new", [GAME, "m", "--seat", "alice=a@b", "--seat", "bob", "--option", "rounds=2", "--pack=p", "--json"]),
    (new, "new", [GAME, "m"]),
    (look.report, "report", ["m", "--for", "alice", "--format", "html", "--out", "-"]),
    (look.report, "report", ["--for", "alice", "--format=json", "m"]),
    (look.orders, "orders", ["m", "--for", "alice"]),
    (verify, "verify", ["m", "r.txt", "r.html", "--reveal", "--public-key", "p"]),
    (verify, "verify", ["--json", "m"]),
    (rule, "rule", ["m", "rollback", "12", "--why", "A cat."]),
    (rule, "rule", ["m", "hold", "--why", "", "--dry-run"]),
    (rule, "rule", ["--to", "bob", "m", "note", "Well played."]),
    (selfplay, "selfplay", [GAME, "m", "--seed", "007", "--bots", "random"]),
    (games, "games", []),
    (games, "games", [GAME, "--json"]),
    (keys.sign, "sign", ["-", "--key", "k", "--out", "o"]),
]
DOUBTFUL = [
    (apply, ["m"]),
    (apply, ["m", "-", "x"]),
    (apply, ["m", "-", "--help"]),
    (apply, ["m", "-", "--se", "alice"]),
    (apply, ["m", "-", "--seat"]),
    (apply, ["m", "-", "--seat", "--json"]),
    (apply, ["m", "-", "--json=yes"]),
    (apply, ["m", "--", "-"]),
    (apply, ["m", "-", "--seat", "alice", "--seat", "bob"]),
    (look.report, ["m"]),
    (look.report, ["m", "--for", "alice", "--format", "HTML"]),
    (verify, []),
    (selfplay, [GAME, "m", "--seed", "-1"]),
    (selfplay, [GAME, "m", "--seed", "1_0"]),
    (selfplay, [GAME, "m", "--seed", "9" * 30]),
]


@pytest.mark.parametrize(("command", "name", "words"), PLAIN)
def test_plain_arguments_mean_what_typer_takes_them_for(command: Command, name: str, words: list[str]) -> None:
    seen = []

    @functools.wraps(command)
    def record(**given: Any) -> None:
        seen.append(given)

    by_typer(name, record, words)
    assert seen == [plain(command, words)]


@pytest.mark.parametrize(("command", "words"), DOUBTFUL)
def test_whatever_is_not_plain_is_left_to_typer(command: Command, words: list[str]) -> None:
    assert plain(command, words) is None


def test_a_default_list_is_never_shared() -> None:
    first = plain(new, [GAME, "m"])
    assert first
    first["seat"].append("alice")
    again = plain(new, [GAME, "m"])
    assert again
    assert again["seat"] == []


NEVER = {"typer", "asyncio", "email", "importlib.metadata", "secrets", "subprocess", "http", "rich", "pydantic"}


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (["apply", "m", "mail.txt"], NEVER),
        (["apply", "m", "none.txt"], NEVER | {"random", "jinja2"}),
        (["verify", "m/0001.toml"], NEVER | {"random", "jinja2", "referee.report", "referee.desk"}),
        (["verify", "m"], NEVER | {"random", "jinja2", "referee.report", "referee.desk"}),
        (["report", "m", "--for", "alice"], NEVER | {"referee.desk", "referee.cli.apply"}),
        (["report", "m", "--for", "alice", "--json"], NEVER | {"random", "jinja2"}),
        (["orders", "m", "--for", "alice"], NEVER | {"random", "jinja2", "referee.desk"}),
        (["keys", "show"], NEVER | {"random", "jinja2", "tomli", "referee.match", "referee.canon"}),
    ],
)
def test_commands_import_nothing_that_they_do_not_use(run: Run, arguments: list[str], without: set[str]) -> None:
    assert run("new", "cosmic-league", "m", "--seat", "alice", "--seat", "bob", "--seed", SEED).status == 0
    Path("mail.txt").write_bytes(block("alice", "begin"))
    code = f"import sys; sys.argv = ['referee', *{arguments!r}]; from referee.cli import main; main()"
    code += "; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert not set(loaded) & without


# games, keys, sign


def test_games_lists_all_and_explains_one(run: Run) -> None:
    assert {"game": GAME, "title": "Lantern Reef", "version": 1, "seats": [2, 4]} in run("games", "--json").json
    assert "Lantern Reef, 2 to 4 seats" in run("games").out
    one = run("games", GAME, "--json").json
    about = {"default": 3, "about": "how many rounds are played", "choices": [1, 4], "allowed": "1 to 4"}
    assert one["options"]["rounds"] == about
    assert one["sources"]["finds"] == {"reconstructed": 6}
    assert "dive {chest} with {lanterns}" in [order["line"] for order in one["orders"]]
    assert {"always {order}", "forget"} <= one["always"].keys()
    assert "finds: 6 reconstructed" in run("games", GAME).out


def test_the_referees_key_is_made_once(run: Run, tmp_path: Path) -> None:
    before = Path("referee.key").read_bytes()
    assert len(before) == 32
    assert os.name != "posix" or Path("referee.key").stat().st_mode & 0o777 == 0o600
    again = run("keys", "new")
    assert again.status == TROUBLE
    assert "already" in again.err
    assert Path("referee.key").read_bytes() == before
    other = run("keys", "new", "--key", "deep/other.key", "--json").json
    assert other["public"] == "deep/other.key.pub"
    assert Path("deep/other.key.pub").read_text().strip() == other["public_key"]


def test_a_key_shows_its_public_half_only(run: Run) -> None:
    shown = run("keys", "show", "--json").json
    assert Path("referee.key.pub").read_text().strip() == shown["public_key"]
    assert run("keys", "show", "referee.key.pub", "--json").json["fingerprint"] == shown["fingerprint"]
    for arguments in (["show"], ["show", "referee.key"], ["show", "referee.key", "--json"]):
        assert Path("referee.key").read_bytes().hex() not in run("keys", *arguments).out
    assert run("keys", "show", "nothing.key").status == TROUBLE


def test_a_secret_key_never_passes_for_a_public_one(run: Run) -> None:
    assert run("keys", "new", "--for", "alice").status == 0
    seats = ["--seat", "alice", "--seat", "bob"]
    done = run("new", GAME, "m", *seats, "--player-key", "alice=alice.key")
    assert done.status == 2
    assert ".pub" in done.err
    assert not Path("m").exists()


def test_a_move_signed_with_a_players_key_is_vouched_for_by_it(run: Run) -> None:
    assert run("keys", "new", "--for", "alice", "--json").json["key"] == "alice.key"
    seats = ["--seat", "alice", "--seat", "bob", "--player-key", "alice=alice.key.pub"]
    assert run("new", GAME, "m", *seats).status == 0
    text = next(Path("m/reports/alice").glob("*.txt")).read_text()
    opened = re.search(r"^#\s*opened [0-9a-f]{64}\s+holder 1$", text, re.MULTILINE)
    assert opened
    header, *rest = block("alice", "sail north").decode().split("\n")
    unsigned = "\n".join([header, opened[0], *rest]).encode()
    printed = run("sign", "-", "--key", "alice.key", stdin=unsigned)
    assert printed.out.startswith("# referee move 1\n")
    assert run("sign", "-", "--key", "alice.key", "--out", "move.toml", stdin=unsigned).status == 0
    assert Path("move.toml").read_text() == printed.out
    about = run("sign", "-", "--key", "alice.key", "--json", stdin=unsigned).json
    assert (about["seat"], about["lines"], about["move"]) == ("alice", ["sail north"], printed.out)
    assert run("keys", "new", "--for", "bob").status == 0
    forged = run("sign", "-", "--key", "bob.key", stdin=unsigned).out.encode()
    assert run("apply", "m", "-", stdin=forged).status == REFUSED
    assert run("apply", "m", "move.toml").status == 0
    assert "alice's key" in run("verify", "m").out
    assert run("sign", "-", "--key", "alice.key", stdin=block("alice", "sail east")).status == REFUSED


# new


def test_new_writes_every_seats_report_and_says_where_to_send_it(begun: Run) -> None:
    shown = begun("new", GAME, "n", "--seat", "carol=c@example.org", "--seat", "dave", "--referee-plays", "dave")
    *_, carol, dave = shown.out.splitlines()
    assert re.match(r"carol  c@example.org  n/reports/carol/\S+\.txt  n/reports/carol/\S+\.html", carol)
    assert dave.startswith("dave")
    first = next(Path("n/reports/carol").glob("*.txt")).read_text()
    assert "The moderator holds the seat dave." in first
    assert "seed given for tests" not in first
    assert "seed given for tests" in next(Path("m/reports/bob").glob("*.txt")).read_text()
    data = begun("new", GAME, "o", "--seat", "carol", "--seat", "dave", "--json").json
    assert data["stop"] == 1
    assert [row["seat"] for row in data["deliveries"]] == ["carol", "dave"]
    assert set(data) == {"match", "game", "folder", "stop", "commitment", "deliveries"}


def test_new_keeps_what_is_there(begun: Run) -> None:
    before = saves()
    again = begun("new", GAME, "m", "--seat", "alice", "--seat", "bob")
    assert again.status == TROUBLE
    assert "not empty" in again.err
    assert saves() == before


@pytest.mark.parametrize(
    "pack",
    [
        b"\xff\xfe rubbish",
        b"[treasures.crown]\nworth = 3\n",
        b"[cards.dog]\ncopies = 2\n",
        b"cards = 3\n",
        b"[cards]\ndog = 3\n",
        b'[cards.dog]\ncopies = 2\neffect = [{do = ["join"]}]\nsource = "printed"\n',
        b'[cards.dog]\ncopies = 2\neffect = [{do = "join", who = 1.5}]\nsource = "printed"\n',
        b'[cards.dog]\ncopies = 2\neffect = []\nsource = ["printed"]\n',
        b"replaces = 3\n",
        b'replaces = [["cards"]]\n',
    ],
)
def test_a_pack_that_cannot_be_used_is_refused(run: Run, pack: bytes) -> None:
    Path("own.toml").write_bytes(pack)
    done = run("new", GAME, "m", "--seat", "alice", "--seat", "bob", "--pack", "own.toml")
    assert done.status == REFUSED
    assert "own.toml" in done.err
    assert not Path("m").exists()


def test_a_pack_in_use_lies_beside_the_match(run: Run) -> None:
    Path("own.toml").write_text('[finds.mirror]\nkind = "glass"\nworth = 4\nsource = "printed"\n')
    assert run("new", GAME, "m", "--seat", "alice", "--seat", "bob", "--pack", "own.toml").status == 0
    assert Path("m/packs/own.toml").read_bytes() == Path("own.toml").read_bytes()
    Path("m/packs/own.toml").write_text("")
    assert run("verify", "m").status == UNVERIFIED


def test_without_a_key_nothing_begins(run: Run) -> None:
    Path("referee.key").unlink()
    done = run("new", GAME, "m", "--seat", "alice", "--seat", "bob")
    assert done.status == TROUBLE
    assert "referee keys new" in done.err
    assert not Path("m").exists()


# apply


def test_apply_plays_a_block_and_says_which_file_goes_to_whom(begun: Run) -> None:
    Path("mail.txt").write_bytes(b"Hello!\n" + block("alice", "SAIL to the North") + b"Regards\n")
    done = begun("apply", "m", "mail.txt")
    assert "alice: accepted." in done.out
    assert "  sail north\n" in done.out
    assert done.out.splitlines()[-1].startswith("alice  alice@example.org  m/reports/alice/reef-stop-0001.txt")
    data = begun("apply", "m", "-", "--json", stdin=block("bob", "sail east", "pirate: sail south")).json
    assert data["status"] == "accepted"
    assert data["played"] == ["sail east", "pirate: sail south"] or data["played"] == ["sail east", "sail south"]
    assert data["stop"] == 2
    assert Path(data["save"]).exists()
    names = {
        "status",
        "seat",
        "stop",
        "played",
        "news",
        "waiting",
        "planned",
        "returned",
        "reason",
        "fence",
        "save",
        "deliveries",
    }
    assert set(data) == names


def test_the_same_again_gets_the_first_answer_and_no_save(begun: Run) -> None:
    sent = block("alice", "sail north")
    first = begun("apply", "m", "-", "--json", stdin=sent).json
    before = saves()
    again = begun("apply", "m", "-", "--json", stdin=sent).json
    assert again["status"] == "duplicate"
    assert again["played"] == first["played"]
    assert "sent again" in begun("apply", "m", "-", stdin=sent).out
    assert saves() == before


def test_the_moderator_enters_plain_lines_for_a_seat(begun: Run) -> None:
    assert begun("apply", "m", "-", "--seat", "alice", stdin=b"sail north\n").status == 0
    assert begun("apply", "m", "-", "--seat", "bob", stdin=block("bob", "sail north", "pirate: sail east")).status == 0
    assert "the moderator's word" in begun("verify", "m").out
    assert begun("apply", "m", "-", "--seat", "carol", stdin=b"sail north\n").status == 2
    assert begun("apply", "m", "-", "--seat", "bob", stdin=block("alice", "land")).status == 2
    assert begun("apply", "m", "-", stdin=b"land\n").status == REFUSED


def test_a_dry_run_writes_nothing_and_stops_before_the_die(begun: Run) -> None:
    start_turns(begun)
    asked = begun("orders", "m", "--for", "alice", "--json").json["asked"][0]
    before = saves()
    done = begun("apply", "m", "-", "--dry-run", "--json", stdin=block(asked, "dive arch with 1", "land"))
    assert done.json["status"] == "dry run"
    assert done.json["fence"]
    assert done.json["played"] == ["dive arch with 1"]
    assert done.json["news"] == []
    assert saves() == before
    assert "not known before it is played" in begun("apply", "m", "-", "--dry-run", stdin=block(asked, "dive arch with 1")).out


def test_lines_after_an_outcome_come_back_with_the_reason(begun: Run) -> None:
    start_turns(begun)
    asked = begun("orders", "m", "--for", "alice", "--json").json["asked"][0]
    done = begun("apply", "m", "-", stdin=block(asked, "peek into arch", "peek into arch"))
    assert done.status == 0
    assert "accepted in part" in done.out
    assert "Came back:" in done.out
    assert "Why: Line 2" in done.out


def test_a_lone_save_is_played_into_a_new_file(begun: Run) -> None:
    Path("alone.toml").write_bytes(Path("m/0001.toml").read_bytes())
    sent = block("alice", "sail north")
    assert begun("apply", "alone.toml", "-", stdin=sent).status == 2
    assert begun("apply", "m", "-", "--out", "x.toml", stdin=sent).status == 2
    assert begun("apply", "alone.toml", "-", "--dry-run", stdin=sent).status == 0
    done = begun("apply", "alone.toml", "-", "--out", "next.toml", "--json", stdin=sent)
    assert done.json["save"] == "next.toml"
    assert begun("verify", "next.toml").status == 0
    before = Path("next.toml").read_bytes()
    assert begun("apply", "alone.toml", "-", "--out", "next.toml", stdin=sent).status == TROUBLE
    assert Path("next.toml").read_bytes() == before


HOSTILE = {
    "nothing": b"",
    "binary": bytes(range(256)) * 8,
    "zeros": bytes(4096),
    "10 MB": b"sail north\n" * (10 * 1024 * 1024 // 11),
    "no block": b"sail north\n",
    "half a block": b"#referee reef 1 alice AAAA-AAAA-AAAA\nsail north\n",
    "move file of rubbish": b"# referee move 1\nmatch = 3\n",
    "other match": b"#referee cliff 1 alice AAAA-AAAA-AAAA\nsail north\n#end\n",
    "wrong seat": b"#referee reef 1 carol AAAA-AAAA-AAAA\nsail north\n#end\n",
    "wrong code": b"#referee reef 1 alice AAAA-AAAA-AAAA\nsail north\n#end\n",
    "no code": b"#referee reef 1 alice\nsail north\n#end\n",
    "later stop": b"#referee reef 9 alice AAAA-AAAA-AAAA\nsail north\n#end\n",
    "huge stop": b"#referee reef 99999999999999999999 alice AAAA-AAAA-AAAA\nsail north\n#end\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_submissions_are_refused_and_change_nothing(begun: Run, name: str) -> None:
    before = saves()
    done = begun("apply", "m", "-", stdin=HOSTILE[name])
    assert (done.status, done.out) == (REFUSED, "")
    assert len(done.err) < 600
    assert saves() == before


BAD_LINES = {
    "unknown verb": ["explode"],
    "unknown name": ["sail nowhere"],
    "ambiguous": ["sail"],
    "half legal": ["sail north", "explode"],
    "not now": ["dive arch with 1"],
    "two answers": ["sail north or explode"],
    "none": [],
    "51 lines": ["sail north"] * 51,
    "100,000 lines": ["sail north"] * 100_000,
    "long": ["sail " + "north " * 60],
    "control characters": ["sail \x1b[2Jnorth"],
    "quoted": ["> sail north"],
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_lines_that_cannot_be_played_are_refused_and_change_nothing(begun: Run, name: str) -> None:
    before = saves()
    done = begun("apply", "m", "-", stdin=block("alice", *BAD_LINES[name]))
    assert (done.status, done.out) == (REFUSED, "")
    assert "\x1b" not in done.err
    assert saves() == before


def test_a_stale_code_is_refused(begun: Run) -> None:
    old = block("alice", "sail south")
    start_turns(begun)
    before = saves()
    done = begun("apply", "m", "-", stdin=old)
    assert done.status == REFUSED
    assert "has passed" in done.err
    assert begun("apply", "m", "-", stdin=block("alice", "land", stop=1)).status == REFUSED
    assert saves() == before


def test_nothing_is_played_in_a_folder_that_holds_no_match(begun: Run) -> None:
    sent = block("alice", "sail north")
    Path("empty").mkdir()
    assert begun("apply", "empty", "-", stdin=sent).status == UNVERIFIED
    assert begun("apply", "nowhere", "-", stdin=sent).status == TROUBLE
    assert begun("apply", "m", "no.txt", stdin=sent).status == TROUBLE
    assert begun("apply", "m", "m", stdin=sent).status == TROUBLE
    assert begun("apply", "referee.key", "-", "--out", "x", stdin=sent).status == UNVERIFIED
    Path("m/0001.toml").unlink()
    assert begun("orders", "m", "--for", "alice").status == TROUBLE


def test_a_save_that_was_touched_is_not_played_on(begun: Run) -> None:
    sent = block("alice", "sail north")
    whole = Path("m/0001.toml").read_bytes()
    for spoilt in (
        whole.replace(b"lanterns = 3", b"lanterns = 9"),
        whole[:-1],
        whole + b"\n",
        whole.replace(b"\n", b"\r\n"),
        whole.replace(b"# referee save 1", b"# referee save 2"),
        b"",
    ):
        Path("m/0001.toml").write_bytes(spoilt)
        for arguments in (["apply", "m", "-"], ["report", "m", "--for", "alice"], ["verify", "m"], ["verify", "m/0001.toml"]):
            done = begun(*arguments, stdin=sent)
            assert (done.status, done.out) == (UNVERIFIED, "")
            assert "0001.toml" in done.err
    Path("m/0001.toml").write_bytes(whole)
    assert begun("keys", "new", "--key", "other.key").status == 0
    assert "another referee" in begun("apply", "m", "-", "--key", "other.key", stdin=sent).err


def test_reports_that_cannot_be_written_leave_the_save_standing(begun: Run) -> None:
    for path in Path("m/reports/alice").iterdir():
        path.unlink()
    sent = block("bob", "sail east", "pirate: sail south")
    Path("m/reports/alice").rmdir()
    Path("m/reports/alice").write_text("in the way")
    done = begun("apply", "m", "-", "--seat", "alice", stdin=b"sail north")
    assert done.status == TROUBLE
    assert "Save 2 is written, but a report of it is not" in done.err
    assert Path("m/0002.toml").exists()
    Path("m/reports/alice").unlink()
    assert begun("apply", "m", "-", "--seat", "alice", "--json", stdin=b"sail north").json["status"] == "duplicate"
    assert list(Path("m/reports/alice").glob("*.txt"))
    assert begun("apply", "m", "-", stdin=sent).status == 0


# report, orders


@pytest.mark.parametrize("form", ["text", "html", "json"])
@pytest.mark.parametrize("reader", ["alice", "observer", "table", "moderator"])
def test_reports_in_every_form_verify(begun: Run, reader: str, form: str) -> None:
    printed = begun("report", "m", "--for", reader, "--format", form)
    assert begun("report", "m", "--for", reader, "--format", form, "--out", "r").status == 0
    assert Path("r").read_text(encoding="utf-8") == printed.out
    assert "name the folder" in begun("verify", "r").out
    row = begun("verify", "m", "r", "--json").json["found"][1]
    assert row["in_chain"]
    assert begun("verify", "-", stdin=printed.out.encode()).status == 0
    assert begun("report", "m", "--for", reader, "--out", "r").status == TROUBLE
    Path("r").write_text(printed.out.replace("1", "2", 1), encoding="utf-8")
    assert begun("verify", "r").status == UNVERIFIED


def test_no_reader_but_those_of_the_match(begun: Run) -> None:
    assert begun("report", "m", "--for", "carol").status == 2
    assert begun("orders", "m", "--for", "observer").status == 2
    assert begun("report", "m/0001.toml", "--for", "alice").status == 0
    shown = begun("report", "m", "--for", "alice", "--json").json
    assert shown["view"]["viewer"] == "alice"


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_the_opening_hash_is_found_in_every_form(form: report.Form) -> None:
    context = {**report.blank("alice"), "opened": "ab" * 32, "code": "AAAA-AAAA-AAAA", "holder": 1}
    assert list(opening_hashes(report.render(context, form, folders=[]).encode())) == ["ab" * 32]


def test_orders_lists_what_may_be_sent(begun: Run) -> None:
    assert "  sail north\n" in begun("orders", "m", "--for", "alice").out
    data = begun("orders", "m", "--for", "bob", "--json").json
    assert [row["decider"] for row in data["you"]] == ["bob", "pirate"]
    assert set(data) == {"seat", "match", "stop", "over", "held", "asked", "you", "anytime", "standing", "kept"}
    assert "  pirate: sail north\n" in begun("orders", "m/0001.toml", "--for", "bob").out


# verify


@pytest.fixture
def finished(run: Run) -> Run:
    """Play a match to its end in the folder `m`."""
    done = run("selfplay", GAME, "m", "--seed", "7", "--option", "rounds=1", "--json")
    assert done.status == 0
    return run


def test_selfplay_is_the_same_for_the_same_number(finished: Run) -> None:
    first = saves()
    assert finished("selfplay", GAME, "again/m", "--seed", "7", "--option", "rounds=1").status == TROUBLE
    Path("again").mkdir()
    os.chdir("again")
    done = finished("selfplay", GAME, "m", "--seed", "7", "--option", "rounds=1", "--json").json
    assert saves() == first
    assert done["saves"] == sum(name.endswith(".toml") for name in first)
    assert set(done["result"]) == {"alice", "bob"}
    assert finished("selfplay", GAME, "n", "--seed", "8", "--option", "rounds=1").status == 0
    assert Path("n/0001.toml").read_bytes() != first["m/0001.toml"]


def test_random_matches_of_every_size_end(run: Run) -> None:
    for seed in range(6):
        seats = [f"--seat={name}" for name in ("alice", "bob", "carol", "dave")[: 2 + seed % 3]]
        assert run("selfplay", GAME, f"m{seed}", "--seed", str(seed), *seats).status == 0
        assert run("verify", f"m{seed}").status == 0


def test_verify_plays_everything_again_and_shows_the_dice_at_the_end(finished: Run) -> None:
    data = finished("verify", "m", "--public-key", "referee.key.pub", "--json").json
    (match,) = data["found"]
    assert match["over"]
    assert all(save["replayed"] for save in match["saves"])
    assert {save["voucher"] for save in match["saves"]} == {"the referee", "a turn code"}
    draws = [draw for save in match["saves"] for draw in save["chance"]]
    assert len(next(draw["result"] for draw in draws if draw["what"] == "shuffle of 15")) == 15
    text = finished("verify", "m").out
    assert match["seed"] in text
    assert match["commitment"] in text
    assert f"all {len(match['saves'])} saves of match {match['match']} verify" in text


def test_verify_hides_the_dice_of_a_match_that_goes_on(begun: Run) -> None:
    assert "shuffle" not in begun("verify", "m").out
    (match,) = begun("verify", "m", "--json").json["found"]
    assert "seed" not in match
    assert not any("chance" in save for save in match["saves"])
    assert "shuffle of 15" in begun("verify", "m", "--reveal").out


def test_a_report_of_another_branch_is_found_out(begun: Run) -> None:
    assert begun("new", GAME, "fork", "--seat", "alice", "--seat", "bob", "--id", "reef").status == 0
    theirs = str(next(Path("fork/reports/alice").glob("*.html")))
    assert begun("verify", theirs).status == 0
    assert begun("verify", "fork", theirs).status == 0
    done = begun("verify", "m", theirs)
    assert done.status == UNVERIFIED
    assert "another branch" in done.err


def test_a_chain_that_was_cut_or_mixed_does_not_verify(finished: Run) -> None:
    newest = sorted(Path("m").glob("*.toml"))[-1]
    newest.rename("last.toml")
    assert finished("verify", "m").status == 0  # what is left is a chain too; the last report tells
    last = max(Path("m/reports/alice").glob("*.txt"))
    assert finished("verify", "m", str(last)).status == UNVERIFIED
    Path("last.toml").rename(newest)
    Path("m/0002.toml").rename("second.toml")
    assert finished("verify", "m").status == UNVERIFIED
    Path("m/0002.toml").write_bytes(Path("m/0003.toml").read_bytes())
    assert finished("verify", "m").status == UNVERIFIED


def test_a_key_beside_the_match_is_not_trusted(finished: Run) -> None:
    assert finished("keys", "new", "--key", "m/other.key").status == 0
    assert finished("verify", "m", "--public-key", "m/other.key.pub").status == UNVERIFIED
    assert finished("verify", "m", "--public-key", "referee.key").status == 2
    assert finished("verify", "m", "--public-key", "none.pub").status == TROUBLE
    Path("referee.key").unlink()
    assert finished("verify", "m").status == TROUBLE
    assert finished("verify", "m", "--public-key", "referee.key.pub").status == 0


def test_what_is_neither_match_nor_save_nor_report_does_not_verify(run: Run) -> None:
    Path("note.txt").write_text("Dear all,\n")
    assert run("verify", "note.txt").status == UNVERIFIED
    assert run("verify", "nowhere").status == TROUBLE
    assert run("verify").status == 2


# rule


def test_every_ruling_is_a_save_that_verifies(begun: Run) -> None:
    start_turns(begun)
    for arguments in (
        ["hold"],
        ["go"],
        ["option", "rounds=2"],
        ["rollback", "1"],
        ["recode", "alice"],
    ):
        done = begun("rule", "m", *arguments, "--why", "A cat walked over the board.")
        assert done.status == 0, done.err
        assert done.out.splitlines()[-1].startswith("bob")
    edited = max(Path("m").glob("0*.toml")).read_text().replace("lanterns = 3", "lanterns = 5")
    assert begun("rule", "m", "correct", "-", "--why", "Two lanterns were forgotten.", stdin=edited.encode()).status == 0
    assert begun("rule", "m", "upgrade", "--why", "A new edition.").status == 0
    data = begun("rule", "m", "note", "Well played.", "--to", "bob", "--json").json
    assert [row["seat"] for row in data["deliveries"]] == ["bob"]
    assert set(data) == {"ruling", "serial", "stop", "deliveries"}
    assert begun("rule", "m", "note", "A pause until Monday.").status == 0
    checked = begun("verify", "m")
    assert checked.status == 0
    assert checked.out.count("ruling ") == 9
    assert checked.out.count("the moderator\n") == 9
    assert "A pause until Monday." in begun("report", "m", "--for", "observer").out


def test_a_dry_run_of_a_ruling_shows_what_each_player_reads(begun: Run) -> None:
    before = saves()
    done = begun("rule", "m", "hold", "--why", "The moderator is ill.", "--dry-run")
    assert done.out.count("The moderator ruled (hold): The moderator is ill.") >= 2
    data = begun("rule", "m", "hold", "--why", "The moderator is ill.", "--dry-run", "--json").json
    assert [reader["seat"] for reader in data["readers"]] == ["alice", "bob"]
    assert data["readers"][0]["news"] == ["The moderator ruled (hold): The moderator is ill."]
    for reader in data["readers"]:
        assert "[signature]" not in reader["report"]
        assert not re.search(r"^#referee .*[A-Z2-7]{4}-[A-Z2-7]{4}", reader["report"], re.MULTILINE)
    assert saves() == before


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["banish", "--why", "x"], 2),
        (["hold"], 2),
        (["hold", "now", "--why", "x"], 2),
        (["rollback", "--why", "x"], 2),
        (["rollback", "soon", "--why", "x"], 2),
        (["rollback", "99", "--why", "x"], 2),
        (["rollback", "0", "--why", "x"], REFUSED),
        (["go", "--why", "x"], REFUSED),
        (["option", "rounds", "--why", "x"], 2),
        (["option", "rounds=9", "--why", "x"], 2),
        (["resign", "carol", "--why", "x"], REFUSED),
        (["recode", "carol", "--why", "x"], REFUSED),
        (["note", ""], 2),
        (["note", "x\x1b[2J"], 2),
        (["note", "x", "--to", "carol"], REFUSED),
        (["hold", "--to", "bob", "--why", "x"], 2),
        (["correct", "none.toml", "--why", "x"], TROUBLE),
        (["correct", "rubbish", "--why", "x"], REFUSED),
        (["hold", "--why", "two\nlines"], 2),
    ],
)
def test_rulings_that_cannot_be_made_change_nothing(begun: Run, arguments: list[str], status: int) -> None:
    Path("rubbish").write_bytes(bytes(range(256)))
    before = saves()
    done = begun("rule", "m", *arguments)
    assert (done.status, done.out) == (status, "")
    assert saves() == before


def test_a_halted_match_takes_no_lines(begun: Run) -> None:
    assert begun("rule", "m", "hold", "--why", "Holidays.").status == 0
    done = begun("apply", "m", "-", stdin=block("alice", "sail north"))
    assert done.status == REFUSED
    assert "halted" in done.err


def test_a_new_holder_makes_old_codes_worthless(begun: Run) -> None:
    old = block("alice", "sail north")
    assert begun("rule", "m", "recode", "alice", "--why", "The mailbox was open.").status == 0
    assert begun("apply", "m", "-", stdin=old).status == REFUSED
    assert begun("apply", "m", "-", stdin=block("alice", "sail north")).status == 0


# Nothing hidden


def test_no_command_but_a_seats_report_shows_hands_codes_or_seeds(begun: Run) -> None:
    code = re.search(rb"[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$", block("bob").splitlines()[0])
    assert code
    hidden = [code[0].decode(), "01" * 32]
    printed = [
        begun("apply", "m", "-", stdin=block("alice", "sail north")).out,
        begun("apply", "m", "-", "--json", stdin=block("bob", "sail north", "pirate: sail east")).out,
        begun("apply", "m", "-", stdin=block("alice", "play squall")).err,
        begun("verify", "m").out,
        begun("verify", "m", "--json").out,
        begun("rule", "m", "hold", "--why", "x", "--dry-run").out,
        begun("rule", "m", "hold", "--why", "x", "--json").out,
        begun("report", "m", "--for", "observer").out,
        begun("games", GAME).out,
        begun("keys", "show").out,
    ]
    for text in printed:
        assert not any(secret in text for secret in hidden)
    assert "01" * 32 in begun("report", "m", "--for", "moderator").out


def test_a_beginning_that_was_interrupted_says_so(begun: Run) -> None:
    Path("m/0001.toml").unlink()
    done = begun("report", "m", "--for", "alice")
    assert done.status == TROUBLE
    assert "was not dealt yet. `referee begin m` does it." in done.err
    assert begun("begin", "m").status == 0
    assert begun("report", "m", "--for", "alice").status == 0
