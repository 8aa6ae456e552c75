#include "row.hpp"

#include <algorithm>

#include "cube.hpp"

namespace macrame::dla::model {

namespace row = dla_regs::row;

namespace {

std::int32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word |= std::uint32_t{bytes[at + i]} << (8 * i);
    return static_cast<std::int32_t>(word);
}

/// Reads records, whole atoms.
std::vector<RowRecord> read_records(std::size_t atom, std::uint64_t addr, int count,
                                    const MemoryRead& read) {
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < static_cast<std::size_t>(count) * kRowRecordBytes) {
        const std::size_t at = bytes.size();
        bytes.resize(at + atom);
        read(addr + at, &bytes[at], atom);
    }
    std::vector<RowRecord> out;
    for (std::size_t at = 0; at < bytes.size(); at += kRowRecordBytes) {
        out.push_back({static_cast<std::int32_t>(wrap(word_at(bytes, at), 24)),
                       static_cast<std::int32_t>(wrap(word_at(bytes, at + 4), 24))});
    }
    out.resize(static_cast<std::size_t>(count));
    return out;
}

}  // namespace

void row_layer(int atom_bytes, const RowLayer& layer, std::vector<RowRecord>& records,
               const MemoryRead& read, const MemoryWrite& write) {
    const auto atom = static_cast<std::size_t>(atom_bytes);
    const auto channels = static_cast<std::size_t>(layer.channels);
    const std::vector<RowRecord> own =
        read_records(atom, layer.operand_addr, layer.records(), read);
    if (records.size() < own.size()) records.resize(own.size());
    std::copy(own.begin(), own.end(), records.begin());

    RowSettings settings = layer.settings;
    settings.records = records;
    const std::size_t least = settings.mode == RowMode::softmax ? kRowDifferences : channels;
    if (settings.records.size() < least) settings.records.resize(least);
    const RowMath math(settings);
    const int count = surfaces(atom_bytes, layer.channels);
    const auto place = [&](std::uint64_t base, std::uint32_t line, std::uint32_t surf, int s, int h,
                           int w) { return atom_address(atom_bytes, base, line, surf, s, h, w); };
    for (int h = 0; h < layer.height; ++h) {
        for (int w = 0; w < layer.width; ++w) {
            std::vector<std::uint8_t> in(static_cast<std::size_t>(count) * atom);
            for (int s = 0; s < count; ++s) {
                read(place(layer.src_addr, layer.src_line, layer.src_surf, s, h, w),
                     &in[static_cast<std::size_t>(s) * atom], atom);
            }
            const std::vector<std::int8_t> out =
                math.row({in.begin(), in.begin() + static_cast<std::ptrdiff_t>(channels)});
            std::fill(in.begin(), in.end(), std::uint8_t{0});
            std::copy(out.begin(), out.end(), in.begin());
            for (int s = 0; s < count; ++s) {
                write(place(layer.dst_addr, layer.dst_line, layer.dst_surf, s, h, w),
                      &in[static_cast<std::size_t>(s) * atom], atom);
            }
        }
    }
}

// ---- registers

RowLayer RowUnit::layer() const {
    RowLayer out;
    const auto misc = regs.get<row::D_MISC_CFG>();
    out.settings.mode = static_cast<RowMode>(std::min(misc.ROW_MODE(), 2u));
    out.settings.in_offset = signed8(regs.get<row::D_DATIN_OFFSET>().DATIN_OFFSET());
    out.settings.out_offset = signed8(regs.get<row::D_DATOUT_OFFSET>().DATOUT_OFFSET());
    out.settings.shift = static_cast<int>(regs.get<row::D_DATOUT_SHIFTER>().DATOUT_SHIFTER());
    out.settings.epsilon = regs.get<row::D_EPSILON>().raw;
    out.keep = misc.OPERAND_KEEP() != 0;
    out.width = plus1(regs.get<row::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(regs.get<row::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(regs.get<row::D_DATA_CUBE_CHANNEL>().CHANNEL());
    out.src_ram_type = regs.get<row::D_SRC_DMA_CFG>().SRC_RAM_TYPE();
    out.src_addr = address<row::D_SRC_BASE_ADDR_HIGH, row::D_SRC_BASE_ADDR_LOW>();
    out.src_line = whole_atoms(regs.get<row::D_SRC_LINE_STRIDE>().raw);
    out.src_surf = whole_atoms(regs.get<row::D_SRC_SURFACE_STRIDE>().raw);
    out.operand_addr = address<row::D_OPERAND_ADDR_HIGH, row::D_OPERAND_ADDR_LOW>();
    out.dst_ram_type = regs.get<row::D_DST_DMA_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<row::D_DST_BASE_ADDR_HIGH, row::D_DST_BASE_ADDR_LOW>();
    out.dst_line = whole_atoms(regs.get<row::D_DST_LINE_STRIDE>().raw);
    out.dst_surf = whole_atoms(regs.get<row::D_DST_SURFACE_STRIDE>().raw);
    return out;
}

bool RowUnit::step() {
    if (!regs.running() || machine_.refuses({"ROW"})) return false;
    const RowLayer now = layer();
    row_layer(sizes().atom_bytes, now, records_,
              machine_.reader(DmaClient::kRow, now.src_ram_type),
              machine_.writer(DmaClient::kRow, now.dst_ram_type));
    done(kRowBit);
    return true;
}

}  // namespace macrame::dla::model
