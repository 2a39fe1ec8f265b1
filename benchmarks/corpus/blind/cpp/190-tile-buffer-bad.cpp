#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>

struct TileHeader {
    std::uint32_t width;
    std::uint32_t height;
};

std::uint8_t* allocate_tile(const TileHeader& header)
{
    const std::uint32_t bytes = header.width * header.height * 4;
    return static_cast<std::uint8_t*>(std::malloc(bytes));
}

int main()
{
    TileHeader header{};
    if (!std::cin.read(reinterpret_cast<char*>(&header), sizeof header)) {
        return 1;
    }
    std::uint8_t* tile = allocate_tile(header);
    if (tile == nullptr) {
        return 1;
    }
    for (std::uint64_t i = 0; i < std::uint64_t{header.width} * header.height * 4; ++i) {
        tile[i] = 0xff;
    }
    std::cout << "tile ready\n";
    std::free(tile);
    return 0;
}
