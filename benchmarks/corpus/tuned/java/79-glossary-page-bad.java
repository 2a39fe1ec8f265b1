package com.example.glossary;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

@WebServlet("/glossary")
public class GlossaryServlet extends HttpServlet {
    private static final Map<String, String> TERMS = Map.of(
            "ballast", "Weight low in a hull that keeps a boat upright.",
            "leeward", "The side turned away from the wind.",
            "thwart", "A seat laid across a rowing boat.");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String term = req.getParameter("term");
        resp.setContentType("text/html;charset=UTF-8");
        PrintWriter out = resp.getWriter();
        out.println("<!doctype html><title>Glossary</title>");
        if (term == null) {
            out.println("<p>Give a term.</p>");
            return;
        }
        String meaning = TERMS.get(term.toLowerCase());
        if (meaning == null) {
            resp.setStatus(HttpServletResponse.SC_NOT_FOUND);
            out.printf("<p>We have no entry for <em>%s</em> yet.</p>%n", term);
        } else {
            out.printf("<p>%s</p>%n", meaning);
        }
    }
}
