"""Ed25519 keys: the referee's, which signs saves and reports and gives out turn codes, and the players' own.

A signature is made over a context and the data, so that a signed move can never pass for a save. Keys are raw bytes in
files: PEM would double the time that loading a key takes.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import stat
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.errors import Trouble

CONTEXTS = ("save", "move", "report", "ruling", "step", "event", "ratings")

PathLike = str | os.PathLike[str]

_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # RFC 4648, section 6
_CODE_BITS = 60
_NEW_KEY = "Make one with `referee keys new`, or name another with --key or REFEREE_KEY."
_BACKUP = "Take the file from your backup, or name another key."
# A code is read aloud and copied by hand; these digits are not in base32 and can only be meant as these letters.
_READ_CODE = str.maketrans("018", "OIB", "- \t\u00a0\u2010\u2011\u2012\u2013\u2014\u2212")


class PublicKey:
    """The half of a key that everybody may have.

    >>> key = SigningKey.from_bytes(bytes(range(32))).public
    >>> key.fingerprint
    'KZDV-VJ2U-MNDU-YAUF'
    """

    __slots__ = ("_key", "raw")

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key
        self.raw = key.public_bytes_raw()

    @classmethod
    def from_bytes(cls, raw: bytes) -> PublicKey:
        """Return the key with these 32 raw bytes. Raises ValueError if they are no key.

        >>> key = SigningKey.new().public
        >>> PublicKey.from_bytes(key.raw) == key
        True
        """
        if len(raw) != 32 or _is_blank(raw):
            raise ValueError("A public key has 32 bytes, which are not all the same.")
        return cls(Ed25519PublicKey.from_public_bytes(raw))

    @classmethod
    def load(cls, path: PathLike) -> PublicKey:
        """Return the key in a file of 32 raw bytes, or of 64 hex digits. Raises Trouble if there is none."""
        data = _read(path, "Ask the referee for the public key's file.")
        try:
            return cls.from_bytes(data if len(data) == 32 else bytes.fromhex(data.decode("ascii").strip()))
        except ValueError:
            help = "A public key's file has 32 raw bytes or 64 hex digits."
            raise Trouble(f"{os.fspath(path)} holds no public key.", help) from None

    def save(self, path: PathLike) -> None:
        """Write 64 hex digits and a line end to a new file. Raises Trouble if it exists or cannot be written."""
        _write_new(path, f"{self.hex}\n".encode(), 0o644)

    def verify(self, context: str, data: bytes, signature: bytes) -> bool:
        """Return whether signature (64 bytes) was made by this key over data in this context.

        >>> key = SigningKey.new()
        >>> signature = key.sign("move", b"load green")
        >>> key.public.verify("move", b"load green", signature), key.public.verify("save", b"load green", signature)
        (True, False)
        """
        try:
            self._key.verify(signature, _signed(context, data))
        except InvalidSignature:
            return False
        return True

    @property
    def fingerprint(self) -> str:
        """The first 80 bits of the key's SHA-256 in base32, for people to compare."""
        return _grouped(_base32(hashlib.sha256(self.raw).digest(), 80))

    @property
    def hex(self) -> str:
        """The key as 64 lower-case hex digits."""
        return self.raw.hex()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"PublicKey({self.fingerprint})"


class SigningKey:
    """The secret half; it never prints itself.

    >>> SigningKey.from_bytes(bytes(range(32)))
    SigningKey(KZDV-VJ2U-MNDU-YAUF)
    """

    __slots__ = ("_derived", "_key", "_raw", "public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self._derived: dict[str, bytes] = {}
        self._raw = key.private_bytes_raw()
        self.public = PublicKey(key.public_key())

    @classmethod
    def new(cls) -> SigningKey:
        """Return a key that nobody else has.

        >>> SigningKey.new().public == SigningKey.new().public
        False
        """
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_bytes(cls, raw: bytes) -> SigningKey:
        """Return the key with these 32 secret bytes. Raises ValueError if they are too few, too many or blank.

        >>> SigningKey.from_bytes(bytes(32))
        Traceback (most recent call last):
        ValueError: A key has 32 bytes, which are not all the same.
        """
        if len(raw) != 32 or _is_blank(raw):
            raise ValueError("A key has 32 bytes, which are not all the same.")
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    @classmethod
    def load(cls, path: PathLike) -> SigningKey:
        """Return the key in a file of 32 raw bytes that its owner alone may read.

        Raises Trouble if it is missing, blank, short, or open to others.
        """
        data = _read(path, _NEW_KEY, private=True)
        try:
            return cls.from_bytes(data)
        except ValueError:
            raise Trouble(f"{os.fspath(path)} is blank or damaged: a key has 32 bytes.", _BACKUP) from None

    def save(self, path: PathLike) -> None:
        """Write the 32 bytes to a new file of mode 0600, in a folder made for it if need be.

        Raises Trouble if the file exists (no key is ever overwritten) or cannot be written.
        """
        if folder := os.path.dirname(path):
            try:
                os.makedirs(folder, mode=0o700, exist_ok=True)
            except OSError as error:
                raise Trouble(f"{folder} cannot be made: {error.strerror}.", "Name another place with --key.") from None
        _write_new(path, self._raw, 0o600)

    def sign(self, context: str, data: bytes) -> bytes:
        """Return the signature (64 bytes) over data in a context; see `CONTEXTS`.

        >>> len(SigningKey.new().sign("report", b"Dear alice,"))
        64
        """
        return self._key.sign(_signed(context, data))

    def derive(self, purpose: str) -> bytes:
        """Return 32 secret bytes for one purpose (HKDF with SHA-256, RFC 5869), which tell nothing about the key.

        >>> key = SigningKey.new()
        >>> key.derive("turn code") == key.derive("turn code"), key.derive("turn code") == key.derive("tea")
        (True, False)
        """
        if purpose not in self._derived:
            self._derived[purpose] = hkdf(self._raw, b"referee derive 1", purpose.encode(), 32)
        return self._derived[purpose]

    def __repr__(self) -> str:
        return f"SigningKey({self.public.fingerprint})"


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return length bytes (at most 8160) derived from secret by HKDF with SHA-256. Source: RFC 5869.

    >>> hkdf(b"\\x0b" * 22, bytes(range(13)), bytes(range(0xf0, 0xfa)), 42).hex()[:16]
    '3cb25f25faacd57a'
    """
    if not 0 < length <= 255 * 32:
        raise ValueError("HKDF with SHA-256 gives 1 to 8160 bytes.")
    extracted = hmac.digest(salt or bytes(32), secret, "sha256")
    block = out = b""
    for count in range(1, -(-length // 32) + 1):
        block = hmac.digest(extracted, block + info + bytes([count]), "sha256")
        out += block
    return out[:length]


def default_path() -> str:
    """Return where the referee's key lies: REFEREE_KEY, or else the file `key` in the user's config folder.

    >>> os.path.basename(default_path()) != ""
    True
    """
    if named := os.environ.get("REFEREE_KEY"):
        return named
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        # The XDG specification: a relative path is to be ignored.
        base = os.environ.get("XDG_CONFIG_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(home, ".config")
    return os.path.join(base, "referee", "key")


def turn_code(secret: bytes, match: str, stop: int, seat: str, holder: int, opened: str) -> str:
    """Return the code that shows a submission to come from the seat's holder: 60 bits, written to be copied by hand.

    secret: the referee's `derive("turn code")`. opened: the hash of the save that opened this stop, in hex.

    >>> turn_code(bytes(32), "cl-7k3q", 12, "alice", 1, "00" * 32)
    'K3NI-CCZV-XDR3'
    """
    fields = (match, str(stop), seat, str(holder), opened)
    # The lengths keep apart what would run together: ("ab", "c") and ("a", "bc").
    message = b"".join(len(field).to_bytes(4, "big") + field for field in map(str.encode, fields))
    return _grouped(_base32(hmac.digest(secret, message, "sha256"), _CODE_BITS))


def same_code(one: str, other: str) -> bool:
    """Return whether two turn codes mean the same, however they were typed, in constant time.

    >>> same_code("K7QF-2M9X-44TD", "k7qf 2m9x 44td"), same_code("AOIB-AOIB-AOIB", "a018a018a018"), same_code("", "")
    (True, True, False)
    """
    first, second = (tidy_code(code).encode(errors="backslashreplace") for code in (one, other))
    return hmac.compare_digest(first, second) and len(first) == len("K7QF2M9X44TD")


def tidy_code(code: str) -> str:
    """Return a code as it is compared: upper case, without dashes and spaces, 0 as O, 1 as I, 8 as B.

    >>> tidy_code(" k7qf-2m9x 1234 ")
    'K7QF2M9XI234'
    """
    return code.translate(_READ_CODE).upper()


def _signed(context: str, data: bytes) -> bytes:
    if context not in CONTEXTS:
        raise ValueError(f"{context!r} is not a context for signatures.")
    label = f"referee {context} 1".encode()
    return bytes([len(label)]) + label + data


def _base32(data: bytes, bits: int) -> str:
    number = int.from_bytes(data, "big") >> (len(data) * 8 - bits)
    return "".join([_BASE32[number >> shift & 31] for shift in range(bits - 5, -1, -5)])


def _grouped(text: str) -> str:
    return "-".join([text[at : at + 4] for at in range(0, len(text), 4)])


def _is_blank(raw: bytes) -> bool:
    return len(set(raw)) < 2


def _read(path: PathLike, help: str, private: bool = False) -> bytes:
    """Return the first bytes of a key file, enough to see that it is too long."""
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            # The mode is asked of the open file, so that nobody can swap the file in between.
            mode = os.fstat(file.fileno()).st_mode
            if private and os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise Trouble(f"Others on this machine may read the key in {name}.", f"Close it: chmod 600 {name}")
            return file.read(200)
    except FileNotFoundError:
        raise Trouble(f"There is no key at {name}.", help) from None
    except OSError as error:
        raise Trouble(f"The key at {name} cannot be read: {error.strerror}.", help) from None


def _write_new(path: PathLike, data: bytes, mode: int) -> None:
    name = os.fspath(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        raise Trouble(f"{name} exists, and a key is never overwritten.", "Name another place.") from None
    except OSError as error:
        raise Trouble(f"The key cannot be written to {name}: {error.strerror}.", "Name another place.") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(path)  # half a key would block the place for a whole one
        raise Trouble(f"The key cannot be written to {name}: {error.strerror}.", "Name another place.") from None
