package com.example.stores;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

public class StoreLocator {
    private final DataSource dataSource;

    public StoreLocator(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public List<String> find(String city, boolean openOnSunday) throws SQLException {
        StringBuilder sql = new StringBuilder("SELECT name FROM stores WHERE closed_at IS NULL");
        boolean byCity = city != null && !city.isBlank();
        if (byCity) {
            sql.append(" AND city = ?");
        }
        if (openOnSunday) {
            sql.append(" AND sunday = 1");
        }
        sql.append(" ORDER BY name");

        List<String> names = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql.toString())) {
            if (byCity) {
                statement.setString(1, city.trim());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString("name"));
                }
            }
        }
        return names;
    }
}
