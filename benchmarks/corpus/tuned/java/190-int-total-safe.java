package cart;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class CartController {
    public record Line(int cents, int count) {}

    @PostMapping("/total")
    public int total(@RequestBody Line line) {
        int total = Math.multiplyExact(line.cents(), line.count());
        return total;
    }
}
