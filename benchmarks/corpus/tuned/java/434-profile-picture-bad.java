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
        String original = file.getOriginalFilename();
        String name = UUID.randomUUID() + original.substring(original.lastIndexOf('.'));
        file.transferTo(PUBLIC.resolve(name));
        return ResponseEntity.ok("/pictures/" + name);
    }
}
