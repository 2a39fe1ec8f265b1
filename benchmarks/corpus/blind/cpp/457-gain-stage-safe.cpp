#include <iostream>
#include <string>

enum class Input { Microphone, Line, Phono };

static double gain_for(Input input)
{
    double gain = 1.0;
    switch (input) {
    case Input::Microphone:
        gain = 40.0;
        break;
    case Input::Phono:
        gain = 35.5;
        break;
    default:
        break;
    }
    return gain;
}

int main(int argc, char** argv)
{
    const std::string name = argc > 1 ? argv[1] : "line";
    Input input = Input::Line;
    if (name == "microphone") {
        input = Input::Microphone;
    } else if (name == "phono") {
        input = Input::Phono;
    }
    std::cout << name << ": " << gain_for(input) << " dB\n";
    return 0;
}
