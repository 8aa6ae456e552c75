#pragma once
/// A folder with the tensors of a run: .npy files and index.json, which says what they are.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/process.hpp"
#include "network/layers/tensors.hpp"

namespace macrame::network::layers {

/// The file that says what the others are.
inline constexpr std::string_view kIndex = "index.json";

/// What keeps a folder from being written; empty: nothing does. It may be there if it is empty or
/// was written by an earlier run.
std::string folder_problem(const std::filesystem::path& folder);

/// Tensors of several runs. They are written beside the folder and take its place at the end, or
/// go.
class Folder {
public:
    /// `inputs`: names of the runs; if there are several, each has a folder of its own: "0", "1".
    Folder(std::filesystem::path folder, std::vector<std::string> inputs);
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// Tensors of the next run. Returns what went wrong, one line; empty if nothing did.
    std::string add(const std::vector<FileTensor>& tensors, const Values& values);
    /// Adds the index and puts all in its place. `machine`: what ran it.
    std::string finish(const Network& network, const std::string& configuration,
                       const std::string& machine);

    std::size_t files() const { return files_; }

private:
    std::string prepare();

    std::filesystem::path folder_, staging_;
    std::vector<std::string> inputs_;
    std::vector<FileTensor> tensors_;
    std::size_t runs_ = 0, files_ = 0;
    std::optional<Interrupts> interrupts_;  ///< while there is something to tidy up
};

}  // namespace macrame::network::layers
