#include <cctype>
#include <string>
#include <string_view>
#include <vector>

enum class TokenKind { Word, Number };

struct Token {
    TokenKind kind;
    std::string text;
};

// Splits a search phrase into words and numbers; other characters only separate them.
std::vector<Token> split(std::string_view phrase) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    const auto is = [&](int (*test)(int)) { return test(static_cast<unsigned char>(phrase[at])) != 0; };

    while (at < phrase.size()) {
        const std::size_t start = at;
        if (is(std::isdigit)) {
            while (at < phrase.size() && is(std::isdigit)) {
                ++at;
            }
            tokens.push_back({TokenKind::Number, std::string(phrase.substr(start, at - start))});
        } else if (is(std::isalpha)) {
            while (at < phrase.size() && is(std::isalpha)) {
                ++at;
            }
            tokens.push_back({TokenKind::Word, std::string(phrase.substr(start, at - start))});
        } else if (is(std::isspace)) {
            ++at;
        }
    }
    return tokens;
}
