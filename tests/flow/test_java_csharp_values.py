"""Features of Java and C# only: fields without `this`, initializers, `out`, bound properties."""

from __future__ import annotations

import pytest
from reached_classes import classes


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        # A field that one method fills from a request and another reads by its bare name.
        ("""class A extends HttpServlet { String user;
            void doGet(HttpServletRequest r, HttpServletResponse s) { user = r.getParameter("u"); }
            void find(Statement st) throws E { st.executeQuery("select " + user); } }""", {"sql"}),
        ("""class A extends HttpServlet { String user;
            void doGet(HttpServletRequest r, HttpServletResponse s) {
                String user = r.getParameter("u"); }
            void find(Statement st) throws E { st.executeQuery("select " + user); } }""", set()),
        # The property of one cookie that is compared tells nothing of its value.
        ("""class A extends HttpServlet {
            void doGet(HttpServletRequest r, HttpServletResponse s) throws E {
                for (Cookie c : r.getCookies()) {
                    if ("id".equals(c.getName())) {
                        st.executeQuery("select " + c.getValue()); } } } }""",
         {"sql"}),
        ("""class A extends HttpServlet {
            void doGet(HttpServletRequest r, HttpServletResponse s) throws E {
                StringBuilder b = new StringBuilder();
                b.append("select ").append(r.getParameter("x")).append(" from t");
                st.executeQuery(b.toString()); } }""", {"sql"}),
        ("""class A { @GetMapping("/a") void a(@RequestParam String u) throws E {
                URL url = new URL(u); InetAddress i = InetAddress.getByName(url.getHost());
                if (i.isLoopbackAddress() || i.isSiteLocalAddress()) { throw new E(); }
                url.openStream(); } }""", set()),
        ("""class A { @GetMapping("/a") void a(@RequestParam String u) throws E {
                new URL("https://example.com/a?u=" + u).openStream(); } }""", set()),
        ("""class A { @GetMapping("/a") byte[] a(@RequestParam byte[] u) throws E {
                byte[] raw = u; return Files.readAllBytes(Path.of(new String(raw))); } }""",
         {"path"}),
        ("""@Path("/a") class A { @QueryParam("q") private String q;
            @GET void a() throws E { st.executeQuery("select " + q); } }""", {"sql"}),
    ],
)  # fmt: skip
def test_java(code: str, reached: set[str]) -> None:
    assert classes("java", code) == reached


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        ("""class A : PageModel { [BindProperty] public string To { get; set; }
            public IActionResult OnPost() => Redirect(To); }""", {"redirect"}),
        ("""class A : Controller { public IActionResult Get(string u) {
            Uri.TryCreate(u, UriKind.Absolute, out var uri);
            http.GetStringAsync(uri); return Ok(); } }""",
         {"url"}),
        ("""class A : Controller { public IActionResult Get(string u) {
            if (!Uri.TryCreate(u, UriKind.Absolute, out var uri)) return Ok();
            if (!Hosts.Contains(uri.Host)) return Ok();
            http.GetStringAsync(uri); return Ok(); } }""", set()),
        ("""class A : Controller { public IActionResult Get(string k) {
            Table.TryGetValue(k, out var name);
            return File(System.IO.File.ReadAllBytes(name), "a"); } }""",
         set()),
        ("""class A : Controller { public IActionResult Get(string x) {
            Process.Start(new ProcessStartInfo { FileName = "sh", Arguments = "-c " + x });
            return Ok(); } }""",
         {"command"}),
        ("""class A : Controller { public IActionResult Get(string x) {
            Process.Start(new ProcessStartInfo("git") { ArgumentList = { "log", x } });
            return Ok(); } }""",
         set()),
        ("""app.MapGet("/a/{x}", (string x, AppDb db) => db.Users.FromSqlRaw("select " + x));""",
         {"sql"}),
        ("""class A : Page { void Load() { new SqlCommand("select " + Request["x"], c); } }""",
         {"sql"}),
        ("""class A : Controller { public IActionResult Get(string x) {
            var y = x?.Trim()?.ToLower();
            conn.Query<User>("select " + y); return Ok(); } }""", {"sql"}),
        ("""class A : Controller { public IActionResult Get(string x) {
            if (x.IndexOfAny(Path.GetInvalidFileNameChars()) >= 0) return BadRequest();
            return File(System.IO.File.ReadAllBytes("/a/" + x), "b"); } }""", set()),
    ],
)  # fmt: skip
def test_csharp(code: str, reached: set[str]) -> None:
    assert classes("csharp", code) == reached
