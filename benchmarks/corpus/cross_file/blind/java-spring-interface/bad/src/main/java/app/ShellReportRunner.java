package app;

import org.springframework.stereotype.Service;

@Service
public class ShellReportRunner implements ReportRunner {
    @Override
    public int run(String name) throws Exception {
        Process process = Runtime.getRuntime().exec(new String[] {"sh", "-c", "report " + name});
        return process.waitFor();
    }
}
