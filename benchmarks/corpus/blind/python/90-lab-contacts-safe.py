from ldap3 import SUBTREE, Connection
from ldap3.utils.conv import escape_filter_chars
from starlette.requests import Request
from starlette.responses import JSONResponse

BASE = "ou=people,dc=lab,dc=example"


class ContactSearch:
    def __init__(self, connection: Connection):
        self.connection = connection

    async def __call__(self, request: Request) -> JSONResponse:
        surname = request.query_params.get("surname", "")
        surname = escape_filter_chars(surname)
        wanted = f"(&(objectClass=person)(sn={surname}*))"
        self.connection.search(
            search_base=BASE,
            search_filter=wanted,
            search_scope=SUBTREE,
            attributes=["cn", "telephoneNumber", "roomNumber"],
        )
        people = [
            {"name": str(entry.cn), "phone": str(entry.telephoneNumber)}
            for entry in self.connection.entries
        ]
        return JSONResponse({"people": people})
