"""A real Postfix for tests: it pipes what comes for the referee into a command, and relays all else to a port."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from .servers import folder_of_a_server, free_port, give, leave_out, needed, plain_user, stop, wait_for

PATIENCE = 60.0  # seconds that working on one mail may take

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
relayhost = [127.0.0.1]:{relay}
smtp_tls_security_level = none
smtpd_relay_restrictions = permit_mynetworks, reject
smtputf8_enable = no
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
transport_maps = inline:{{ {{ referee@example.org = referee: }} }}
local_recipient_maps =
alias_maps =
alias_database =
referee_destination_recipient_limit = 1
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
referee unix - n n - 1 pipe flags=Rq user={user} null_sender= argv=/bin/sh {door}
"""


# Postfix pipes into no program of root, and the user whom it takes may not read our programs: through two pipes that have
# names, what comes in goes to the test and the exit status comes back.
_DOOR = """
cat > {folder}/in
read status < {folder}/out
exit $status
"""


class Door:
    """Runs a command on each mail that a mail server pipes in, one after the other."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        self.folder, self.command, self.exits = folder, command, list[int]()
        self.script = folder / "door.sh"
        self.script.write_text(_DOOR.format(folder=folder))
        for name in ("in", "out"):
            os.mkfifo(folder / name)
            give(folder / name, plain_user())
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    def _work(self) -> None:
        while raw := (self.folder / "in").read_bytes():
            done = subprocess.run(self.command, input=raw, capture_output=True, timeout=PATIENCE)
            self.exits.append(done.returncode)
            (self.folder / "out").write_text(f"{done.returncode}\n")

    def close(self) -> None:
        """Take no more mails."""
        if self._worker.is_alive():
            (self.folder / "in").write_bytes(b"")
        self._worker.join(5)


class Postfix:
    """A mail server that pipes what comes for referee@example.org into a command, and relays all else to a port."""

    def __init__(self, folder: Path, command: list[str], relay: int) -> None:
        self.folder, self.port = folder, free_port()
        self.conf = folder / "conf"
        for part in ("conf", "queue", "data"):
            (folder / part).mkdir(mode=0o755)
        shutil.chown(folder / "data", "postfix")
        self.door = Door(folder, command)
        (self.conf / "main.cf").write_text(_MAIN.format(folder=folder, relay=relay))
        words = {"port": self.port, "user": plain_user().pw_name, "door": self.door.script}
        (self.conf / "master.cf").write_text(_MASTER.format(**words))
        self.process = subprocess.Popen(
            [needed("postfix"), "-c", str(self.conf), "start-fg"],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=(folder / "errors").open("wb"),
        )
        try:
            wait_for(self.port, lambda: self.process.poll() is None)
        except BaseException:
            self.stop()
            raise RuntimeError(f"Postfix does not start:\n{(folder / 'errors').read_text()}{self.log()}") from None

    def log(self) -> str:
        """Return what it says it did."""
        path = self.folder / "postfix.log"
        return path.read_text() if path.exists() else ""

    def stop(self) -> None:
        """End it and what it has started, which is more than a group of processes."""
        pid = self.folder / "queue" / "pid" / "master.pid"
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(pid.read_text()), signal.SIGTERM)
        stop(self.process)
        self.door.close()


@contextlib.contextmanager
def postfix_running(command: list[str], relay: int) -> Iterator[Postfix]:
    """Run a Postfix while the block runs."""
    needed("postfix")
    if os.getuid():
        leave_out("postfix can be started by root alone")
    with folder_of_a_server() as folder:
        server = Postfix(folder, command, relay)
        try:
            yield server
        finally:
            server.stop()
