"""What is not blank, as a regular expression that means the same in every dialect: what `\\s` means
differs between them, and the document of the API is read by programs in any language."""

from __future__ import annotations

NOT_BLANK = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""A character that Python does not call white space."""
