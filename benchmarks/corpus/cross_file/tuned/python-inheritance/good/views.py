from flask import Blueprint, jsonify, request

from importers import MenuImporter

bp = Blueprint("menus", __name__)


@bp.route("/menus", methods=["POST"])
def upload():
    return jsonify(MenuImporter().rows(request.data.decode()))
