#include "verif/common/run/progress.hpp"

#include <cstdio>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr double kEarly = 0.5;  // seconds within which rates mean nothing

void to_terminal(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

/// "1:20", "2:00:05"
std::string clock_text(double seconds) {
    const auto all = static_cast<std::uint64_t>(seconds + 0.5);
    const auto two = [](std::uint64_t n) { return (n < 10 ? "0" : "") + text::shortest(n); };
    const std::string tail = ":" + two(all % 60);
    return all < 3600 ? text::shortest(all / 60) + tail
                      : text::shortest(all / 3600) + ":" + two(all / 60 % 60) + tail;
}

}  // namespace

std::string progress_text(const ProgressState& state) {
    const std::size_t done = state.done.done();
    std::string out = text::shortest(done) + " of " + text::shortest(state.programs) + " " + state.what;
    if (state.done.failed != 0) out += ", " + text::shortest(state.done.failed) + " failed";
    if (state.done.layers != 0) out += ", " + text::shortest(state.done.layers) + " layers";
    if (state.seconds < kEarly) return out;
    if (state.cycles != 0) {
        const double rate = static_cast<double>(state.cycles) / state.seconds / 1000.0;
        out += ", " + text::fixed(rate, 0) + " kcycles/s";
    }
    if (done == 0) return out + ", " + clock_text(state.seconds);
    const auto left = static_cast<double>(state.programs - done);
    return out + ", " + clock_text(state.seconds * left / static_cast<double>(done)) + " left";
}

void Progress::show(const ProgressState& state) {
    if (!on_) return;
    to_terminal("\r" + progress_text(state) + "\x1b[K");
    shown_ = true;
}

void Progress::clear() {
    if (shown_) to_terminal("\r\x1b[K");
    shown_ = false;
}

}  // namespace macrame::verif::run
