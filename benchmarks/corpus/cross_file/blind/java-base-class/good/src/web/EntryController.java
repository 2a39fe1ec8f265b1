package web;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import store.EntryStore;

@RestController
public class EntryController {
    @Autowired
    private EntryStore entries;

    @PostMapping("/remove")
    public int remove(@RequestParam("label") String label) {
        return entries.removeByLabel(label);
    }
}
