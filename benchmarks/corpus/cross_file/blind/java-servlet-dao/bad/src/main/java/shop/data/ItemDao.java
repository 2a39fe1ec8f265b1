package shop.data;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

public class ItemDao {
    public int count(String category) {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop");
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM item WHERE category = '" + category + "'");
            return rows.next() ? rows.getInt(1) : 0;
        } catch (SQLException error) {
            return 0;
        }
    }
}
