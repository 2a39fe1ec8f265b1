package profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class PictureController {
    private static final Path PUBLIC = Path.of("/srv/www/pictures");
    private static final Map<String, String> TYPES = Map.of("image/png", ".png", "image/jpeg", ".jpg");

    @PostMapping("/profile/picture")
    public ResponseEntity<String> upload(@RequestParam("file") MultipartFile file) throws IOException {
        String extension = TYPES.get(file.getContentType());
        if (extension == null || file.getSize() > 2_000_000) {
            return ResponseEntity.badRequest().body("Only PNG and JPEG pictures of at most 2 MB");
        }
        String name = UUID.randomUUID() + extension;
        file.transferTo(PUBLIC.resolve(name));
        return ResponseEntity.ok("/pictures/" + name);
    }
}
