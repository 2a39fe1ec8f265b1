import os
from dataclasses import dataclass
from pathlib import Path

TARGET = Path("/etc/burrow/tunnel.conf")

TEMPLATE = """[tunnel]
address = {address}
private_key = {private_key}
peer = {peer}
"""


@dataclass
class Tunnel:
    address: str
    private_key: str
    peer: str


def save(tunnel: Tunnel, target: Path = TARGET) -> None:
    text = TEMPLATE.format(**vars(tunnel))
    mode = 0o600
    fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(target, mode)
