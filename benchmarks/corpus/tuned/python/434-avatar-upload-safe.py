import uuid
from pathlib import Path

from fastapi import APIRouter, Depends, HTTPException, UploadFile

from .security import current_user

router = APIRouter()
PUBLIC = Path("/var/www/avatars")
LIMIT = 512 * 1024
KINDS = {"image/png": ".png", "image/jpeg": ".jpg"}


@router.post("/avatar")
async def avatar(file: UploadFile, user=Depends(current_user)):
    data = await file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise HTTPException(413, "too large")
    suffix = KINDS.get(file.content_type)
    if suffix is None:
        raise HTTPException(415, "png or jpeg only")
    name = f"{uuid.uuid4().hex}{suffix}"
    (PUBLIC / name).write_bytes(data)
    return {"url": f"/avatars/{name}", "owner": user.id}
