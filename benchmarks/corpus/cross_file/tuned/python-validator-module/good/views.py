from flask import Blueprint, abort, request

from checks import has_known_host

bp = Blueprint("fetch", __name__)


@bp.route("/fetch")
def fetch():
    address = request.args["address"]
    if not has_known_host(address):
        abort(400)
    return load(address)


def load(address):
    from fetching import get

    return get(address)
