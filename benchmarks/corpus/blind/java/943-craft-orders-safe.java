package craft.orders;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

@Path("/orders")
public class OrderResource {

    private final MongoCollection<Document> orders;

    public OrderResource(MongoCollection<Document> orders) {
        this.orders = orders;
    }

    @GET
    @Produces("application/json")
    public List<String> byBuyer(@QueryParam("buyer") String buyer) {
        Bson filter = Filters.and(Document.parse("{ \"state\": \"open\" }"), Filters.eq("buyer", buyer));
        List<String> found = new ArrayList<>();
        for (Document order : orders.find(filter).limit(100)) {
            found.add(order.toJson());
        }
        return found;
    }
}
