"""Command line tool: seal the nightly archive."""
import argparse
import os
import sys
from pathlib import Path

from Crypto.Cipher import AES
from Crypto.Random import get_random_bytes

NONCE_SIZE = 12


def load_key() -> bytes:
    return bytes.fromhex(os.environ["ARCHIVE_KEY"])


def seal(plain: bytes, key: bytes) -> bytes:
    nonce = get_random_bytes(NONCE_SIZE)
    cipher = AES.new(key, AES.MODE_GCM, nonce=nonce)
    sealed, tag = cipher.encrypt_and_digest(plain)
    return nonce + tag + sealed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    data = options.source.read_bytes()
    options.target.write_bytes(seal(data, load_key()))
    print(f"sealed {len(data)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
