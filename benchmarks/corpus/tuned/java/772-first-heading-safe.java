package com.example.notes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class NoteIndex {
    private final List<String> titles = new ArrayList<>();

    public void addAll(List<Path> notes) throws IOException {
        for (Path note : notes) {
            titles.add(title(note));
        }
    }

    public List<String> titles() {
        return List.copyOf(titles);
    }

    private static String title(Path note) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(note, StandardCharsets.UTF_8)) {
            String line;
            while ((line = reader.readLine()) != null) {
                if (line.startsWith("# ")) {
                    return line.substring(2).trim();
                }
            }
        }
        return note.getFileName().toString();
    }
}
