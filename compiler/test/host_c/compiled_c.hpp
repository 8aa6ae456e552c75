#pragma once
/// C of networks that the host runs alone, compiled by the C compiler of this computer.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compiler/graph/reference.hpp"
#include "compiler/host_c/host_c.hpp"
#include "verif/common/random.hpp"

namespace macrame::compiler::host_c {

/// A folder that is gone at the end.
struct Folder {
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "macrame_c_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// The operators of a graph as one part of the host.
inline std::vector<Part> on_host(const graph::Graph& graph) {
    Part part;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        part.nodes.push_back(static_cast<int>(i));
    return {part};
}

/// Networks as C: what each is called is net0, net1, ...
class CompiledC {
public:
    explicit CompiledC(const std::vector<graph::Graph>& graphs) {
        std::string all;  // one file takes less time than many
        for (std::size_t i = 0; i < graphs.size(); ++i) {
            const std::string name = "net" + std::to_string(i);
            const Written made = write(graphs[i], on_host(graphs[i]), name);
            EXPECT_EQ(made.problem, "");
            memory_.push_back(made.memory_bytes);
            for (const auto& [file, text] : made.files)
                write_text(folder_.path / file, text);
            all += "#include \"" + name + "_host.c\"\n";
        }
        write_text(folder_.path / "nets.c", all);
        const std::string library = (folder_.path / "nets.so").string();
        const std::string command =
            "cc -std=c99 -O0 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -fPIC -shared -I" +
            std::string(SOURCE_DIR) + "/runtime -o " + library + " " +
            (folder_.path / "nets.c").string() +
            " " SOURCE_DIR "/runtime/host/math/*.c " RUNTIME_LIBRARY " -lm";
        EXPECT_EQ(std::system(command.c_str()), 0);
        library_ = dlopen(library.c_str(), RTLD_NOW);
        EXPECT_NE(library_, nullptr) << dlerror();
    }
    ~CompiledC() {
        if (library_ != nullptr) dlclose(library_);
    }
    CompiledC(const CompiledC&) = delete;
    CompiledC& operator=(const CompiledC&) = delete;

    /// A network with memory of its own.
    class Net {
    public:
        Net(void* library, std::size_t number, const graph::Graph& graph, std::uint64_t bytes)
            : graph_(graph), arena_(bytes / 8 + 1, 0xa5a5a5a5a5a5a5a5U) {
            const std::string name = "net" + std::to_string(number);
            run_ = reinterpret_cast<Run*>(dlsym(library, (name + "_run").c_str()));
            auto* begin = reinterpret_cast<Begin*>(dlsym(library, (name + "_begin").c_str()));
            net_.arena = arena_.data();
            if (begin != nullptr) begin(&net_);
        }
        /// Outputs, without those of states; nothing after an error.
        std::vector<graph::Bytes> run(const std::vector<graph::Bytes>& inputs) {
            std::vector<const void*> in;
            std::vector<void*> out;
            std::vector<graph::Bytes> made;
            for (const graph::Bytes& input : inputs)
                in.push_back(input.data());
            in.resize(graph_.own_inputs());
            for (std::size_t i = 0; i < graph_.own_outputs(); ++i)
                made.emplace_back(graph_.tensor(graph_.outputs[i]).bytes());
            for (graph::Bytes& output : made)
                out.push_back(output.data());
            error = run_(&net_, in.data(), out.data());
            return error == 0 ? made : std::vector<graph::Bytes>();
        }
        int error = 0;
        std::string failed() const { return net_.failed; }

    private:
        /// As in the header of a network without programs.
        struct Layout {
            void* arena = nullptr;
            const char* failed = nullptr;
            const void* const* inputs = nullptr;
            void* const* outputs = nullptr;
        };
        using Run = int(Layout*, const void* const*, void* const*);
        using Begin = void(Layout*);

        const graph::Graph& graph_;
        std::vector<std::uint64_t> arena_;
        Layout net_;
        Run* run_ = nullptr;
    };
    Net net(std::size_t number, const graph::Graph& graph) const {
        return Net(library_, number, graph, memory_[number]);
    }

private:
    std::vector<std::uint64_t> memory_;  ///< bytes, of each
    Folder folder_;
    void* library_ = nullptr;
};

/// Random elements; float32 from -8 to 8.
inline graph::Bytes random_bytes(const graph::Tensor& tensor, verif::Random& random) {
    graph::Bytes out(tensor.bytes());
    for (std::uint8_t& byte : out)
        byte = static_cast<std::uint8_t>(random.in(0, 255));
    if (tensor.type != graph::Type::float32) return out;
    for (std::size_t at = 0; at < out.size(); at += sizeof(float)) {
        const float value = static_cast<float>(random.in(-8000, 8000)) / 1000;
        std::memcpy(&out[at], &value, sizeof value);
    }
    return out;
}

/// Each network on some inputs, one after the other: the bytes of the reference executor.
inline void expect_reference(const std::vector<graph::Graph>& graphs,
                             const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const std::vector<std::string> errors = graph::check(graphs[i]);
        ASSERT_TRUE(errors.empty()) << names[i] << ": " << errors[0];
    }
    const CompiledC compiled(graphs);
    if (testing::Test::HasFailure()) return;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        verif::Random random(i + 1);
        CompiledC::Net net = compiled.net(i, graphs[i]);
        std::vector<graph::Bytes> states;
        for (const graph::Data& state : graphs[i].states)
            states.push_back(state.bytes());
        for (int run = 0; run < 3; ++run) {
            std::vector<graph::Bytes> inputs;
            for (const graph::TensorId id : graphs[i].inputs)
                inputs.push_back(random_bytes(graphs[i].tensor(id), random));
            std::move(states.begin(), states.end(),
                      inputs.end() - static_cast<std::ptrdiff_t>(states.size()));
            const std::vector<graph::Bytes> made = net.run(inputs),
                                            wanted = graph::run(graphs[i], inputs);
            ASSERT_EQ(made.size(), graphs[i].own_outputs()) << names[i] << ": " << net.error;
            for (std::size_t n = 0; n < made.size(); ++n) {
                const auto found = std::mismatch(made[n].begin(), made[n].end(), wanted[n].begin());
                ASSERT_TRUE(found.first == made[n].end())
                    << names[i] << ": run " << run << ", output " << n << ", byte "
                    << found.first - made[n].begin() << ": " << int{*found.first} << ": want "
                    << int{*found.second};
            }
            states.assign(wanted.begin() + static_cast<std::ptrdiff_t>(made.size()), wanted.end());
        }
    }
}

}  // namespace macrame::compiler::host_c
