package example.catalog;

import java.math.BigDecimal;
import java.util.Optional;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

@RestController
public class PriceListController {

    private final Document prices;

    public PriceListController(PriceDocument source) {
        this.prices = source.load();
    }

    @GetMapping("/prices")
    public ResponseEntity<BigDecimal> price(@RequestParam String article) throws XPathExpressionException {
        return find(article)
                .map(element -> ResponseEntity.ok(new BigDecimal(element.getAttribute("price"))))
                .orElseGet(() -> ResponseEntity.notFound().build());
    }

    private synchronized Optional<Element> find(String article) throws XPathExpressionException {
        XPath xpath = XPathFactory.newInstance().newXPath();
        xpath.setXPathVariableResolver(name -> "article".equals(name.getLocalPart()) ? article : null);
        String expression = "/list/entry[@public='yes' and @article=$article]";
        return Optional.ofNullable((Element) xpath.evaluate(expression, prices, XPathConstants.NODE));
    }
}
