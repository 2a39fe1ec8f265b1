"""Keeps the visitor's basket in a cookie so that no server state is needed."""
import base64
import json

from aiohttp import web

COOKIE = "basket"


def dumps(basket: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(basket).encode("utf-8")).decode("ascii")


def loads(request: web.Request) -> dict:
    raw = request.cookies.get(COOKIE)
    if raw is None:
        return {}
    try:
        blob = json.loads(base64.urlsafe_b64decode(raw))
    except ValueError:
        return {}
    if not isinstance(blob, dict):
        return {}
    return {str(sku): n for sku, n in blob.items() if isinstance(n, int)}


async def show(request: web.Request) -> web.Response:
    basket = loads(request)
    return web.json_response({"lines": len(basket), "items": sorted(basket)})


async def add(request: web.Request) -> web.Response:
    form = await request.post()
    basket = loads(request)
    sku = str(form.get("sku", ""))[:32]
    basket[sku] = basket.get(sku, 0) + 1
    answer = web.json_response({"lines": len(basket)})
    answer.set_cookie(COOKIE, dumps(basket), httponly=True, secure=True, samesite="Strict")
    return answer


app = web.Application()
app.add_routes([web.get("/basket", show), web.post("/basket", add)])
