#include <httplib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

class FileHandler {
public:
    explicit FileHandler(fs::path root) : root_(fs::canonical(root)) {}

    void operator()(const httplib::Request &req, httplib::Response &res) const {
        const std::string name = req.get_param_value("file");
        const fs::path path = root_ / name;
        std::ifstream in(path, std::ios::binary);
        if (!in) {
            res.status = 404;
            return;
        }
        std::ostringstream body;
        body << in.rdbuf();
        res.set_content(body.str(), "application/octet-stream");
    }

private:
    fs::path root_;
};

int main() {
    httplib::Server server;
    server.Get("/download", FileHandler("/srv/files"));
    server.listen("0.0.0.0", 8080);
}
