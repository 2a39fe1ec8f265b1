package com.example.directory;

import java.util.ArrayList;
import java.util.List;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class StaffDirectoryController {
    private static final String BASE = "ou=staff,dc=example,dc=com";
    private final DirContext directory;

    public StaffDirectoryController(DirContext directory) {
        this.directory = directory;
    }

    @GetMapping("/staff")
    public List<String> byDepartment(@RequestParam String department) throws NamingException {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.ONELEVEL_SCOPE);
        controls.setReturningAttributes(new String[] {"cn"});
        controls.setCountLimit(100);

        String filter = "(&(objectClass=person)(listed=TRUE)(ou={0}))";
        Object[] values = {department};
        NamingEnumeration<SearchResult> found = directory.search(BASE, filter, values, controls);
        List<String> names = new ArrayList<>();
        try {
            while (found.hasMore()) {
                names.add(found.next().getAttributes().get("cn").get().toString());
            }
        } finally {
            found.close();
        }
        return names;
    }
}
