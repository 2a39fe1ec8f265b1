"""Several workers share one spool folder; each job must be done by one of them only."""
import os
import socket
from pathlib import Path


class Spool:
    def __init__(self, folder: Path):
        self.folder = folder
        self.owner = f"{socket.gethostname()}:{os.getpid()}"

    def waiting(self):
        if not os.path.exists(self.folder):
            return
        for job in sorted(self.folder.glob("*.job")):
            yield job

    def claim(self, job: Path) -> bool:
        marker = job.with_suffix(".claim")
        try:
            with open(marker, "x", encoding="utf-8") as handle:
                handle.write(self.owner)
        except FileExistsError:
            return False
        return True

    def mark_done(self, job: Path) -> None:
        job.rename(job.with_suffix(".done"))


def work(spool: Spool, handle) -> int:
    done = 0
    for job in spool.waiting():
        if not spool.claim(job):
            continue
        handle(job.read_text(encoding="utf-8"))
        spool.mark_done(job)
        done += 1
    return done
