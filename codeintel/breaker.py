"""Going on without a dependency that does not answer."""

from __future__ import annotations

import logging
import time

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


class Breaker:
    """Counts the errors of a dependency that is asked for comfort, not for truth, and keeps
    everybody from waiting for it: after an error nobody should ask it again for a second.

    :param name: of the dependency, for people.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = 0
        """Errors since the start that no caller has heard of."""
        self._told = 0
        self._retry_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether it should be left alone now."""
        return time.monotonic() < self._retry_at

    def failed(self, error: Exception) -> None:
        """Note that it did not answer as it should."""
        self.errors += 1
        if not self.is_open:
            log.warning(
                "%s does not answer, what it is for goes on without it: %s",
                self.name,
                type(error).__name__,
            )
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def close(self) -> None:
        """It was asked in spite of the errors, and works: everybody may ask it again at once."""
        self._retry_at = 0.0
        self.answered()

    def answered(self) -> None:
        """Note that it works: the outage is over once it may be asked again."""
        if self.errors > self._told and not self.is_open:
            log.warning("%s answers again, after %d errors", self.name, self.errors - self._told)
            self._told = self.errors
