"""Reads the caller's identity from the bearer token of a request."""
from typing import NamedTuple

import jwt
from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    AuthenticationError,
    BaseUser,
)


class Settings(NamedTuple):
    public_key: str
    audience: str
    issuer: str


class ApiUser(BaseUser):
    def __init__(self, subject, scopes):
        self.subject = subject
        self.scopes = scopes

    @property
    def is_authenticated(self):
        return True

    @property
    def display_name(self):
        return self.subject


class TokenBackend(AuthenticationBackend):
    def __init__(self, settings):
        self.settings = settings

    def claims(self, token):
        return jwt.decode(token, options={"verify_signature": False}, algorithms=["RS256"])

    async def authenticate(self, conn):
        scheme, _, token = conn.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            claims = self.claims(token)
        except jwt.PyJWTError as error:
            raise AuthenticationError("invalid token") from error
        scopes = str(claims.get("scope", "")).split()
        return AuthCredentials(scopes), ApiUser(claims.get("sub", ""), scopes)
