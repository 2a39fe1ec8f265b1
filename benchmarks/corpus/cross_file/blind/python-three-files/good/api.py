from fastapi import FastAPI

from pipeline import process

app = FastAPI()


@app.get("/fetch")
def fetch(url: str):
    return process(url)
