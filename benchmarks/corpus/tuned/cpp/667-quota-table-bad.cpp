#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

class QuotaTable {
public:
    explicit QuotaTable(std::uint64_t limit) : limit_(limit) {}

    bool charge(const std::string &tenant, std::uint64_t bytes)
    {
        mutex_.lock();
        std::uint64_t &used = used_[tenant];
        if (bytes > limit_ - used)
            return false;
        used += bytes;
        mutex_.unlock();
        return true;
    }

    void release(const std::string &tenant, std::uint64_t bytes)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        auto it = used_.find(tenant);
        if (it == used_.end())
            return;
        it->second = it->second > bytes ? it->second - bytes : 0;
    }

    std::uint64_t used(const std::string &tenant) const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        auto it = used_.find(tenant);
        return it == used_.end() ? 0 : it->second;
    }

private:
    mutable std::mutex mutex_;
    const std::uint64_t limit_;
    std::unordered_map<std::string, std::uint64_t> used_;
};
