package social.preview;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PreviewController {
    private static final Set<String> HOSTS = Set.of("news.example.org", "blog.example.org");
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();

    record PreviewRequest(String link) {}

    @PostMapping("/preview")
    public Map<String, String> preview(@RequestBody PreviewRequest body)
            throws IOException, InterruptedException {
        URI uri = URI.create(body.link());
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).GET().build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        String text = answer.body();
        int start = text.indexOf("<title>");
        int end = text.indexOf("</title>");
        return Map.of("title", start < 0 || end < start ? "" : text.substring(start + 7, end));
    }
}
