#pragma once
/// Mutations of texts for fuzz targets: what a typing user and a damaged file do, and a little
/// more.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/random.hpp"

namespace macrame::verif {

/// Makes inputs from a corpus and a dictionary of words of the language.
class Mutator {
public:
    Mutator(std::uint64_t seed, std::vector<std::string> corpus,
            std::vector<std::string> dictionary, std::size_t max_bytes)
        : random_(seed),
          corpus_(std::move(corpus)),
          words_(std::move(dictionary)),
          max_bytes_(max_bytes) {
        for (const char* number : {"0", "1", "-1", "63", "64", "0x7fffffff", "0xffffffff",
                                   "4294967296", "9223372036854775807", "0xffffffffffffffff",
                                   "99999999999999999999", "1e9", "\"\"", "\n", "\\", "\x80"}) {
            words_.emplace_back(number);
        }
    }

    std::string next() {
        std::string text = corpus_.empty() || random_.chance(2) ? "" : any(corpus_);
        change(text);
        return text;
    }

    /// An input of the corpus as it is.
    std::string first() { return corpus_.empty() ? "" : any(corpus_); }

    void change(std::string& text) {
        for (int i = random_.low(1, 8); i > 0; --i)
            mutate(text);
        text.resize(std::min(text.size(), max_bytes_));
    }

    unsigned number() { return random_.word(); }

private:
    std::size_t below(std::size_t n) {
        return n == 0 ? 0 : static_cast<std::size_t>(random_.bits() % n);
    }
    const std::string& any(const std::vector<std::string>& from) {
        return from[below(from.size())];
    }

    void mutate(std::string& text) {
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = below(std::min<std::size_t>(text.size() - at, 64) + 1);
        switch (random_.in(0, 8)) {
            case 0:  // one bit
                if (at < text.size())
                    text[at] = static_cast<char>(text[at] ^ 1 << random_.in(0, 7));
                break;
            case 1:  // one byte
                text.insert(at, 1, static_cast<char>(random_.in(0, 255)));
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:  // repeat a stretch, sometimes very often
                if (length != 0) repeat(text, at, length);
                break;
            case 4:
                text.replace(at, length, any(words_));
                break;
            case 5:
                text.insert(at, any(words_));
                break;
            case 6:
                replace_number(text, at);
                break;
            case 7:  // go on as another one
                if (!corpus_.empty()) text = text.substr(0, at) + tail(any(corpus_));
                break;
            default:  // truncated
                if (random_.chance(20)) text.resize(at);
                break;
        }
    }

    std::string tail(const std::string& text) { return text.substr(below(text.size() + 1)); }

    void repeat(std::string& text, std::size_t at, std::size_t length) {
        const std::string piece = text.substr(at, length);
        const int times = random_.chance(10) ? random_.in(100, 5000) : random_.in(1, 4);
        std::string many;
        for (int i = 0; i < times && many.size() < max_bytes_; ++i)
            many += piece;
        text.insert(at, many);
    }

    /// The number behind `at` becomes another one.
    void replace_number(std::string& text, std::size_t at) {
        const std::size_t start = text.find_first_of("0123456789", at);
        if (start == std::string::npos) return;
        const std::size_t end =
            std::min(text.find_first_not_of("0123456789abcdefxABCDEF", start), text.size());
        text.replace(start, end - start, any(words_));
    }

    Random random_;
    std::vector<std::string> corpus_;
    std::vector<std::string> words_;
    std::size_t max_bytes_;
};

}  // namespace macrame::verif
