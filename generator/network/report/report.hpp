#pragma once
/// A report on a network: one HTML file that loads nothing.

#include <optional>
#include <string>
#include <vector>

#include "network/answers.hpp"
#include "network/inputs.hpp"
#include "network/layers/compare.hpp"
#include "network/operators.hpp"

namespace macrame::network {

/// An input and what the network made of it.
struct Answered {
    Input input;
    std::optional<Answer> answer;  ///< nothing where the output is no vector of classes
    std::optional<int> label;
};

struct ReportInput {
    const Network& network;
    const Design& design;
    int mhz = 0;                         ///< clock; 0: not known
    int host_mhz = 1000;                 ///< of the host
    const Measured* measured = nullptr;  ///< null: estimates alone
    std::vector<Advice> advice = {};
    // Of runs.
    std::string machine = {};            ///< what ran it: "golden model"; empty: nothing was run
    std::vector<Answered> answers = {};  ///< of the first inputs
    std::size_t inputs = 0;              ///< that were run
    const Classes* classes = nullptr;
    Accuracy accuracy = {};
    const layers::Comparison* comparison = nullptr;  ///< of tensors; null: was not asked for
    std::vector<std::uint64_t> saturated = {};       ///< values by layer; empty: were not counted
};

/// So many answers are worth showing.
inline constexpr std::size_t kMostAnswers = 24;

/// The page. The same input gives the same bytes.
std::string html(const ReportInput& input);

}  // namespace macrame::network
