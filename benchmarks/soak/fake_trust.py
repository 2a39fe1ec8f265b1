"""`python -m soak.fake_trust`: the tests' upstreams of the trust network, in a separate process.
Prints their settings. Ends when its standard input is closed."""

from __future__ import annotations

import json
import sys

from trust_upstreams import fake_upstreams

import soak  # noqa: F401 - where the tests' modules are

PACKAGES = 60


def main() -> None:
    """Serve until standard input is closed."""
    with fake_upstreams() as fake:
        for number in range(PACKAGES):
            fake.add(f"package-{number}", repository=f"example-org/kit-{number}")
        print(json.dumps(fake.settings()), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
