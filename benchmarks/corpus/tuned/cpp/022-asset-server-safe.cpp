#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include "httplib.h"

namespace fs = std::filesystem;

class AssetStore {
public:
    explicit AssetStore(const fs::path &root) : root_(fs::canonical(root)) {}

    std::optional<std::string> load(const std::string &name) const
    {
        const fs::path wanted = fs::weakly_canonical(root_ / name);
        const auto ends = std::mismatch(root_.begin(), root_.end(), wanted.begin(), wanted.end());
        if (ends.first != root_.end())
            return std::nullopt;
        std::ifstream in(wanted, std::ios::binary);
        if (!in)
            return std::nullopt;
        return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }

private:
    fs::path root_;
};

int main()
{
    AssetStore store("/srv/assets");
    httplib::Server server;

    server.Get("/asset", [&store](const httplib::Request &req, httplib::Response &res) {
        auto body = store.load(req.get_param_value("name"));
        if (!body) {
            res.status = 404;
            return;
        }
        res.set_content(*body, "application/octet-stream");
    });
    return server.listen("127.0.0.1", 8080) ? 0 : 1;
}
