from datetime import date

from flask import Flask, render_template_string, request
from flask_login import current_user, login_required

app = Flask(__name__)

LAYOUT = "\n".join(
    [
        "<!doctype html><title>Preview</title><main><h1>Dear {{ reader }},</h1>",
        "{% for text in texts %}<p>{{ text }}</p>{% endfor %}",
        "<footer>Sent on {{ today }}</footer></main>",
    ]
)


def collect(args) -> list[str]:
    texts = [args.get("intro", ""), args.get("closing", "Kind regards")]
    return [text.strip() for text in texts if text.strip()]


@app.get("/newsletter/preview")
@login_required
def preview():
    texts = collect(request.args)
    return render_template_string(
        LAYOUT, texts=texts, reader=current_user.name, today=date.today()
    )
