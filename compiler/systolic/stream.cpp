#include "compiler/systolic/stream.hpp"

#include <algorithm>

namespace macrame::systolic::compiler {

namespace {

constexpr int kMostVectors = 255;  // x_size, y_size

std::int64_t most_row_step() {
    // The same for LOAD and STORE.
    static const std::int64_t kMost = find_field(Module::load, "y_stride")->highest();
    return kMost;
}

}  // namespace

void Stream::transfer(Module module, const Vectors& vectors, const Place& place,
                      const Transfer& like) {
    const int bytes = transfer_bytes(architecture_, place.buffer, like.bitwidth != 0);
    // From the last vector of a row to the first of the next one; a field without sign.
    const std::int64_t next = vectors.row_step - (vectors.columns - 1) * vectors.column_step;
    const bool single = next < 0 || next / bytes > most_row_step();
    const int most_rows = single ? 1 : kMostVectors;
    for (int column = 0; column < vectors.columns; column += kMostVectors) {
        for (int row = 0; row < vectors.rows; row += most_rows) {
            Vectors part = vectors;
            part.address += row * vectors.row_step + column * vectors.column_step;
            part.rows = std::min(most_rows, vectors.rows - row);
            part.columns = std::min(kMostVectors, vectors.columns - column);
            // Only whole rows follow each other in the buffer.
            if (part.columns < vectors.columns && part.rows > 1) {
                for (int i = 0; i < part.rows; ++i) {
                    Vectors line = part;
                    line.address += i * vectors.row_step;
                    line.rows = 1;
                    Place at = place;
                    at.entry += (row + i) * vectors.columns + column;
                    add_transfer(module, line, at, like);
                }
                continue;
            }
            Place at = place;
            at.entry += row * vectors.columns + column;
            add_transfer(module, part, at, like);
        }
    }
}

void Stream::add_transfer(Module module, const Vectors& vectors, Place place,
                          const Transfer& like) {
    const int bytes = transfer_bytes(architecture_, place.buffer, like.bitwidth != 0);
    Instruction instruction;
    instruction.module = module;
    Transfer& t = instruction.transfer;
    t = like;
    t.dram_address = vectors.address;
    t.sram_address = sram_address(architecture_, place);
    t.x_size = vectors.rows;
    t.y_size = vectors.columns;
    t.z_size = vectors.elements;
    if (vectors.columns > 1) t.z_stride = vectors.column_step / bytes;
    if (vectors.rows > 1)
        t.y_stride = (vectors.row_step - (vectors.columns - 1) * vectors.column_step) / bytes;
    if (module == Module::load) ++loads_;
    placer_.add(instruction);
}

void Stream::gemm(const Gemm& gemm) {
    Instruction instruction;
    instruction.module = Module::gemm;
    instruction.gemm = gemm;
    placer_.add(instruction);
}

void Stream::alu(const Alu& alu) {
    Instruction instruction;
    instruction.module = Module::alu;
    instruction.alu = alu;
    placer_.add(instruction);
}

}  // namespace macrame::systolic::compiler
