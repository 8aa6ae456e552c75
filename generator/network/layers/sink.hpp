#pragma once
/// What `macrame run` does with the tensors of its runs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/inputs.hpp"
#include "network/layers/compare.hpp"
#include "network/layers/folder.hpp"
#include "request.hpp"

namespace macrame::network::layers {

class Sink {
public:
    Sink(const Request& request, const Network& network, const std::vector<Input>& inputs);

    bool wanted() const { return folder_ || comparison_; }
    /// Tensors of the next run; false after an error, which is printed.
    bool take(const Values& values);
    /// Writes the folder and prints the comparison; false after an error, which is printed.
    /// `machine`: what ran it; `saturated`: values by layer, if they were counted.
    bool finish(const std::string& configuration, const std::string& machine,
                const std::vector<std::uint64_t>& saturated);
    /// Null: none was asked for.
    const Comparison* comparison() const { return comparison_ ? &*comparison_ : nullptr; }

private:
    const Network& network_;
    const std::vector<Input>& inputs_;
    std::string path_;
    std::optional<Folder> folder_;
    std::optional<Comparison> comparison_;
    std::vector<FileTensor> tensors_;
    std::size_t runs_ = 0;
};

/// Signal to noise of outputs of the network against those of the reference executor, the least of
/// these runs, the first 16 of many, in words; empty where back ends declare what differs.
std::string output_noise(const Network& network, const std::vector<Input>& inputs,
                         const std::vector<std::vector<Bytes>>& outputs);

}  // namespace macrame::network::layers
