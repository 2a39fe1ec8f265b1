package com.example.statements;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

@WebServlet("/statements/latest")
public class StatementServlet extends HttpServlet {
    private static final Logger LOG = Logger.getLogger(StatementServlet.class.getName());
    private final transient StatementService statements = StatementService.fromEnvironment();

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        if (req.getUserPrincipal() == null) {
            resp.sendError(HttpServletResponse.SC_UNAUTHORIZED);
            return;
        }
        try {
            byte[] pdf = statements.latestFor(req.getUserPrincipal().getName());
            resp.setContentType("application/pdf");
            resp.getOutputStream().write(pdf);
        } catch (StatementException e) {
            UUID reference = UUID.randomUUID();
            LOG.log(Level.SEVERE, "statement not built, reference " + reference, e);
            resp.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            resp.setContentType("text/plain");
            resp.getWriter().println("The statement could not be built. Reference: " + reference);
        }
    }
}
