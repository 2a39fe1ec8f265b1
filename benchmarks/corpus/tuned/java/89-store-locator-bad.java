package com.example.stores;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
        if (city != null && !city.isBlank()) {
            sql.append(" AND city = '").append(city.trim()).append("'");
        }
        if (openOnSunday) {
            sql.append(" AND sunday = 1");
        }
        sql.append(" ORDER BY name");

        List<String> names = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql.toString())) {
            while (rows.next()) {
                names.add(rows.getString("name"));
            }
        }
        return names;
    }
}
