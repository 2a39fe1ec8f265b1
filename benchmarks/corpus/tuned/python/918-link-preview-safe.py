"""Builds the small preview card shown under a shared link."""
import re
from urllib.parse import urlsplit

import httpx
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel

from .auth import current_user

app = FastAPI()
TITLE = re.compile(r"<title>([^<]{1,200})</title>", re.IGNORECASE)
MAX_BYTES = 256 * 1024
PARTNERS = {"news.example.org": "/articles/", "video.example.net": "/watch/"}


class PreviewRequest(BaseModel):
    link: str
    language: str = "en"


async def fetch_head(link: str, language: str) -> str:
    parts = urlsplit(link)
    if parts.scheme != "https" or parts.netloc not in PARTNERS:
        raise HTTPException(status_code=422, detail="site not supported")
    if not parts.path.startswith(PARTNERS[parts.netloc]):
        raise HTTPException(status_code=422, detail="page not supported")
    headers = {"Accept-Language": language, "User-Agent": "preview/2.1"}
    chunks, size = [], 0
    async with httpx.AsyncClient(timeout=5.0, headers=headers, follow_redirects=False) as client:
        async with client.stream("GET", link) as answer:
            answer.raise_for_status()
            async for chunk in answer.aiter_text():
                chunks.append(chunk)
                size += len(chunk)
                if size > MAX_BYTES:
                    break
    return "".join(chunks)


@app.post("/preview")
async def preview(body: PreviewRequest, _user=Depends(current_user)):
    try:
        page = await fetch_head(body.link, body.language)
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        raise HTTPException(status_code=502, detail="page not reachable") from exc
    found = TITLE.search(page)
    return {"title": found.group(1).strip() if found else None}
