import logging

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

from .accounts import authenticate, open_session
from .limits import throttle

log = logging.getLogger("shop.signin")
app = FastAPI()


class SignIn(BaseModel):
    username: str = Field(pattern=r"^[a-z0-9_]{3,30}\Z")
    password: str = Field(min_length=8, max_length=128)
    remember: bool = False


def describe(form: SignIn) -> dict:
    return form.model_dump()


@app.post("/sign-in")
def sign_in(form: SignIn):
    throttle("sign-in", form.username)
    account = authenticate(form.username, form.password)
    if account is None:
        log.warning("sign-in refused: %s", describe(form))
        raise HTTPException(status_code=401, detail="unknown name or password")
    log.info("sign-in of account %d", account.id)
    return {"session": open_session(account, long_lived=form.remember)}
