#include <iostream>
#include <map>
#include <memory>
#include <string>

struct Session {
    int id;
    std::string user;
    long lastSeen = 0;
};

class SessionCache {
public:
    ~SessionCache() {
        for (auto &entry : sessions_) delete entry.second;
    }

    void add(int id, const std::string &user) {
        Session *s = new Session{id, user};
        sessions_[id] = s;
    }

    bool expire(int id) {
        auto it = sessions_.find(id);
        if (it == sessions_.end()) return false;
        Session *victim = it->second;
        delete victim;
        sessions_.erase(it);
        std::cout << "expired session of " << victim->user << "\n";
        return true;
    }

private:
    SessionCache(const SessionCache &) = delete;
    SessionCache &operator=(const SessionCache &) = delete;
    std::map<int, Session *> sessions_;
public:
    SessionCache() = default;
};

int main() {
    SessionCache cache;
    cache.add(1, "ada");
    cache.expire(1);
    return 0;
}
