package com.example.schedule;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints how many hours the volunteers of one role gave, from a file "name;role;hours". */
public class RoleHours {
    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            System.err.println("usage: role-hours FILE ROLE");
            return;
        }
        String wanted = args[1].trim();
        double sum = 0;
        try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
            String line;
            while ((line = reader.readLine()) != null) {
                String[] cells = line.split(";");
                if (cells.length != 3) {
                    continue;
                }
                String role = cells[1].trim();
                if (role.equals(wanted)) {
                    sum += Double.parseDouble(cells[2].trim());
                }
            }
        }
        System.out.printf("%s: %.1f hours%n", wanted, sum);
    }
}
