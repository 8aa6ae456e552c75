#include "families/tcu/derived.hpp"

#include <algorithm>

#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

namespace {

void derive_layout(Derived& d, const Layout& l) {
    d.local_addr_w = l.local_bits;
    d.acc_addr_w = l.accumulator_bits;
    d.dram0_addr_w = l.dram0_bits;
    d.dram1_addr_w = l.dram1_bits;
    d.instruction_w = l.bits;
    d.instruction_bytes = l.bytes;
    d.op0_w = l.operand0_bits;
    d.op0_addr_w = l.address0_bits;
    d.op0_stride_w = l.stride0_bits;
    d.op1_w = l.operand1_bits;
    d.op1_addr_w = l.address1_bits;
    d.op1_stride_w = l.stride1_bits;
    d.op1_at = l.operand1_at;
    d.op2_w = l.operand2_bits;
    d.op2_at = l.operand2_at;
    d.flags_at = l.flags_at;
    d.opcode_at = l.opcode_at;
    d.size_w = l.size_bits;
    d.simd_register_w = l.register_bits;
    d.simd_right_at = l.simd_right_at;
    d.simd_left_at = l.simd_left_at;
    d.simd_op_at = l.simd_op_at;
    d.simd_op_w = l.simd_op_bits;
    d.configure_w = l.configure_value_bits;
}

void derive_links(Derived& d, const Config& c) {
    constexpr int kMostTag = 14, kUsualLocalBlock = 5, kUsualDramBlock = 6;  // powers of 2
    d.stride_code0_w = std::max(1, d.op0_stride_w);
    d.stride_code1_w = std::max(1, d.op1_stride_w);
    d.simd_code_w = std::max(1, d.simd_register_w);
    d.dram_addr_w = std::max(d.dram0_addr_w, d.dram1_addr_w);
    // Twice as fast, numbers come round twice as often: an old one that looks new costs time.
    d.transfer_tag_w = std::min(kMostTag, clog2(c.queue_depth) + 3) + c.array_vectors;
    d.compute_tag_w = d.transfer_tag_w;
    d.local_block_w = std::max({d.local_addr_w - clog2(std::max(c.order_blocks, 1)),
                                std::min(kUsualLocalBlock, d.local_addr_w - 1), 1});
    d.dram_block_w = std::clamp(d.dram_addr_w - 1, 1, kUsualDramBlock);
    if (c.order_blocks == 0) {  // micro-operations are whole instructions, all are counted
        d.transfer_tag_w = d.compute_tag_w =
            std::min(kMostTag, clog2(std::max(c.queue_depth, c.transfer_depth)) + 4);
        d.local_block_w = d.local_addr_w;
    }
    // MatMul.zeroes does not touch local memory; LoadWeights.zeroes neither, all rows are one
    // piece.
    d.size_w = std::max({d.size_w, d.acc_addr_w, clog2(c.array_size + 1), d.local_block_w,
                         c.lut_tables > 0 ? clog2(c.lut_depth) : 0});
    if (c.order_blocks == 0) {  // one block; bytes of a transfer are counted in 32 bits
        constexpr int kMostBytes = 30;
        d.dram_block_w =
            std::min(std::max(d.size_w, d.dram_addr_w), kMostBytes - clog2(d.vector_bytes));
    }
}

void derive_depths(Derived& d, const Config& c) {
    constexpr int kOneMultiplier = 18;  // bits of a product that a DSP block forms alone
    constexpr int kMacStages = 3;       // of the array, beside the product and one per column
    constexpr int kReturnCycles = 8;
    constexpr int kUsualIssue = 16, kUsualBus = 4, kUsualNotes = 16;
    const bool banks = c.array_vectors == 2;
    d.acc_row_w = d.acc_addr_w - (banks ? 1 : 0);
    d.acc_rows = banks ? (c.accumulator_depth + 1) / 2 : c.accumulator_depth;
    d.issue_ahead = std::clamp(c.queue_depth / 4, 2, kUsualIssue);
    d.load_ahead = d.store_ahead = c.transfer_depth;
    d.load_depth = std::max(4 * c.transfer_depth, 2 << d.local_block_w);  // two micro-operations
    d.load_notes = d.store_bursts = 2 * c.transfer_depth;
    d.bus_words = std::min(c.transfer_depth, kUsualBus);
    d.store_notes = std::min(c.transfer_depth, kUsualNotes);
    d.product_stages = d.data_w <= kOneMultiplier ? 1 : 3;
    d.simd_stages =
        c.lut_tables > 0 ? std::max(d.product_stages, clog2(c.lut_depth) + 1) : d.product_stages;
    d.array_latency = c.array_size + kMacStages + d.product_stages;
    d.swap_cycles = std::max(c.array_size, d.product_stages + 1);
    // Full rate: results on their way, and places that are free again but not yet known to be.
    d.result_depth = 1 << clog2(c.array_vectors * (d.array_latency + kReturnCycles));
    d.move_depth = 8;
    d.local_rows = (c.local_depth + 1) / 2;
}

}  // namespace

const std::vector<DerivedField>& derived_fields() {
    static const std::vector<DerivedField> kFields = {
        {"data_w", &Derived::data_w},
        {"binary_point", &Derived::binary_point},
        {"scalar_bytes", &Derived::scalar_bytes},
        {"vector_w", &Derived::vector_w},
        {"vector_bytes", &Derived::vector_bytes},
        {"axi_bytes", &Derived::axi_bytes},
        {"vector_beats", &Derived::vector_beats},
        {"beat_vectors", &Derived::beat_vectors},
        {"local_addr_w", &Derived::local_addr_w},
        {"acc_addr_w", &Derived::acc_addr_w},
        {"dram0_addr_w", &Derived::dram0_addr_w},
        {"dram1_addr_w", &Derived::dram1_addr_w},
        {"instruction_w", &Derived::instruction_w},
        {"instruction_bytes", &Derived::instruction_bytes},
        {"op0_w", &Derived::op0_w},
        {"op0_addr_w", &Derived::op0_addr_w},
        {"op0_stride_w", &Derived::op0_stride_w},
        {"op1_w", &Derived::op1_w},
        {"op1_addr_w", &Derived::op1_addr_w},
        {"op1_stride_w", &Derived::op1_stride_w},
        {"op1_at", &Derived::op1_at},
        {"op2_w", &Derived::op2_w},
        {"op2_at", &Derived::op2_at},
        {"flags_at", &Derived::flags_at},
        {"opcode_at", &Derived::opcode_at},
        {"size_w", &Derived::size_w},
        {"simd_register_w", &Derived::simd_register_w},
        {"simd_right_at", &Derived::simd_right_at},
        {"simd_left_at", &Derived::simd_left_at},
        {"simd_op_at", &Derived::simd_op_at},
        {"simd_op_w", &Derived::simd_op_w},
        {"configure_w", &Derived::configure_w},
        {"stride_code0_w", &Derived::stride_code0_w},
        {"stride_code1_w", &Derived::stride_code1_w},
        {"simd_code_w", &Derived::simd_code_w},
        {"dram_addr_w", &Derived::dram_addr_w},
        {"transfer_tag_w", &Derived::transfer_tag_w},
        {"compute_tag_w", &Derived::compute_tag_w},
        {"local_block_w", &Derived::local_block_w},
        {"dram_block_w", &Derived::dram_block_w},
        {"acc_row_w", &Derived::acc_row_w},
        {"acc_rows", &Derived::acc_rows},
        {"issue_ahead", &Derived::issue_ahead},
        {"load_ahead", &Derived::load_ahead},
        {"store_ahead", &Derived::store_ahead},
        {"load_depth", &Derived::load_depth},
        {"load_notes", &Derived::load_notes},
        {"bus_words", &Derived::bus_words},
        {"store_notes", &Derived::store_notes},
        {"store_bursts", &Derived::store_bursts},
        {"product_stages", &Derived::product_stages},
        {"simd_stages", &Derived::simd_stages},
        {"array_latency", &Derived::array_latency},
        {"swap_cycles", &Derived::swap_cycles},
        {"result_depth", &Derived::result_depth},
        {"move_depth", &Derived::move_depth},
        {"local_rows", &Derived::local_rows},
    };
    return kFields;
}

Architecture architecture_of(const Config& c) {
    Architecture a;
    // The configuration may be one that is not checked yet.
    if (const DataTypeInfo* type = find_data_type(c.data_type)) a.data_type = type->type;
    a.array_size = c.array_size;
    a.dram0_depth = c.dram0_depth;
    a.dram1_depth = c.dram1_depth;
    a.local_depth = c.local_depth;
    a.accumulator_depth = c.accumulator_depth;
    a.simd_registers_depth = c.simd_registers_depth;
    a.stride0_depth = c.stride0_depth;
    a.stride1_depth = c.stride1_depth;
    a.number_of_threads = c.number_of_threads;
    a.thread_queue_depth = c.thread_queue_depth;
    a.lut_tables = c.lut_tables;
    a.lut_depth = c.lut_depth;
    return a;
}

Derived derive(const Config& c) {
    const Architecture architecture = architecture_of(c);
    const DataTypeInfo& type = info(architecture.data_type);
    Derived d;
    d.data_w = type.width;
    d.binary_point = type.binary_point;
    d.scalar_bytes = type.storage_bytes;
    d.vector_w = c.array_size * type.width;
    d.vector_bytes = architecture.vector_bytes();
    d.axi_bytes = c.axi_data_width / 8;
    d.vector_beats = std::max(1, d.vector_bytes / d.axi_bytes);
    d.beat_vectors = std::max(1, d.axi_bytes / d.vector_bytes);
    derive_layout(d, layout_of(architecture));
    derive_links(d, c);
    derive_depths(d, c);
    return d;
}

int usual_axi_width(const Config& c) {
    constexpr int kNarrowest = 32, kUsual = 512;
    const int vector_bits = 8 * architecture_of(c).vector_bytes();
    int width = kUsual;
    while (width > kNarrowest && vector_bits % width != 0)
        width /= 2;
    return width;
}

int usual_weight_buffers(const Config& config) {
    constexpr int kSmall = 16;
    return config.array_size < kSmall ? 3 : 2;
}

}  // namespace macrame::tcu
