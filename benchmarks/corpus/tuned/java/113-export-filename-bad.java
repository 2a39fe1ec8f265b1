package com.example.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

@WebServlet(urlPatterns = "/tides.csv")
public class TideExportServlet extends HttpServlet {
    private static final String[] ROWS = {"hour,height", "04:10,3.2", "10:25,0.8", "16:40,3.4"};

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String label = request.getParameter("label");
        if (label == null || label.isEmpty()) {
            label = "tides";
        }
        String fileName = label + "-" + LocalDate.now() + ".csv";

        response.setContentType("text/csv");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Content-Disposition", "attachment; filename=\"" + fileName + "\"");
        OutputStream body = response.getOutputStream();
        for (String row : ROWS) {
            body.write((row + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        body.flush();
    }
}
