from client import download

ALLOWED = {"https://example.com/feed", "https://example.org/feed"}


def process(address):
    address = address.strip()
    if address not in ALLOWED:
        return {"body": None}
    return {"body": download(address)}
