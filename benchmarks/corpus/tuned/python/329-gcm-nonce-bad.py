import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Envelope:
    def __init__(self, key: bytes):
        self.box = AESGCM(key)
        self.nonce = os.urandom(12)

    def seal(self, data: bytes) -> bytes:
        return self.nonce + self.box.encrypt(self.nonce, data, None)

    def open(self, blob: bytes) -> bytes:
        return self.box.decrypt(blob[:12], blob[12:], None)
