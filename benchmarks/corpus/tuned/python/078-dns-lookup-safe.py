"""Small diagnostics service used by the support team."""
import asyncio
import re

from aiohttp import web

routes = web.RouteTableDef()
HOST = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")
RECORDS = ("A", "AAAA", "MX", "TXT")


async def run_lookup(host, record):
    process = await asyncio.create_subprocess_exec(
        "dig", "+short", "-t", record, host,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), timeout=5)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        return []
    return output.decode("utf-8", "replace").splitlines()


@routes.get("/lookup")
async def lookup(request):
    host = request.query.get("host", "").lower()
    record = request.query.get("type", "A").upper()
    if record not in RECORDS:
        raise web.HTTPBadRequest(text="unknown record type")
    if not HOST.fullmatch(host):
        raise web.HTTPBadRequest(text="a host is needed")
    answers = await run_lookup(host, record)
    return web.json_response({"type": record, "answers": answers})


def create_app():
    app = web.Application()
    app.add_routes(routes)
    return app
