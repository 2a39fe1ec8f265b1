package example.weather;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

public class StationReadings {

    private static final String QUERY =
            "SELECT temperature FROM readings WHERE station = ? AND day = ? ORDER BY hour";

    private final DataSource source;

    public StationReadings(DataSource source) {
        this.source = source;
    }

    public List<Double> temperatures(int station, LocalDate day) throws SQLException {
        List<Double> values = new ArrayList<>();
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(QUERY)) {
            statement.setInt(1, station);
            statement.setObject(2, day);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(rows.getDouble(1));
                }
            }
        }
        return values;
    }

    public double mean(int station, LocalDate day) throws SQLException {
        return temperatures(station, day).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }
}
