package com.example.newsletter;

import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class NewsletterPreviewController {
    private final Configuration freemarker;

    public NewsletterPreviewController(Configuration freemarker) {
        this.freemarker = freemarker;
    }

    public record Draft(String subject, String greeting) {}

    @PostMapping(value = "/newsletter/preview", produces = "text/plain")
    public String preview(@RequestBody Draft draft) throws IOException, TemplateException {
        String source = draft.greeting() + ", ${reader}!\n\nThis week: " + draft.subject() + "\n";
        Template template = new Template("preview", source, freemarker);
        StringWriter text = new StringWriter();
        template.process(Map.of("reader", "Robin"), text);
        return text.toString();
    }
}
