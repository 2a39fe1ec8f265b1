package jobs;

public class Names {
    public static void check(String name) {
        if (!name.matches("[a-z]{1,20}")) {
            throw new IllegalArgumentException("bad name");
        }
    }
}
