"""Nightly job: dump the ledger database, then drop the dumps that are too old."""
import subprocess
import sys
from datetime import date
from pathlib import Path

TARGET = Path("/var/backups/ledger")
KEEP = 14


def dump(today: date) -> Path | None:
    path = TARGET / f"ledger-{today.isoformat()}.dump"
    command = ["pg_dump", "--format=custom", f"--file={path}", "ledger"]
    result = subprocess.run(command, timeout=3600, check=False)
    return path if result.returncode == 0 else None


def prune(newest: Path) -> list[Path]:
    others = sorted(p for p in TARGET.glob("ledger-*.dump") if p != newest)
    surplus = others[: max(0, len(others) - KEEP + 1)]
    for path in surplus:
        path.unlink()
    return surplus


def main() -> int:
    newest = dump(date.today())
    if newest is None:
        print("dump failed, nothing removed", file=sys.stderr)
        return 1
    gone = prune(newest)
    print(f"{newest.name} written, {len(gone)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
