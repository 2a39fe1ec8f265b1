import yaml


class BaseImporter:
    def load(self, text):
        return yaml.safe_load(text)
