import requests
from flask import Blueprint, abort, request

from checks import is_short

bp = Blueprint("fetch", __name__)


@bp.route("/fetch")
def fetch():
    return load(request.args["address"])


def load(address):
    from fetching import get

    return get(address)
