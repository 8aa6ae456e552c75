#pragma once
/// Commands on a network in a folder of their own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "families/family.hpp"

namespace macrame::network {

/// Tests with a parameter; what a command says is in `said_`.
template <typename Param>
class Commands : public testing::TestWithParam<Param> {
protected:
    /// The name of the folder, and what all commands get: the network, a file there, and a preset.
    void begin(const std::string& name, const std::string& network, std::string preset) {
        network_ = network;
        preset_ = std::move(preset);
        base_ = std::filesystem::temp_directory_path() /
                ("macrame_" + name + "_" + std::to_string(getpid()) + "_" + preset_);
        std::filesystem::create_directories(base_);
    }
    void TearDown() override { std::filesystem::remove_all(base_); }

    std::string file(const std::string& name) const { return (base_ / name).string(); }

    int call(const std::string& command, const std::vector<std::string>& more) {
        std::vector<std::string> words = {command, file(network_), "--preset", preset_};
        words.insert(words.end(), more.begin(), more.end());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = run(words, all_families());
        said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
        return status;
    }

    std::string said_;

private:
    std::filesystem::path base_;
    std::string network_, preset_;
};

}  // namespace macrame::network
