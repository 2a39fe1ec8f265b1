package store;

import org.springframework.stereotype.Repository;

@Repository
public class EntryStore extends BaseStore {
    public int removeByLabel(String label) {
        return removeBy("label", label);
    }
}
