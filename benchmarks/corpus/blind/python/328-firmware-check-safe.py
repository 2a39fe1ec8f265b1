import argparse
import hashlib
import hmac
import sys
from pathlib import Path

CHUNK = 1 << 16


def fingerprint(image: Path) -> str:
    digest = hashlib.sha256()
    with image.open("rb") as stream:
        while block := stream.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description="Accept a firmware image before flashing")
    parser.add_argument("image", type=Path)
    parser.add_argument("published", help="checksum from the signed release notes")
    args = parser.parse_args()
    if not hmac.compare_digest(fingerprint(args.image), args.published.lower()):
        print("image rejected", file=sys.stderr)
        return 1
    print("image accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
