#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Texture {
    std::string name;
    explicit Texture(std::string n) : name(std::move(n)) {}
};

class Scene {
public:
    void load(const std::string &name) {
        Texture *raw = new Texture(name);
        textures_.push_back(std::shared_ptr<Texture>(raw));
        recent_ = std::shared_ptr<Texture>(raw);
    }
    const std::string &recent() const { return recent_->name; }

private:
    std::vector<std::shared_ptr<Texture>> textures_;
    std::shared_ptr<Texture> recent_;
};

int main() {
    Scene scene;
    scene.load("grass.png");
    std::cout << scene.recent() << "\n";
}
