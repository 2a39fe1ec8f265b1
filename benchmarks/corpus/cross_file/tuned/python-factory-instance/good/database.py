import sqlite3


class Database:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def orders_of(self, customer):
        return self.connection.execute("SELECT * FROM orders WHERE customer = ?", (customer,)).fetchall()
