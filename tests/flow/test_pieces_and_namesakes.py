"""Checks of one piece of a value, and methods of libraries that are called like one's own."""

from __future__ import annotations

import pytest
from reached_classes import classes

HANDLER = """@RestController class A {{ @GetMapping("/a")
    byte[] a(@RequestParam String image) throws IOException {{
        URI address = URI.create(image);
        if ({}) {{ return null; }}
        return address.toURL().openStream().readAllBytes(); }} }}"""


@pytest.mark.parametrize(
    ("condition", "reached"),
    [
        ('!"https".equals(address.getScheme())', {"url"}),
        ('!address.getScheme().equals("https")', {"url"}),
        ('!"img.example.org".equals(address.getHost())', set()),
    ],
)
def test_a_scheme_says_nothing_of_the_host(condition: str, reached: set[str]) -> None:
    assert classes("java", HANDLER.format(condition)) == reached


READER = """class A extends HttpServlet {{
    void doPost(HttpServletRequest r, HttpServletResponse s) throws Exception {{
        decode(r.getParameter("state")); }}
    Object decode(String text) throws Exception {{
        byte[] bytes = {}.decode(text);
        return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject(); }} }}"""


def test_a_librarys_method_is_not_the_namesake_around_it() -> None:
    assert classes("java", READER.format("Base64.getUrlDecoder()")) == {"deserialize"}


SHELL = """use actix_web::{{get, web, HttpResponse}};
#[get("/run")]
async fn run(line: web::Query<String>) -> HttpResponse {{
    let mut words = line.split(' ');
    if {} != Some("list") {{ return HttpResponse::BadRequest().finish(); }}
    std::fs::read(words.collect::<String>());
    HttpResponse::Ok().finish() }}"""


def test_the_first_word_says_nothing_of_the_others() -> None:
    assert classes("rust", SHELL.format("words.next()")) == {"path"}


COUNT = """use actix_web::{{get, web, HttpResponse}};
#[derive(Deserialize)] struct Visit {{ floor: {} }}
#[get("/floor")]
async fn floor(visit: web::Query<Visit>) -> HttpResponse {{
    let page = format!("<p>{{:?}}</p>", visit.floor);
    HttpResponse::Ok().content_type("text/html").body(page) }}"""


@pytest.mark.parametrize(
    ("type_", "reached"), [("Option<u8>", set()), ("Vec<u8>", {"html"}), ("String", {"html"})]
)
def test_one_byte_is_a_number_and_many_are_text(type_: str, reached: set[str]) -> None:
    assert classes("rust", COUNT.format(type_)) == reached
