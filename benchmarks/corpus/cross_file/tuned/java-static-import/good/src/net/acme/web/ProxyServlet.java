package net.acme.web;

import static net.acme.Urls.fixed;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.acme.Fetcher;

public class ProxyServlet extends HttpServlet {
    private final Fetcher fetcher = new Fetcher();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        fetcher.copy(fixed(request.getParameter("host")), response.getOutputStream());
    }
}
