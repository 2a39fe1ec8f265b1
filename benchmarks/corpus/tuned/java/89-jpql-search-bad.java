package hr.people;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.util.List;

@Path("/people")
@Produces("application/json")
public class PeopleResource {
    @PersistenceContext
    private EntityManager entities;

    @GET
    public List<Person> search(@QueryParam("surname") String surname) {
        if (surname == null || surname.isBlank()) {
            return List.of();
        }
        String jpql = String.format("select p from Person p where p.surname like '%s%%'", surname);
        return entities.createQuery(jpql, Person.class)
                .setMaxResults(50)
                .getResultList();
    }
}
