import requests


def get(address):
    return requests.get(address, timeout=3).text
