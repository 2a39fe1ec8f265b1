import os


class DocumentStore:
    def __init__(self, root):
        self.root = root

    def read(self, name):
        path = os.path.join(self.root, name)
        with open(path) as handle:
            return handle.read()
