import os

from flask import Blueprint

import params

bp = Blueprint("report", __name__)


@bp.route("/report")
def report():
    page = params.page_number()
    os.system("make-report --page " + str(page))
    return "started"
