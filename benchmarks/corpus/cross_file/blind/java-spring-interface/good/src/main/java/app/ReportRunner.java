package app;

public interface ReportRunner {
    int run(String name) throws Exception;
}
