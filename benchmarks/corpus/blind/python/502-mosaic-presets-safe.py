import yaml
from aiohttp import web

routes = web.RouteTableDef()


def read_preset(text: str) -> dict:
    preset = yaml.load(text, Loader=yaml.SafeLoader)
    if not isinstance(preset, dict):
        raise ValueError("a preset is a mapping")
    return preset


@routes.post("/presets")
async def import_preset(request: web.Request) -> web.Response:
    body = await request.text()
    try:
        preset = read_preset(body)
    except (yaml.YAMLError, ValueError):
        raise web.HTTPUnprocessableEntity(text="preset not understood")
    tiles = preset.get("tiles", [])
    request.app["presets"][str(preset.get("name"))] = tiles
    return web.json_response({"tiles": len(tiles)}, status=201)


def create_app() -> web.Application:
    app = web.Application(client_max_size=64 * 1024)
    app["presets"] = {}
    app.add_routes(routes)
    return app
