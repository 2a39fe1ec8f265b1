package jobs;

public class Names {
    public static void check(String name) {
        if (name.isEmpty()) {
            System.err.println("empty name");
        }
    }
}
