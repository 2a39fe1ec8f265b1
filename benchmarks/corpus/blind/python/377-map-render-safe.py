import os
import subprocess
import tempfile


def render(stylesheet: str, bbox: tuple[float, float, float, float]) -> bytes:
    handle, path = tempfile.mkstemp(suffix=".png", prefix="map-")
    os.close(handle)
    west, south, east, north = bbox
    try:
        subprocess.run(
            [
                "/usr/bin/nik4",
                "--bbox",
                str(west),
                str(south),
                str(east),
                str(north),
                stylesheet,
                path,
            ],
            check=True,
            timeout=120,
        )
        with open(path, "rb") as image:
            return image.read()
    finally:
        if os.path.exists(path):
            os.unlink(path)
