package example.timetable;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

@Path("/departures")
@Produces(MediaType.APPLICATION_JSON)
public class DepartureResource {

    private static final Logger LOG = Logger.getLogger(DepartureResource.class.getName());

    private final Timetable timetable;

    public DepartureResource(Timetable timetable) {
        this.timetable = timetable;
    }

    @GET
    public Response departures(@QueryParam("stop") String stop) {
        if (stop == null || stop.isBlank() || stop.length() > 100) {
            return Response.status(Response.Status.BAD_REQUEST).build();
        }
        List<Departure> found = timetable.departuresFrom(stop.strip());
        if (found.isEmpty()) {
            String shown = forLog(stop);
            LOG.log(Level.INFO, "no departures for stop " + shown);
            return Response.status(Response.Status.NOT_FOUND).build();
        }
        return Response.ok(found).build();
    }

    private static String forLog(String value) {
        return "'" + value.replaceAll("[^\\p{L}\\p{N} .-]", "_") + "'";
    }
}
