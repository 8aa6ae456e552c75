/// Program files of any kind: the C++ reader and the C library take the same ones, and what they
/// take runs on a device that is only registers.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "compiler/program/program.hpp"
#include "compiler/test/program/sample.hpp"
#include "runtime/macrame.h"
#include "runtime/play/play.hpp"

namespace {

using namespace macrame;
using Bytes = std::vector<std::uint8_t>;

/// Every register keeps what is written; interrupts come now and then.
class AnyDevice : public verif::Device {
public:
    void reset() override {}
    void csb_write(std::uint32_t address, std::uint32_t value, bool) override {
        registers_[address] = value;
        ++cycle_;
    }
    std::uint32_t csb_read(std::uint32_t address) override {
        ++cycle_;
        return cycle_ % 3 == 0 ? ~0U : registers_[address];
    }
    bool interrupt() override { return cycle_ % 2 == 0; }
    void advance(int n) override { cycle_ += static_cast<std::uint64_t>(n) | 1U; }
    std::uint64_t cycle() override { return cycle_; }

private:
    std::map<std::uint32_t, std::uint32_t> registers_;
    std::uint64_t cycle_ = 0;
};

void play(const Bytes& file, const program::Program& program) {
    if (program.memory_bytes > 1 << 20) return;
    std::vector<Bytes> inputs;
    for (const program::Tensor& tensor : program.inputs) {
        const std::uint64_t elements =
            std::uint64_t{tensor.height} * tensor.width * tensor.channels;
        if (elements > 1 << 20) return;
        inputs.emplace_back(elements *
                            static_cast<std::uint64_t>(program::element_bytes(tensor.element)));
    }
    AnyDevice device;
    verif::Memory memory;
    program::PlayOptions options;
    options.timeout = 1000;
    options.host = [](std::uint32_t number, std::uint8_t*) { return number < 9; };
    const program::PlayResult result = program::play(file, inputs, device, memory, options);
    if (result.passed() && result.outputs.size() != program.outputs.size()) std::abort();
}

void survive(const Bytes& file) {
    const program::ReadResult read = program::read(file);
    macrame_program opened;
    if ((macrame_open(&opened, file.data(), file.size()) == MACRAME_OK) != read.ok()) std::abort();
    if (!read.ok()) {
        if (read.error.find('\n') != std::string::npos) std::abort();
        return;
    }
    if (!read.programs.empty()) {
        if (!program::read(program::write(read.programs)).ok()) std::abort();
        return;
    }
    if (program::write(read.program) != file) {
        // Other strings or an order of its own: but the same program.
        if (!program::read(program::write(read.program)).ok()) std::abort();
    }
    program::listing(read.program);
    play(file, read.program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes file(data, data + size);
    survive(file);
    // Most changes end at the length and the checksum: the rest sees them only with these made
    // right.
    for (std::size_t i = 0; i < 8 && size >= 20; ++i)
        file[8 + i] = static_cast<std::uint8_t>(size >> 8 * i);
    program::seal(file);
    survive(file);
    return 0;
}
