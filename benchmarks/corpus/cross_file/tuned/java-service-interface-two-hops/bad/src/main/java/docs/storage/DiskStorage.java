package docs.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.springframework.stereotype.Component;

@Component
public class DiskStorage {
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(Paths.get("/srv/documents/" + name));
    }
}
