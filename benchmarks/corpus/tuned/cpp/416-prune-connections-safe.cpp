#include <algorithm>
#include <chrono>
#include <vector>

struct Connection {
    int fd;
    std::chrono::steady_clock::time_point last;
    bool idle(std::chrono::seconds limit) const {
        return std::chrono::steady_clock::now() - last > limit;
    }
};

class Pool {
public:
    void add(int fd) { conns_.push_back({fd, std::chrono::steady_clock::now()}); }

    std::size_t prune(std::chrono::seconds limit) {
        std::size_t removed = 0;
        for (auto it = conns_.begin(); it != conns_.end();) {
            if (it->idle(limit)) {
                it = conns_.erase(it);
                ++removed;
            } else {
                ++it;
            }
        }
        return removed;
    }

private:
    std::vector<Connection> conns_;
};

int main() {
    Pool pool;
    pool.add(3);
    return static_cast<int>(pool.prune(std::chrono::seconds(30)));
}
