#include "core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "verif/common/text.hpp"

namespace macrame {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t same = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, same});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::string flag_name(std::string_view key) {
    std::string name(key);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string join_or(const std::vector<std::string>& items) {
    return verif::text::join(items, "or");
}

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
    constexpr std::size_t kShortest = 3;  // fewer letters are like too many words
    std::string best;
    if (name.size() < kShortest) return best;
    std::size_t best_distance = name.size() / 3 + 1;
    for (const std::string& candidate : candidates) {
        std::size_t distance = edit_distance(name, candidate);
        // The user may have shortened it.
        if (name.front() == candidate.front())
            distance = std::min(distance, edit_distance(name, candidate.substr(0, name.size())));
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string like = closest(name, candidates);
    return like.empty() ? "" : fmt::format("; did you mean {}?", like);
}

std::string complete(std::string_view what, const std::string& word,
                     const std::vector<std::string>& candidates, Diags& diags) {
    std::vector<std::string> found;
    for (const std::string& candidate : candidates) {
        if (candidate == word) return word;
        if (candidate.compare(0, word.size(), word) == 0) found.push_back(candidate);
    }
    if (found.size() == 1) return found[0];
    const std::string why =
        found.empty() ? "unknown" + suggestion(word, candidates) : "could be " + join_or(found);
    diags.push_back({fmt::format("{}{}: {}", what, word, why)});
    return word;
}

std::string finding(std::string_view name, std::string_view value, std::string_view wanted,
                    std::string_view where) {
    return fmt::format("{} = {}: want {} ({})", name, value.empty() ? "\"\"" : value, wanted,
                       where);
}

}  // namespace macrame
