#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Bucket {
    std::string client;
    int tokens = 10;
};

class Limiter {
public:
    bool take(const std::string &client) {
        auto it = index_.find(client);
        if (it == index_.end()) {
            buckets_.push_back(std::make_unique<Bucket>(Bucket{client, 10}));
            it = index_.emplace(client, buckets_.back().get()).first;
        }
        return it->second->tokens-- > 0;
    }

    void forget(const std::string &client) {
        auto it = index_.find(client);
        if (it == index_.end()) return;
        Bucket *bucket = it->second;
        for (auto b = buckets_.begin(); b != buckets_.end(); ++b) {
            if (b->get() == bucket) {
                buckets_.erase(b);
                break;
            }
        }
        index_.erase(it);
    }

private:
    std::vector<std::unique_ptr<Bucket>> buckets_;
    std::unordered_map<std::string, Bucket *> index_;
};
