import os

from flask import Blueprint

import params

bp = Blueprint("report", __name__)


@bp.route("/report")
def report():
    year = params.query_value("year")
    os.system("make-report --year " + year)
    return "started"
