"""Reading the credential of a request."""

from __future__ import annotations

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.auth.caller import Credential, read_credential

LONGEST = "x" * 8_192


def request(authorization: str | None, key: str | None) -> Request:
    given = {"Authorization": authorization, "X-Api-Key": key}
    headers = {name: value for name, value in given.items() if value is not None}
    return Request(EnvironBuilder(headers=headers).get_environ())


@pytest.mark.parametrize(
    ("authorization", "key", "token"),
    [
        (None, None, None),
        ("Bearer abc", None, "abc"),
        ("bearer abc", None, "abc"),
        ("BEARER   abc ", None, "abc"),
        (None, "abc", "abc"),
        (None, " abc ", "abc"),
        ("Bearer abc", "abc", "abc"),
        ("Bearer abc", " abc ", "abc"),
        ("Bearer " + LONGEST, None, LONGEST),
        (None, "Bearer abc", "Bearer abc"),  # what it says, which no authenticator accepts
        ("Bearer \u00e9", "\u00e9", "\u00e9"),
    ],
)
def test_a_credential_is_read(
    authorization: str | None, key: str | None, token: str | None
) -> None:
    expected = None if token is None else Credential(token)
    assert read_credential(request(authorization, key)) == expected


@pytest.mark.parametrize(
    ("authorization", "key", "code"),
    [
        ("Basic YTpi", None, ErrorCode.UNAUTHORIZED),
        ("Basic YTpi", "abc", ErrorCode.UNAUTHORIZED),
        ("abc", None, ErrorCode.UNAUTHORIZED),
        ("Bearerabc", None, ErrorCode.UNAUTHORIZED),
        ("", None, ErrorCode.UNAUTHORIZED),
        ("", "abc", ErrorCode.UNAUTHORIZED),
        ("Bearer", None, ErrorCode.UNAUTHORIZED),
        ("Bearer  ", None, ErrorCode.UNAUTHORIZED),
        ("Bearer", "abc", ErrorCode.UNAUTHORIZED),
        (None, "", ErrorCode.UNAUTHORIZED),
        (None, "  ", ErrorCode.UNAUTHORIZED),
        ("Bearer " + LONGEST + "x", None, ErrorCode.UNAUTHORIZED),
        (None, LONGEST + "x", ErrorCode.UNAUTHORIZED),
        ("Bearer abc", "abx", ErrorCode.CONFLICTING_CREDENTIALS),
        ("Bearer abc", "", ErrorCode.CONFLICTING_CREDENTIALS),
        ("Bearer abc", "ABC", ErrorCode.CONFLICTING_CREDENTIALS),
    ],
)
def test_what_cannot_be_right_is_refused(
    authorization: str | None, key: str | None, code: ErrorCode
) -> None:
    with pytest.raises(ServiceError) as caught:
        read_credential(request(authorization, key))
    assert caught.value.code is code
    assert "abc" not in caught.value.message
