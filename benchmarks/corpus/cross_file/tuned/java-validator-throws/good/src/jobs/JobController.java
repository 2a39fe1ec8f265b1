package jobs;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class JobController {
    private final Shell shell = new Shell();

    @PostMapping("/jobs")
    public void start(@RequestParam String name) throws Exception {
        Names.check(name);
        shell.start(name);
    }
}
