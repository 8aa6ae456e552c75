#include "verif/dla/run/picture_example.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "dla_regs.hpp"

namespace macrame::dla::run {

namespace {

namespace regs = dla_regs;

constexpr int kFilters = 8;
constexpr int kChannels = 3;
constexpr std::uint32_t kInput = 0x80000000u;
constexpr std::uint32_t kWeights = 0x90000000u;
constexpr std::uint32_t kSlopes = 0x90001000u;
constexpr std::uint32_t kBiases = 0x90002000u;
constexpr std::uint32_t kOutput = 0xa0000000u;
constexpr std::uint32_t kWeightBytes = 256;  // 8 * 3 * 9 rounded up to 128
constexpr std::uint32_t kShift = 6;          // the filters below are scaled by 64

/// A filter: 3x3 taps, weighted by (1, 2, 1) over red, green and blue.
struct Filter {
    std::array<int, 9> taps;
    bool edges;  ///< show the magnitude of the result
};

constexpr std::array<Filter, kFilters> kFilterTable = {{
    {{0, 0, 0, 0, 16, 0, 0, 0, 0}, false},           // grey
    {{1, 2, 1, 2, 4, 2, 1, 2, 1}, false},            // blur
    {{-1, -2, -1, -2, 28, -2, -1, -2, -1}, false},   // sharpen: twice the grey minus the blur
    {{-32, -16, 0, -16, 16, 16, 0, 16, 32}, false},  // emboss
    {{-4, 0, 4, -8, 0, 8, -4, 0, 4}, true},          // vertical edges
    {{-4, -8, -4, 0, 0, 0, 4, 8, 4}, true},          // horizontal edges
    {{0, -4, -8, 4, 0, -4, 8, 4, 0}, true},          // diagonal edges
    {{-2, -2, -2, -2, 16, -2, -2, -2, -2}, true},    // all edges
}};
constexpr std::array<int, kChannels> kChannelWeight = {1, 2, 1};

std::uint32_t minus_1(int value) { return static_cast<std::uint32_t>(value - 1); }

}  // namespace

PictureExample::PictureExample(verif::Picture picture, const PictureSizes& sizes)
    : sizes_(sizes), picture_(std::move(picture)) {
    const int per_entry = sizes.atomic_c / sizes.atom_bytes;
    const int entries = (picture_.width + per_entry - 1) / per_entry * picture_.height;
    if (entries > (sizes.cbuf_banks - 1) * sizes.cbuf_depth) {
        throw std::runtime_error("picture: " + std::to_string(picture_.width) + " x " +
                                 std::to_string(picture_.height) + " pixels need " +
                                 std::to_string(entries) + " CBUF entries, the configuration has " +
                                 std::to_string((sizes.cbuf_banks - 1) * sizes.cbuf_depth));
    }
    program_.name = "picture";
    load_memory();
    write_sdp_registers();
    write_conv_registers();
    enable_units();
    program_.notifies.push_back({0, "SDP_0", "filtered", "picture"});
    trace::RegionCheck look;  // any contents pass: write() shows them
    look.id = "filtered";
    look.base = kOutput;
    look.size = static_cast<std::uint64_t>(picture_.width) *
                static_cast<std::uint64_t>(picture_.height * sizes.atom_bytes);
    look.where = "picture";
    program_.checks.push_back(look);
}

void PictureExample::put(std::uint32_t address, std::uint32_t value, const char* reg) {
    trace::Command command;
    command.addr = address;
    command.value = value;
    command.reg = reg;
    command.where = "picture";
    program_.commands.push_back(command);
}

void PictureExample::load_memory() {
    const auto atom = static_cast<std::size_t>(sizes_.atom_bytes);
    const auto add = [&](std::uint32_t base, std::vector<std::uint8_t> bytes) {
        trace::MemoryInit init;
        init.base = base;
        init.segments.push_back({0, std::move(bytes)});
        init.where = "picture";
        program_.memory.push_back(std::move(init));
    };
    std::vector<std::uint8_t> cube;
    for (std::size_t i = 0; i < picture_.rgb.size(); i += kChannels) {
        for (std::size_t c = 0; c < atom; ++c) {
            cube.push_back(c < kChannels ? static_cast<std::uint8_t>(picture_.rgb[i + c] ^ 0x80u)
                                         : std::uint8_t{0});
        }
    }
    add(kInput, std::move(cube));

    std::vector<std::uint8_t> weights;
    for (std::size_t tap = 0; tap < 9; ++tap) {
        for (const Filter& filter : kFilterTable) {
            for (const int w : kChannelWeight) {
                weights.push_back(static_cast<std::uint8_t>(filter.taps[tap] * w));
            }
        }
    }
    weights.resize(kWeightBytes);
    add(kWeights, std::move(weights));

    std::vector<std::uint8_t> slopes(atom);
    std::vector<std::uint8_t> biases(2 * atom);
    for (std::size_t k = 0; k < kFilters; ++k) {
        const bool edges = kFilterTable[k].edges;
        slopes[k] = edges ? 0xff : 1;  // -1: negative results become positive
        const int bias = edges ? -(128 << kShift) : 0;
        biases[2 * k] = static_cast<std::uint8_t>(bias & 0xff);
        biases[2 * k + 1] = static_cast<std::uint8_t>(bias >> 8 & 0xff);
    }
    add(kSlopes, std::move(slopes));
    add(kBiases, std::move(biases));
}

#define PUT(unit, reg) [&](const regs::unit::reg& r) { put(r.kAddress, r.raw, #unit "." #reg); }

void PictureExample::write_sdp_registers() {
    namespace rdma = regs::sdp_rdma;
    namespace sdp = regs::sdp;
    const std::uint32_t width = minus_1(picture_.width);
    const std::uint32_t height = minus_1(picture_.height);
    const auto line = static_cast<std::uint32_t>(picture_.width * sizes_.atom_bytes);
    const std::uint32_t surface = line * static_cast<std::uint32_t>(picture_.height);

    PUT(sdp_rdma, D_DATA_CUBE_WIDTH)(rdma::D_DATA_CUBE_WIDTH().WIDTH(width));
    PUT(sdp_rdma, D_DATA_CUBE_HEIGHT)(rdma::D_DATA_CUBE_HEIGHT().HEIGHT(height));
    PUT(sdp_rdma, D_DATA_CUBE_CHANNEL)(rdma::D_DATA_CUBE_CHANNEL().CHANNEL(kFilters - 1));
    PUT(sdp_rdma, D_FEATURE_MODE_CFG)(rdma::D_FEATURE_MODE_CFG(0).FLYING_MODE(1));
    PUT(sdp_rdma, D_BRDMA_CFG)(rdma::D_BRDMA_CFG(0).BRDMA_DATA_USE(0).BRDMA_RAM_TYPE(1));
    PUT(sdp_rdma, D_BS_BASE_ADDR_LOW)(rdma::D_BS_BASE_ADDR_LOW(kSlopes));
    PUT(sdp_rdma, D_NRDMA_CFG)
    (rdma::D_NRDMA_CFG(0).NRDMA_DATA_USE(1).NRDMA_DATA_SIZE(1).NRDMA_RAM_TYPE(1));
    PUT(sdp_rdma, D_BN_BASE_ADDR_LOW)(rdma::D_BN_BASE_ADDR_LOW(kBiases));
    PUT(sdp_rdma, D_ERDMA_CFG)(rdma::D_ERDMA_CFG(0).ERDMA_DISABLE(1));

    PUT(sdp, D_DATA_CUBE_WIDTH)(sdp::D_DATA_CUBE_WIDTH().WIDTH(width));
    PUT(sdp, D_DATA_CUBE_HEIGHT)(sdp::D_DATA_CUBE_HEIGHT().HEIGHT(height));
    PUT(sdp, D_DATA_CUBE_CHANNEL)(sdp::D_DATA_CUBE_CHANNEL().CHANNEL(kFilters - 1));
    PUT(sdp, D_DST_BASE_ADDR_LOW)(sdp::D_DST_BASE_ADDR_LOW(kOutput));
    PUT(sdp, D_DST_LINE_STRIDE)(sdp::D_DST_LINE_STRIDE(line));
    PUT(sdp, D_DST_SURFACE_STRIDE)(sdp::D_DST_SURFACE_STRIDE(surface));
    PUT(sdp, D_DP_BS_CFG)
    (sdp::D_DP_BS_CFG(0).BS_ALU_BYPASS(1).BS_MUL_PRELU(1).BS_RELU_BYPASS(1));
    PUT(sdp, D_DP_BS_MUL_CFG)(sdp::D_DP_BS_MUL_CFG(0).BS_MUL_SRC(1));
    PUT(sdp, D_DP_BN_CFG)
    (sdp::D_DP_BN_CFG(0).BN_ALU_ALGO(2).BN_MUL_BYPASS(1).BN_RELU_BYPASS(1));
    PUT(sdp, D_DP_BN_ALU_CFG)(sdp::D_DP_BN_ALU_CFG(0).BN_ALU_SRC(1));
    PUT(sdp, D_DP_EW_CFG)(sdp::D_DP_EW_CFG(0).EW_BYPASS(1));
    PUT(sdp, D_FEATURE_MODE_CFG)(sdp::D_FEATURE_MODE_CFG(0).FLYING_MODE(1));
    PUT(sdp, D_DST_DMA_CFG)(sdp::D_DST_DMA_CFG(0).DST_RAM_TYPE(1));
    PUT(sdp, D_CVT_SCALE)(sdp::D_CVT_SCALE(0).CVT_SCALE(1));
    PUT(sdp, D_CVT_SHIFT)(sdp::D_CVT_SHIFT(0).CVT_SHIFT(kShift));
}

void PictureExample::write_conv_registers() {
    namespace cdma = regs::cdma;
    namespace csc = regs::csc;
    const std::uint32_t width = minus_1(picture_.width);
    const std::uint32_t height = minus_1(picture_.height);
    const auto line = static_cast<std::uint32_t>(picture_.width * sizes_.atom_bytes);
    const std::uint32_t surface = line * static_cast<std::uint32_t>(picture_.height);
    // One atom per pixel: with 2 or 4 atoms an entry, as many pixels share one.
    const int per_entry = sizes_.atomic_c / sizes_.atom_bytes;
    const int entries = (picture_.width + per_entry - 1) / per_entry;
    const std::uint32_t banks =
        minus_1((entries * picture_.height + sizes_.cbuf_depth - 1) / sizes_.cbuf_depth);

    PUT(cdma, D_MISC_CFG)(cdma::D_MISC_CFG(0));
    PUT(cdma, D_DATAIN_FORMAT)(cdma::D_DATAIN_FORMAT(0));
    PUT(cdma, D_DATAIN_SIZE_0)(cdma::D_DATAIN_SIZE_0().DATAIN_WIDTH(width).DATAIN_HEIGHT(height));
    PUT(cdma, D_DATAIN_SIZE_1)(cdma::D_DATAIN_SIZE_1().DATAIN_CHANNEL(kChannels - 1));
    PUT(cdma, D_DAIN_RAM_TYPE)(cdma::D_DAIN_RAM_TYPE(1));
    PUT(cdma, D_DAIN_ADDR_LOW_0)(cdma::D_DAIN_ADDR_LOW_0(kInput));
    PUT(cdma, D_LINE_STRIDE)(cdma::D_LINE_STRIDE(line));
    PUT(cdma, D_SURF_STRIDE)(cdma::D_SURF_STRIDE(surface));
    PUT(cdma, D_DAIN_MAP)(cdma::D_DAIN_MAP().LINE_PACKED(1).SURF_PACKED(1));
    PUT(cdma, D_ENTRY_PER_SLICE)(cdma::D_ENTRY_PER_SLICE().ENTRIES(minus_1(entries)));
    PUT(cdma, D_WEIGHT_RAM_TYPE)(cdma::D_WEIGHT_RAM_TYPE(1));
    PUT(cdma, D_WEIGHT_ADDR_LOW)(cdma::D_WEIGHT_ADDR_LOW(kWeights));
    PUT(cdma, D_WEIGHT_SIZE_0)(cdma::D_WEIGHT_SIZE_0().BYTE_PER_KERNEL(9 * kChannels - 1));
    PUT(cdma, D_WEIGHT_SIZE_1)(cdma::D_WEIGHT_SIZE_1().WEIGHT_KERNEL(kFilters - 1));
    PUT(cdma, D_WEIGHT_BYTES)(cdma::D_WEIGHT_BYTES(kWeightBytes));
    PUT(cdma, D_CVT_CFG)(cdma::D_CVT_CFG(0));
    PUT(cdma, D_ZERO_PADDING)
    (cdma::D_ZERO_PADDING(0).PAD_LEFT(1).PAD_RIGHT(1).PAD_TOP(1).PAD_BOTTOM(1));
    PUT(cdma, D_ZERO_PADDING_VALUE)(cdma::D_ZERO_PADDING_VALUE(0x80));
    PUT(cdma, D_BANK)(cdma::D_BANK().DATA_BANK(banks).WEIGHT_BANK(0));

    PUT(csc, D_MISC_CFG)(csc::D_MISC_CFG(0));
    PUT(csc, D_DATAIN_FORMAT)(csc::D_DATAIN_FORMAT(0));
    PUT(csc, D_DATAIN_SIZE_EXT_0)
    (csc::D_DATAIN_SIZE_EXT_0().DATAIN_WIDTH_EXT(width).DATAIN_HEIGHT_EXT(height));
    PUT(csc, D_DATAIN_SIZE_EXT_1)(csc::D_DATAIN_SIZE_EXT_1().DATAIN_CHANNEL_EXT(kChannels - 1));
    PUT(csc, D_ENTRY_PER_SLICE)(csc::D_ENTRY_PER_SLICE().ENTRIES(minus_1(entries)));
    PUT(csc, D_WEIGHT_SIZE_EXT_0)
    (csc::D_WEIGHT_SIZE_EXT_0().WEIGHT_WIDTH_EXT(2).WEIGHT_HEIGHT_EXT(2));
    PUT(csc, D_WEIGHT_SIZE_EXT_1)
    (csc::D_WEIGHT_SIZE_EXT_1().WEIGHT_CHANNEL_EXT(kChannels - 1).WEIGHT_KERNEL(kFilters - 1));
    PUT(csc, D_WEIGHT_BYTES)(csc::D_WEIGHT_BYTES(kWeightBytes));
    PUT(csc, D_DATAOUT_SIZE_0)(csc::D_DATAOUT_SIZE_0().DATAOUT_WIDTH(width).DATAOUT_HEIGHT(height));
    PUT(csc, D_DATAOUT_SIZE_1)(csc::D_DATAOUT_SIZE_1().DATAOUT_CHANNEL(kFilters - 1));
    PUT(csc, D_ATOMICS)(csc::D_ATOMICS(minus_1(picture_.width * picture_.height)));
    PUT(csc, D_RELEASE)(csc::D_RELEASE(height));
    PUT(csc, D_CONV_STRIDE_EXT)(csc::D_CONV_STRIDE_EXT(0));
    PUT(csc, D_DILATION_EXT)(csc::D_DILATION_EXT(0));
    PUT(csc, D_ZERO_PADDING)(csc::D_ZERO_PADDING(0).PAD_LEFT(1).PAD_TOP(1));
    PUT(csc, D_ZERO_PADDING_VALUE)(csc::D_ZERO_PADDING_VALUE(0x80));  // black
    PUT(csc, D_BANK)(csc::D_BANK().DATA_BANK(banks).WEIGHT_BANK(0));

    PUT(cmac_a, D_MISC_CFG)(regs::cmac_a::D_MISC_CFG(0));
    PUT(cmac_b, D_MISC_CFG)(regs::cmac_b::D_MISC_CFG(0));
    PUT(cacc, D_MISC_CFG)(regs::cacc::D_MISC_CFG(0));
    PUT(cacc, D_DATAOUT_SIZE_0)
    (regs::cacc::D_DATAOUT_SIZE_0().DATAOUT_WIDTH(width).DATAOUT_HEIGHT(height));
    PUT(cacc, D_DATAOUT_SIZE_1)(regs::cacc::D_DATAOUT_SIZE_1().DATAOUT_CHANNEL(kFilters - 1));
    PUT(cacc, D_CLIP_CFG)(regs::cacc::D_CLIP_CFG(0));
}

void PictureExample::enable_units() {
    trace::Command flushed;
    flushed.op = trace::Op::poll;
    flushed.addr = regs::cdma::S_CBUF_FLUSH_STATUS::kAddress;
    flushed.value = 1;
    flushed.reg = "cdma.S_CBUF_FLUSH_STATUS";
    flushed.where = "picture";
    put(regs::glb::S_INTR_MASK::kAddress, 0x3f03fc, "glb.S_INTR_MASK");  // only SDP
    program_.commands.push_back(flushed);
    // Consumers first.
    PUT(sdp_rdma, D_OP_ENABLE)(regs::sdp_rdma::D_OP_ENABLE(1));
    PUT(sdp, D_OP_ENABLE)(regs::sdp::D_OP_ENABLE(1));
    PUT(cacc, D_OP_ENABLE)(regs::cacc::D_OP_ENABLE(1));
    PUT(cmac_a, D_OP_ENABLE)(regs::cmac_a::D_OP_ENABLE(1));
    PUT(cmac_b, D_OP_ENABLE)(regs::cmac_b::D_OP_ENABLE(1));
    PUT(csc, D_OP_ENABLE)(regs::csc::D_OP_ENABLE(1));
    PUT(cdma, D_OP_ENABLE)(regs::cdma::D_OP_ENABLE(1));
}

#undef PUT

void PictureExample::paste_filters(verif::Picture& sheet, int x0, int y0,
                                   const verif::Memory& memory) const {
    const auto atom = static_cast<std::uint64_t>(sizes_.atom_bytes);
    for (int k = 0; k < kFilters; ++k) {
        const int left = x0 + k % 2 * (picture_.width + 4);
        const int top = y0 + k / 2 * (picture_.height + 4);
        for (int y = 0; y < picture_.height; ++y) {
            for (int x = 0; x < picture_.width; ++x) {
                const auto pixel = static_cast<std::uint64_t>(y * picture_.width + x);
                const auto value = static_cast<std::uint8_t>(
                    memory.peek(kOutput + pixel * atom + static_cast<std::uint64_t>(k)) ^ 0x80u);
                std::uint8_t* to = sheet.at(left + x, top + y);
                to[0] = to[1] = to[2] = value;
            }
        }
    }
}

void PictureExample::write(const std::string& path, const verif::Memory* design,
                           const verif::Memory* model) const {
    const int columns = design != nullptr && model != nullptr ? 2 : 1;
    const int block = 2 * (picture_.width + 4);
    verif::Picture sheet(columns * block + (columns - 1) * 8 + 4, 5 * (picture_.height + 4) + 4);
    for (int y = 0; y < picture_.height; ++y) {
        for (int x = 0; x < picture_.width; ++x) {
            const std::uint8_t* from = picture_.at(x, y);
            std::uint8_t* to = sheet.at(4 + x, 4 + y);
            to[0] = from[0];
            to[1] = from[1];
            to[2] = from[2];
        }
    }
    const int top = picture_.height + 8;
    int left = 4;
    for (const verif::Memory* memory : {design, model}) {
        if (memory == nullptr) continue;
        paste_filters(sheet, left, top, *memory);
        left += block + 8;
    }
    verif::write_png(path, sheet);
}

}  // namespace macrame::dla::run
