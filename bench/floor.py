"""F1: the smallest process that does what `apply` must do with a save, and nothing more.

It reads the bytes, verifies Ed25519 over them, parses the TOML, changes one value, writes the TOML, signs, writes a
file and renames it: raw keys, no command-line library, no rules. Usage: `python -m bench.floor SAVE PUBLIC_KEY KEY OUT`.
"""

import os
import re
import sys
import tomllib

import tomli_w
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

CONTEXT = b"\x0ereferee save 1"
TRAILER = re.compile(rb'\[signature\]\nkey = "[^"]*"\ned25519 = "([0-9a-f]{128})"\n\Z')


def main(save: str, public: str, key: str, out: str) -> None:
    """Do it once."""
    with open(save, "rb") as file:
        data = file.read()
    trailer = TRAILER.search(data)
    assert trailer is not None
    body = data[: trailer.start()]
    with open(public) as file:
        verifier = Ed25519PublicKey.from_public_bytes(bytes.fromhex(file.read().strip()))
    verifier.verify(bytes.fromhex(trailer[1].decode()), CONTEXT + body)
    content = tomllib.loads(body.decode())
    content["match"]["serial"] += 1
    body = tomli_w.dumps(content).encode()
    with open(key, "rb") as file:
        signature = Ed25519PrivateKey.from_private_bytes(file.read()).sign(CONTEXT + body)
    with open(out + ".part", "wb") as file:
        file.write(body + signature.hex().encode())
    os.rename(out + ".part", out)


if __name__ == "__main__":
    main(*sys.argv[1:])
