package craft.orders;

import com.mongodb.client.MongoCollection;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

@Path("/orders")
public class OrderResource {

    private final MongoCollection<Document> orders;

    public OrderResource(MongoCollection<Document> orders) {
        this.orders = orders;
    }

    @GET
    @Produces("application/json")
    public List<String> byBuyer(@QueryParam("buyer") String buyer) {
        Document filter = Document.parse("{ \"state\": \"open\", \"buyer\": \"" + buyer + "\" }");
        List<String> found = new ArrayList<>();
        for (Document order : orders.find(filter).limit(100)) {
            found.add(order.toJson());
        }
        return found;
    }
}
