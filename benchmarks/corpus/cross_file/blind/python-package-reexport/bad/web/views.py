from flask import Blueprint, request

from services import run_ping

bp = Blueprint("tools", __name__)


@bp.route("/ping", methods=["POST"])
def ping():
    host = request.form["host"]
    return run_ping(host)
