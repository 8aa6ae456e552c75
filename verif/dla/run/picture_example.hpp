#pragma once
/// An example that needs nothing from outside: eight 3x3 filters over a small RGB picture, one
/// convolution layer programmed through the registers as a driver would do it.
///
///     pixels - 128 (C = 3) -> convolution -> BS: PReLU, slope -1 turns edges into magnitudes
///                          -> BN: per-kernel bias -> convertor: / 64 -> int8 (K = 8)

#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/common/picture.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::run {

/// Sizes of the configuration that decide the memory and buffer layout.
struct PictureSizes {
    int atomic_c = 8;
    int atom_bytes = 8;
    int cbuf_banks = 32;
    int cbuf_depth = 512;
};

class PictureExample {
public:
    /// Throws std::runtime_error if the picture does not fit CBUF.
    PictureExample(verif::Picture picture, const PictureSizes& sizes);

    /// Memory images, register writes in driver order, one interrupt to wait for.
    const trace::Trace& program() const { return program_; }

    /// Writes the picture and its filters as PNG; either memory may be null.
    void write(const std::string& path, const verif::Memory* design,
               const verif::Memory* model) const;

private:
    void put(std::uint32_t address, std::uint32_t value, const char* reg);
    void load_memory();
    void write_conv_registers();
    void write_sdp_registers();
    void enable_units();
    void paste_filters(verif::Picture& sheet, int x0, int y0, const verif::Memory& memory) const;

    PictureSizes sizes_;
    verif::Picture picture_;
    trace::Trace program_;
};

}  // namespace macrame::dla::run
