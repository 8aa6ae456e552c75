#pragma once

#include <string>

namespace macrame::tcu {

/// Scalability parameters: the keys of an architecture file (.tarch) under their own names, then
/// what only the hardware has. The defaults are those of artya7100t.
/// Ranges, units and explanations: params.cpp.
struct Config {
    std::string data_type = "FP16BP8";
    int array_size = 8;
    int dram0_depth = 1048576;
    int dram1_depth = 1048576;
    int local_depth = 8192;
    int accumulator_depth = 2048;
    int simd_registers_depth = 1;
    int stride0_depth = 8;
    int stride1_depth = 8;
    int number_of_threads = 1;
    int thread_queue_depth = 8;

    int lut_tables = 0;
    int lut_depth = 0;

    int axi_data_width = 128;
    int array_vectors = 1;
    int weight_buffers = 3;
    int queue_depth = 2048;
    int order_blocks = 256;
    int transfer_depth = 64;
    int sample_block_size = 0;
    int decoder_timeout = 100;
    bool validate_instructions = false;
    bool status_port = false;
    bool control_port = false;
};

}  // namespace macrame::tcu
