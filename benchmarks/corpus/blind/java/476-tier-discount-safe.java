package pricing;

import java.util.HashMap;
import java.util.Map;

public class TierDiscounts {

    record Tier(String name, int percent) {}

    private final Map<String, Tier> tiers = new HashMap<>();

    public void add(String name, int percent) {
        tiers.put(name, new Tier(name, percent));
    }

    private Tier find(String customer) {
        for (Map.Entry<String, Tier> entry : tiers.entrySet()) {
            if (customer.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }

    public long discounted(String customer, long cents) {
        Tier tier = find(customer);
        if (tier == null) {
            return cents;
        }
        return cents - cents * tier.percent() / 100;
    }
}
