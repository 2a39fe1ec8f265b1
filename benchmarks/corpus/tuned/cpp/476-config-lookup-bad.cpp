#include <map>
#include <string>
#include <stdexcept>

class Config {
public:
    void set(const std::string &key, const std::string &value) { values_[key] = value; }

    std::string get(const std::string &key) const {
        auto it = values_.find(key);
        return it->second;
    }

    int port() const { return std::stoi(get("port")); }

private:
    std::map<std::string, std::string> values_;
};

int main() {
    Config config;
    config.set("host", "localhost");
    config.set("port", "80");
    return config.port() > 0 ? 0 : 1;
}
