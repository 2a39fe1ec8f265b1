"""Recognize the code of a run, which is not stored.

The stored digest has a key, so that it alone does not confirm a guess of the code. The key is
derived from the key pepper and is different for each run. The page of a run sends the key to the
owner's browser, which computes the digest of a file without uploading the file.
"""

from __future__ import annotations

import hashlib
import hmac


class CodeDigests:
    """Computes the digests of code.

    :param secret: 32 bytes that only the service knows.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def key(self, run_id: str) -> bytes:
        """Return the key of a run: 32 bytes, for its owner only."""
        return hmac.digest(self._secret, run_id.encode(), hashlib.sha256)

    def digest(self, run_id: str, code: str) -> str:
        """Return the HMAC-SHA-256 of the code in UTF-8, in hexadecimal."""
        data = code.encode(errors="surrogatepass")
        return hmac.digest(self.key(run_id), data, hashlib.sha256).hex()

    def matches(self, run_id: str, digest: str | None, text: str) -> bool:
        """Return whether a text is the code of a run, apart from its line ends.

        :param digest: the stored digest, None for runs of earlier versions.
        """
        if digest is None:
            return False
        flat = text.replace("\r\n", "\n").replace("\r", "\n")
        forms = dict.fromkeys((text, flat, flat.replace("\n", "\r\n")))
        return any(hmac.compare_digest(digest, self.digest(run_id, each)) for each in forms)
