import yaml
from flask import request


class BaseImporter:
    def load(self, text):
        return yaml.load(text, Loader=yaml.UnsafeLoader)
