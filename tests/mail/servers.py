"""Real mail servers for tests, on loopback ports, in folders of their own, stopped when the test ends.

Dovecot runs as an ordinary user, Postfix (in `postfix`) as root, because its master insists. A test that needs one that is
not installed is skipped, and says so; `.ci/run` installs both and sets `REFEREE_ALL_TESTS`, with which it fails instead.
"""

from __future__ import annotations

import contextlib
import datetime
import grp
import ipaddress
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from referee.config import Secret, Source, Target

PASSWORD = "open sesame"
USERS = ("referee", "alice", "bob")
START = 20.0  # seconds within which a server must answer
TOOLS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def needed(program: str) -> str:
    """Return the path of a program, or skip the test that needs it."""
    found = shutil.which(program, path=TOOLS)
    if not found:
        leave_out(f"{program} is not installed")
    return str(found)


def leave_out(reason: str) -> None:
    """Skip a test, or fail it where all have to run."""
    if os.environ.get("REFEREE_ALL_TESTS"):
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, alive: Any) -> None:
    """Wait until somebody listens on a port; fail if the server is not alive, or takes too long."""
    until = time.monotonic() + START
    while time.monotonic() < until and alive():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"no server listens on port {port}")


class Certificate:
    """A certificate for localhost that vouches for itself."""

    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.UTC)
        alternatives = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.file, self.key = folder / "certificate.pem", folder / "certificate.key"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        self.key.write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()))


def plain_user() -> pwd.struct_passwd:
    """Return whom a server runs as: us, or nobody if we are root."""
    return pwd.getpwuid(os.getuid()) if os.getuid() else pwd.getpwnam("nobody")


@contextlib.contextmanager
def folder_of_a_server() -> Iterator[Path]:
    """Make a folder that the user of a server can reach, unlike those that pytest makes."""
    with tempfile.TemporaryDirectory(prefix="referee-test-", ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o755)
        yield Path(place)


def give(path: Path, user: pwd.struct_passwd) -> None:
    """Make a folder and all in it the property of a user."""
    if not os.getuid():
        for part in [path, *path.rglob("*")]:
            os.chown(part, user.pw_uid, user.pw_gid, follow_symlinks=False)


def stop(process: subprocess.Popen[bytes], patience: float = 5.0) -> None:
    """End a server that was started as the leader of a group, and what it has started."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(patience)


# Dovecot

_DOVECOT = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_min_protocol = TLSv1.2
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""
_BEFORE_2_4 = """
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/certificate.key
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
"""
_SINCE_2_4 = """dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
ssl_server_cert_file = {folder}/certificate.pem
ssl_server_key_file = {folder}/certificate.key
mail_driver = maildir
mail_path = {folder}/mail/%{{user}}
passdb passwd-file {{
  passwd_file_path = {folder}/users
}}
userdb static {{
  fields {{
    uid = {uid}
    gid = {gid}
    home = {folder}/mail/%{{user}}
  }}
}}
"""


class Dovecot:
    """An IMAP server with a mailbox for each of `USERS`, all with the same password."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.user = folder, free_port(), plain_user()
        self.certificate = Certificate(folder)
        for name in USERS:
            for part in ("tmp", "new", "cur"):
                (self.maildir(name) / part).mkdir(parents=True)
        for part in ("run", "state"):
            (folder / part).mkdir()
        (folder / "users").write_text("".join(f"{name}:{{PLAIN}}{PASSWORD}\n" for name in USERS))
        (folder / "dovecot.conf").write_text(self._configuration())
        give(folder, self.user)
        self.process = self._started()

    def _configuration(self) -> str:
        program = needed("dovecot")
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        new = tuple(int(part) for part in said.split()[0].split(".")[:2]) >= (2, 4)
        values = {
            "folder": self.folder,
            "port": self.port,
            "user": self.user.pw_name,
            "group": grp.getgrgid(self.user.pw_gid).gr_name,
            "uid": self.user.pw_uid,
            "gid": self.user.pw_gid,
        }
        return (_SINCE_2_4 + _DOVECOT if new else _BEFORE_2_4 + _DOVECOT).format(**values)

    def _started(self) -> subprocess.Popen[bytes]:
        rights = {} if os.getuid() else {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        process = subprocess.Popen(
            [needed("dovecot"), "-F", "-c", str(self.folder / "dovecot.conf")],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / "errors").open("wb"),
            cwd=self.folder,
            **rights,
        )
        try:
            wait_for(self.port, lambda: process.poll() is None)
        except BaseException:
            stop(process)
            said = [path.read_text() for path in (self.folder / "errors", self.folder / "dovecot.log") if path.exists()]
            raise RuntimeError("\n".join(["Dovecot does not start:", *said])) from None
        return process

    def maildir(self, name: str) -> Path:
        """Return the Maildir of a user."""
        return self.folder / "mail" / name

    def deliver(self, name: str, raw: bytes, received: float = 0) -> Path:
        """Put a mail into a mailbox as a mail server does, received at a time (seconds since 1970; 0 for now)."""
        base = f"{time.time():.6f}.{os.urandom(4).hex()}.localhost"
        new, temporary = self.maildir(name) / "new" / base, self.maildir(name) / "tmp" / base
        temporary.write_bytes(raw)
        if received:
            os.utime(temporary, (received, received))
        give(temporary, self.user)
        temporary.rename(new)
        return new

    def source(self, name: str = "referee", **more: Any) -> Source:
        """Return what `[fetch]` says for the mailbox of a user."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        return Source(
            "imap",
            host="localhost",
            port=self.port,
            user=name,
            secret=Secret(secret),
            certificate=self.certificate.file,
            **more,
        )


@contextlib.contextmanager
def dovecot_running() -> Iterator[Dovecot]:
    """Run a Dovecot while the block runs."""
    needed("dovecot")
    with folder_of_a_server() as folder:
        server = Dovecot(folder)
        try:
            yield server
        finally:
            stop(server.process)


# SMTP


class SmtpServer:
    """An SMTP server that keeps what it gets, in `mails`: sender, recipient, bytes.

    Attributes:
        refusals: what it answers to a recipient, such as `{"bob@example.org": "550 5.1.1 No such user"}`.
        content: what it answers to the content of all mails, if that is not "".
        deliver: called with recipient and bytes before a mail is acknowledged.
    """

    def __init__(self, folder: Path, *, security: str = "starttls", login: bool = True) -> None:
        import ssl

        from aiosmtpd.controller import Controller
        from aiosmtpd.smtp import AuthResult

        self.mails: list[tuple[str, str, bytes]] = []
        self.refusals: dict[str, str] = {}
        self.sender_refusal, self.content, self.connections = "", "", 0
        self.deliver: Any = lambda to, data: None
        self.folder, self.security, self.login, self.port = folder, security, login, free_port()
        self.certificate = Certificate(folder)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate.file, self.certificate.key)

        def known(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
            success = data.login == b"referee" and data.password == PASSWORD.encode()
            return AuthResult(success=success, handled=False)

        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=context if security == "tls" else None,
            tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls",
            authenticator=known,
            auth_required=login,
            auth_require_tls=security != "none",
            ready_timeout=START,
        )
        # Over TLS from the first byte, the library still asks for STARTTLS before a login.
        if security == "tls":
            self._controller.SMTP_kwargs["auth_require_tls"] = False

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if self.sender_refusal:
            return self.sender_refusal
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.content:
            return self.content
        for address in envelope.rcpt_tos:
            self.deliver(address, envelope.content)
            self.mails.append((envelope.mail_from, address, envelope.content))
        return f"250 2.0.0 kept as {len(self.mails)}"

    def start(self) -> None:
        """Listen."""
        self._controller.start()

    def stop(self) -> None:
        """Listen no more."""
        self._controller.stop()

    def target(self, **changes: Any) -> Target:
        """Return what `[send]` says for this server."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        login = {"user": "referee", "secret": Secret(secret)} if self.login else {}
        given = {"host": "localhost", "port": self.port, "security": self.security, **login}
        return Target("smtp", **{**given, "certificate": self.certificate.file, **changes})


@contextlib.contextmanager
def smtp_running(folder: Path, **options: Any) -> Iterator[SmtpServer]:
    """Run an SMTP server while the block runs."""
    server = SmtpServer(folder, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot for all tests of a module."""
    with dovecot_running() as server:
        yield server


@pytest.fixture
def smtp(tmp_path: Path) -> Iterator[SmtpServer]:
    """An SMTP server with STARTTLS and a login."""
    (tmp_path / "smtp").mkdir()
    with smtp_running(tmp_path / "smtp") as server:
        yield server
