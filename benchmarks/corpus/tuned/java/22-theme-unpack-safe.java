package com.example.themes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Unpacks the theme archives that shop owners upload. */
public class ThemeUnpacker {
    private static final int MAX_FILES = 200;
    private static final int MAX_FILE_BYTES = 2 * 1024 * 1024;

    public int unpack(InputStream upload, Path themeDir) throws IOException {
        Path root = themeDir.toAbsolutePath().normalize();
        int files = 0;
        try (ZipInputStream zip = new ZipInputStream(upload)) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                if (entry.isDirectory()) {
                    continue;
                }
                if (++files > MAX_FILES) {
                    throw new IOException("too many files in the theme");
                }
                byte[] data = zip.readNBytes(MAX_FILE_BYTES + 1);
                if (data.length > MAX_FILE_BYTES) {
                    throw new IOException("a file of the theme is too large");
                }
                Path target = root.resolve(entry.getName()).normalize();
                if (!target.startsWith(root)) {
                    throw new IOException("unexpected file name in the theme");
                }
                Files.createDirectories(target.getParent());
                Files.write(target, data);
            }
        }
        return files;
    }
}
