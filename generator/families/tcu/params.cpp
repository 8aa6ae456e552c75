#include <limits>

#include "families/tcu/tables.hpp"

namespace macrame::tcu {

namespace {

constexpr int kMaxDepth = 65536;  // of memories on the chip
constexpr int kMaxDramDepth = std::numeric_limits<int>::max();
constexpr int kMaxStrides = 16;  // steps of 2^0 .. 2^15 vectors

}  // namespace

const Params& params() {
    static const Params kParams = {
        // The keys of architecture files, in their order.
        {"data_type", &Config::data_type,
         words({"FP8BP4", "FP16BP8", "FP18BP10", "FP32BP16", "FLOAT32"}), "",
         "number format: bits and fraction bits; FLOAT32 has no hardware"},
        {"array_size", &Config::array_size, range(2, 256), "scalars",
         "N: the array is N x N, vectors have N scalars"},
        {"dram0_depth", &Config::dram0_depth, range(2, kMaxDramDepth), "vectors",
         "memory bank 0: inputs, outputs, variables"},
        {"dram1_depth", &Config::dram1_depth, range(2, kMaxDramDepth), "vectors",
         "memory bank 1: constants, and variables that bank 0 has no room for"},
        {"local_depth", &Config::local_depth, range(2, kMaxDepth), "vectors",
         "local memory; need not be a power of two"},
        {"accumulator_depth", &Config::accumulator_depth, range(2, kMaxDepth), "vectors",
         "accumulators; need not be a power of two"},
        {"simd_registers_depth", &Config::simd_registers_depth, range(0, 16), "registers",
         "registers of each SIMD lane"},
        {"stride0_depth", &Config::stride0_depth, range(1, kMaxStrides), "strides",
         "steps that operand 0 can have: 1, 2, 4 and so on"},
        {"stride1_depth", &Config::stride1_depth, range(1, kMaxStrides), "strides",
         "steps that operand 1 can have"},
        {"number_of_threads", &Config::number_of_threads, choices({1, 2}), "threads",
         "threads of a program; hardware has one"},
        {"thread_queue_depth", &Config::thread_queue_depth, range(1, 65536), "instructions",
         "of the latency model of programs with two threads; the hardware does not depend on it",
         Programs::ignore},
        // What the document promises and no architecture file has.
        {"lut_tables", &Config::lut_tables, range(0, 15), "tables",
         "lookup tables of each SIMD lane beside their index; 0: LoadLUT and Lookup are invalid"},
        {"lut_depth", &Config::lut_depth, range_or_none(2, 256), "entries",
         "entries of a lookup table"},
        // The hardware alone.
        {"axi_data_width", &Config::axi_data_width, power_of_two(32, 1024), "bits",
         "data width of the memory ports and of the instruction port", Programs::ignore},
        {"array_vectors", &Config::array_vectors, choices({1, 2}), "vectors/cycle",
         "vectors that MatMul takes per cycle: multipliers of each weight", Programs::ignore},
        {"weight_buffers", &Config::weight_buffers, choices({2, 3}), "sets",
         "sets of weights in the array; 2: after a switch loading waits for array-size cycles",
         Programs::ignore},
        {"queue_depth", &Config::queue_depth, power_of_two(4, 65536), "micro-operations",
         "what decode may be ahead of the array and the accumulators", Programs::ignore},
        {"order_blocks",
         &Config::order_blocks,
         {16, 1024, true, true, {}, {}},
         "blocks",
         "of local memory, ordered apart; of a bank an eighth; none: units wait for each other",
         Programs::ignore},
        {"transfer_depth", &Config::transfer_depth, power_of_two(2, 256), "micro-operations",
         "loads and stores that may wait for memory and each other; bursts in flight: twice",
         Programs::ignore},
        {"sample_block_size", &Config::sample_block_size, range_or_none(1, 65536), "samples",
         "samples of a block at the sample port; none: no sample port", Programs::ignore},
        {"decoder_timeout", &Config::decoder_timeout, range(1, 65535), "cycles",
         "cycles for which an instruction may wait before the timeout flag, after reset",
         Programs::ignore},
        {"validate_instructions",
         &Config::validate_instructions,
         {},
         "",
         "error flag for instructions that break the rules of the instruction set",
         Programs::ignore},
        {"status_port",
         &Config::status_port,
         {},
         "",
         "port that repeats each instruction taken",
         Programs::ignore},
        {"control_port",
         &Config::control_port,
         {},
         "",
         "port with registers: identity, state, bus errors, soft reset",
         Programs::ignore},
    };
    return kParams;
}

}  // namespace macrame::tcu
