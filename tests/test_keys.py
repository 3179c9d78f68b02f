"""Keys: what signs, what derives, and files that nobody else reads and nothing overwrites."""

import base64
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from referee import keys
from referee.errors import Trouble
from referee.keys import PublicKey, SigningKey, hkdf, same_code, turn_code

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
SEED = bytes(range(32))
FIELDS = ("cl-7k3q", 12, "alice", 1, "ab" * 32)


def test_signatures_are_ed25519_over_context_and_data() -> None:
    # RFC 8032, section 7.1, test 1, through the library: the same secret gives the same public key.
    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    key = SigningKey.from_bytes(secret)
    assert key.public.hex == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    raw = key.public._key
    raw.verify(key.sign("save", b"data"), b"\x0ereferee save 1data")


@pytest.mark.parametrize("context", keys.CONTEXTS)
def test_a_signature_holds_in_its_own_context_alone(context: str) -> None:
    key = SigningKey.from_bytes(SEED)
    signature = key.sign(context, b"data")
    for other in keys.CONTEXTS:
        assert key.public.verify(other, b"data", signature) == (other == context)
    assert not key.public.verify(context, b"datA", signature)
    assert not SigningKey.new().public.verify(context, b"data", signature)


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), bytes(65), b"\xff" * 64])
def test_rubbish_is_no_signature(signature: bytes) -> None:
    assert not SigningKey.from_bytes(SEED).public.verify("save", b"data", signature)


def test_a_malleable_signature_is_refused() -> None:
    key, order = SigningKey.from_bytes(SEED), 2**252 + 27742317777372353535851937790883648493
    good = key.sign("save", b"data")
    other = good[:32] + (int.from_bytes(good[32:], "little") + order).to_bytes(32, "little")
    assert not key.public.verify("save", b"data", other)


def test_an_unknown_context_is_a_mistake() -> None:
    key = SigningKey.from_bytes(SEED)
    with pytest.raises(ValueError, match="context"):
        key.sign("letter", b"")
    with pytest.raises(ValueError, match="context"):
        key.public.verify("letter", b"", bytes(64))


@pytest.mark.parametrize(
    ("secret", "salt", "info", "length", "expected"),
    [  # RFC 5869, appendix A, tests 1 to 3
        (
            b"\x0b" * 22,
            bytes(range(0x0D)),
            bytes(range(0xF0, 0xFA)),
            42,
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (
            bytes(range(0x50)),
            bytes(range(0x60, 0xB0)),
            bytes(range(0xB0, 0x100)),
            82,
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
        (
            b"\x0b" * 22,
            b"",
            b"",
            42,
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
    ],
)
def test_derivation_is_rfc_5869(secret: bytes, salt: bytes, info: bytes, length: int, expected: str) -> None:
    assert hkdf(secret, salt, info, length).hex() == expected


@pytest.mark.parametrize("length", [0, -1, 8161])
def test_derivation_has_its_limits(length: int) -> None:
    with pytest.raises(ValueError, match="8160"):
        hkdf(b"secret", b"", b"", length)


def test_purposes_are_apart() -> None:
    key = SigningKey.from_bytes(SEED)
    found = {key.derive("turn code"), key.derive("turn codes"), key.derive(""), SigningKey.new().derive("turn code")}
    assert len(found) == 4
    assert all(len(one) == 32 for one in found)


def test_nothing_prints_the_secret() -> None:
    key = SigningKey.from_bytes(SEED)
    assert SEED.hex() not in f"{key!r} {key} {key.public!r}"
    assert "SigningKey(" in repr(key)


def test_fingerprint_is_80_bits_in_base32() -> None:
    import hashlib

    public = SigningKey.from_bytes(SEED).public
    expected = base64.b32encode(hashlib.sha256(public.raw).digest()[:10]).decode()
    assert public.fingerprint.replace("-", "") == expected
    assert [len(part) for part in public.fingerprint.split("-")] == [4, 4, 4, 4]


def test_a_key_file_round_trip(tmp_path: Path) -> None:
    key = SigningKey.new()
    key.save(tmp_path / "deep" / "er" / "key")
    again = SigningKey.load(tmp_path / "deep" / "er" / "key")
    assert again.public == key.public
    assert len((tmp_path / "deep" / "er" / "key").read_bytes()) == 32
    key.public.save(tmp_path / "key.pub")
    assert (tmp_path / "key.pub").read_text() == key.public.hex + "\n"
    assert PublicKey.load(tmp_path / "key.pub") == key.public
    (tmp_path / "raw.pub").write_bytes(key.public.raw)
    assert PublicKey.load(tmp_path / "raw.pub") == key.public
    assert len({key.public, again.public}) == 1


@posix
def test_a_key_file_is_closed_from_its_first_instant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777) -> int:
        seen.append((flags, mode))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", watched)
    previous = os.umask(0)
    try:
        SigningKey.new().save(tmp_path / "folder" / "key")
    finally:
        os.umask(previous)
    flags, mode = seen[0]
    assert mode == 0o600
    assert flags & os.O_EXCL
    assert stat.S_IMODE((tmp_path / "folder" / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_read_is_refused(tmp_path: Path, mode: int) -> None:
    SigningKey.new().save(tmp_path / "key")
    (tmp_path / "key").chmod(mode)
    with pytest.raises(Trouble, match=r"Others on this machine may read the key in .*chmod 600"):
        SigningKey.load(tmp_path / "key")


def test_no_key_is_overwritten(tmp_path: Path) -> None:
    key = SigningKey.new()
    key.save(tmp_path / "key")
    with pytest.raises(Trouble, match="never overwritten"):
        SigningKey.new().save(tmp_path / "key")
    with pytest.raises(Trouble, match="never overwritten"):
        key.public.save(tmp_path / "key")
    assert SigningKey.load(tmp_path / "key").public == key.public


@pytest.mark.parametrize("data", [b"", b"\n", bytes(32), b" " * 32, b"\xff" * 32, SEED[:31], SEED + b"\n", b"x" * 5000])
def test_blank_short_and_long_key_files_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "key").write_bytes(data)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(Trouble, match="blank or damaged"):
        SigningKey.load(tmp_path / "key")
    with pytest.raises(Trouble, match="holds no public key"):
        PublicKey.load(tmp_path / "key")


@pytest.mark.parametrize("data", [b"00" * 32, b"ab" * 31, b"zz" * 32, "\u00e9".encode() * 32, b"ab" * 33])
def test_public_key_files_with_rubbish_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "key.pub").write_bytes(data)
    with pytest.raises(Trouble, match="64 hex digits"):
        PublicKey.load(tmp_path / "key.pub")


def test_missing_files_and_folders_say_so(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"There is no key at .*referee keys new"):
        SigningKey.load(tmp_path / "key")
    with pytest.raises(Trouble, match="There is no key at"):
        PublicKey.load(tmp_path / "key")
    with pytest.raises(Trouble, match="cannot be read"):
        PublicKey.load(tmp_path)
    with pytest.raises(Trouble, match="cannot be written"):
        SigningKey.new().public.save(tmp_path / "none" / "key.pub")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Trouble, match="cannot be made"):
        SigningKey.new().save(tmp_path / "file" / "key")


def test_half_a_key_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Trouble, match="No space left"):
        SigningKey.new().save(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


def test_the_place_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_KEY", "my.key")
    assert keys.default_path() == "my.key"
    monkeypatch.delenv("REFEREE_KEY")
    monkeypatch.setenv("HOME", "/home/carol")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/cfg")
    assert keys.default_path() == "/cfg/referee/key"
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", unset)
        assert keys.default_path() == "/home/carol/.config/referee/key"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert keys.default_path() == "/home/carol/Library/Application Support/referee/key"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert keys.default_path() == os.path.join("/roaming", "referee", "key")


def test_a_code_is_60_bits_in_three_groups() -> None:
    code = turn_code(bytes(32), *FIELDS)
    assert [len(part) for part in code.split("-")] == [4, 4, 4]
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-")
    assert code == turn_code(bytes(32), *FIELDS)


def test_every_field_changes_the_code() -> None:
    match, stop, seat, holder, opened = FIELDS
    codes = {
        turn_code(bytes(32), match, stop, seat, holder, opened),
        turn_code(SEED, match, stop, seat, holder, opened),
        turn_code(bytes(32), "cl-7k3", stop, seat, holder, opened),
        turn_code(bytes(32), match, 13, seat, holder, opened),
        turn_code(bytes(32), match, stop, "bob", holder, opened),
        turn_code(bytes(32), match, stop, seat, 2, opened),
        turn_code(bytes(32), match, stop, seat, holder, "ac" * 32),
        turn_code(bytes(32), match + "1", 2, seat, holder, opened),  # the same text when run together
    }
    assert len(codes) == 8


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("K7QF-2M3X-44TD", "k7qf 2m3x 44td", True),
        ("K7QF-2M3X-44TD", "K7QF\u20112M3X\u201344TD", True),
        ("OOII-BBAA-2222", "00118BAA2222", True),
        ("K7QF-2M3X-44TD", "K7QF-2M3X-44TE", False),
        ("K7QF-2M3X-44TD", "K7QF-2M3X-44T", False),
        ("K7QF-2M3X-44TD", "", False),
        ("", "", False),
        ("K7QF", "K7QF", False),
        ("K7QF-2M3X-44TD", "\ud800\u00df\u20ac", False),
    ],
)
def test_codes_are_compared_as_people_type_them(one: str, other: str, same: bool) -> None:
    assert same_code(one, other) is same
    assert same_code(other, one) is same


def test_keys_import_nothing_heavy() -> None:
    heavy = ["cryptography.hazmat.primitives.serialization", "importlib.metadata", "email", "asyncio"]
    program = f"import referee.keys, sys; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
