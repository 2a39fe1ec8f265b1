package depot.trace;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class ParcelTraceRepository {

    private final JdbcTemplate jdbc;

    public ParcelTraceRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> trace(String code, String depot) {
        StringBuilder sql = new StringBuilder("SELECT scanned_at, place FROM scans");
        sql.append(" WHERE code = ?");
        if (depot != null && !depot.isEmpty()) {
            sql.append(" AND depot = '").append(depot).append("'");
        }
        sql.append(" ORDER BY scanned_at");
        return jdbc.queryForList(sql.toString(), code);
    }
}
