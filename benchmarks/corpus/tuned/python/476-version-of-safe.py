import re
import sys
from pathlib import Path

LINE = re.compile(r"^version\s{0,4}=\s{0,4}\"(\d{1,4}\.\d{1,4})\"")


def version_of(text: str) -> str:
    for line in text.splitlines():
        if line.startswith("version"):
            found = LINE.match(line)
            if found is not None:
                return found.group(1)
    raise SystemExit("no version")


def main() -> int:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "project.toml")
    print(version_of(path.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
