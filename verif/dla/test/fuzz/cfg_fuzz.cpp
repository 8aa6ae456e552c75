/// Traces in the .cfg language of any kind end in a program that can be played or in messages.
/// Data files are those of the seeds.

#include <cstddef>
#include <cstdint>
#include <string>

#include "verif/dla/test/fuzz/play_any.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::dla::trace;
    static const RegisterTable kRegisters = dla_registers();
    const std::string text(reinterpret_cast<const char*>(data), size);
    play_any(parse_cfg(text, "t.cfg", SEEDS "/dat/", kRegisters));
    return 0;
}
