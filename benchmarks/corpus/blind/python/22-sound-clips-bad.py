from pathlib import Path

import tornado.web

CLIPS = Path("/var/lib/birdsong/clips")


class ClipHandler(tornado.web.RequestHandler):
    def locate(self, name: str) -> Path:
        return CLIPS.joinpath(name)

    def get(self) -> None:
        name = self.get_query_argument("clip")
        clip = self.locate(name)
        if not clip.is_file():
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Type", "audio/ogg")
        with clip.open("rb") as stream:
            while chunk := stream.read(65536):
                self.write(chunk)


def make_app() -> tornado.web.Application:
    return tornado.web.Application([(r"/clip", ClipHandler)])
