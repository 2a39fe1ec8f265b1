#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

class Widget {
public:
    explicit Widget(std::string title) : title_(std::move(title)) {}
    void rename(const std::string &title) { title_ = title; }
    const std::string &title() const { return title_; }

private:
    std::string title_;
};

class Registry {
public:
    void add(int id, const std::string &title) { widgets_[id] = std::make_unique<Widget>(title); }

    Widget *find(int id) const
    {
        auto it = widgets_.find(id);
        return it == widgets_.end() ? nullptr : it->second.get();
    }

private:
    std::map<int, std::unique_ptr<Widget>> widgets_;
};

static bool run_command(Registry &registry, const std::string &line)
{
    std::istringstream in(line);
    std::string verb, title;
    int id = 0;
    if (!(in >> verb >> id >> title))
        return false;
    if (verb == "add") {
        registry.add(id, title);
        return true;
    }
    Widget *widget = registry.find(id);
    widget->rename(title);
    return true;
}

int main()
{
    Registry registry;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << (run_command(registry, line) ? "ok" : "error") << '\n';
}
