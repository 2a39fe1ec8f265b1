#include <iostream>
#include <sstream>
#include <stack>
#include <string>

int evaluate(const std::string &line) {
    std::stack<int> values;
    std::istringstream in(line);
    std::string word;
    while (in >> word) {
        if (word == "+" || word == "*") {
            if (values.size() < 2) return 0;
            int b = values.top();
            values.pop();
            int a = values.top();
            values.pop();
            values.push(word == "+" ? a + b : a * b);
        } else {
            values.push(static_cast<int>(word.size()));
        }
    }
    return values.empty() ? 0 : values.top();
}
