package app;

import org.springframework.stereotype.Service;

@Service
public class ShellReportRunner implements ReportRunner {
    @Override
    public int run(String name) throws Exception {
        Process process = new ProcessBuilder("/usr/bin/report", "--", name).start();
        return process.waitFor();
    }
}
