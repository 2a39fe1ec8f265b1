package app;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportController {
    private final ReportRunner runner;

    public ReportController(ReportRunner runner) {
        this.runner = runner;
    }

    @GetMapping("/report")
    public int report(@RequestParam String name) throws Exception {
        return runner.run(name);
    }
}
