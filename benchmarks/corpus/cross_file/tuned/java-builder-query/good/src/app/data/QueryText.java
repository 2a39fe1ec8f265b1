package app.data;

public class QueryText {
    public static String byOwner(String owner) {
        return "SELECT id FROM task WHERE owner = '" + owner + "'";
    }

    public static String all() {
        return "SELECT id FROM task";
    }
}
