from flask import Blueprint, request

import settings

bp = Blueprint("admin", __name__)


@bp.route("/theme", methods=["POST"])
def choose():
    settings.theme = request.form["theme"]
    return "ok"
