#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class EventBus {
public:
    using Handler = std::function<void(const std::string &)>;

    void subscribe(Handler h) {
        std::lock_guard<std::mutex> lock(mutex_);
        handlers_.push_back(std::move(h));
    }

    void unsubscribeAll() {
        std::lock_guard<std::mutex> lock(mutex_);
        handlers_.clear();
    }

    void publish(const std::string &event) {
        std::vector<Handler> copy;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            copy = handlers_;
        }
        for (auto &h : copy) h(event);
    }

private:
    std::mutex mutex_;
    std::vector<Handler> handlers_;
};
