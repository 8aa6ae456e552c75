#include "bins.hpp"

#include <algorithm>
#include <utility>

#include "text.hpp"

namespace macrame::verif {

namespace {

constexpr std::string_view kHead = "# functional coverage: count and bin";
constexpr std::string_view kHoles = "# holes:";

}  // namespace

void Bins::hit(const std::string& name, bool yes) {
    std::string full = group_;
    full.append(".").append(name);
    bins_[full] += yes && counting_ ? 1u : 0u;
}

void Bins::range(const std::string& name, std::int64_t value, const std::vector<int>& lowest) {
    for (auto low = lowest.begin(); low != lowest.end(); ++low) {
        std::string label = " " + std::to_string(*low);
        const bool last = low + 1 == lowest.end();
        if (last) {
            label += "+";
        } else if (low[1] != *low + 1) {
            label += ".." + std::to_string(low[1] - 1);
        }
        hit(name + label, value >= *low && (last || value < low[1]));
    }
}

void Bins::sign(const std::string& name, std::int64_t value) {
    choice(name, {"negative", "zero", "positive"}, value < 0 ? 0 : value == 0 ? 1 : 2);
}

void Bins::choice(const std::string& name, const Labels& labels, int index) {
    for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
        std::string full = name;
        hit(full.append(" ").append(labels[static_cast<std::size_t>(i)]), i == index);
    }
}

void Bins::cross(const std::string& name, const Labels& a, int index_a, const Labels& b,
                 int index_b) {
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        std::string left = name;
        left.append(" ").append(a[static_cast<std::size_t>(i)]).append(" x");
        choice(left, b, i == index_a ? index_b : -1);
    }
}

std::vector<std::string> Bins::holes() const {
    std::vector<std::string> out;
    for (const auto& [name, count] : bins_) {
        if (count == 0) out.push_back(name);
    }
    return out;
}

std::string Bins::table() const {
    constexpr std::size_t kWidth = 10;
    std::string out;
    out.append(kHead).append("\n");
    for (const auto& [name, count] : bins_) {
        const std::string number = std::to_string(count);
        out.append(kWidth - std::min(kWidth, number.size()), ' ');
        out.append(number).append("  ").append(name).append("\n");
    }
    const std::vector<std::string> open = holes();
    out.append("# ").append(summary()).append("\n");
    out.append(kHoles).append(open.empty() ? " none\n" : "\n");
    for (const std::string& name : open)
        out.append("#   ").append(name).append("\n");
    return out;
}

bool Bins::merge(std::string_view table) {
    if (text::next_line(table) != kHead) return false;
    std::vector<std::pair<std::string, std::uint64_t>> found;
    while (!table.empty()) {
        const std::string_view line = text::trim(text::next_line(table));
        if (line.empty() || line[0] == '#') continue;
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos) return false;
        const auto count = text::number(line.substr(0, blank));
        if (!count) return false;
        found.emplace_back(text::trim(line.substr(blank)), *count);
    }
    for (const auto& [name, count] : found)
        bins_[name] += count;
    return true;
}

std::string Bins::summary() const {
    const std::size_t all = bins_.size();
    return std::to_string(all - holes().size()) + " of " + std::to_string(all) + " bins hit";
}

}  // namespace macrame::verif
