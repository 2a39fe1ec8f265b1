#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

struct Packet {
    std::uint16_t kind;
    std::size_t size;
    std::uint8_t *payload;
};

static bool checksum_ok(const Packet &p)
{
    std::uint8_t sum = 0;
    for (std::size_t i = 0; i < p.size; ++i)
        sum = static_cast<std::uint8_t>(sum + p.payload[i]);
    return sum == 0;
}

static bool forward(std::FILE *out, const Packet &p)
{
    return std::fwrite(p.payload, 1, p.size, out) == p.size;
}

bool relay(std::FILE *in, std::FILE *out)
{
    std::uint8_t head[2];
    if (std::fread(head, 1, sizeof head, in) != sizeof head)
        return false;

    Packet p{head[0], head[1], new (std::nothrow) std::uint8_t[256]};
    if (p.payload == nullptr)
        return false;

    bool sent = false;
    if (std::fread(p.payload, 1, p.size, in) != p.size || !checksum_ok(p)) {
        std::fprintf(stderr, "packet of kind %u dropped\n", static_cast<unsigned>(p.kind));
        delete[] p.payload;
        p.payload = nullptr;
    } else {
        sent = forward(out, p);
    }

    delete[] p.payload;
    return sent;
}
