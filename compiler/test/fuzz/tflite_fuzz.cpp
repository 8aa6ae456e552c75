/// TFLite files of any kind end in a graph that can be executed or in messages.

#include <cstddef>
#include <cstdint>

#include "compiler/test/fuzz/mutate.hpp"
#include "compiler/test/fuzz/survive.hpp"

using namespace macrame::front;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
    macrame::verif::Random random(seed);
    if (random.chance(70) && test::mutate_tflite(data, size, random)) return size;
    return LLVMFuzzerMutate(data, size, room);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ReadResult result = read_tflite("net", {data, data + size});
    test::check_result(result);
    if (result.ok()) test::run_small(result.graph);
    return 0;
}
