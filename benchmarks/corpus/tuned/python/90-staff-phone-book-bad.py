import os

from fastapi import FastAPI, HTTPException
from ldap3 import ALL, Connection, Server

api = FastAPI()
BASE = "ou=people,dc=example,dc=org"


class PhoneBook:
    def __init__(self, host: str) -> None:
        self.server = Server(host, get_info=ALL, use_ssl=True)

    def connect(self) -> Connection:
        return Connection(self.server, os.environ["LDAP_DN"], os.environ["LDAP_PASSWORD"], auto_bind=True)

    def lookup(self, surname: str, attribute: str = "telephoneNumber") -> list:
        with self.connect() as conn:
            query = "(&(objectClass=person)(sn=" + surname + "*))"
            conn.search(BASE, query, attributes=["cn", attribute])
            return [entry.entry_attributes_as_dict for entry in conn.entries]


book = PhoneBook("ldap.example.org")


@api.get("/phones/{surname}")
def phones(surname: str):
    rows = book.lookup(surname)
    if not rows:
        raise HTTPException(404, "nobody found")
    return rows
