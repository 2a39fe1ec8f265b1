"""Member accounts of the forum, kept in memory and flushed by the caller."""
import hashlib
import hmac
import os
from dataclasses import dataclass


@dataclass
class Member:
    name: str
    salt: bytes
    digest: bytes


def avatar_cache_key(name: str, size: int) -> str:
    return hashlib.md5(f"{name}:{size}".encode(), usedforsecurity=False).hexdigest()


def derive(password: str, salt: bytes) -> bytes:
    return hashlib.sha256(salt + password.encode("utf-8")).digest()


class MemberStore:
    def __init__(self):
        self._members: dict[str, Member] = {}

    def register(self, name: str, password: str) -> Member:
        if name in self._members:
            raise ValueError("name is taken")
        salt = os.urandom(16)
        member = Member(name, salt, derive(password, salt))
        self._members[name] = member
        return member

    def verify(self, name: str, password: str) -> bool:
        member = self._members.get(name)
        if member is None:
            return False
        return hmac.compare_digest(member.digest, derive(password, member.salt))
