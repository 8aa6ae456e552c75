#pragma once

#include <string_view>
#include <vector>

#include "families/tcu/config.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu {

/// Everything that follows from a Config. Templates see every member by name.
struct Derived {
    // Data.
    int data_w = 0;        ///< bits of a scalar
    int binary_point = 0;  ///< its fraction bits
    int scalar_bytes = 0;  ///< bytes of a scalar in DRAM
    int vector_w = 0;      ///< bits of a vector on the chip
    int vector_bytes = 0;  ///< bytes of a vector in DRAM
    int axi_bytes = 0;     ///< bytes of a beat
    int vector_beats = 0;  ///< beats of a vector; 1 if it is narrower than the bus
    int beat_vectors = 0;  ///< vectors of a beat; 1 if they are wider than the bus

    // Addresses of vectors.
    int local_addr_w = 0;
    int acc_addr_w = 0;
    int dram0_addr_w = 0;
    int dram1_addr_w = 0;

    // Instructions: operand 0 in the lowest bits, operands 1 and 2 and a header of 8 bits above.
    int instruction_w = 0;
    int instruction_bytes = 0;
    int op0_w = 0;         ///< bits of operand 0; the same for the others
    int op0_addr_w = 0;    ///< address in the low bits
    int op0_stride_w = 0;  ///< stride code above the address
    int op1_w = 0;
    int op1_addr_w = 0;
    int op1_stride_w = 0;
    int op1_at = 0;  ///< lowest bit of operand 1 in the instruction
    int op2_w = 0;
    int op2_at = 0;
    int flags_at = 0;
    int opcode_at = 0;
    int size_w = 0;           ///< bits of a number of vectors, less 1, on links
    int simd_register_w = 0;  ///< bits of a source or destination of SIMD
    int simd_right_at = 0;    ///< lowest bit within operand 2; the destination is at 0
    int simd_left_at = 0;
    int simd_op_at = 0;
    int simd_op_w = 0;
    int configure_w = 0;  ///< bits of a value that Configure writes

    // Links between the units; a field that an instruction does not have takes a bit of 0.
    int stride_code0_w = 0;  ///< bits of a stride code of local memory
    int stride_code1_w = 0;  ///< of accumulators and DRAM
    int simd_code_w = 0;     ///< bits of a SIMD source or destination
    int dram_addr_w = 0;     ///< bits of an address in the larger bank

    // Order of accesses: micro-operations of an engine are numbered; decode keeps the number of the
    // last one of each engine that touched a block of memory.
    int transfer_tag_w = 0;  ///< bits of a number of load, store and moves to local memory
    int compute_tag_w = 0;   ///< the same of feed and weights
    int local_block_w = 0;   ///< a block of local memory has 2^local_block_w vectors
    int dram_block_w = 0;    ///< the same for DRAM

    // Depths of what is in flight.
    int issue_ahead = 0;     ///< micro-operations that wait at each of weights, feed and acc
    int acc_row_w = 0;       ///< bits of an address in a bank of accumulators
    int acc_rows = 0;        ///< accumulators of a bank
    int load_ahead = 0;      ///< loads that wait for requests or for their turn in local memory
    int store_ahead = 0;     ///< stores that wait for what they need
    int load_depth = 0;      ///< vectors of a bank in flight or before local memory
    int load_notes = 0;      ///< bursts in flight, where a beat has several vectors
    int bus_words = 0;       ///< that wait for AR, AW or W of a bus, less one
    int store_notes = 0;     ///< bursts whose data are still to come
    int store_bursts = 0;    ///< bursts in flight
    int product_stages = 0;  ///< register stages of a multiplication
    int simd_stages = 0;     ///< the same, or those of a lookup where they are more
    int array_latency = 0;   ///< cycles from a vector into the array to its results
    int swap_cycles = 0;     ///< least cycles from one swap of weights to the next
    int result_depth = 0;    ///< vectors between array and accumulators
    int move_depth = 0;      ///< vectors between local memory and accumulators
    int local_rows = 0;      ///< vectors of each bank of local memory
};

/// Name of a member, for templates and headers.
struct DerivedField {
    std::string_view name;
    int Derived::*member;
};

/// All members of Derived.
const std::vector<DerivedField>& derived_fields();

/// What programs depend on.
Architecture architecture_of(const Config& config);

/// Computes all sizes. Pure; the config has passed the range and rule checks.
Derived derive(const Config& config);

/// Widest bus up to 512 bits that carries vectors in whole beats; 32 if none does.
int usual_axi_width(const Config& config);

/// Weight sets of the array: registers that large arrays do without.
int usual_weight_buffers(const Config& config);

}  // namespace macrame::tcu
