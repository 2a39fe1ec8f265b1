package example.tickets;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public final class TicketOffice implements AutoCloseable {

    public record Sale(String buyer, boolean accepted) {}

    private final ExecutorService desks = Executors.newFixedThreadPool(8);
    private final AtomicInteger remaining = new AtomicInteger();

    public TicketOffice(int seats) {
        this.remaining.set(seats);
    }

    private boolean takeSeat() {
        return remaining.getAndUpdate(left -> left > 0 ? left - 1 : 0) > 0;
    }

    public List<Future<Sale>> open(List<String> buyers) throws InterruptedException {
        List<Callable<Sale>> orders = buyers.stream()
                .map(buyer -> (Callable<Sale>) () -> new Sale(buyer, takeSeat()))
                .toList();
        return desks.invokeAll(orders);
    }

    public long sold(List<Future<Sale>> sales) throws InterruptedException, ExecutionException {
        long count = 0;
        for (Future<Sale> sale : sales) {
            if (sale.get().accepted()) {
                count++;
            }
        }
        return count;
    }

    @Override
    public void close() {
        desks.shutdown();
    }
}
