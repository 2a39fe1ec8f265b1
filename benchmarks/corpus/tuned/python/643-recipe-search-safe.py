from aiohttp import web
from lxml import etree

TREE = etree.parse("recipes.xml")
routes = web.RouteTableDef()


def title_of(node):
    return node.findtext("title", default="untitled")


@routes.get("/recipes")
async def recipes(request):
    cuisine = request.query.get("cuisine", "")
    if len(cuisine) > 40:
        raise web.HTTPBadRequest(text="too long")
    found = TREE.xpath("//recipe[@cuisine=$wanted]", wanted=cuisine)
    return web.json_response([title_of(node) for node in found])


def make_app():
    app = web.Application()
    app.add_routes(routes)
    return app


if __name__ == "__main__":
    web.run_app(make_app(), host="127.0.0.1")
