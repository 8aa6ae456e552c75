#include "network/layers/folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "emit/file_io.hpp"

namespace macrame::network::layers {

namespace fs = std::filesystem;

namespace {

nlohmann::ordered_json row_of(const FileTensor& tensor) {
    const auto or_null = [](bool there, nlohmann::ordered_json value) {
        return there ? std::move(value) : nlohmann::ordered_json();
    };
    const bool known = tensor.id != graph::kNone;
    return {{"layer", or_null(tensor.layer >= 0, tensor.layer)},
            {"operator", or_null(tensor.place != FileTensor::kInput, tensor.place)},
            {"kind", tensor.kind},
            {"tensor", tensor.name},
            {"shape", or_null(known, tensor.shape)},
            {"type", or_null(known, name_of(tensor.type))},
            {"scale", or_null(!tensor.scale.empty(), tensor.scale)},
            {"zero_point", or_null(!tensor.zero_point.empty(), tensor.zero_point)},
            {"file", or_null(tensor.exists(), tensor.file)},
            {"absent", or_null(!tensor.exists(), tensor.absent)}};
}

}  // namespace

std::string folder_problem(const fs::path& folder) {
    std::error_code code;
    const fs::file_status status = fs::status(folder, code);
    if (status.type() == fs::file_type::not_found) {
        const fs::path parent = fs::absolute(folder, code).parent_path();
        if (!fs::is_directory(parent, code))
            return fmt::format("{}: no folder {}: want one to write into", folder.string(),
                               parent.string());
        return "";
    }
    if (status.type() != fs::file_type::directory)
        return fmt::format("{}: no folder: want a new one, or one that --layers wrote",
                           folder.string());
    if (!fs::is_empty(folder, code) && !fs::exists(folder / kIndex, code))
        return fmt::format(
            "{}: a folder with other files, no {}: want a new one, or one that "
            "--layers wrote",
            folder.string(), kIndex);
    return code ? fmt::format("{}: {}", folder.string(), code.message()) : "";
}

Folder::Folder(fs::path folder, std::vector<std::string> inputs)
    : folder_(std::move(folder)), inputs_(std::move(inputs)) {
    // "DIR/" is DIR.
    if (!folder_.has_filename()) folder_ = folder_.parent_path();
}

Folder::~Folder() {
    std::error_code code;
    if (!staging_.empty()) fs::remove_all(staging_, code);
}

std::string Folder::prepare() {
    if (const std::string problem = folder_problem(folder_); !problem.empty()) return problem;
    interrupts_.emplace();
    std::string name = folder_.string() + ".new-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
        return fmt::format("{}: cannot write: {}", folder_.string(), emit::error_text(errno));
    staging_ = name;
    fs::permissions(staging_, fs::perms(0755));
    return "";
}

std::string Folder::add(const std::vector<FileTensor>& tensors, const Values& values) {
    if (staging_.empty())
        if (const std::string problem = prepare(); !problem.empty()) return problem;
    const fs::path own = inputs_.size() > 1 ? staging_ / fmt::to_string(runs_) : staging_;
    std::error_code code;
    fs::create_directories(own, code);
    if (code) return fmt::format("{}: cannot write: {}", folder_.string(), code.message());
    for (const FileTensor& tensor : tensors) {
        if (!tensor.exists()) continue;
        const Bytes elements = to_file(tensor, values.at(tensor.id));
        const std::string error = emit::write_file(
            own / tensor.file, npy_text(tensor.type, tensor.shape, view(elements)));
        if (!error.empty()) return fmt::format("{}: {}", (folder_ / tensor.file).string(), error);
        if (waiting_interrupt() != 0)
            return fmt::format("{}: interrupted, nothing was written", folder_.string());
        ++files_;
    }
    tensors_ = tensors;
    ++runs_;
    return "";
}

std::string Folder::finish(const Network& network, const std::string& configuration,
                           const std::string& machine) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const FileTensor& tensor : tensors_)
        rows.push_back(row_of(tensor));
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        inputs.push_back({{"name", inputs_[i]},
                          {"folder", inputs_.size() > 1 ? fmt::to_string(i) : std::string(".")}});
    const nlohmann::ordered_json index = {{"network", network.name},
                                          {"configuration", configuration},
                                          {"machine", machine},
                                          {"inputs", std::move(inputs)},
                                          {"tensors", std::move(rows)}};
    const std::string text =
        index.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    std::string error = emit::write_file(staging_ / kIndex, text);
    if (!error.empty()) return fmt::format("{}: {}", (folder_ / kIndex).string(), error);
    // What was there goes when the new folder is in its place.
    const fs::path old = staging_.string() + ".old";
    std::error_code code;
    const bool replaces = fs::exists(folder_, code);
    if (replaces) fs::rename(folder_, old, code);
    if (!code) fs::rename(staging_, folder_, code);
    if (code) {
        error = fmt::format("{}: cannot write: {}", folder_.string(), code.message());
        if (replaces && !fs::exists(folder_)) fs::rename(old, folder_, code);
        return error;
    }
    staging_.clear();
    if (replaces) fs::remove_all(old, code);
    return "";
}

}  // namespace macrame::network::layers
