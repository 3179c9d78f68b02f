"""Whom to trust on the wire, and when a connection may go without encryption."""

from __future__ import annotations

import ssl
from pathlib import Path

from ..errors import Trouble, Usage

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Hosts that are this machine: what is sent to them is on no wire."""


def check_security(host: str, security: str) -> None:
    """Check that nothing would travel unencrypted.

    Raises:
        Usage: it would.

    Example:
        >>> check_security("localhost", "none")
    """
    if security == "none" and host not in LOOPBACK:
        raise Usage(f"A connection to {host} has to be encrypted.", "Take security tls or starttls.")


def trusting(certificate: Path | None) -> ssl.SSLContext:
    """Return the rules by which a server proves its name.

    Args:
        certificate: a file of certificates that are trusted besides those of the system.

    Raises:
        Trouble: it cannot be read.

    Example:
        >>> trusting(None).check_hostname
        True
    """
    context = ssl.create_default_context()
    if certificate:
        try:
            context.load_verify_locations(certificate)
        except (OSError, ssl.SSLError) as error:
            reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror
            raise Trouble(f"The certificate {certificate} cannot be read: {reason}.", "Check the path.") from None
    return context
