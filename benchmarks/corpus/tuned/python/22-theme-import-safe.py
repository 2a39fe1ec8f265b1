"""Imports a theme archive that a shop owner uploads."""
import tarfile
from pathlib import Path

from django.http import HttpResponseBadRequest, JsonResponse
from django.contrib.auth.decorators import login_required

THEMES = Path("/srv/shop/themes")


def unpack(upload, target: Path) -> int:
    count = 0
    with tarfile.open(fileobj=upload, mode="r:gz") as archive:
        for member in archive.getmembers():
            if not member.isfile():
                continue
            source = archive.extractfile(member)
            place = target / member.name
            place = place.resolve()
            if not place.is_relative_to(target.resolve()):
                raise ValueError("entry leaves the theme folder")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(source.read())
            count += 1
    return count


@login_required
def import_theme(request):
    upload = request.FILES.get("theme")
    if upload is None:
        return HttpResponseBadRequest("theme is missing")
    number = unpack(upload, THEMES / str(request.user.pk))
    return JsonResponse({"files": number})
