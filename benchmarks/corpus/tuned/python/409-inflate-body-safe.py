import json
import zlib

from fastapi import FastAPI, HTTPException, Request

app = FastAPI()
MAX = 2_000_000


@app.post("/measurements")
async def measurements(request: Request):
    body = await request.body()
    if len(body) > MAX:
        raise HTTPException(413)
    if request.headers.get("content-encoding") == "deflate":
        inflater = zlib.decompressobj()
        body = inflater.decompress(body, MAX)
        if inflater.unconsumed_tail:
            raise HTTPException(413)
    values = json.loads(body)
    return {"count": len(values)}
