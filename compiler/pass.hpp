#pragma once
/// A back end is a list of passes over one state, which can show what each of them has made.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::compiler {

/// What a pass has made, for people.
struct PassText {
    std::string pass;
    std::string text;
};

/// In Options::dump: every pass.
inline constexpr std::string_view kAllPasses = "all";

/// Is the text of this pass asked for? `dump` as in Options.
inline bool wants(std::string_view dump, std::string_view pass) {
    return dump == kAllPasses || dump == pass;
}

/// A step from a network to its program.
template <class State>
struct Pass {
    std::string_view name;
    void (*run)(State&);
    std::string (*dump)(const State&);
};

/// Their names, in order.
template <class State, std::size_t N>
std::vector<std::string> names(const std::array<Pass<State>, N>& passes) {
    std::vector<std::string> out;
    for (const Pass<State>& pass : passes)
        out.emplace_back(pass.name);
    return out;
}

/// Runs passes in order, up to the first that leaves an error in State::result (compiled.hpp). What
/// they show of themselves goes there, too.
template <class State, std::size_t N>
void run(const std::array<Pass<State>, N>& passes, State& state, std::string_view dump) {
    for (const Pass<State>& pass : passes) {
        pass.run(state);
        if (!state.result.ok()) return;
        if (wants(dump, pass.name))
            state.result.dumps.push_back({std::string(pass.name), pass.dump(state)});
    }
}

}  // namespace macrame::compiler
