from flask import Flask, render_template, request

app = Flask(__name__)


@app.route("/hello")
def hello():
    who = request.args.get("who", "")
    return render_template("hello.html", who=who)
