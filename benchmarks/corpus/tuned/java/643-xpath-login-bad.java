package kiosk;

import java.util.Map;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.servlet.http.HttpServletRequest;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

public class KioskUsers {
    private final Document users;

    public KioskUsers(Document users) {
        this.users = users;
    }

    public boolean known(HttpServletRequest request) throws XPathExpressionException {
        String badge = request.getParameter("badge");
        XPath xpath = XPathFactory.newInstance().newXPath();
        String query = String.format("//user[@badge='%s']", badge);
        Node node = (Node) xpath.evaluate(query, users, XPathConstants.NODE);
        return node != null;
    }
}
