#include <iostream>
#include <string>
#include <vector>

struct Stop {
    std::string name;
    int visits = 0;
};

class Route {
public:
    void extend(const std::string& name)
    {
        if (stops_.empty()) {
            stops_.push_back({"depot", 0});
        }
        stops_.push_back({name, 0});
        Stop& last = stops_[stops_.size() - 2];
        last.visits += 1;
    }

    std::size_t size() const { return stops_.size(); }

private:
    std::vector<Stop> stops_;
};

int main()
{
    Route route;
    std::string name;
    while (std::getline(std::cin, name)) {
        route.extend(name);
    }
    std::cout << route.size() << " stops\n";
    return 0;
}
