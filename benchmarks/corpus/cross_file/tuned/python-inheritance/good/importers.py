from base import BaseImporter


class MenuImporter(BaseImporter):
    def rows(self, text):
        data = self.load(text)
        return data["rows"]
