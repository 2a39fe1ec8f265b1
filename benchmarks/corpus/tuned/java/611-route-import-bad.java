package com.example.routes;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

@WebServlet("/routes/measure")
public class RouteImportServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        String title = "";
        int points = 0;
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(req.getInputStream());
            while (reader.hasNext()) {
                if (reader.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                if (reader.getLocalName().equals("trkpt")) {
                    points++;
                } else if (reader.getLocalName().equals("name")) {
                    title = reader.getElementText();
                }
            }
            reader.close();
        } catch (XMLStreamException e) {
            resp.sendError(HttpServletResponse.SC_BAD_REQUEST, "not a track file");
            return;
        }
        resp.setContentType("text/plain;charset=UTF-8");
        resp.getWriter().println(title + ": " + points + " points");
    }
}
