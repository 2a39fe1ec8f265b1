#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/random.h>

class PasswordResets {
public:
    std::string issue(const std::string &account)
    {
        const std::string token = make_token();
        pending_[token] = account;
        return token;
    }

    std::string redeem(const std::string &token)
    {
        auto it = pending_.find(token);
        if (it == pending_.end())
            throw std::invalid_argument("unknown token");
        std::string account = it->second;
        pending_.erase(it);
        return account;
    }

private:
    static std::string make_token()
    {
        static const char digits[] = "0123456789abcdef";
        std::array<std::uint8_t, 16> bytes{};
        static std::mt19937 engine(std::random_device{}());
        for (auto &b : bytes)
            b = static_cast<std::uint8_t>(engine() & 0xff);
        std::string token;
        for (auto b : bytes) {
            token += digits[b >> 4];
            token += digits[b & 15];
        }
        return token;
    }

    std::map<std::string, std::string> pending_;
};
