"""Command line tool: seal the nightly archive."""
import argparse
import os
import sys
from pathlib import Path

from Crypto.Cipher import DES3
from Crypto.Random import get_random_bytes
from Crypto.Util.Padding import pad


def load_key() -> bytes:
    return bytes.fromhex(os.environ["ARCHIVE_KEY"])


def seal(plain: bytes, key: bytes) -> bytes:
    iv = get_random_bytes(DES3.block_size)
    cipher = DES3.new(key, DES3.MODE_CBC, iv)
    return iv + cipher.encrypt(pad(plain, DES3.block_size))


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
