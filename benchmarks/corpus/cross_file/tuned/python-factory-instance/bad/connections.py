from database import Database


def get_database() -> Database:
    return Database("shop.db")
