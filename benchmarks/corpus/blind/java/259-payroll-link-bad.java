package payroll;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

public class PayrollLink {

    private static final String URL = "jdbc:postgresql://payroll-db.example/payroll?sslmode=verify-full";
    private static final String USER = "payroll_reader";

    public int headcount(String branch) throws SQLException {
        String password = "Walnut!Harbour42";
        String sql = "SELECT count(*) FROM staff WHERE branch = ?";
        try (Connection connection = DriverManager.getConnection(URL, USER, password);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, branch);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }
}
