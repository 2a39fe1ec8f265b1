#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

struct Header {
    std::uint32_t kind;
    std::uint32_t nameLength;
};

std::string readName(int sock) {
    std::vector<char> buffer(1024);
    ssize_t got = recv(sock, buffer.data(), buffer.size(), 0);
    if (got < static_cast<ssize_t>(sizeof(Header))) throw std::runtime_error("short message");
    Header header;
    std::memcpy(&header, buffer.data(), sizeof header);
    char name[64];
    std::memcpy(name, buffer.data() + sizeof header, header.nameLength);
    return std::string(name, header.nameLength);
}
