#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace telemetry {

constexpr std::size_t kSlotBytes = 128;

class Slot {
public:
    Slot() : bytes_(std::make_unique<std::uint8_t[]>(kSlotBytes)) {}

    bool store(const std::uint8_t *packet, std::size_t size) {
        if (packet == nullptr || size < 2) {
            return false;
        }
        const std::size_t length = static_cast<std::size_t>(packet[0]) << 8 | packet[1];
        if (length > size - 2) {
            return false;
        }
        std::memcpy(bytes_.get(), packet + 2, length);
        used_ = length;
        return true;
    }

    std::vector<std::uint8_t> load() const { return {bytes_.get(), bytes_.get() + used_}; }

private:
    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t used_ = 0;
};

}  // namespace telemetry
