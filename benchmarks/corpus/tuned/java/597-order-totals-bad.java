package example.orders;

import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

public class OrderTotals {

    private static final String CANCELLED = "cancelled";

    public static Map<String, BigDecimal> read(Path file) throws IOException {
        Map<String, BigDecimal> totals = new TreeMap<>();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line;
            while ((line = reader.readLine()) != null) {
                String[] cells = line.split(";");
                if (cells.length != 3) {
                    continue;
                }
                String state = cells[2].trim();
                if (state == CANCELLED) {
                    continue;
                }
                totals.merge(cells[0], new BigDecimal(cells[1]), BigDecimal::add);
            }
        }
        return totals;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: OrderTotals FILE");
            System.exit(2);
        }
        read(Path.of(args[0])).forEach((customer, total) -> System.out.println(customer + "\t" + total));
    }
}
