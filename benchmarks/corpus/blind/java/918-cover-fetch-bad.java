package library.covers;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class CoverController {

    private static final int LIMIT = 512 * 1024;

    @GetMapping("/covers/preview")
    public ResponseEntity<byte[]> preview(@RequestParam("image") String image) throws IOException {
        URI address = URI.create(image);
        if (!"https".equals(address.getScheme())) {
            return ResponseEntity.badRequest().build();
        }
        try (InputStream in = address.toURL().openStream()) {
            byte[] data = in.readNBytes(LIMIT);
            return ResponseEntity.ok().contentType(MediaType.IMAGE_JPEG).body(data);
        }
    }
}
