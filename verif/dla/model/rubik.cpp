#include "rubik.hpp"

#include <algorithm>
#include <vector>

#include "cube.hpp"
#include "precision.hpp"

namespace macrame::dla::model {

namespace rubik = dla_regs::rubik;

namespace {

using Atom = std::vector<std::uint8_t>;

std::size_t z(int v) { return static_cast<std::size_t>(v); }

/// One layer on memory.
class Mover {
public:
    Mover(int atom_bytes, const RubikLayer& layer, const MemoryRead& read, const MemoryWrite& write)
        : l_(layer),
          atom_(atom_bytes),
          elements_(atom_bytes / layer.element_bytes),
          read_(read),
          write_(write) {}

    /// Line by line of the output, all its columns of one x.
    void contract() const {
        const int surfaces_out = surfaces(elements_, l_.channels);
        for (int s = 0; s < surfaces_out; ++s) {
            for (int row = 0; row < l_.height * l_.stride_y; ++row) {
                for (int x = 0; x < l_.stride_x; ++x) {
                    for (int w = 0; w < l_.width; ++w)
                        copy_pixel(s, row, x, w);
                }
            }
        }
    }

    /// Blocks of as many columns as an atom has elements, all channels of a surface.
    void reshape(bool split) const {
        const int blocks = surfaces(elements_, l_.width);
        for_each_atom(elements_, blocks, l_.height, l_.channels, [&](int s, int h, int b) {
            const int columns = std::min(elements_, l_.width - b * elements_);
            const int channels = std::min(elements_, l_.channels - s * elements_);
            std::vector<Atom> in;
            for (int i = 0; i < (split ? columns : channels); ++i)
                in.push_back(get(split ? pixel(true, s, h, b, i) : plane(false, s, h, b, i)));
            for (int i = 0; i < (split ? channels : columns); ++i)
                write_(split ? plane(true, s, h, b, i) : pixel(false, s, h, b, i),
                       turned(in, i).data(), z(atom_));
        });
    }

private:
    std::uint64_t feature(std::uint64_t base, std::uint32_t line, std::uint32_t surf, int s, int h,
                          int w) const {
        return atom_address(atom_, base, line, surf, s, h, w);
    }
    /// Column i of a block in the feature cube, which is the source if `split`.
    std::uint64_t pixel(bool split, int s, int h, int block, int i) const {
        const int column = block * elements_ + i;
        return split ? feature(l_.src_addr, l_.src_line, l_.src_surf, s, h, column)
                     : feature(l_.dst_addr, l_.dst_line, l_.dst_surf, s, h, column);
    }
    /// Channel i of a surface: the atom of a block in its plane.
    std::uint64_t plane(bool split, int s, int h, int block, int i) const {
        const int channel = s * elements_ + i;
        return split ? feature(l_.dst_addr, l_.dst_line, l_.dst_planar, channel, h, block)
                     : feature(l_.src_addr, l_.src_line, l_.src_planar, channel, h, block);
    }

    /// Column w of the input to line `row` of the output, as pixel x of what it becomes.
    void copy_pixel(int s, int row, int x, int w) const {
        const int line = row / l_.stride_y, y = row % l_.stride_y;
        const auto plane = static_cast<std::uint64_t>(y * l_.stride_x + x);
        const Atom atom =
            get(feature(l_.src_addr + plane * l_.contract, l_.src_line, l_.src_surf, s, line, w));
        write_(feature(l_.dst_addr, l_.dst_line, l_.dst_surf, s, row, w * l_.stride_x + x),
               atom.data(), atom.size());
    }

    Atom get(std::uint64_t addr) const {
        Atom atom(z(atom_));
        read_(addr, atom.data(), atom.size());
        return atom;
    }
    /// Element `i` of all atoms, one behind the other, then 0.
    Atom turned(const std::vector<Atom>& in, int i) const {
        Atom out(z(atom_), 0);
        const int bytes = l_.element_bytes;
        for (std::size_t n = 0; n < in.size(); ++n)
            std::copy_n(in[n].begin() + i * bytes, bytes,
                        out.begin() + static_cast<std::ptrdiff_t>(n) * bytes);
        return out;
    }

    const RubikLayer& l_;
    const int atom_, elements_;
    const MemoryRead& read_;
    const MemoryWrite& write_;
};

}  // namespace

void rubik_layer(int atom_bytes, const RubikLayer& layer, const MemoryRead& read,
                 const MemoryWrite& write) {
    const Mover mover(atom_bytes, layer, read, write);
    if (layer.mode == RubikMode::contract) return mover.contract();
    mover.reshape(layer.mode == RubikMode::split);
}

// ---- registers

/// A mode that is not built acts as one that is.
RubikMode RubikUnit::mode(std::uint32_t field) const {
    if (!sizes().rubik_reshape || (sizes().rubik_contract && field == 0))
        return RubikMode::contract;
    return field < 2 ? RubikMode::split : RubikMode::merge;
}

/// The same for element types.
int RubikUnit::element_bytes(std::uint32_t precision) const {
    if (!sizes().types16()) return 1;
    return sizes().int8 ? bytes_of(precision_of(precision)) : 2;
}

RubikLayer RubikUnit::layer() const {
    RubikLayer out;
    out.mode = mode(regs.get<rubik::D_MISC_CFG>().RUBIK_MODE());
    out.element_bytes = element_bytes(regs.get<rubik::D_MISC_CFG>().IN_PRECISION());
    out.width = plus1(regs.get<rubik::D_DATAIN_SIZE_0>().DATAIN_WIDTH());
    out.height = plus1(regs.get<rubik::D_DATAIN_SIZE_0>().DATAIN_HEIGHT());
    out.channels = plus1(regs.get<rubik::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL());
    out.stride_x = plus1(regs.get<rubik::D_DECONV_STRIDE>().DECONV_X_STRIDE());
    out.stride_y = plus1(regs.get<rubik::D_DECONV_STRIDE>().DECONV_Y_STRIDE());
    out.src_addr = address<rubik::D_DAIN_ADDR_HIGH, rubik::D_DAIN_ADDR_LOW>();
    out.dst_addr = address<rubik::D_DAOUT_ADDR_HIGH, rubik::D_DAOUT_ADDR_LOW>();
    out.src_ram_type = regs.get<rubik::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE();
    out.dst_ram_type = regs.get<rubik::D_DAOUT_RAM_TYPE>().DATAOUT_RAM_TYPE();
    out.src_line = whole_atoms(regs.get<rubik::D_DAIN_LINE_STRIDE>().raw);
    out.src_surf = whole_atoms(regs.get<rubik::D_DAIN_SURF_STRIDE>().raw);
    out.src_planar = whole_atoms(regs.get<rubik::D_DAIN_PLANAR_STRIDE>().raw);
    out.dst_line = whole_atoms(regs.get<rubik::D_DAOUT_LINE_STRIDE>().raw);
    out.dst_surf = whole_atoms(regs.get<rubik::D_DAOUT_SURF_STRIDE>().raw);
    out.dst_planar = whole_atoms(regs.get<rubik::D_DAOUT_PLANAR_STRIDE>().raw);
    out.contract = whole_atoms(regs.get<rubik::D_CONTRACT_STRIDE_0>().raw);
    return out;
}

bool RubikUnit::step() {
    if (!regs.running() || machine_.refuses({"RUBIK"})) return false;
    const RubikLayer now = layer();
    rubik_layer(sizes().atom_bytes, now, machine_.reader(DmaClient::kRubik, now.src_ram_type),
                machine_.writer(DmaClient::kRubik, now.dst_ram_type));
    done(kRubikBit);
    return true;
}

}  // namespace macrame::dla::model
