"""`referee begin`: a match that was opened is dealt."""

from typing import Annotated

from referee.errors import Refused

from .arguments import Takes
from .common import NONE, Json, Key, chain_in, signing_key
from .new import Nonces, nonces_of, show_begun


def begin(
    folder: Annotated[str, Takes("DIR", "The folder of the match.")],
    nonce: Nonces = NONE,
    anyway: Annotated[bool, Takes("", "Although not all seats have accepted.", "--anyway")] = False,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Deal a match that was opened by `referee new --invite`, or whose beginning was interrupted, and write the first reports.

    The words that players sent with their acceptance are mixed into the seed.
    """
    from referee.desk import begin_match, write_reports
    from referee.dispatch import write_missing_reports
    from referee.people import People

    signer = signing_key(key)
    chain = chain_in(folder, signer)
    link = chain.latest()
    if link.save.entry.serial == 1 and (missing := write_missing_reports(chain, link, signer)):
        show_begun(link.save.match, folder, missing, as_json)
        return
    people = People(chain.path).read()
    waiting = [seat for seat, person in people.items() if person.invited and not person.accepted]
    if waiting and not anyway and link.save.match.table is None:
        raise Refused(f"Not accepted yet: {', '.join(waiting)}.", "Wait for them, or begin with --anyway.")
    sent = {seat: person.nonce for seat, person in people.items() if person.nonce}
    begun = begin_match(chain, {**sent, **nonces_of(nonce)}, signer)
    show_begun(begun.save.match, folder, write_reports(chain, begun, signer), as_json)
