from flask import Flask, request

from cleaning import shell_word
from runner import run

app = Flask(__name__)


@app.route("/lookup")
def lookup():
    return run(shell_word(request.args["host"]))
