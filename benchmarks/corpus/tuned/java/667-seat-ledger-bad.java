package com.example.theatre;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

public class SeatLedger {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> holders = new HashMap<>();
    private final int capacity;

    public SeatLedger(int capacity) {
        this.capacity = capacity;
    }

    public boolean reserve(String seat, String guest) {
        lock.lock();
        if (holders.containsKey(seat) || holders.size() >= capacity) {
            return false;
        }
        holders.put(seat, guest);
        lock.unlock();
        return true;
    }

    public boolean release(String seat, String guest) {
        lock.lock();
        try {
            return holders.remove(seat, guest);
        } finally {
            lock.unlock();
        }
    }
}
