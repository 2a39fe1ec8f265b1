package com.example.badges;

import java.util.Map;
import java.util.Optional;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Finds a visitor's badge in the register that the front desk keeps. */
public final class BadgeRegister {
    private final Document register;

    public BadgeRegister(Document register) {
        this.register = register;
    }

    public Optional<String> doorFor(String visitor, String company) throws XPathExpressionException {
        Map<String, String> values = Map.of("visitor", visitor, "company", company);
        XPath xpath = XPathFactory.newInstance().newXPath();
        xpath.setXPathVariableResolver(name -> values.get(name.getLocalPart()));
        String path = "/register/badge[visitor=$visitor and company=$company]";
        Element badge = (Element) xpath.evaluate(path, register, XPathConstants.NODE);
        if (badge == null) {
            return Optional.empty();
        }
        return Optional.of(badge.getAttribute("door"));
    }
}
