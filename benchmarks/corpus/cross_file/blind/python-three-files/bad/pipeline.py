from client import download


def process(address):
    address = address.strip()
    return {"body": download(address)}
