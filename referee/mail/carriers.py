"""What takes mails away: an SMTP server, or a Maildir from which another program takes them.

A fault is told as one of three, because each calls for something else: this mail may go later (`Postponed`), this mail
will never go (`Rejected`), or nothing goes this way now, whichever mail it is (`Unreachable`).
"""

from __future__ import annotations

import contextlib
import os
import re
import smtplib
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

from ..config import Target, is_address
from ..errors import Trouble, Usage
from .outgoing import Carrier, Postponed, Rejected, Unreachable
from .spool import flush, one_line, write
from .tls import check_security, trusting

TIMEOUT = 60.0
"""Seconds to wait for an answer of the server."""
_LINE_END = re.compile(rb"\r\n|\r|\n")
_MAILBOX_FULL = (452, 552)  # 552 is permanent by the letter, but a full mailbox may be emptied


def carrier_of(target: Target, sender: str) -> Carrier:
    """Return what a configuration says.

    Args:
        target: the section `[send]`.
        sender: the address that the mails come from, to which a server returns what cannot be delivered.

    Raises:
        Usage: there is no such section, or a password would travel unencrypted.
        Trouble: the password cannot be read.

    Example:
        >>> type(carrier_of(Target("maildir", Path("out")), "referee@example.org")).__name__
        'MaildirOut'
    """
    if target.kind == "maildir":
        return MaildirOut(target.path)
    if target.kind != "smtp":
        raise Usage("The configuration does not say how mail is sent.", "Add a section [send] to referee.toml.")
    return Smtp(
        target.host,
        target.port,
        target.security,
        user=target.user,
        password=target.secret.read(),
        sender=sender,
        certificate=target.certificate,
    )


class Smtp:
    """An SMTP server; one connection for as many mails as it takes.

    Args:
        host, port: where it listens.
        security: `tls`, `starttls`, or `none`, which is for servers on this machine alone.
        user, password: how to log in; no user for not at all.
        sender: the address that mails come from.
        certificate: a file of certificates that are trusted besides those of the system.
        timeout: seconds to wait for an answer.

    Raises:
        Usage: the connection would not be encrypted.

    Example:
        >>> Smtp("smtp.example.org", 25, "none")
        Traceback (most recent call last):
        referee.errors.Usage: A connection to smtp.example.org has to be encrypted. Take security tls or starttls.
    """

    def __init__(
        self,
        host: str,
        port: int,
        security: str = "starttls",
        *,
        user: str = "",
        password: str = "",
        sender: str = "",
        certificate: Path | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Name the server; nothing is connected yet."""
        check_security(host, security)
        self.host, self.port, self.security, self.sender = host, port, security, sender
        self._user, self._password, self._certificate, self._timeout = user, password, certificate, timeout
        self._line: smtplib.SMTP | None = None

    def deliver(self, to: str, data: bytes, name: str) -> str:
        """Send one mail and return what the server said; see `Carrier`."""
        if not is_address(to):
            raise Rejected(f"{one_line(to)!r} is no mail address")
        line = self._line = self._line or self._connected()
        try:
            return self._sent(line, to, _LINE_END.sub(b"\r\n", data))
        except (OSError, smtplib.SMTPException) as error:
            # After the last byte nobody knows whether the server has the mail; it is sent again under its Message-Id.
            self.close()
            raise Postponed(f"the connection to {self.host} was lost: {_reason(error)}") from None

    def _sent(self, line: smtplib.SMTP, to: str, data: bytes) -> str:
        options = ["BODY=8BITMIME"] if line.has_extn("8bitmime") and not data.isascii() else []
        if not to.isascii():
            if not line.has_extn("smtputf8"):
                raise Rejected(f"{self.host} takes no address with such letters")
            options.append("SMTPUTF8")
        # A server that refuses the sender refuses every mail alike.
        code, said = line.mail(self.sender, options)
        if code != 250:
            self._reset(line)
            raise Unreachable(f"{self.host} refuses the sender: {_words(code, said)}")
        code, said = line.rcpt(to)
        if code not in (250, 251):
            self._refuse(line, code, said)
        # `data` raises when the server refuses the command itself, and returns its word on the content.
        try:
            code, said = line.data(data)
        except smtplib.SMTPDataError as error:
            code, said = error.smtp_code, error.smtp_error if isinstance(error.smtp_error, bytes) else b""
        if code != 250:
            self._refuse(line, code, said)
        return _words(code, said)

    def _refuse(self, line: smtplib.SMTP, code: int, said: bytes) -> NoReturn:
        words = _words(code, said)
        if code == 421:
            self.close()
            raise Unreachable(f"{self.host} closes the connection: {words}")
        self._reset(line)
        if code >= 500 and code not in _MAILBOX_FULL:
            raise Rejected(words)
        raise Postponed(words)

    def _reset(self, line: smtplib.SMTP) -> None:
        try:
            line.rset()
        except (OSError, smtplib.SMTPException):
            self.close()

    def _connected(self) -> smtplib.SMTP:
        try:
            line = self._greeted()
        except (OSError, smtplib.SMTPException, Trouble) as error:
            raise Unreachable(f"{self.host} port {self.port} cannot be reached: {_reason(error)}") from None
        try:
            if self._user:
                line.login(self._user, self._password)
        except (OSError, smtplib.SMTPException) as error:
            _end(line)
            raise Unreachable(f"{self.host} refuses the login of {self._user}: {_reason(error)}") from None
        return line

    def _greeted(self) -> smtplib.SMTP:
        own = self.sender.rpartition("@")[2] or "localhost"
        if self.security == "tls":
            context = trusting(self._certificate)
            return smtplib.SMTP_SSL(self.host, self.port, own, timeout=self._timeout, context=context)
        line = smtplib.SMTP(self.host, self.port, own, timeout=self._timeout)
        try:
            if self.security == "starttls":
                line.starttls(context=trusting(self._certificate))
            line.ehlo_or_helo_if_needed()
        except BaseException:
            _end(line)
            raise
        return line

    def close(self) -> None:
        """End the connection, if there is one."""
        if self._line:
            _end(self._line)
        self._line = None


class MaildirOut:
    """A Maildir that another program empties.

    Args:
        path: the folder; it is made if needed.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     out = MaildirOut(Path(place) / "out")
        ...     said = out.deliver("bob@example.org", b"Subject: x", "report 1")
        ...     said, len(os.listdir(Path(place) / "out" / "new"))
        ('in the Maildir', 1)
    """

    def __init__(self, path: Path) -> None:
        """Name the folder; nothing is made yet."""
        self.path = path

    def deliver(self, to: str, data: bytes, name: str) -> str:
        """Put one mail into the folder; see `Carrier`. The same mail again takes the place of the first."""
        base = f"{sha256(name.encode()).hexdigest()[:32]}.referee"
        temporary, target = self.path / "tmp" / f"{base}.{os.getpid()}.{os.urandom(4).hex()}", self.path / "new" / base
        try:
            for part in ("tmp", "new", "cur"):
                (self.path / part).mkdir(parents=True, exist_ok=True)
            write(os.fspath(temporary), data)
            try:
                flush(os.fspath(temporary))
                os.replace(temporary, target)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
            flush(os.fspath(target.parent))
        except OSError as error:
            raise Unreachable(f"the Maildir {self.path} cannot be written: {error.strerror}") from None
        return "in the Maildir"

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _end(line: smtplib.SMTP) -> None:
    with contextlib.suppress(OSError, smtplib.SMTPException):
        line.quit()
    with contextlib.suppress(OSError):
        line.close()


def _words(code: int, said: bytes) -> str:
    return one_line(f"{code} {said.decode('utf-8', 'replace')}")


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return _words(error.smtp_code, said if isinstance(said, bytes) else str(said).encode())
    return one_line(getattr(error, "strerror", None) or str(error) or type(error).__name__)
