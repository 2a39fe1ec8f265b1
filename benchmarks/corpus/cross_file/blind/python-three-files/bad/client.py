import requests


def download(target):
    return requests.get(target, timeout=5).text
