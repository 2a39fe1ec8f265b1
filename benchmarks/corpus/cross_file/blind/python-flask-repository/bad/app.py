from flask import Flask, jsonify, request

from repository import find_user

app = Flask(__name__)


@app.route("/users")
def users():
    name = request.args.get("name", "")
    return jsonify(find_user(name))
