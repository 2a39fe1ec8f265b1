package bank;

public class Accounts {
    public static final class Account {
        final int number;
        long cents;

        Account(int number, long cents) {
            this.number = number;
            this.cents = cents;
        }
    }

    public void transfer(Account from, Account to, long cents) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.cents >= cents) {
                    from.cents -= cents;
                    to.cents += cents;
                }
            }
        }
    }
}
