import os

import settings


def build():
    os.system("build-theme " + settings.theme)
