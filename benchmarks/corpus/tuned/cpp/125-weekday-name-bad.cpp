#include <array>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 7> kDays = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

std::string describe(int day, double millimetres) {
    std::ostringstream text;
    text << kDays[day] << ": " << millimetres << " mm";
    return text.str();
}

}  // namespace

// Reads lines "day millimetres" of a rain gauge, where day 0 is Monday.
int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream cells(line);
        int day = 0;
        double millimetres = 0;
        if (cells >> day >> millimetres) {
            std::cout << describe(day, millimetres) << '\n';
        } else {
            std::cerr << "skipped: " << line << '\n';
        }
    }
    return 0;
}
