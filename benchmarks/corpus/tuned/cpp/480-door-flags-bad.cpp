#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace doors {

enum Flag : std::uint32_t {
    kMonitored = 1u << 0,
    kFireExit = 1u << 1,
    kLocked = 1u << 2,
};

struct Door {
    std::string name;
    std::uint32_t flags;
};

std::vector<std::string> blocked_exits(const std::vector<Door> &doors) {
    std::vector<std::string> names;
    for (const Door &door : doors) {
        const bool fire_exit = (door.flags & kFireExit) != 0;
        const bool locked = door.flags && kLocked;
        if (fire_exit && locked) {
            names.push_back(door.name);
        }
    }
    return names;
}

}  // namespace doors

int main() {
    const std::vector<doors::Door> house = {
        {"lobby", doors::kMonitored},
        {"stairs", doors::kFireExit | doors::kMonitored},
        {"cellar", doors::kFireExit | doors::kLocked},
    };
    for (const auto &name : doors::blocked_exits(house)) {
        std::cout << "blocked: " << name << '\n';
    }
}
