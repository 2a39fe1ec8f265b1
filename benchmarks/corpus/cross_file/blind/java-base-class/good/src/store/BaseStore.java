package store;

import org.springframework.jdbc.core.JdbcTemplate;

public abstract class BaseStore {
    protected JdbcTemplate jdbc;

    protected int removeBy(String column, String value) {
        return jdbc.update("DELETE FROM entry WHERE label = ?", value);
    }
}
