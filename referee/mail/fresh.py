"""A match that is worked on again and again: its newest save is read once, as long as nobody else adds to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.chain import Chain, Link
from referee.keys import SigningKey
from referee.save import Save


class FreshChain(Chain):
    """A chain that remembers its newest save.

    A save is never changed, and the next one is made from a copy; so all that has to be asked again is which is the newest.
    """

    _newest: Link | None = None
    _sections: Mapping[int, dict[str, dict[str, Any]]] = {}

    def latest(self, *, upgrade: bool = False) -> Link:
        """Return the newest save."""
        serial = self.store.latest_serial()
        if upgrade or self._newest is None or self._newest.save.entry.serial != serial:
            self._newest = self.link(serial, upgrade=upgrade)
        return self._newest

    def append(self, save: Save, key: SigningKey) -> Link:
        """Sign a save and put it at the end of the chain.

        Raises:
            Taken: another writer was first.
        """
        before, self._newest = self._newest, None
        link = super().append(save, key)
        save.match.chance.log.clear()
        self._newest = link
        self._sections = {one.save.entry.serial: _sections_of(one.save) for one in (before, link) if one is not None}
        return link

    def section(self, serial: int, name: str) -> dict[str, Any]:
        """Return one section of a save; of the two newest without reading it again, for what is asked at every move."""
        known = self._sections.get(serial, {})
        return known[name] if name in known else super().section(serial, name)


def _sections_of(save: Save) -> dict[str, dict[str, Any]]:
    """Return those sections of a save that a move looks up in the saves before it, as far as it does."""
    entry, opened = save.entry, {"stop": save.entry.opened_stop, "hash": save.entry.opened_hash}
    head = {"previous": entry.previous, "stop": save.match.stop, **({"opened": opened} if entry.opened_hash else {})}
    return {"match": head, "move": {**entry.move, "reports": entry.reports}, "reported": entry.reported}
