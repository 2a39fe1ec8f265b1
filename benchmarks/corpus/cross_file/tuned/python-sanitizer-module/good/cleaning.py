import shlex


def shell_word(text):
    return shlex.quote(text.strip().lower())
