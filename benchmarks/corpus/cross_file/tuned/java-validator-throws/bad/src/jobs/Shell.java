package jobs;

public class Shell {
    public void start(String job) throws Exception {
        Runtime.getRuntime().exec("run-job " + job);
    }
}
