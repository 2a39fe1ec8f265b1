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
        synchronized (from) {
            synchronized (to) {
                if (from.cents >= cents) {
                    from.cents -= cents;
                    to.cents += cents;
                }
            }
        }
    }
}
