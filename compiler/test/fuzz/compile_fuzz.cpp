/// What was read of a file of any kind is compiled, or refused with messages. The program that
/// comes of it is one that its own reader takes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "compiler/dla/compile.hpp"
#include "compiler/program/program.hpp"
#include "compiler/test/fuzz/mutate.hpp"
#include "compiler/test/fuzz/survive.hpp"

using namespace macrame;
using namespace macrame::front;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
    verif::Random random(seed);
    const bool structure = random.chance(90);
    if (structure && test::mutate_tflite(data, size, random)) return size;
    if (structure && test::mutate_onnx(data, size, room, random)) return size;
    return LLVMFuzzerMutate(data, size, room);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<std::uint8_t> bytes(data, data + size);
    const bool tflite = size >= 8 && std::string(bytes.begin() + 4, bytes.begin() + 8) == "TFL3";
    const ReadResult read = tflite ? read_tflite("net", bytes) : read_onnx("net", bytes);
    test::check_result(read);
    if (!read.ok()) return 0;
    dla::model::Architecture sizes;  // nv_small's
    sizes.pdp = true;
    for (const bool host_commands : {false, true}) {
        compiler::Options options;
        options.host_commands = host_commands;
        const compiler::Compiled compiled = dla::compiler::compile(read.graph, sizes, options);
        for (const std::string& error : compiled.errors) {
            if (error.empty() || error.find("broken rule") != std::string::npos) std::abort();
        }
        if (!compiled.ok()) continue;
        if (!program::problem(compiled.program).empty()) std::abort();
        if (!program::read(program::write(compiled.program)).ok()) std::abort();
        break;
    }
    return 0;
}
