#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

class HitCounter {
public:
    void hit(int times) {
        for (int i = 0; i < times; ++i) {
            ++total_;
        }
    }
    long total() const { return total_; }

private:
    long total_ = 0;
    std::mutex mutex_;
};

int main() {
    HitCounter counter;
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; ++i) {
        workers.emplace_back([&counter] { counter.hit(100000); });
    }
    for (auto &w : workers) w.join();
    std::cout << counter.total() << "\n";
    return 0;
}
