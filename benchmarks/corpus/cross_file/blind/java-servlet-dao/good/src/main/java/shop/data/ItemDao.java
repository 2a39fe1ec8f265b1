package shop.data;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

public class ItemDao {
    public int count(String category) {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop");
                PreparedStatement statement = connection.prepareStatement("SELECT COUNT(*) FROM item WHERE category = ?")) {
            statement.setString(1, category);
            ResultSet rows = statement.executeQuery();
            return rows.next() ? rows.getInt(1) : 0;
        } catch (SQLException error) {
            return 0;
        }
    }
}
