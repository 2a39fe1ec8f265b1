#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

// Command line: shares the lines of a task file out to a number of workers.
static std::vector<std::size_t> shares(std::size_t tasks, std::size_t workers) {
    const std::size_t each = tasks / workers;
    std::size_t rest = tasks % workers;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < workers; ++i) {
        result.push_back(each + (rest > 0 ? 1 : 0));
        rest -= std::min<std::size_t>(rest, 1);
    }
    return result;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "usage: batch-split FILE WORKERS\n";
        return 2;
    }
    std::ifstream file(argv[1]);
    if (!file) {
        std::cerr << "cannot read " << argv[1] << '\n';
        return 1;
    }
    std::size_t tasks = 0;
    for (std::string line; std::getline(file, line);) {
        ++tasks;
    }
    const std::size_t workers = std::min<std::size_t>(std::strtoul(argv[2], nullptr, 10), 64);
    for (const std::size_t share : shares(tasks, workers)) {
        std::cout << share << '\n';
    }
    return 0;
}
