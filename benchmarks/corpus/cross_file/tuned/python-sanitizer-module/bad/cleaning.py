def shell_word(text):
    return text.strip().lower()
