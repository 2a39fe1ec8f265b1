#include <memory>
#include <numbers>
#include <vector>

enum class Kind { Circle, Box, Label };

struct Shape {
    explicit Shape(Kind k) : kind(k) {}
    virtual ~Shape() = default;
    const Kind kind;
};

struct Circle : Shape {
    explicit Circle(double r) : Shape(Kind::Circle), radius(r) {}
    double radius;
};

struct Box : Shape {
    Box(double w, double h) : Shape(Kind::Box), width(w), height(h) {}
    double width, height;
};

struct Label : Shape {
    explicit Label(char mark) : Shape(Kind::Label), letter(mark) {}
    char letter;
};

double painted_area(const std::vector<std::unique_ptr<Shape>> &drawing) {
    double sum = 0;
    for (const auto &shape : drawing) {
        if (shape->kind == Kind::Circle) {
            const auto *circle = static_cast<const Circle *>(shape.get());
            sum += std::numbers::pi * circle->radius * circle->radius;
        } else {
            const auto *box = static_cast<const Box *>(shape.get());
            sum += box->width * box->height;
        }
    }
    return sum;
}
