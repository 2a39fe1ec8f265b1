"""`/demo`: load the demo into the visitor's account, and remove it."""

from __future__ import annotations

from flask import Response, url_for
from werkzeug.wrappers import Response as BaseResponse

from codeintel.http.endpoint import services
from codeintel.identity.auth.caller import Caller
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.demo.marks import recorded_network, reload_while_loading
from codeintel.web.login.require_login import signed_in


@blueprint.get("/demo")
@signed_in
def demo(caller: Caller) -> Response:
    """Show what the demo loads, or what its removal deletes."""
    state = services().demo.state(caller.account_id).value
    page = render_page(
        "demo.html",
        state=state,
        session=services().demo.session(caller.account_id),
        recorded=recorded_network(),
        example=services().demo.forecast_example(),
    )
    return reload_while_loading(page_answer(page), state, url_for("web.demo"))


@blueprint.post("/demo")
@signed_in
def load_demo(caller: Caller) -> BaseResponse:
    """Start to load the demo."""
    services().demo.load(caller.account_id)
    return _redirect("demo-loading")


@blueprint.post("/demo/remove")
@signed_in
def remove_demo(caller: Caller) -> BaseResponse:
    """Delete everything that the demo has stored."""
    services().demo.remove(caller.account_id)
    return _redirect("demo-removed")


def _redirect(notice: str) -> Response:
    return Response(status=303, headers={"Location": url_for("web.home", notice=notice)})
