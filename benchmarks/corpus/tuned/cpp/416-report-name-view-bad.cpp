#include <cstdio>
#include <string>
#include <string_view>

class Report {
public:
    Report(std::string title, int year) : title_(std::move(title)), year_(year) {}

    std::string_view fileName() const {
        std::string name = title_ + "-" + std::to_string(year_) + ".pdf";
        for (char &c : name) {
            if (c == ' ') c = '_';
        }
        return name;
    }

    int year() const { return year_; }

private:
    std::string title_;
    int year_;
};

int main() {
    Report r("Annual figures", 2023);
    auto name = r.fileName();
    std::printf("%.*s\n", static_cast<int>(name.size()), name.data());
    return 0;
}
