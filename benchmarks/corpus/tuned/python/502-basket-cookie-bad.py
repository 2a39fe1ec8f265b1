"""Keeps the visitor's basket in a cookie so that no server state is needed."""
import base64
import pickle

from aiohttp import web

COOKIE = "basket"


def pack(basket: dict) -> str:
    return base64.urlsafe_b64encode(pickle.dumps(basket)).decode("ascii")


def unpack(request: web.Request) -> dict:
    raw = request.cookies.get(COOKIE)
    if raw is None:
        return {}
    try:
        blob = base64.urlsafe_b64decode(raw)
    except ValueError:
        return {}
    return pickle.loads(blob)


async def show(request: web.Request) -> web.Response:
    basket = unpack(request)
    return web.json_response({"lines": len(basket), "items": sorted(basket)})


async def add(request: web.Request) -> web.Response:
    form = await request.post()
    basket = unpack(request)
    sku = str(form.get("sku", ""))[:32]
    basket[sku] = basket.get(sku, 0) + 1
    answer = web.json_response({"lines": len(basket)})
    answer.set_cookie(COOKIE, pack(basket), httponly=True, secure=True, samesite="Strict")
    return answer


app = web.Application()
app.add_routes([web.get("/basket", show), web.post("/basket", add)])
