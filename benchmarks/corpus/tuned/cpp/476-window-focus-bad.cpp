#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

class Widget {
public:
    virtual ~Widget() = default;
};

class TextField : public Widget {
public:
    void append(const std::string &text) { content_ += text; }
    const std::string &content() const { return content_; }

private:
    std::string content_;
};

class CheckBox : public Widget {};

class Form {
public:
    void add(std::uint32_t id, std::unique_ptr<Widget> widget) { widgets_[id] = std::move(widget); }

    // Called for each key message: the id comes from the remote screen.
    bool type(std::uint32_t id, const std::string &text) {
        const auto found = widgets_.find(id);
        if (found == widgets_.end()) {
            return false;
        }
        auto *field = dynamic_cast<TextField *>(found->second.get());
        field->append(text);
        return true;
    }

private:
    std::map<std::uint32_t, std::unique_ptr<Widget>> widgets_;
};
