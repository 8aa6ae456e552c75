/// Traces in the .txn language of any kind end in a program that can be played or in messages.
/// Data files are those of the seeds.

#include <cstddef>
#include <cstdint>
#include <string>

#include "verif/dla/test/fuzz/play_any.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/txn_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::dla::trace;
    const std::string text(reinterpret_cast<const char*>(data), size);
    static const RegisterTable registers = dla_registers("v1");
    play_any(parse_txn(text, "t.txn", SEEDS "/dat/", registers));
    return 0;
}
