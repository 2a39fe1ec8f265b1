#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Step {
    std::string name;
    std::chrono::milliseconds took;
};

static std::string label_for(std::chrono::milliseconds took)
{
    char text[32];
    const long long ms = took.count();
    if (ms < 1000)
        std::snprintf(text, sizeof text, "%lld ms", ms);
    else
        std::snprintf(text, sizeof text, "%lld.%03lld s", ms / 1000, ms % 1000);
    return text;
}

class Report {
public:
    void add(Step step) { steps_.push_back(std::move(step)); }

    void print(std::ostream &out) const
    {
        for (const auto &step : steps_)
            out << step.name << ": " << label_for(step.took) << '\n';
    }

private:
    std::vector<Step> steps_;
};

int main()
{
    using namespace std::chrono_literals;
    Report report;
    report.add({"load", 320ms});
    report.add({"index", 4125ms});
    report.print(std::cout);
}
