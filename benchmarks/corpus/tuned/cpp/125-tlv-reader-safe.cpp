#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct Field {
    std::uint8_t tag;
    std::string text;
};

class TlvReader {
public:
    TlvReader(const std::uint8_t *data, std::size_t size) : data_(data), size_(size) {}

    std::optional<Field> next()
    {
        if (size_ - pos_ < 2)
            return std::nullopt;
        const std::uint8_t tag = data_[pos_];
        const std::size_t len = data_[pos_ + 1];
        pos_ += 2;
        if (len > size_ - pos_)
            return std::nullopt;

        Field field{tag, std::string(reinterpret_cast<const char *>(data_ + pos_), len)};
        pos_ += len;
        return field;
    }

private:
    const std::uint8_t *data_;
    std::size_t size_;
    std::size_t pos_ = 0;
};

std::vector<Field> parse_all(const std::vector<std::uint8_t> &message)
{
    std::vector<Field> fields;
    TlvReader reader(message.data(), message.size());
    while (auto field = reader.next())
        fields.push_back(std::move(*field));
    return fields;
}
