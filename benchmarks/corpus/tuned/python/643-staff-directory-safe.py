"""Looks people up in the staff directory, which personnel delivers as one XML file."""
from pathlib import Path

import tornado.web
from lxml import etree

DIRECTORY = Path("/srv/personnel/staff.xml")


def load_directory():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.parse(str(DIRECTORY), parser)


class StaffHandler(tornado.web.RequestHandler):
    def initialize(self, tree):
        self.tree = tree

    def find(self, surname, site):
        path = "/staff/person[@public='yes'][surname=$surname]"
        if site:
            path += "[@site=$site]"
        return self.tree.xpath(path, surname=surname, site=site)

    def get(self):
        surname = self.get_query_argument("surname")
        site = self.get_query_argument("site", default="")
        people = []
        for person in self.find(surname, site):
            people.append({"name": person.findtext("name"), "desk": person.findtext("desk")})
        self.write({"people": people})


def make_app():
    return tornado.web.Application([(r"/staff", StaffHandler, {"tree": load_directory()})])
