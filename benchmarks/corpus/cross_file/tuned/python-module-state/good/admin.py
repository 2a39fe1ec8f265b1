from flask import Blueprint, request

import settings

bp = Blueprint("admin", __name__)

THEMES = {"plain": "plain", "dark": "dark"}


@bp.route("/theme", methods=["POST"])
def choose():
    settings.theme = "dark" if request.form["theme"] == "dark" else "plain"
    return "ok"
