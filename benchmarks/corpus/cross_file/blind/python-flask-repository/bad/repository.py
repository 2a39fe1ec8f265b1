import sqlite3


def find_user(name):
    connection = sqlite3.connect("users.db")
    cursor = connection.cursor()
    cursor.execute("SELECT id, name FROM users WHERE name = '" + name + "'")
    return cursor.fetchall()
