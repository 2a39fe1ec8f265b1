import hashlib
import hmac
import os

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

SECRET = os.environ["HOOK_SECRET"].encode()
LIMIT = 65536


def genuine(body: bytes, given: str) -> bool:
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return given == expected


async def hook(request):
    body = await request.body()
    if len(body) > LIMIT:
        return PlainTextResponse("too large", 413)
    if not genuine(body, request.headers.get("x-signature", "")):
        return PlainTextResponse("bad signature", 403)
    request.app.state.queue.append(body)
    return PlainTextResponse("ok")


app = Starlette(routes=[Route("/hook", hook, methods=["POST"])])
app.state.queue = []
