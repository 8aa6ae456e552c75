#pragma once
/// What a program of convolution and SDP layers must leave in memory, computed straight from the
/// definitions: nested loops over memory, no buffer, no groups of kernels, no pipeline. A layer
/// takes effect when the last of its units is enabled. Only for tests of the golden model.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::test {

class NaiveReference {
public:
    NaiveReference(const dla::model::Architecture& sizes, verif::Memory& memory)
        : sizes_(sizes), memory_(memory) {}

    void run(const dla::trace::Trace& program) {
        verif::Memory unused("sec_mem");
        dla::trace::prepare_memory(program, memory_, unused);
        memory_.log_writes(true);
        for (const dla::trace::Command& c : program.commands) {
            if (c.op == dla::trace::Op::write) write(c.reg, c.value);
        }
    }

private:
    using Line = std::vector<int>;  // [x * channels + c]

    /// Rounds half away from zero: the value of x / 2^shift.
    static std::int64_t round_div(std::int64_t x, int shift) {
        if (shift == 0) return x;
        if (shift > 60) return 0;
        const std::int64_t magnitude = x < 0 ? -x : x;
        const std::int64_t r =
            (magnitude + (std::int64_t{1} << (shift - 1))) / (std::int64_t{1} << shift);
        return x < 0 ? -r : r;
    }
    static std::int64_t sat(std::int64_t x, int bits) {
        const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
        return std::min(std::max(x, -top - 1), top);
    }
    static int sign16(std::uint32_t v) {
        return static_cast<int>(v & 0xFFFFu) - ((v & 0x8000u) != 0 ? 65536 : 0);
    }

    void write(const std::string& reg, std::uint32_t value) {
        const std::string unit = reg.substr(0, reg.find('.'));
        if (reg == unit + ".S_POINTER") {
            group_[unit] = value & 1u;
            return;
        }
        registers_[unit + std::to_string(group_[unit]) + reg.substr(unit.size())] = value;
        if (reg == "SDP.D_OP_ENABLE" || reg == "SDP_RDMA.D_OP_ENABLE") {
            order_[unit].push_back(group_[unit]);
        }
        if (reg == unit + ".D_OP_ENABLE") enable(unit);
        // An offline layer starts with the second of the two.
        const bool sdp_waits = !order_["SDP"].empty() && !at("SDP", "D_FEATURE_MODE_CFG", 0, 0);
        if (sdp_waits && !order_["SDP_RDMA"].empty()) sdp({});
    }

    /// A convolution starts with the last of its units.
    void enable(const std::string& unit) {
        const bool flying =
            (registers_["SDP" + std::to_string(group_["SDP"]) + ".D_FEATURE_MODE_CFG"] & 1u) != 0;
        for (const char* name : {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"}) {
            if (unit == name) conv_units_.insert(unit);
        }
        if (unit == "SDP" && flying) conv_units_.insert(unit);
        if (conv_units_.size() < 6) return;
        conv_units_.clear();
        conv();
    }

    /// Field of the layer in front of the unit (SDP, SDP_RDMA) or of the group being written.
    std::uint32_t at(const std::string& unit, const std::string& reg, int msb, int lsb) {
        const auto& order = order_[unit];
        const std::uint32_t group = order.empty() ? group_[unit] : order.front();
        const std::uint32_t v = registers_[unit + std::to_string(group) + "." + reg];
        return v >> lsb & (msb - lsb == 31 ? 0xFFFFFFFFu : (1u << (msb - lsb + 1)) - 1);
    }
    int num(const std::string& unit, const std::string& reg, int msb, int lsb) {
        return static_cast<int>(at(unit, reg, msb, lsb));
    }
    std::uint64_t addr(const std::string& unit, const std::string& high, const std::string& low) {
        return std::uint64_t{at(unit, high, 31, 0)} << 32 | at(unit, low, 31, 0);
    }
    int byte(std::uint64_t a) const { return static_cast<std::int8_t>(memory_.peek(a)); }

    void fetch_lines(int width, int channels) {
        const int atom = sizes_.atom_bytes;
        const std::uint64_t base = addr("CDMA", "D_DAIN_ADDR_HIGH_0", "D_DAIN_ADDR_LOW_0");
        const bool cvt = num("CDMA", "D_CVT_CFG", 0, 0) != 0;
        const int height = num("CDMA", "D_DATAIN_SIZE_0", 28, 16) + 1;
        for (int y = 0; y < height; ++y) {
            Line line;
            for (int x = 0; x < width; ++x) {
                for (int c = 0; c < channels; ++c) {
                    std::int64_t v = byte(base +
                                          std::uint64_t{at("CDMA", "D_SURF_STRIDE", 31, 0)} *
                                              static_cast<unsigned>(c / atom) +
                                          std::uint64_t{at("CDMA", "D_LINE_STRIDE", 31, 0)} *
                                              static_cast<unsigned>(y) +
                                          static_cast<unsigned>(x * atom + c % atom));
                    if (cvt) {
                        v = (v - sign16(at("CDMA", "D_CVT_OFFSET", 15, 0))) *
                            sign16(at("CDMA", "D_CVT_SCALE", 15, 0));
                        v = sat(sat(round_div(v, num("CDMA", "D_CVT_CFG", 9, 4)), 17), 8);
                    }
                    line.push_back(static_cast<int>(v));
                }
            }
            lines_.push_back(line);
        }
    }

    /// Stored lines of an image: padding, components of the pixels in order, padding.
    void fetch_image(int width) {
        // Bits of the components in a pixel, as the table of formats gives them.
        static const std::map<int, std::vector<int>> kBits = {
            {0, {0}}, {13, {16, 8, 0, 24}}, {14, {8, 16, 24, 0}}, {15, {24, 16, 8, 0}}};
        const int format = num("CDMA", "D_DATAIN_FORMAT", 13, 8);
        const bool planes = format == 28 || format == 29;
        const int like = format >= 16 && format <= 19 ? format - 4
                         : format == 26               ? 13
                         : format == 27               ? 14
                                                      : format;
        const auto known = kBits.find(like);
        const std::vector<int> bits =
            known != kBits.end() ? known->second : std::vector<int>{0, 8, 16, 24};
        const std::uint64_t base_0 = addr("CDMA", "D_DAIN_ADDR_HIGH_0", "D_DAIN_ADDR_LOW_0");
        const std::uint64_t base_1 = addr("CDMA", "D_DAIN_ADDR_HIGH_1", "D_DAIN_ADDR_LOW_1");
        const int offset_0 = num("CDMA", "D_PIXEL_OFFSET", 4, 0);
        const int offset_1 = offset_0 % (sizes_.atom_bytes / 2);
        const int left = num("CDMA", "D_ZERO_PADDING", 4, 0);
        const int right = num("CDMA", "D_ZERO_PADDING", 13, 8);
        const int pad = static_cast<std::int8_t>(at("CDMA", "D_ZERO_PADDING_VALUE", 7, 0));
        const int height = num("CDMA", "D_DATAIN_SIZE_0", 28, 16) + 1;
        for (int y = 0; y < height; ++y) {
            const std::uint64_t line_0 =
                base_0 +
                std::uint64_t{at("CDMA", "D_LINE_STRIDE", 31, 0)} * static_cast<unsigned>(y);
            const std::uint64_t line_1 =
                base_1 +
                std::uint64_t{at("CDMA", "D_LINE_UV_STRIDE", 31, 0)} * static_cast<unsigned>(y);
            Line line;
            for (int x = -left; x < width + right; ++x) {
                std::vector<int> raw;
                if (planes) {
                    const std::uint64_t uv = line_1 + static_cast<unsigned>(2 * (offset_1 + x));
                    raw = {memory_.peek(line_0 + static_cast<unsigned>(offset_0 + x)),
                           memory_.peek(uv + (format == 28 ? 1 : 0)),
                           memory_.peek(uv + (format == 28 ? 0 : 1))};
                } else {
                    const int pixel = static_cast<int>(bits.size());
                    const std::uint64_t from =
                        line_0 + static_cast<unsigned>(pixel * (offset_0 + x));
                    for (const int bit : bits)
                        raw.push_back(memory_.peek(from + static_cast<unsigned>(bit / 8)));
                }
                for (std::size_t c = 0; c < raw.size(); ++c) {
                    line.push_back(x < 0 || x >= width ? pad : pixel_value(raw[c], c));
                }
            }
            lines_.push_back(line);
        }
    }

    /// Component `c` of a pixel behind the convertor.
    int pixel_value(int raw, std::size_t c) {
        const int number = raw >= 128 ? raw - 256 : raw;
        if (num("CDMA", "D_CVT_CFG", 0, 0) == 0) return number;
        const bool has_sign = num("CDMA", "D_DATAIN_FORMAT", 20, 20) != 0;
        const bool mean = num("CDMA", "D_MEAN_FORMAT", 0, 0) != 0;
        const std::uint32_t means =
            at("CDMA", c < 2 ? "D_MEAN_GLOBAL_0" : "D_MEAN_GLOBAL_1", 31, 0);
        const int offset =
            mean ? sign16(means >> 16 * (c % 2)) : sign16(at("CDMA", "D_CVT_OFFSET", 15, 0));
        const std::int64_t v = std::int64_t{(has_sign ? number : raw) - offset} *
                               sign16(at("CDMA", "D_CVT_SCALE", 15, 0));
        return static_cast<int>(sat(sat(round_div(v, num("CDMA", "D_CVT_CFG", 9, 4)), 17), 8));
    }

    /// w[k][e][r] of an image; `together` rows of a kernel follow each other.
    std::vector<int> fetch_image_weights(int kernels, int elements, int rows, int together) {
        std::vector<int> w(static_cast<std::size_t>(kernels * elements * rows));
        std::uint64_t a = addr("CDMA", "D_WEIGHT_ADDR_HIGH", "D_WEIGHT_ADDR_LOW");
        for (int g = 0; g < kernels; g += sizes_.atomic_k) {
            for (int eb = 0; eb < elements; eb += sizes_.atomic_c) {
                for (int r0 = 0; r0 < rows; r0 += together) {
                    for (int k = g; k < std::min(kernels, g + sizes_.atomic_k); ++k) {
                        for (int r = r0; r < std::min(rows, r0 + together); ++r) {
                            for (int e = eb; e < std::min(elements, eb + sizes_.atomic_c); ++e) {
                                w[static_cast<std::size_t>((k * elements + e) * rows + r)] =
                                    byte(a++);
                            }
                        }
                    }
                }
            }
        }
        return w;
    }

    /// w[k][c][r][s] of the packed stream.
    std::vector<int> fetch_weights(int kernels, int channels, int rows, int columns) {
        std::vector<int> w(static_cast<std::size_t>(kernels * channels * rows * columns));
        std::uint64_t a = addr("CDMA", "D_WEIGHT_ADDR_HIGH", "D_WEIGHT_ADDR_LOW");
        for (int g = 0; g < kernels; g += sizes_.atomic_k) {
            for (int cb = 0; cb < channels; cb += sizes_.atomic_c) {
                for (int r = 0; r < rows; ++r) {
                    for (int s = 0; s < columns; ++s) {
                        for (int k = g; k < std::min(kernels, g + sizes_.atomic_k); ++k) {
                            for (int c = cb; c < std::min(channels, cb + sizes_.atomic_c); ++c) {
                                w[static_cast<std::size_t>(
                                    ((k * channels + c) * rows + r) * columns + s)] = byte(a++);
                            }
                        }
                    }
                }
            }
        }
        return w;
    }

    void conv() {
        const int width = num("CSC", "D_DATAIN_SIZE_EXT_0", 12, 0) + 1;
        const int height = num("CSC", "D_DATAIN_SIZE_EXT_0", 28, 16) + 1;
        const bool image = num("CSC", "D_DATAIN_FORMAT", 0, 0) != 0;
        const int pixel = num("CSC", "D_DATAIN_SIZE_EXT_1", 12, 0) + 1;
        // An image: "channels" are the elements of a kernel row, one after the other in the line.
        const int channels = image ? num("CSC", "D_WEIGHT_SIZE_EXT_1", 12, 0) + 1 : pixel;
        const int columns = num("CSC", "D_WEIGHT_SIZE_EXT_0", 4, 0) + 1;
        const int rows = num("CSC", "D_WEIGHT_SIZE_EXT_0", 20, 16) + 1;
        const int kernels = num("CSC", "D_WEIGHT_SIZE_EXT_1", 28, 16) + 1;
        const auto bank = at("CSC", "D_BANK", 31, 0);
        const bool reuse = num("CSC", "D_MISC_CFG", 16, 16) != 0;
        const bool weight_reuse = num("CSC", "D_MISC_CFG", 20, 20) != 0;

        const bool same = (bank & 31u) == (last_bank_ & 31u) && image == last_image_;
        if (!reuse || !same) lines_.clear();
        const bool kept = reuse && last_skip_data_ && same;
        last_image_ = image;
        if (!kept) image ? fetch_image(width) : fetch_lines(width, channels);
        if (!(weight_reuse && last_skip_weight_ && bank == last_bank_)) {
            const int extension = num("CSC", "D_POST_Y_EXTENSION", 1, 0);
            weights_ = image ? fetch_image_weights(kernels, channels, rows, 1 << extension)
                             : fetch_weights(kernels, channels, rows, columns);
        }

        const int out_w = num("CSC", "D_DATAOUT_SIZE_0", 12, 0) + 1;
        const int out_h = num("CSC", "D_DATAOUT_SIZE_0", 28, 16) + 1;
        const int truncate = num("CACC", "D_CLIP_CFG", 4, 0);
        const int pad = static_cast<std::int8_t>(at("CSC", "D_ZERO_PADDING_VALUE", 7, 0));
        const int sx = num("CSC", "D_CONV_STRIDE_EXT", 2, 0) + 1;
        const int sy = num("CSC", "D_CONV_STRIDE_EXT", 18, 16) + 1;
        const int dx = num("CSC", "D_DILATION_EXT", 4, 0) + 1;
        const int dy = num("CSC", "D_DILATION_EXT", 20, 16) + 1;
        const int left = num("CSC", "D_ZERO_PADDING", 4, 0);
        const int top = num("CSC", "D_ZERO_PADDING", 20, 16);
        const int atom = sizes_.atom_bytes;
        std::vector<std::int64_t> out;
        for (int k0 = 0; k0 < kernels; k0 += atom) {
            for (int y = 0; y < out_h; ++y) {
                for (int x = 0; x < out_w; ++x) {
                    for (int k = k0; k < k0 + atom; ++k) {
                        std::int64_t sum = 0;
                        for (int r = 0; r < rows && k < kernels; ++r) {
                            for (int s = 0; s < columns; ++s) {
                                const int ix = image ? x * sx : x * sx - left + s * dx;
                                const int iy = y * sy - top + (image ? r : r * dy);
                                const bool inside =
                                    iy >= 0 && iy < height && (image || (ix >= 0 && ix < width));
                                const int first = ix * (image ? pixel : channels);
                                for (int c = 0; c < channels; ++c) {
                                    const int d = inside
                                                      ? lines_.at(static_cast<std::size_t>(iy))
                                                            .at(static_cast<std::size_t>(first + c))
                                                      : pad;
                                    sum += d * weights_.at(static_cast<std::size_t>(
                                                   ((k * channels + c) * rows + r) * columns + s));
                                }
                            }
                        }
                        out.push_back(sat(truncated(sum, truncate), 32));
                    }
                }
            }
        }
        last_skip_data_ = num("CSC", "D_MISC_CFG", 24, 24) != 0;
        last_skip_weight_ = num("CSC", "D_MISC_CFG", 28, 28) != 0;
        last_bank_ = bank;
        if (!last_skip_data_) {
            const int release = num("CSC", "D_RELEASE", 11, 0) + 1;
            lines_.erase(lines_.begin(),
                         lines_.begin() + std::min<std::ptrdiff_t>(
                                              release, static_cast<std::ptrdiff_t>(lines_.size())));
        }
        sdp(out);
    }

    /// Truncation of CACC with the documented limit of its "exactly one half" test.
    static std::int64_t truncated(std::int64_t sum, int t) {
        const std::int64_t unit = std::int64_t{1} << t;
        const std::int64_t low = ((sum % unit) + unit) % unit;  // fraction
        const bool ignored = t > 16 && sum < 0 && low >= unit / 2 &&
                             (low - unit / 2) < (std::int64_t{1} << (t - 16)) && low != unit / 2;
        if (ignored) return (sum - low) / unit;
        return round_div(sum, t);
    }

    struct Operands {
        int alu = 0, mul = 0;
    };

    Operands operands(const std::string& x, const std::string& dma, int s, int h, int w, int e,
                      bool single) {
        Operands out;
        out.alu = sign16(at("SDP", "D_DP_" + x + "_ALU_SRC_VALUE", 15, 0));
        out.mul = sign16(at("SDP", "D_DP_" + x + "_MUL_SRC_VALUE", 15, 0));
        const bool alu_mem = num("SDP", "D_DP_" + x + "_ALU_CFG", 0, 0) != 0;
        const bool mul_mem = num("SDP", "D_DP_" + x + "_MUL_CFG", 0, 0) != 0;
        const std::string cfg = "D_" + dma + "_CFG";
        const int use = num("SDP_RDMA", cfg, 2, 1);
        const int bytes = num("SDP_RDMA", cfg, 3, 3) + 1;
        const bool element = num("SDP_RDMA", cfg, 4, 4) != 0;
        const int record = bytes * (use == 2 ? 2 : 1);
        const std::uint64_t pixel = static_cast<std::uint64_t>(sizes_.atom_bytes * record);
        std::uint64_t a =
            addr("SDP_RDMA", "D_" + x + "_BASE_ADDR_HIGH", "D_" + x + "_BASE_ADDR_LOW");
        if (element && !single) {
            a += std::uint64_t{at("SDP_RDMA", "D_" + x + "_SURFACE_STRIDE", 31, 0)} *
                     static_cast<unsigned>(s) +
                 std::uint64_t{at("SDP_RDMA", "D_" + x + "_LINE_STRIDE", 31, 0)} *
                     static_cast<unsigned>(h) +
                 pixel * static_cast<unsigned>(w);
        } else {
            a += pixel * static_cast<unsigned>(s);
        }
        a += static_cast<unsigned>(e * record);
        const auto component = [&](int i) {
            const std::uint64_t at_byte = a + static_cast<unsigned>(i * bytes);
            if (bytes == 1) return byte(at_byte);
            return sign16(memory_.peek(at_byte) |
                          static_cast<std::uint32_t>(memory_.peek(at_byte + 1)) << 8);
        };
        if (alu_mem) out.alu = component(0);
        if (mul_mem) out.mul = component(use == 2 ? 1 : 0);
        return out;
    }

    std::int64_t stage(const std::string& x, const std::string& dma, std::int64_t v, int s, int h,
                       int w, int e, bool single, bool present) {
        const std::string cfg = "D_DP_" + x + "_CFG";
        if (!present || num("SDP", cfg, 0, 0) != 0) return v;
        const bool alu = num("SDP", cfg, 1, 1) == 0, mul = num("SDP", cfg, 4, 4) == 0;
        const bool prelu = num("SDP", cfg, 5, 5) != 0, relu = num("SDP", cfg, 6, 6) == 0;
        const bool memory = (alu && num("SDP", "D_DP_" + x + "_ALU_CFG", 0, 0) != 0) ||
                            (mul && num("SDP", "D_DP_" + x + "_MUL_CFG", 0, 0) != 0);
        Operands op;
        if (memory) {
            op = operands(x, dma, s, h, w, e, single);
        } else {
            op.alu = sign16(at("SDP", "D_DP_" + x + "_ALU_SRC_VALUE", 15, 0));
            op.mul = sign16(at("SDP", "D_DP_" + x + "_MUL_SRC_VALUE", 15, 0));
        }
        if (alu) {
            const int shift = num("SDP", "D_DP_" + x + "_ALU_CFG", 13, 8);
            const double wide = std::ldexp(static_cast<double>(op.alu), shift);
            const std::int64_t o =
                static_cast<std::int64_t>(std::min(std::max(wide, -2147483648.0), 2147483647.0));
            const int algo = num("SDP", cfg, 3, 2);
            v = algo == 0 ? std::max(v, o) : algo == 1 ? std::min(v, o) : v + o;
        }
        if (mul && prelu && v >= 0) {
            v = static_cast<std::int32_t>(static_cast<std::uint32_t>(v));
        } else {
            if (mul) v *= op.mul;
            const int shift = num("SDP", "D_DP_" + x + "_MUL_CFG", 13, 8);
            v = shift >= 49 ? 0 : sat(round_div(v, shift), 32);
        }
        return relu ? std::max<std::int64_t>(v, 0) : v;
    }

    void sdp(const std::vector<std::int64_t>& flying) {
        const int width = num("SDP", "D_DATA_CUBE_WIDTH", 12, 0) + 1;
        const int height = num("SDP", "D_DATA_CUBE_HEIGHT", 12, 0) + 1;
        const int channels = num("SDP", "D_DATA_CUBE_CHANNEL", 12, 0) + 1;
        const int atom = sizes_.atom_bytes;
        const bool single = width == 1 && height == 1;
        const auto cube = [&](std::uint64_t base, std::uint32_t surf, std::uint32_t line, int s,
                              int h, int w) {
            if (single) return base + static_cast<unsigned>(s * atom);
            return base + std::uint64_t{surf} * static_cast<unsigned>(s) +
                   std::uint64_t{line} * static_cast<unsigned>(h) + static_cast<unsigned>(w * atom);
        };
        const std::uint64_t dst = addr("SDP", "D_DST_BASE_ADDR_HIGH", "D_DST_BASE_ADDR_LOW");
        const std::uint64_t src = addr("SDP_RDMA", "D_SRC_BASE_ADDR_HIGH", "D_SRC_BASE_ADDR_LOW");
        const auto offset = static_cast<std::int32_t>(at("SDP", "D_CVT_OFFSET", 31, 0));
        const int scale = sign16(at("SDP", "D_CVT_SCALE", 15, 0));
        const int shift = num("SDP", "D_CVT_SHIFT", 5, 0);
        std::size_t next = 0;
        for (int s = 0; s * atom < channels; ++s) {
            for (int h = 0; h < height; ++h) {
                for (int w = 0; w < width; ++w) {
                    for (int e = 0; e < atom; ++e) {
                        std::int64_t v =
                            !flying.empty()
                                ? flying.at(next++)
                                : byte(cube(src, at("SDP_RDMA", "D_SRC_SURFACE_STRIDE", 31, 0),
                                            at("SDP_RDMA", "D_SRC_LINE_STRIDE", 31, 0), s, h, w) +
                                       static_cast<unsigned>(e));
                        v = stage("BS", "BRDMA", v, s, h, w, e, single, sizes_.sdp_bs);
                        v = stage("BN", "NRDMA", v, s, h, w, e, single, sizes_.sdp_bn);
                        v = (v - offset) * scale;
                        v = shift >= 49 ? 0 : sat(sat(round_div(v, shift), 17), 8);
                        memory_.write(cube(dst, at("SDP", "D_DST_SURFACE_STRIDE", 31, 0),
                                           at("SDP", "D_DST_LINE_STRIDE", 31, 0), s, h, w) +
                                          static_cast<unsigned>(e),
                                      static_cast<std::uint8_t>(v));
                    }
                }
            }
        }
        const bool memory_operands =
            !order_["SDP_RDMA"].empty() &&
            (flying.empty() || num("SDP_RDMA", "D_FEATURE_MODE_CFG", 0, 0) != 0);
        if (memory_operands) order_["SDP_RDMA"].erase(order_["SDP_RDMA"].begin());
        order_["SDP"].erase(order_["SDP"].begin());
    }

    dla::model::Architecture sizes_;
    verif::Memory& memory_;
    std::map<std::string, std::uint32_t> registers_, group_;
    std::map<std::string, std::vector<std::uint32_t>> order_;  // groups enabled, not yet run
    std::set<std::string> conv_units_;                         // enabled, of the next convolution
    std::vector<Line> lines_;                                  // in the convolution buffer
    std::vector<int> weights_;
    std::uint32_t last_bank_ = ~0u;
    bool last_image_ = false, last_skip_data_ = false, last_skip_weight_ = false;
};

}  // namespace macrame::test
