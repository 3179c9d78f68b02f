"""The answer link of a report: a `mailto:` address that opens a mail with the block of orders filled in."""

from __future__ import annotations

from urllib.parse import quote

LONGEST = 1800
"""Characters of a link; some mail programs on Windows cut what is longer."""


def mailto(address: str, subject: str, block: str) -> str:
    """Return a link that opens a mail with a block, and with room for lines before its end. Source: RFC 6068.

    Args:
        address: the address that the mail goes to, with or without a name before it.
        subject: the subject of the mail.
        block: the block of orders, from its `#referee` to its `#end`.

    Returns:
        The link, in ASCII; "" if it would have more than `LONGEST` characters, even without the block's remarks.

    Example:
        >>> mailto("Referee <referee@example.org>", "Re: stop 12", "#referee cl-7k3q 12 alice CODE\\n\\n#end")
        'mailto:referee@example.org?subject=Re%3A%20stop%2012&body=%23referee%20cl-7k3q%2012%20alice%20CODE%0D%0A%0D%0A%0D%0A%23end'
        >>> mailto("referee@example.org", "Re: stop 12", "#referee cl-7k3q 12 alice CODE\\n" + "roll\\n" * 200 + "#end")
        ''
    """
    bare = address.rpartition("<")[2].strip(" >")
    first, *lines, last = block.splitlines()
    kept = [line for line in lines if line]
    bodies = ([first, *some, "", "", last] for some in (kept, [line for line in kept if not line.startswith("#")]))
    start = f"mailto:{quote(bare, safe='@')}?subject={quote(subject, safe='')}&body="
    links = (start + quote("\r\n".join(body), safe="") for body in bodies)
    return next((link for link in links if len(link) <= LONGEST), "")
