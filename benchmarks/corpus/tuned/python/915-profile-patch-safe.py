from flask import Blueprint, jsonify, request
from flask_login import current_user, login_required

from .models import User, db

bp = Blueprint("profile", __name__)
EDITABLE = ("display_name", "bio", "timezone")


def as_json(user: User) -> dict:
    return {"id": user.id, "name": user.display_name, "bio": user.bio}


@bp.patch("/profile")
@login_required
def patch_profile():
    changes = request.get_json(silent=True)
    if not isinstance(changes, dict):
        return jsonify(error="an object is needed"), 400
    user = db.session.get(User, current_user.id)
    for field in EDITABLE:
        if field in changes:
            setattr(user, field, changes[field])
    db.session.commit()
    return jsonify(as_json(user))
