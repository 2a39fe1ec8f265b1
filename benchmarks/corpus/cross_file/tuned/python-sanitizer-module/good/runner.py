import os


def run(word):
    return os.popen("nslookup " + word).read()
