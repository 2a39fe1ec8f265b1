from urllib.parse import urlparse

HOSTS = {"example.com", "example.org"}


def has_known_host(address):
    return urlparse(address).hostname in HOSTS


def is_short(address):
    return len(address) < 200
