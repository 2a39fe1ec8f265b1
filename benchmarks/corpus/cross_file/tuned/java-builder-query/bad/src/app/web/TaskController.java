package app.web;

import app.data.QueryText;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TaskController {
    private final JdbcTemplate jdbc;

    public TaskController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/tasks")
    public int count(@RequestParam String owner) {
        return jdbc.queryForList(QueryText.byOwner(owner)).size();
    }
}
