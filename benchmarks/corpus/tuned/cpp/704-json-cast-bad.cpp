#include <cstdint>
#include <iostream>
#include <memory>
#include <vector>

struct Message {
    virtual ~Message() = default;
    virtual int kind() const { return 0; }
};
struct Text : Message {
    std::string body;
    int kind() const override { return 1; }
};
struct Image : Message {
    std::vector<std::uint8_t> pixels;
    int kind() const override { return 2; }
};

std::size_t payload(Message *message) {
    auto *text = static_cast<Text *>(message);
    return text->body.size();
}
