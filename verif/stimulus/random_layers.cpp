#include "random_layers.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "verif/model/dla/cdma.hpp"
#include "verif/trace/dla_registers.hpp"

namespace macrame::stimulus {

namespace {

namespace regs = dla_regs;
using model::dla::DeviceSizes;
using model::dla::entries_per_slice;

constexpr std::uint32_t kAllMasked = 0x3F03FF, kOnlySdp = 0x3F03FC, kCdpBits = 0xC, kPdpBits = 0x30;
constexpr int kGuard = 32;  // untouched bytes around every output cube

/// Small generator with a result that is the same everywhere (std distributions are not).
class Random {
public:
    /// Mixed once before use: seeds that differ by the step would share their numbers.
    explicit Random(std::uint64_t seed) : state_(mix(seed ^ 0xD1B54A32D192ED03u)) {}

    std::uint64_t bits() { return mix(state_ += 0x9E3779B97F4A7C15u); }  // splitmix64
    /// lo .. hi, both included.
    int in(int lo, int hi) {
        return lo + static_cast<int>(bits() % static_cast<std::uint64_t>(hi - lo + 1));
    }
    /// lo .. hi, small values more often.
    int low(int lo, int hi) { return in(lo, in(lo, hi)); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    int pick(std::initializer_list<int> values) {
        return values.begin()[in(0, static_cast<int>(values.size()) - 1)];
    }
    std::uint32_t word() { return static_cast<std::uint32_t>(bits() >> 32); }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    std::uint64_t state_;
};

/// A cube in memory.
struct Cube {
    int width = 0, height = 0, channels = 0;
    std::uint64_t base = 0;
    std::uint32_t line_stride = 0, surface_stride = 0;
    int layer = -1;  // that writes it; -1: loaded
};

/// The numbers of a convolution layer that later layers depend on.
struct Conv {
    int width = 0, height = 0, channels = 0;  // height with reused lines
    int new_lines = 0;                        // that CDMA fetches
    int s = 1, r = 1, kernels = 1;
    int sx = 1, sy = 1, dx = 1, dy = 1;
    int pl = 0, pr = 0, pt = 0, pb = 0;
    int out_width = 0, out_height = 0;
    int data_banks = 0, weight_banks = 0;
    int release = 1;
    bool data_reuse = false, weight_reuse = false, skip_data = false, skip_weight = false;
    std::uint32_t weight_bytes = 0;
    bool is_image = false;  // channels: components of a pixel
    model::dla::ImageInput image;
    int rows_per_step = 1;  // post-extension

    int span_x() const { return (s - 1) * dx + 1; }
    int span_y() const { return (r - 1) * dy + 1; }
    std::int64_t macs() const {
        return std::int64_t{1} * out_width * out_height * kernels * channels * s * r;
    }
};

/// Output size and far padding of one direction: the last window ends exactly at the padded edge.
bool fit(int size, int near, int span, int stride, int& out, int& far) {
    const int reach = near + size - span;
    out = reach <= 0 ? 1 : (reach + stride - 1) / stride + 1;
    far = (out - 1) * stride + span - near - size;
    return far >= 0 && far < span;
}

class Maker {
public:
    Maker(const DeviceSizes& sizes, const RandomOptions& options)
        : sizes_(sizes), options_(options), random_(options.seed) {
        out_.program.name = "random layers, seed " + std::to_string(options.seed);
        next_addr_ = 0x10000000u + (random_.bits() & 0x6FFFFF00u);
    }

    RandomProgram make() {
        only_sdp_ = random_.chance(60);
        const std::uint32_t last_units =
            (sizes_.cdp ? kCdpBits : 0u) | (sizes_.pdp ? kPdpBits : 0u);
        put(regs::glb::S_INTR_MASK(only_sdp_ ? kOnlySdp & ~last_units : 0));
        if (random_.chance(40)) memory_interface();
        const int layers = options_.layers > 0 ? options_.layers : random_.in(2, 6);
        plan(layers);
        if (sizes_.sdp_lut) load_sdp_lut();
        for (layer_ = 0; layer_ < layers; ++layer_) {
            pace_ = random_.chance(25) ? random_.low(1, 30) : 0;
            if (cdp_layer_[static_cast<std::size_t>(layer_)]) {
                make_cdp();
            } else if (pdp_layer_[static_cast<std::size_t>(layer_)]) {
                make_pdp();
            } else if (conv_layer_[static_cast<std::size_t>(layer_)]) {
                make_conv();
            } else {
                make_offline();
            }
            if (random_.chance(20)) wait_layer(layer_);
        }
        pace_ = 0;
        finish();
        return std::move(out_);
    }

private:
    enum Unit {
        kCdma,
        kCsc,
        kCmacA,
        kCmacB,
        kCacc,
        kRdma,
        kSdp,
        kCdpRdma,
        kCdp,
        kPdpRdma,
        kPdp,
        kUnits
    };
    static constexpr std::array<const char*, kUnits> kUnitNames = {
        "CDMA", "CSC",      "CMAC_A", "CMAC_B",   "CACC", "SDP_RDMA",
        "SDP",  "CDP_RDMA", "CDP",    "PDP_RDMA", "PDP"};

    // ---- commands

    static const trace::RegisterTable& table() {
        static const trace::RegisterTable t = trace::dla_registers();
        return t;
    }

    trace::Command command(trace::Op op, std::uint32_t addr, std::uint32_t value) {
        trace::Command c;
        c.op = op;
        c.addr = addr;
        c.value = value;
        c.reg = table().name_of(addr);
        c.idle = pace_ > 0 ? random_.in(0, pace_) : 0;
        c.where = out_.program.name + ", layer " + std::to_string(layer_);
        return c;
    }
    template <class Register>
    void put(const Register& reg) {
        out_.program.commands.push_back(command(trace::Op::write, Register::kAddress, reg.raw));
    }
    void write(const std::string& name, std::uint32_t value) {
        out_.program.commands.push_back(command(trace::Op::write, table().find(name)->addr, value));
    }
    void poll(const std::string& name, std::uint32_t value, std::uint32_t mask) {
        trace::Command c = command(trace::Op::poll, table().find(name)->addr, value);
        c.mask = mask;
        out_.program.commands.push_back(std::move(c));
    }

    // ---- memory

    std::uint64_t allocate(std::uint64_t size, std::uint64_t align) {
        next_addr_ += static_cast<std::uint64_t>(random_.low(0, 200));
        next_addr_ = (next_addr_ + align - 1) / align * align;
        const std::uint64_t addr = next_addr_ | high_;
        next_addr_ += size;
        return addr;
    }

    /// One of several distributions; corner values are common in all.
    std::uint8_t noise_byte(int kind) {
        const int r = random_.in(0, 255);
        if (kind == 0) return static_cast<std::uint8_t>(r);
        if (kind == 1) return static_cast<std::uint8_t>(random_.in(-3, 3));
        if (kind == 2) return static_cast<std::uint8_t>(random_.pick({-128, 127, 0, -1, 1}));
        return static_cast<std::uint8_t>(random_.chance(50) ? 0 : r);
    }

    /// Any port of the configuration.
    trace::Port any_port() {
        return sizes_.secondary && random_.chance(50) ? trace::Port::secondary
                                                      : trace::Port::primary;
    }
    /// RAM_TYPE of the memory that holds `base`.
    std::uint32_t ram_type(std::uint64_t base) const {
        for (const trace::MemoryInit& init : out_.program.memory) {
            const std::uint64_t size = std::max<std::uint64_t>(
                init.size, init.segments.empty() ? 0 : init.segments[0].bytes.size());
            if (base >= init.base && base - init.base < size) {
                return init.port == trace::Port::primary ? 1 : 0;
            }
        }
        return 1;
    }

    std::uint64_t load_random(std::uint64_t size, std::uint64_t align) {
        return load_random(size, align, any_port());
    }
    std::uint64_t load_random(std::uint64_t size, std::uint64_t align, trace::Port port) {
        trace::MemoryInit init;
        init.port = port;
        init.base = allocate(size, align);
        init.segments.resize(1);
        const int kind = random_.in(0, 3);
        for (std::uint64_t i = 0; i < size; ++i)
            init.segments[0].bytes.push_back(noise_byte(kind));
        out_.program.memory.push_back(std::move(init));
        return out_.program.memory.back().base;
    }

    int surfaces(int channels) const {
        return (channels + sizes_.atom_bytes - 1) / sizes_.atom_bytes;
    }

    /// Strides of a cube of `record` bytes per pixel and surface, packed or with gaps; its size.
    std::uint64_t set_strides(Cube& cube, int record) {
        const int atom = sizes_.atom_bytes;
        const bool single = cube.width == 1 && cube.height == 1;
        const int line_gap = single || random_.chance(50) ? 0 : random_.low(1, 4) * atom;
        const int surface_gap = single || random_.chance(50) ? 0 : random_.low(1, 6) * atom;
        cube.line_stride = static_cast<std::uint32_t>(cube.width * record + line_gap);
        cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(cube.height) +
                              static_cast<std::uint32_t>(surface_gap);
        return std::uint64_t{cube.surface_stride} *
               static_cast<std::uint64_t>(surfaces(cube.channels));
    }

    Cube input_cube(int width, int height, int channels) {
        Cube cube{width, height, channels};
        cube.base = load_random(set_strides(cube, sizes_.atom_bytes), atom());
        return cube;
    }

    /// Lines of pixels; a second plane has its address and stride in c.image.
    Cube image_planes(Conv& c) {
        const model::dla::PixelFormat format = model::dla::pixel_format(c.image.format);
        Cube cube{c.width, c.new_lines, c.channels};
        const int am = sizes_.atom_bytes;
        const trace::Port port = any_port();  // of both planes
        const auto load = [&](int plane, std::uint32_t& stride) {
            const int bytes = (c.image.x_offset + c.width) * format.bytes[plane];
            stride = static_cast<std::uint32_t>(
                ((bytes + am - 1) / am + (random_.chance(50) ? 0 : random_.low(1, 6))) * am);
            return load_random(std::uint64_t{stride} * static_cast<unsigned>(c.new_lines), atom(),
                               port);
        };
        cube.base = load(0, cube.line_stride);
        if (format.bytes[1] != 0) c.image.addr_1 = load(1, c.image.uv_stride);
        return cube;
    }

    Cube output_cube(int width, int height, int channels) {
        Cube cube{width, height, channels};
        const std::uint64_t size = set_strides(cube, sizes_.atom_bytes);
        trace::MemoryInit init;
        init.port = any_port();
        init.size = size + 2 * kGuard;
        init.base =
            allocate(init.size, static_cast<std::uint64_t>(std::max(sizes_.atom_bytes, kGuard)));
        init.pattern = random_.pick({0x00, 0xFF, 0xA5, 0x5A});
        cube.base = init.base + kGuard;
        cube.layer = layer_;
        out_.program.memory.push_back(std::move(init));
        return cube;
    }
    std::uint64_t atom() const { return static_cast<std::uint64_t>(sizes_.atom_bytes); }

    /// Arbitration weights and limits of requests in flight of a port.
    void memory_port(const std::string& unit) {
        for (const char* name : {"CFG_RD_WEIGHT_0", "CFG_RD_WEIGHT_1", "CFG_RD_WEIGHT_2",
                                 "CFG_WR_WEIGHT_0", "CFG_WR_WEIGHT_1"}) {
            std::uint32_t value = 0;
            for (int byte = 0; byte < 4; ++byte) {
                const int weight = random_.chance(5) ? 0 : random_.low(1, 255);
                value |= static_cast<std::uint32_t>(weight) << (8 * byte);
            }
            write(unit + "." + name, value);
        }
        const auto reads = static_cast<std::uint32_t>(random_.low(3, 255));
        const auto writes = static_cast<std::uint32_t>(random_.low(3, 255));
        write(unit + ".CFG_OUTSTANDING_CNT",
              regs::mcif::CFG_OUTSTANDING_CNT(0).RD_OS_CNT(reads).WR_OS_CNT(writes).raw);
    }

    /// What has no effect on results.
    void memory_interface() {
        memory_port("MCIF");
        if (sizes_.secondary) memory_port("CVIF");
        put(regs::cdma::S_ARBITER(0)
                .ARB_WEIGHT(static_cast<std::uint32_t>(random_.in(1, 15)))
                .ARB_WMB(static_cast<std::uint32_t>(random_.in(1, 15))));
    }

    // ---- layers in flight

    static std::string event(const std::string& unit, int layer) {
        return unit + "_of_layer_" + std::to_string(layer);
    }
    void expect(const std::string& unit, int bit, int group) {
        trace::Notify n;
        n.bit = bit + group;
        n.unit = unit + "_" + std::to_string(group);
        n.id = event(unit, layer_);
        n.where = out_.program.name;
        out_.program.notifies.push_back(std::move(n));
    }
    /// The commands behind this wait until the layer's results are in memory.
    void wait_layer(int layer) {
        if (layer < 0 || waited_[static_cast<std::size_t>(layer)]) return;
        waited_[static_cast<std::size_t>(layer)] = true;
        trace::Command c;
        c.op = trace::Op::sync_wait;
        c.id = event(cdp_layer_[static_cast<std::size_t>(layer)]   ? "CDP"
                     : pdp_layer_[static_cast<std::size_t>(layer)] ? "PDP"
                                                                   : "SDP",
                     layer);
        c.where = out_.program.name + ", layer " + std::to_string(layer_);
        out_.program.commands.push_back(std::move(c));
    }
    /// Takes the next register group of a unit; waits until it is free.
    int take(Unit unit) {
        auto& users = users_[unit];
        const int group = static_cast<int>(users.size() % 2);
        if (users.size() >= 2) wait_layer(users[users.size() - 2]);
        const std::string name = kUnitNames[unit];
        if (users.size() >= 2) poll(name + ".S_STATUS", 0, group == 0 ? 0x3u : 0x30000u);
        write(name + ".S_POINTER", static_cast<std::uint32_t>(group));
        users.push_back(layer_);
        return group;
    }
    void enable(Unit unit) { write(std::string(kUnitNames[unit]) + ".D_OP_ENABLE", 1); }

    /// Decides which layers are convolutions.
    void plan(int layers) {
        bool any = false;
        for (int i = 0; i < layers; ++i) {
            const bool conv = options_.convolution && (!options_.offline_sdp || random_.chance(75));
            const bool cdp = sizes_.cdp && options_.cdp && random_.chance(30);
            const bool pdp = !cdp && sizes_.pdp && options_.pdp && random_.chance(25);
            conv_layer_.push_back(conv && !cdp && !pdp);
            cdp_layer_.push_back(cdp);
            pdp_layer_.push_back(pdp);
            any = any || conv_layer_.back();
        }
        waited_.assign(static_cast<std::size_t>(layers), false);
        if (any) poll("CDMA.S_CBUF_FLUSH_STATUS", 1, 0xFFFFFFFFu);
        if (sizes_.addr_w > 32 && random_.chance(50)) {
            high_ = std::uint64_t{random_.word() & 0xFFu} << 32;
        }
    }

    // ---- convolution

    int entries(const Conv& c) const {
        return c.is_image
                   ? model::dla::image_entries_per_slice(sizes_.entry_bytes, c.image, c.width)
                   : entries_per_slice(sizes_.cdma(), c.width, c.channels);
    }

    bool fits(const Conv& c) const {
        if (c.macs() > options_.max_macs) return false;
        if (std::int64_t{1} * c.out_width * c.out_height * surfaces(c.kernels) * sizes_.atom_bytes >
            options_.max_elements) {
            return false;
        }
        return c.data_banks + c.weight_banks <= sizes_.cbuf_banks &&
               c.height * entries(c) <= c.data_banks * sizes_.cbuf_depth;
    }

    /// An image of any format.
    void choose_image(Conv& c) {
        c.is_image = true;
        c.image.format = random_.pick({0, 12, 13, 14, 15, 16, 17, 18, 19, 26, 27, 28, 29});
        const model::dla::PixelFormat format = model::dla::pixel_format(c.image.format);
        c.channels = format.components;
        c.image.x_offset =
            random_.chance(20) ? 0 : random_.in(0, sizes_.atom_bytes / format.bytes[0] - 1);
        c.width = random_.low(1, random_.chance(15) ? 300 : 40);
        c.height = random_.low(1, random_.chance(15) ? 60 : 16);
        c.new_lines = c.height;
    }

    /// What an image layer has beside its geometry.
    void choose_pixels(Conv& c) {
        c.image.is_signed = random_.chance(50);
        c.image.pad_value =
            static_cast<std::int8_t>(random_.chance(20) ? 0 : random_.in(-128, 127));
        const int lanes = sizes_.atomic_c;
        c.rows_per_step = 1;
        for (const int rows : {2, 4}) {
            if (c.channels * c.s <= lanes / rows && c.sx * c.channels <= lanes / rows &&
                random_.chance(60)) {
                c.rows_per_step = rows;
            }
        }
    }

    /// Kernel of an image layer; `line` > 0: the stored line of the layer before is used again.
    bool choose_image_kernel(Conv& c, int line) {
        c.s = random_.low(1, random_.chance(10) ? 12 : 6);
        c.r = random_.low(1, random_.chance(10) ? 12 : 6);
        if (random_.chance(5)) {  // lines that just fill one or two steps
            c.s = std::clamp(sizes_.atomic_c * random_.in(1, 2) / c.channels, 1, 32);
        }
        c.sx = random_.chance(50) ? random_.low(1, 8) : 1;
        c.sy = random_.chance(50) ? random_.low(1, 8) : 1;
        c.pt = random_.chance(50) ? random_.in(0, std::min(31, c.r - 1)) : 0;
        if (!fit(c.height, c.pt, c.r, c.sy, c.out_height, c.pb)) return false;
        if (line > 0) {
            c.pl = c.image.pad_left;
            c.pr = c.image.pad_right;
            if (c.s > line || (line - c.s) % c.sx != 0) return false;
            if (c.pl >= c.s || c.pr >= c.s) return false;  // no window of padding alone
            c.out_width = (line - c.s) / c.sx + 1;
        } else {
            c.pl = random_.chance(50) ? random_.in(0, std::min(31, c.s - 1)) : 0;
            if (!fit(c.width, c.pl, c.s, c.sx, c.out_width, c.pr)) return false;
            c.image.pad_left = c.pl;
            c.image.pad_right = c.pr;
        }
        choose_pixels(c);
        return true;
    }

    /// Kernel, stride, dilation and padding for a given input size.
    bool choose_kernel(Conv& c) {
        if (c.is_image) return choose_image_kernel(c, 0);
        c.s = random_.low(1, random_.chance(5) ? 11 : 5);
        c.r = random_.low(1, random_.chance(5) ? 11 : 5);
        c.dx = random_.chance(30) ? random_.in(1, 4) : 1;
        c.dy = random_.chance(30) ? random_.in(1, 4) : 1;
        c.sx = random_.chance(40) ? random_.low(1, 8) : 1;
        c.sy = random_.chance(40) ? random_.low(1, 8) : 1;
        c.pl = random_.chance(50) ? random_.in(0, std::min(31, c.span_x() - 1)) : 0;
        c.pt = random_.chance(50) ? random_.in(0, std::min(31, c.span_y() - 1)) : 0;
        return fit(c.width, c.pl, c.span_x(), c.sx, c.out_width, c.pr) &&
               fit(c.height, c.pt, c.span_y(), c.sy, c.out_height, c.pb);
    }

    void choose_input(Conv& c) {
        c.width = random_.low(1, 24);
        c.height = random_.low(1, 16);
        const int most = random_.chance(15) ? 6 * sizes_.atomic_c : 2 * sizes_.atomic_c + 3;
        c.channels = random_.chance(30) ? sizes_.atomic_c * random_.in(1, 2) : random_.low(1, most);
        const int kind = random_.in(0, 19);
        if (kind == 0) {  // long lines
            c.width = random_.in(30, 400);
            c.height = random_.in(1, 3);
        } else if (kind == 1) {  // many channels of few pixels
            c.width = random_.in(1, 2);
            c.height = random_.in(1, 2);
            c.channels = random_.in(1, 40 * sizes_.atomic_c);
        } else if (kind == 2) {  // tall
            c.width = random_.in(1, 2);
            c.height = random_.in(20, 150);
        }
        c.new_lines = c.height;
    }

    std::int64_t weight_stream(const Conv& c, int kernels) const {
        return std::int64_t{1} * kernels * c.channels * c.s * c.r;
    }

    /// Banks: as small as possible, generous, or in between.
    void choose_banks(Conv& c) {
        const int depth = sizes_.cbuf_depth;
        const std::int64_t all_lines = std::int64_t{1} * c.height * entries(c);
        const int data = static_cast<int>((all_lines + depth - 1) / depth);
        // One kernel group, its neighbours' shares of the first and last entry, the padded end.
        const std::int64_t least =
            weight_stream(c, std::min(c.kernels, sizes_.atomic_k)) + 128 + 2 * sizes_.entry_bytes;
        const std::int64_t all = c.weight_bytes;
        const std::int64_t bytes = c.skip_weight ? std::max(least, all) : least;
        const std::int64_t bank_bytes = std::int64_t{1} * depth * sizes_.entry_bytes;
        const int weight = static_cast<int>((bytes + bank_bytes - 1) / bank_bytes);
        const int spare = sizes_.cbuf_banks - data - weight;
        c.data_banks = data;
        c.weight_banks = weight;
        if (spare <= 0) return;
        if (random_.chance(5)) {  // the whole buffer
            c.data_banks += random_.in(0, spare);
            c.weight_banks = sizes_.cbuf_banks - c.data_banks;
            return;
        }
        c.data_banks += random_.chance(40) ? random_.low(0, std::min(spare, 6)) : 0;
        c.weight_banks +=
            random_.chance(40)
                ? random_.low(0, std::min(sizes_.cbuf_banks - c.data_banks - weight, 6))
                : 0;
    }

    void choose_kernels(Conv& c) {
        c.kernels = random_.chance(30) ? sizes_.atomic_k * random_.in(1, 3)
                                       : random_.low(1, 3 * sizes_.atomic_k + 1);
    }

    /// How this layer ends: what stays for the next one. Only sizes of this layer decide.
    void choose_release(Conv& c) {
        c.skip_data = random_.chance(30);
        c.release = random_.chance(70) ? c.height : random_.in(1, c.height);
    }

    /// Tries to make a layer that uses what the layer before left in the buffer.
    bool choose_reuse(Conv& c) {
        if (!have_prev_ || !random_.chance(60)) return false;
        for (int attempt = 0; attempt < 6; ++attempt) {
            if (try_reuse(c)) return true;
        }
        return false;
    }

    bool try_reuse(Conv& c) {
        Conv n;
        n.data_banks = prev_.data_banks;
        n.weight_banks = prev_.weight_banks;
        const int left = prev_.skip_data ? prev_.height : prev_.height - prev_.release;
        const bool data = left > 0 && random_.chance(70);
        const bool weight = prev_.skip_weight && random_.chance(70);
        if (!data && !weight) return false;
        if (prev_.is_image && weight) return false;
        n.is_image = prev_.is_image;
        n.image = prev_.image;
        if (data) {
            n.data_reuse = true;
            n.width = prev_.width;
            n.channels = prev_.channels;
            n.new_lines = prev_.skip_data ? random_.in(1, 8) : random_.in(1, 6);
            n.height = prev_.skip_data ? left : left + n.new_lines;
        } else {
            choose_input(n);
            if (weight) n.channels = prev_.channels;
        }
        if (weight) {
            n.weight_reuse = true;
            n.s = prev_.s;
            n.r = prev_.r;
            n.kernels = prev_.kernels;
            n.dx = prev_.dx;
            n.dy = prev_.dy;
            n.sx = prev_.sx;
            n.sy = prev_.sy;
            n.weight_bytes = prev_.weight_bytes;
            n.pl = random_.in(0, std::min(31, n.span_x() - 1));
            n.pt = random_.in(0, std::min(31, n.span_y() - 1));
            if (!fit(n.width, n.pl, n.span_x(), n.sx, n.out_width, n.pr) ||
                !fit(n.height, n.pt, n.span_y(), n.sy, n.out_height, n.pb)) {
                return false;
            }
        } else {
            const int line = n.width + n.image.pad_left + n.image.pad_right;
            if (!(n.is_image ? choose_image_kernel(n, line) : choose_kernel(n))) return false;
            choose_kernels(n);
            set_weight_bytes(n);
        }
        n.skip_weight = random_.chance(30);
        const int data_banks = n.data_banks;
        int weight_banks = n.weight_banks;
        choose_banks(n);  // what it would need
        if (!weight && random_.chance(20) && data_banks + n.weight_banks <= sizes_.cbuf_banks) {
            weight_banks = n.weight_banks;  // the data stays when only the weight region changes
        }
        const bool enough = n.data_banks <= data_banks && n.weight_banks <= weight_banks;
        n.data_banks = data_banks;
        n.weight_banks = weight_banks;
        if (!enough) {
            n.skip_weight = false;
            const Conv kept = n;
            choose_minimum(n);
            if (n.data_banks > data_banks || n.weight_banks > weight_banks) return false;
            n = kept;
        }
        if (!fits(n)) return false;
        c = n;
        return true;
    }

    /// The smallest bank split.
    void choose_minimum(Conv& c) {
        const int depth = sizes_.cbuf_depth;
        const std::int64_t bank_bytes = std::int64_t{1} * depth * sizes_.entry_bytes;
        c.data_banks = (c.height * entries(c) + depth - 1) / depth;
        c.weight_banks = static_cast<int>((weight_stream(c, std::min(c.kernels, sizes_.atomic_k)) +
                                           128 + 2 * sizes_.entry_bytes + bank_bytes - 1) /
                                          bank_bytes);
    }

    void set_weight_bytes(Conv& c) {
        c.weight_bytes =
            static_cast<std::uint32_t>((weight_stream(c, c.kernels) + 127) / 128 * 128);
    }

    /// A layer that stands alone; its input may be the output of the layer before.
    void choose_fresh(Conv& c, Cube& input) {
        for (int attempt = 0;; ++attempt) {
            c = Conv();
            const bool chained =
                attempt < 20 && !outputs_.empty() && !unwritten_ && random_.chance(25);
            input = Cube();
            if (sizes_.image && options_.image && random_.chance(30)) {
                choose_image(c);
            } else if (chained) {
                input = outputs_.back();
                c.width = input.width;
                c.height = c.new_lines = input.height;
                c.channels = input.channels;
            } else {
                choose_input(c);
            }
            if (!choose_kernel(c)) continue;
            choose_kernels(c);
            set_weight_bytes(c);
            c.skip_weight = random_.chance(30);
            choose_banks(c);
            if (have_prev_ && random_.chance(50)) {  // the same split as before, if it is enough
                if (c.data_banks <= prev_.data_banks && c.weight_banks <= prev_.weight_banks) {
                    c.data_banks = prev_.data_banks;
                    c.weight_banks = prev_.weight_banks;
                }
            }
            if (!fits(c)) continue;
            ask_in_vain(c);
            return;
        }
    }

    /// Sometimes asks for reuse where there is nothing to reuse: everything is fetched as usual.
    void ask_in_vain(Conv& c) {
        const bool data_moves = !have_prev_ || c.data_banks != prev_.data_banks;
        const bool moves = data_moves || c.weight_banks != prev_.weight_banks;
        const bool empty = have_prev_ && !prev_.skip_data && prev_.release == prev_.height;
        const bool other = have_prev_ && prev_.is_image != c.is_image;  // drops the data
        c.data_reuse = (data_moves || empty || other) && random_.chance(other ? 40 : 10);
        c.weight_reuse = (moves || !prev_.skip_weight) && random_.chance(10);
    }

    void make_conv() {
        Conv c;
        Cube input;
        const bool reuse = choose_reuse(c);
        if (!reuse) choose_fresh(c, input);
        choose_release(c);
        if (c.is_image) {
            input = image_planes(c);
        } else if (input.layer >= 0) {
            wait_layer(input.layer);
        } else {
            input = input_cube(c.width, std::max(c.new_lines, 1), c.channels);
        }
        const std::uint64_t weights =
            load_random(c.weight_bytes, atom() * (random_.chance(50) ? 1 : 32));

        const int sdp = sdp_registers(c.out_width, c.out_height, c.kernels, true);
        std::array<int, kUnits> group{};
        for (const Unit unit : {kCacc, kCmacA, kCmacB, kCsc, kCdma})
            group[unit] = take(unit);
        cacc_registers(c);
        csc_registers(c);
        cdma_registers(c, input, weights);
        if (!only_sdp_) {
            expect("CDMA_DAT", 16, group[kCdma]);
            expect("CDMA_WT", 18, group[kCdma]);
            expect("CACC", 20, group[kCacc]);
        }
        expect("SDP", 0, sdp);
        if (rdma_used_) enable(kRdma);
        for (const Unit unit : {kSdp, kCacc, kCmacA, kCmacB, kCsc, kCdma})
            enable(unit);
        describe(c);
        prev_ = c;
        have_prev_ = true;
    }

    void describe(const Conv& c) {
        const auto n = [](int v) { return std::to_string(v); };
        std::string text = c.is_image ? "image of format " + n(c.image.format) + ", " +
                                            n(c.rows_per_step) + " rows, offset " +
                                            n(c.image.x_offset) + " "
                                      : "";
        text += "conv " + n(c.width) + "x" + n(c.height) + "x" + n(c.channels) + " kernel " +
                n(c.s) + "x" + n(c.r) + " K=" + n(c.kernels) + " stride " + n(c.sx) + "," +
                n(c.sy) + " dilation " + n(c.dx) + "," + n(c.dy) + " pad " + n(c.pl) + "," +
                n(c.pr) + "," + n(c.pt) + "," + n(c.pb) + " banks " + n(c.data_banks) + "+" +
                n(c.weight_banks) + " release " + n(c.release);
        if (c.data_reuse) text += " data-reuse new=" + n(c.new_lines);
        if (c.weight_reuse) text += " weight-reuse";
        if (c.skip_data) text += " skip-data-rls";
        if (c.skip_weight) text += " skip-weight-rls";
        out_.layers.push_back(text + sdp_text_);
    }

    void cacc_registers(const Conv& c) {
        namespace r = regs::cacc;
        put(r::D_MISC_CFG(0));
        put(r::D_DATAOUT_SIZE_0(0)
                .DATAOUT_WIDTH(minus1(c.out_width))
                .DATAOUT_HEIGHT(minus1(c.out_height)));
        put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
        const Cube& out = outputs_.back();
        put(r::D_DATAOUT_ADDR(static_cast<std::uint32_t>(out.base)));
        put(r::D_BATCH_NUMBER(0));
        put(r::D_LINE_STRIDE(out.line_stride & 0xFFFFFFu));
        put(r::D_SURF_STRIDE(out.surface_stride & 0xFFFFFFu));
        const std::uint32_t single = c.out_width == 1 && c.out_height == 1 ? 1 : 0;
        put(r::D_DATAOUT_MAP(0).LINE_PACKED(single).SURF_PACKED(single));
        put(r::D_CLIP_CFG(0).CLIP_TRUNCATE(static_cast<std::uint32_t>(
            random_.chance(50) ? 0 : random_.low(0, random_.chance(20) ? 31 : 12))));
        put(regs::cmac_a::D_MISC_CFG(0));
        put(regs::cmac_b::D_MISC_CFG(0));
    }

    static std::uint32_t minus1(int v) { return static_cast<std::uint32_t>(v - 1); }

    template <class Misc>
    static Misc misc(const Conv& c) {
        return Misc(0)
            .DATA_REUSE(c.data_reuse)
            .WEIGHT_REUSE(c.weight_reuse)
            .SKIP_DATA_RLS(c.skip_data)
            .SKIP_WEIGHT_RLS(c.skip_weight);
    }

    void csc_registers(const Conv& c) {
        namespace r = regs::csc;
        put(misc<r::D_MISC_CFG>(c));
        put(r::D_DATAIN_FORMAT(0).DATAIN_FORMAT(c.is_image ? 1 : 0));
        put(r::D_DATAIN_SIZE_EXT_0(0)
                .DATAIN_WIDTH_EXT(minus1(c.width))
                .DATAIN_HEIGHT_EXT(minus1(c.height)));
        put(r::D_DATAIN_SIZE_EXT_1(0).DATAIN_CHANNEL_EXT(minus1(c.channels)));
        put(r::D_BATCH_NUMBER(0));
        put(r::D_POST_Y_EXTENSION(0).Y_EXTENSION(static_cast<std::uint32_t>(c.rows_per_step) / 2));
        put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(entries(c))));
        put(r::D_WEIGHT_FORMAT(0));
        const int columns = c.is_image ? 1 : c.s;  // those of an image are channels
        put(r::D_WEIGHT_SIZE_EXT_0(0)
                .WEIGHT_WIDTH_EXT(minus1(columns))
                .WEIGHT_HEIGHT_EXT(minus1(c.r)));
        put(r::D_WEIGHT_SIZE_EXT_1(0)
                .WEIGHT_CHANNEL_EXT(minus1(c.channels * c.s / columns))
                .WEIGHT_KERNEL(minus1(c.kernels)));
        put(r::D_WEIGHT_BYTES(c.weight_bytes));
        put(r::D_WMB_BYTES(0));
        put(r::D_DATAOUT_SIZE_0(0)
                .DATAOUT_WIDTH(minus1(c.out_width))
                .DATAOUT_HEIGHT(minus1(c.out_height)));
        put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
        put(r::D_ATOMICS(0).ATOMICS(minus1(c.out_width * c.out_height)));
        put(r::D_RELEASE(0).RLS_SLICES(minus1(c.release)));
        put(r::D_CONV_STRIDE_EXT(0)
                .CONV_X_STRIDE_EXT(minus1(c.sx))
                .CONV_Y_STRIDE_EXT(minus1(c.sy)));
        put(r::D_DILATION_EXT(0).X_DILATION_EXT(minus1(c.dx)).Y_DILATION_EXT(minus1(c.dy)));
        put(r::D_ZERO_PADDING(0)
                .PAD_LEFT(static_cast<std::uint32_t>(c.pl))
                .PAD_TOP(static_cast<std::uint32_t>(c.pt)));
        pad_value_ = random_.chance(40) ? 0 : random_.word() & 0xFFFFu;
        put(r::D_ZERO_PADDING_VALUE(pad_value_));
        put(r::D_BANK(0).DATA_BANK(minus1(c.data_banks)).WEIGHT_BANK(minus1(c.weight_banks)));
        put(r::D_PRA_CFG(0));
    }

    void cdma_registers(const Conv& c, const Cube& input, std::uint64_t weights) {
        namespace r = regs::cdma;
        put(misc<r::D_MISC_CFG>(c));
        put(r::D_DATAIN_FORMAT(0)
                .DATAIN_FORMAT(c.is_image ? 1 : 0)
                .PIXEL_FORMAT(static_cast<std::uint32_t>(c.image.format))
                .PIXEL_SIGN_OVERRIDE(c.image.is_signed ? 1 : 0));
        put(r::D_DATAIN_SIZE_0(0).DATAIN_WIDTH(minus1(c.width)).DATAIN_HEIGHT(minus1(c.new_lines)));
        put(r::D_DATAIN_SIZE_1(0).DATAIN_CHANNEL(minus1(c.channels)));
        put(r::D_DATAIN_SIZE_EXT_0(0)
                .DATAIN_WIDTH_EXT(minus1(c.width))
                .DATAIN_HEIGHT_EXT(minus1(c.height)));
        put(r::D_PIXEL_OFFSET(0).PIXEL_X_OFFSET(static_cast<std::uint32_t>(c.image.x_offset)));
        put(r::D_DAIN_RAM_TYPE(ram_type(input.base)));
        put(r::D_DAIN_ADDR_HIGH_0(high_of(input.base)));
        put(r::D_DAIN_ADDR_LOW_0(low_of(input.base)));
        put(r::D_DAIN_ADDR_HIGH_1(high_of(c.image.addr_1)));
        put(r::D_DAIN_ADDR_LOW_1(low_of(c.image.addr_1)));
        put(r::D_LINE_UV_STRIDE(c.image.uv_stride));
        put(r::D_LINE_STRIDE(input.line_stride));
        put(r::D_SURF_STRIDE(input.surface_stride));
        const std::uint32_t line_bytes = static_cast<std::uint32_t>(c.width * sizes_.atom_bytes);
        const bool line_packed = !c.is_image && input.line_stride == line_bytes;
        const bool surface_packed =
            line_packed &&
            input.surface_stride == line_bytes * static_cast<std::uint32_t>(input.height);
        put(r::D_DAIN_MAP(0).LINE_PACKED(line_packed).SURF_PACKED(surface_packed));
        put(r::D_BATCH_NUMBER(0));
        put(r::D_BATCH_STRIDE(0));
        put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(entries(c))));
        const int grains = std::min(c.new_lines, c.data_banks * sizes_.cbuf_depth / entries(c));
        put(r::D_FETCH_GRAIN(0).GRAINS(minus1(random_.chance(50) ? 1 : random_.in(1, grains))));
        put(r::D_WEIGHT_FORMAT(0));
        put(r::D_WEIGHT_SIZE_0(0).BYTE_PER_KERNEL(minus1(c.channels * c.s * c.r)));
        put(r::D_WEIGHT_SIZE_1(0).WEIGHT_KERNEL(minus1(c.kernels)));
        put(r::D_WEIGHT_RAM_TYPE(ram_type(weights)));
        put(r::D_WEIGHT_ADDR_HIGH(high_of(weights)));
        put(r::D_WEIGHT_ADDR_LOW(low_of(weights)));
        put(r::D_WEIGHT_BYTES(c.weight_bytes));
        // Without pixels the means mean nothing.
        put(r::D_MEAN_FORMAT(random_.chance(50) ? 1 : 0));
        const auto mean = [this] {
            return random_.chance(30) ? random_.word() & 0xFFFFu
                                      : static_cast<std::uint32_t>(random_.in(-200, 200)) & 0xFFFFu;
        };
        put(r::D_MEAN_GLOBAL_0(mean() | mean() << 16));
        put(r::D_MEAN_GLOBAL_1(mean() | mean() << 16));
        const bool cvt = random_.chance(40);
        put(r::D_CVT_CFG(0).CVT_EN(cvt).CVT_TRUNCATE(static_cast<std::uint32_t>(
            random_.chance(90) ? random_.low(0, 16) : random_.in(0, 63))));
        put(r::D_CVT_OFFSET(random_.chance(50)
                                ? random_.word() & 0xFFFFu
                                : static_cast<std::uint32_t>(random_.in(-128, 127)) & 0xFFFFu));
        put(r::D_CVT_SCALE(random_.chance(50) ? random_.word() & 0xFFFFu
                                              : static_cast<std::uint32_t>(random_.low(1, 300))));
        put(r::D_CONV_STRIDE(0).CONV_X_STRIDE(minus1(c.sx)).CONV_Y_STRIDE(minus1(c.sy)));
        put(r::D_ZERO_PADDING(0)
                .PAD_LEFT(static_cast<std::uint32_t>(c.pl))
                .PAD_RIGHT(static_cast<std::uint32_t>(c.pr))
                .PAD_TOP(static_cast<std::uint32_t>(c.pt))
                .PAD_BOTTOM(static_cast<std::uint32_t>(c.pb)));
        if (c.is_image) pad_value_ = static_cast<std::uint8_t>(c.image.pad_value);
        put(r::D_ZERO_PADDING_VALUE(pad_value_));
        put(r::D_BANK(0).DATA_BANK(minus1(c.data_banks)).WEIGHT_BANK(minus1(c.weight_banks)));
        put(r::D_NAN_FLUSH_TO_ZERO(0));
        put(r::D_PERF_ENABLE(random_.chance(30) ? 1 : 0));
    }

    static std::uint32_t high_of(std::uint64_t addr) {
        return static_cast<std::uint32_t>(addr >> 32);
    }
    static std::uint32_t low_of(std::uint64_t addr) { return static_cast<std::uint32_t>(addr); }

    // ---- SDP

    /// One X stage: its three registers and the set-up of its read channel.
    struct Stage {
        std::uint32_t cfg = 1;  // bypass
        std::uint32_t alu_cfg = 0, alu_value = 0, mul_cfg = 0, mul_value = 0;
        std::uint32_t dma_cfg = 0x21;  // disabled
        Cube operands;
        bool memory = false;
        bool eql = false;  // compare mode: nothing is written
        std::string text;
    };

    Stage choose_stage(bool present, int width, int height, int channels) {
        Stage st;
        if (!present || random_.chance(30)) return st;
        const bool alu = random_.chance(70), mul = random_.chance(60);
        const bool prelu = mul && random_.chance(30), relu = random_.chance(40);
        const int algo = random_.in(0, 2);
        st.cfg = (alu ? 0u : 2u) | static_cast<std::uint32_t>(algo) << 2 | (mul ? 0u : 0x10u) |
                 (prelu ? 0x20u : 0u) | (relu ? 0u : 0x40u);
        const bool alu_mem = alu && random_.chance(50), mul_mem = mul && random_.chance(50);
        const int alu_shift = random_.chance(60) ? random_.low(0, 10) : random_.in(0, 63);
        const int mul_shift =
            !mul && random_.chance(60) ? 0 : random_.low(0, random_.chance(10) ? 255 : 20);
        st.alu_cfg = (alu_mem ? 1u : 0u) | static_cast<std::uint32_t>(alu_shift) << 8;
        st.mul_cfg = (mul_mem ? 1u : 0u) | static_cast<std::uint32_t>(mul_shift) << 8;
        st.alu_value = random_.word() & 0xFFFFu;
        st.mul_value = random_.word() & 0xFFFFu;
        st.memory = alu_mem || mul_mem;
        st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
                  (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
                  (relu ? " relu" : "");
        if (st.memory) choose_operands(st, alu_mem, mul_mem, width, height, channels);
        return st;
    }

    /// Operands of a stage in memory and its read channel.
    void choose_operands(Stage& st, bool alu_mem, bool mul_mem, int width, int height,
                         int channels) {
        const bool two = random_.chance(50), element = random_.chance(50);
        const std::uint32_t use = alu_mem && mul_mem ? 2 : alu_mem ? 1 : 0;
        st.dma_cfg = use << 1 | (two ? 8u : 0u) | (element ? 0x10u : 0u) | 0x20u;
        const int record = sizes_.atom_bytes * (two ? 2 : 1) * (use == 2 ? 2 : 1);
        st.text += std::string(two ? " 2B" : " 1B") + (element ? " per element" : " per kernel");
        st.operands = Cube{element ? width : 1, element ? height : 1, channels};
        std::uint64_t size = set_strides(st.operands, record);
        if (st.operands.width == 1 && st.operands.height == 1) {
            size =
                static_cast<std::uint64_t>(surfaces(channels)) * static_cast<std::uint64_t>(record);
        }
        st.operands.base = load_random(size, atom());
        if (ram_type(st.operands.base) == 0) st.dma_cfg &= ~0x20u;
    }

    /// The Y stage. Its registers beyond those of a Stage are written by ew_registers().
    Stage choose_ew(int width, int height, int channels) {
        Stage st;
        if (!sizes_.sdp_ew || random_.chance(30)) return st;
        const bool alu = random_.chance(60);
        const int algo = random_.chance(10) ? 3 : random_.in(0, 2);
        st.eql = alu && algo == 3;  // comes alone
        const bool mul = !st.eql && random_.chance(50);
        const bool prelu = mul && random_.chance(30);
        const bool lut = !st.eql && sizes_.sdp_lut && random_.chance(60);
        st.cfg = (alu ? 0u : 2u) | static_cast<std::uint32_t>(algo) << 2 | (mul ? 0u : 0x10u) |
                 (prelu ? 0x20u : 0u) | (lut ? 0u : 0x40u);
        const bool alu_mem = alu && random_.chance(50), mul_mem = mul && random_.chance(50);
        st.alu_cfg = (alu_mem ? 1u : 0u) | (random_.chance(50) ? 2u : 0u);
        st.mul_cfg = (mul_mem ? 1u : 0u) | (random_.chance(50) ? 2u : 0u);
        const int small = random_.in(0, 24);
        const auto value = [&] {
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(random_.word()) >> small);
        };
        st.alu_value = value();
        st.mul_value = value();
        st.memory = alu_mem || mul_mem;
        st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
                  (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
                  (lut ? " lut" : "") + (st.eql ? " eql" : "");
        if (st.memory) choose_operands(st, alu_mem, mul_mem, width, height, channels);
        return st;
    }

    void ew_registers(const Stage& ew) {
        namespace r = regs::sdp;
        if (!sizes_.sdp_ew) {
            put(r::D_DP_EW_CFG(0x53));
            return;
        }
        const auto scale = [&] { return random_.word() & (random_.chance(50) ? 0xFFu : 0xFFFFu); };
        const auto shift = [&] { return static_cast<std::uint32_t>(random_.low(0, 40)); };
        put(r::D_DP_EW_CFG(ew.cfg));
        put(r::D_DP_EW_ALU_CFG(ew.alu_cfg));
        put(r::D_DP_EW_ALU_SRC_VALUE(ew.alu_value));
        put(r::D_DP_EW_ALU_CVT_OFFSET_VALUE(random_.word() & (random_.chance(70) ? 0xFFu : ~0u)));
        put(r::D_DP_EW_ALU_CVT_SCALE_VALUE(scale()));
        put(r::D_DP_EW_ALU_CVT_TRUNCATE_VALUE(shift()));
        put(r::D_DP_EW_MUL_CFG(ew.mul_cfg));
        put(r::D_DP_EW_MUL_SRC_VALUE(ew.mul_value));
        put(r::D_DP_EW_MUL_CVT_OFFSET_VALUE(random_.word() & (random_.chance(70) ? 0xFFu : ~0u)));
        put(r::D_DP_EW_MUL_CVT_SCALE_VALUE(scale()));
        put(r::D_DP_EW_MUL_CVT_TRUNCATE_VALUE(shift()));
        const int truncate = random_.chance(5) ? random_.in(0, 1023) : random_.in(0, 24);
        put(r::D_DP_EW_TRUNCATE_VALUE(static_cast<std::uint32_t>(truncate)));
    }

    /// A field of S_LUT_INFO, mostly low..high, sometimes anything that the documents allow.
    std::uint32_t index_byte(int low, int high, int least, int most) {
        const int value = random_.chance(15) ? random_.in(least, most) : random_.in(low, high);
        return static_cast<std::uint32_t>(value) & 0xFFu;
    }

    /// The tables of SDP and their registers; once, before the first layer.
    void load_sdp_lut() {
        namespace r = regs::sdp;
        const auto bound = [&] {
            const auto wide = static_cast<std::int32_t>(random_.word());
            return static_cast<std::uint32_t>(wide >> random_.in(0, 24));
        };
        put(r::S_LUT_CFG(random_.word() & 0x71u));
        const std::uint32_t le_offset = index_byte(-3, 16, -64, 31);
        const std::uint32_t le_select = index_byte(-3, 20, -6, 25);
        const std::uint32_t lo_select = index_byte(-3, 20, -8, 23);
        put(r::S_LUT_INFO(le_offset | le_select << 8 | lo_select << 16));
        put(r::S_LUT_LE_START(bound()));
        put(r::S_LUT_LE_END(bound()));
        put(r::S_LUT_LO_START(bound()));
        put(r::S_LUT_LO_END(bound()));
        put(r::S_LUT_LE_SLOPE_SCALE(random_.word()));
        put(r::S_LUT_LE_SLOPE_SHIFT(random_.word() & 0x3FFu));
        put(r::S_LUT_LO_SLOPE_SCALE(random_.word()));
        put(r::S_LUT_LO_SLOPE_SHIFT(random_.word() & 0x3FFu));
        for (int lo = 0; lo < 2; ++lo) {
            put(r::S_LUT_ACCESS_CFG(0x20000u | static_cast<std::uint32_t>(lo) << 16));
            const bool small = random_.chance(50);
            for (int i = 0; i < (lo != 0 ? 257 : 65); ++i)
                put(r::S_LUT_ACCESS_DATA(random_.word() & (small ? 0x7Fu : 0xFFFFu)));
        }
    }

    /// Programs SDP and, if needed, SDP_RDMA for a cube. Returns SDP's group; rdma_used_ tells
    /// whether the read unit takes part. The output cube is outputs_.back().
    int sdp_registers(int width, int height, int channels, bool flying,
                      const Cube* source = nullptr) {
        namespace r = regs::sdp;
        const Stage ew = choose_ew(width, height, channels);
        const Stage bs = choose_stage(sizes_.sdp_bs && !ew.eql, width, height, channels);
        const Stage bn = choose_stage(sizes_.sdp_bn && !ew.eql, width, height, channels);
        Pooling pool;
        const bool pooled = sizes_.pdp && options_.pdp && !ew.eql && random_.chance(30) &&
                            choose_pooling(pool, width, height, false);
        const Cube out = pooled ? output_cube(pool.x.out, pool.y.out, channels)
                                : output_cube(width, height, channels);
        sdp_text_ = " |" + (bs.text.empty() ? "" : " BS" + bs.text) +
                    (bn.text.empty() ? "" : " BN" + bn.text) +
                    (ew.text.empty() ? "" : " EW" + ew.text) + (pooled ? pool.text() : "");
        rdma_used_ = !flying || bs.memory || bn.memory || ew.memory;
        if (rdma_used_) {
            take(kRdma);
            rdma_registers(width, height, channels, flying, source, bs, bn, ew);
        }
        if (pooled) {
            pdp_layer_[static_cast<std::size_t>(layer_)] = true;
            start_pooling(pool, Cube{width, height, channels}, out, true);
        }
        const int group = take(kSdp);
        put(r::D_DATA_CUBE_WIDTH(minus1(width)));
        put(r::D_DATA_CUBE_HEIGHT(minus1(height)));
        put(r::D_DATA_CUBE_CHANNEL(minus1(channels)));
        put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
        put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
        put(r::D_DST_LINE_STRIDE(out.line_stride));
        put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
        put(r::D_DP_BS_CFG(bs.cfg));
        put(r::D_DP_BS_ALU_CFG(bs.alu_cfg));
        put(r::D_DP_BS_ALU_SRC_VALUE(bs.alu_value));
        put(r::D_DP_BS_MUL_CFG(bs.mul_cfg));
        put(r::D_DP_BS_MUL_SRC_VALUE(bs.mul_value));
        put(r::D_DP_BN_CFG(bn.cfg));
        put(r::D_DP_BN_ALU_CFG(bn.alu_cfg));
        put(r::D_DP_BN_ALU_SRC_VALUE(bn.alu_value));
        put(r::D_DP_BN_MUL_CFG(bn.mul_cfg));
        put(r::D_DP_BN_MUL_SRC_VALUE(bn.mul_value));
        ew_registers(ew);
        put(r::D_FEATURE_MODE_CFG(flying ? 1 : 0).OUTPUT_DST(pooled ? 1 : 0));
        put(r::D_DST_DMA_CFG(ram_type(out.base)));
        put(r::D_DATA_FORMAT(0));
        choose_convertor();
        put(r::D_PERF_ENABLE(random_.in(0, 15) & (sizes_.sdp_lut ? 0xF : 0xD)));
        outputs_.push_back(out);
        unwritten_ = ew.eql;
        return group;
    }

    void choose_convertor() {
        namespace r = regs::sdp;
        const int kind = random_.in(0, 3);
        std::uint32_t offset = 0, scale = 1, shift = 0;
        if (kind == 1) {
            offset = static_cast<std::uint32_t>(random_.in(-300, 300));
            shift = static_cast<std::uint32_t>(random_.in(0, 12));
        } else if (kind == 2) {
            offset = static_cast<std::uint32_t>(random_.in(-20000, 20000));
            scale = random_.word() & 0xFFFFu;
            shift = static_cast<std::uint32_t>(random_.in(10, 26));
        } else if (kind == 3) {
            offset = random_.word();
            scale = random_.word() & 0xFFFFu;
            shift = static_cast<std::uint32_t>(random_.in(0, 63));
        }
        put(r::D_CVT_OFFSET(offset));
        put(r::D_CVT_SCALE(scale));
        put(r::D_CVT_SHIFT(shift));
    }

    void rdma_registers(int width, int height, int channels, bool flying, const Cube* source,
                        const Stage& bs, const Stage& bn, const Stage& ew) {
        namespace r = regs::sdp_rdma;
        put(r::D_DATA_CUBE_WIDTH(minus1(width)));
        put(r::D_DATA_CUBE_HEIGHT(minus1(height)));
        put(r::D_DATA_CUBE_CHANNEL(minus1(channels)));
        if (source != nullptr) {
            put(r::D_SRC_BASE_ADDR_LOW(low_of(source->base)));
            put(r::D_SRC_BASE_ADDR_HIGH(high_of(source->base)));
            put(r::D_SRC_LINE_STRIDE(source->line_stride));
            put(r::D_SRC_SURFACE_STRIDE(source->surface_stride));
        }
        put(r::D_SRC_DMA_CFG(source == nullptr ? 1 : ram_type(source->base)));
        put(r::D_BRDMA_CFG(bs.dma_cfg | (bs.memory ? 0u : 1u)));
        put(r::D_BS_BASE_ADDR_LOW(low_of(bs.operands.base)));
        put(r::D_BS_BASE_ADDR_HIGH(high_of(bs.operands.base)));
        put(r::D_BS_LINE_STRIDE(bs.operands.line_stride));
        put(r::D_BS_SURFACE_STRIDE(bs.operands.surface_stride));
        put(r::D_NRDMA_CFG(bn.dma_cfg | (bn.memory ? 0u : 1u)));
        put(r::D_BN_BASE_ADDR_LOW(low_of(bn.operands.base)));
        put(r::D_BN_BASE_ADDR_HIGH(high_of(bn.operands.base)));
        put(r::D_BN_LINE_STRIDE(bn.operands.line_stride));
        put(r::D_BN_SURFACE_STRIDE(bn.operands.surface_stride));
        put(r::D_ERDMA_CFG(ew.dma_cfg | (ew.memory ? 0u : 1u)));
        if (ew.memory) {
            put(r::D_EW_BASE_ADDR_LOW(low_of(ew.operands.base)));
            put(r::D_EW_BASE_ADDR_HIGH(high_of(ew.operands.base)));
            put(r::D_EW_LINE_STRIDE(ew.operands.line_stride));
            put(r::D_EW_SURFACE_STRIDE(ew.operands.surface_stride));
        }
        put(r::D_FEATURE_MODE_CFG(flying ? 1 : 0));
        put(r::D_PERF_ENABLE(static_cast<std::uint32_t>(random_.in(0, 3))));
    }

    void make_offline() {
        Cube source;
        if (!outputs_.empty() && !unwritten_ && random_.chance(40)) {
            source = outputs_.back();
            wait_layer(source.layer);
        } else {
            do {
                source = Cube{random_.low(1, random_.chance(10) ? 100 : 20), random_.low(1, 16),
                              random_.low(1, 5 * sizes_.atom_bytes)};
            } while (source.width * source.height * surfaces(source.channels) * sizes_.atom_bytes >
                     options_.max_elements);
            source = input_cube(source.width, source.height, source.channels);
        }
        const int group =
            sdp_registers(source.width, source.height, source.channels, false, &source);
        expect("SDP", 0, group);
        const bool rdma_first = random_.chance(50);
        enable(rdma_first ? kRdma : kSdp);
        enable(rdma_first ? kSdp : kRdma);
        out_.layers.push_back("sdp " + std::to_string(source.width) + "x" +
                              std::to_string(source.height) + "x" +
                              std::to_string(source.channels) + sdp_text_);
    }

    // ---- pooling

    /// One axis of the windows; the last one ends exactly at the padded edge.
    struct PoolAxis {
        int kernel = 1, stride = 1, before = 0, after = 0, out = 1;
    };

    struct Pooling {
        PoolAxis x, y;
        int strips = 1;
        int in[3] = {1, 1, 1}, out[3] = {1, 1, 1};  // columns of first, middle, last strip

        /// Results of a line that the line buffer can hold.
        int widest() const {
            const int rows = (y.kernel + y.stride - 1) / y.stride;
            return rows == 1 ? 128 : rows == 2 ? 64 : rows <= 4 ? 32 : 16;
        }
        std::string text() const {
            const auto axis = [](const PoolAxis& a) {
                return std::to_string(a.kernel) + "/" + std::to_string(a.stride) + " pad " +
                       std::to_string(a.before) + "," + std::to_string(a.after);
            };
            return " | PDP " + axis(x) + " by " + axis(y) +
                   (strips > 1 ? " in " + std::to_string(strips) + " strips" : "");
        }
    };

    /// False if nothing that the unit can do is found.
    bool choose_axis(PoolAxis& a, int size) {
        for (int i = 0; i < 20; ++i) {
            a.kernel = random_.low(1, 8);
            a.stride = random_.chance(75) ? random_.in(1, a.kernel) : random_.low(1, 16);
            a.before = random_.chance(50) ? 0 : random_.in(0, a.kernel - 1);
            if (fit(size, a.before, a.kernel, a.stride, a.out, a.after)) return true;
        }
        return false;
    }

    /// Windows over a cube of this size; with `strips` its line may be cut.
    bool choose_pooling(Pooling& p, int width, int height, bool strips) {
        for (int i = 0; i < 20; ++i) {
            if (!choose_axis(p.x, width) || !choose_axis(p.y, height)) continue;
            p.strips = 1;
            if (strips && (p.x.out > p.widest() || random_.chance(75)) && cut(p, width)) {
                return true;
            }
            p.strips = 1;
            if (p.x.out <= p.widest()) return true;
        }
        return false;
    }

    bool cut(Pooling& p, int width) {
        p.strips = random_.in(2, 5);
        const int middle = p.strips - 2, overlap = p.x.kernel - p.x.stride;
        p.out[0] = random_.in(1, std::max(1, p.x.out / p.strips));
        p.out[1] = random_.in(1, std::max(1, p.x.out / p.strips));
        p.out[2] = p.x.out - p.out[0] - middle * p.out[1];
        p.in[0] = (p.out[0] - 1) * p.x.stride + p.x.kernel - p.x.before;
        p.in[1] = p.out[1] * p.x.stride;
        p.in[2] = width - p.in[0] - middle * p.in[1];
        if (p.out[2] < 1 || p.in[0] < std::max(1, overlap) || p.in[2] < std::max(1, 1 - overlap)) {
            return false;
        }
        if (middle > 0 && p.in[1] < overlap) return false;
        return std::max({p.out[0], p.out[1], p.out[2]}) <= p.widest();
    }

    static std::uint32_t three(const int (&widths)[3]) {
        return minus1(widths[0]) | minus1(widths[2]) << 10 | minus1(widths[1]) << 20;
    }

    /// Programs PDP for a cube, which comes from SDP if `flying`, and enables it.
    void start_pooling(const Pooling& p, const Cube& in, const Cube& out, bool flying) {
        namespace r = regs::pdp;
        const int group = take(kPdp);
        put(r::D_DATA_CUBE_IN_WIDTH(minus1(in.width)));
        put(r::D_DATA_CUBE_IN_HEIGHT(minus1(in.height)));
        put(r::D_DATA_CUBE_IN_CHANNEL(minus1(in.channels)));
        put(r::D_DATA_CUBE_OUT_WIDTH(minus1(p.x.out)));
        put(r::D_DATA_CUBE_OUT_HEIGHT(minus1(p.y.out)));
        put(r::D_DATA_CUBE_OUT_CHANNEL(minus1(in.channels)));
        put(r::D_OPERATION_MODE_CFG(0)
                .POOLING_METHOD(static_cast<std::uint32_t>(random_.in(0, 2)))
                .FLYING_MODE(flying ? 0 : 1)
                .SPLIT_NUM(minus1(p.strips)));
        put(r::D_PARTIAL_WIDTH_IN(three(p.in)));
        put(r::D_PARTIAL_WIDTH_OUT(three(p.out)));
        put(r::D_POOLING_KERNEL_CFG(0)
                .KERNEL_WIDTH(minus1(p.x.kernel))
                .KERNEL_HEIGHT(minus1(p.y.kernel))
                .KERNEL_STRIDE_WIDTH(minus1(p.x.stride))
                .KERNEL_STRIDE_HEIGHT(minus1(p.y.stride)));
        const auto reciprocal = [&](int kernel) {
            return 65536u / static_cast<std::uint32_t>(kernel) +
                   (kernel > 2 && random_.chance(50) ? 1u : 0u);
        };
        put(r::D_RECIP_KERNEL_WIDTH(reciprocal(p.x.kernel)));
        put(r::D_RECIP_KERNEL_HEIGHT(reciprocal(p.y.kernel)));
        put(r::D_POOLING_PADDING_CFG(0)
                .PAD_LEFT(static_cast<std::uint32_t>(p.x.before))
                .PAD_TOP(static_cast<std::uint32_t>(p.y.before))
                .PAD_RIGHT(static_cast<std::uint32_t>(p.x.after))
                .PAD_BOTTOM(static_cast<std::uint32_t>(p.y.after)));
        const int pad = random_.chance(30) ? 0 : random_.in(-128, 127);
        const bool any = random_.chance(20);  // not multiples of anything
        for (int n = 1; n < 8; ++n) {
            const std::uint32_t value = any ? random_.word() : static_cast<std::uint32_t>(n * pad);
            write("PDP.D_POOLING_PADDING_VALUE_" + std::to_string(n) + "_CFG", value & 0x7FFFFu);
        }
        put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
        put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
        put(r::D_DST_LINE_STRIDE(out.line_stride));
        put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
        put(r::D_DST_RAM_CFG(ram_type(out.base)));
        put(r::D_DATA_FORMAT(0));
        put(r::D_PERF_ENABLE(random_.word() & 1u));
        expect("PDP", 4, group);
        enable(kPdp);
    }

    void pdp_rdma_registers(const Pooling& p, const Cube& in) {
        namespace r = regs::pdp_rdma;
        put(r::D_DATA_CUBE_IN_WIDTH(minus1(in.width)));
        put(r::D_DATA_CUBE_IN_HEIGHT(minus1(in.height)));
        put(r::D_DATA_CUBE_IN_CHANNEL(minus1(in.channels)));
        put(r::D_FLYING_MODE(1));
        put(r::D_SRC_BASE_ADDR_LOW(low_of(in.base)));
        put(r::D_SRC_BASE_ADDR_HIGH(high_of(in.base)));
        put(r::D_SRC_LINE_STRIDE(in.line_stride));
        put(r::D_SRC_SURFACE_STRIDE(in.surface_stride));
        put(r::D_SRC_RAM_CFG(ram_type(in.base)));
        put(r::D_DATA_FORMAT(0));
        put(r::D_OPERATION_MODE_CFG(0).SPLIT_NUM(minus1(p.strips)));
        put(r::D_POOLING_KERNEL_CFG(0)
                .KERNEL_WIDTH(minus1(p.x.kernel))
                .KERNEL_STRIDE_WIDTH(minus1(p.x.stride)));
        put(r::D_POOLING_PADDING_CFG(0).PAD_WIDTH(static_cast<std::uint32_t>(p.x.before)));
        put(r::D_PARTIAL_WIDTH_IN(three(p.in)));
        put(r::D_PERF_ENABLE(random_.word() & 1u));
    }

    void make_pdp() {
        Cube in;
        Pooling pool;
        const bool behind = !outputs_.empty() && !unwritten_ && random_.chance(50);
        if (behind) in = outputs_.back();
        if (behind && choose_pooling(pool, in.width, in.height, true)) {
            wait_layer(in.layer);
        } else {
            do {
                in = Cube{random_.low(1, random_.chance(10) ? 200 : 30), random_.low(1, 16),
                          random_.low(1, 5 * sizes_.atom_bytes)};
            } while (in.width * in.height * surfaces(in.channels) * sizes_.atom_bytes >
                         options_.max_elements ||
                     !choose_pooling(pool, in.width, in.height, true));
            in = input_cube(in.width, in.height, in.channels);
        }
        const Cube out = output_cube(pool.x.out, pool.y.out, in.channels);
        take(kPdpRdma);
        pdp_rdma_registers(pool, in);
        const bool rdma_first = random_.chance(50);
        if (rdma_first) enable(kPdpRdma);
        start_pooling(pool, in, out, false);
        if (!rdma_first) enable(kPdpRdma);
        outputs_.push_back(out);
        unwritten_ = false;
        out_.layers.push_back("pdp " + std::to_string(in.width) + "x" + std::to_string(in.height) +
                              "x" + std::to_string(in.channels) + pool.text());
    }

    // ---- normalisation

    /// Tables and S_LUT_ registers; no layer that uses them may run.
    void load_tables() {
        namespace r = regs::cdp;
        for (const std::uint32_t lo : {0u, 1u}) {
            put(r::S_LUT_ACCESS_CFG(0).LUT_TABLE_ID(lo).LUT_ACCESS_TYPE(1));
            const int kind = random_.in(0, 2), step = random_.in(-150, 150);
            for (int i = 0; i < (lo != 0 ? 257 : 65); ++i) {
                const int smooth = i * step;
                const std::uint32_t entry =
                    kind == 0 ? random_.word() : static_cast<std::uint32_t>(smooth);
                put(r::S_LUT_ACCESS_DATA(entry & 0xFFFFu));
            }
        }
        put(r::S_LUT_CFG(random_.word() & 0x71u));
        const std::uint32_t le_offset = index_byte(-2, 14, -64, 20);
        const std::uint32_t le_select = index_byte(-4, 14, -6, 15);
        const std::uint32_t lo_select = index_byte(-6, 12, -8, 13);
        put(r::S_LUT_INFO(le_offset | le_select << 8 | lo_select << 16));
        const auto bound = [&] { return std::int64_t{random_.in(-400, 20000)}; };
        const std::int64_t bounds[4] = {bound() / 8, bound(), bound() / 8, bound()};
        const auto low = [](std::int64_t v) { return static_cast<std::uint32_t>(v); };
        const auto high = [](std::int64_t v) {
            return static_cast<std::uint32_t>(v >> 32) & 0x3Fu;
        };
        put(r::S_LUT_LE_START_LOW(low(bounds[0])));
        put(r::S_LUT_LE_START_HIGH(high(bounds[0])));
        put(r::S_LUT_LE_END_LOW(low(bounds[1])));
        put(r::S_LUT_LE_END_HIGH(high(bounds[1])));
        put(r::S_LUT_LO_START_LOW(low(bounds[2])));
        put(r::S_LUT_LO_START_HIGH(high(bounds[2])));
        put(r::S_LUT_LO_END_LOW(low(bounds[3])));
        put(r::S_LUT_LO_END_HIGH(high(bounds[3])));
        put(r::S_LUT_LE_SLOPE_SCALE(random_.word()));
        put(r::S_LUT_LE_SLOPE_SHIFT(random_.word() & 0x3FFu));
        put(r::S_LUT_LO_SLOPE_SCALE(random_.word()));
        put(r::S_LUT_LO_SLOPE_SHIFT(random_.word() & 0x3FFu));
    }

    void cdp_registers(const Cube& in, const Cube& out) {
        namespace m = regs::cdp_rdma;
        put(m::D_DATA_CUBE_WIDTH(minus1(in.width)));
        put(m::D_DATA_CUBE_HEIGHT(minus1(in.height)));
        put(m::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
        put(m::D_SRC_BASE_ADDR_LOW(low_of(in.base)));
        put(m::D_SRC_BASE_ADDR_HIGH(high_of(in.base)));
        put(m::D_SRC_LINE_STRIDE(in.line_stride));
        put(m::D_SRC_SURFACE_STRIDE(in.surface_stride));
        put(m::D_SRC_DMA_CFG(ram_type(in.base)));
        put(m::D_DATA_FORMAT(0));
        put(m::D_PERF_ENABLE(random_.word() & 1u));
        namespace r = regs::cdp;
        put(r::D_FUNC_BYPASS(random_.chance(70) ? 0 : random_.word() & 3u));
        put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
        put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
        put(r::D_DST_LINE_STRIDE(out.line_stride));
        put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
        put(r::D_DST_DMA_CFG(ram_type(out.base)));
        put(r::D_DATA_FORMAT(0));
        put(r::D_LRN_CFG(random_.word() & 3u));
        const bool plain = random_.chance(40);
        put(r::D_DATIN_OFFSET(plain ? 0 : random_.word() & 0xFFFFu));
        put(r::D_DATIN_SCALE(plain ? 1 : random_.word() & 0xFFFFu));
        put(r::D_DATIN_SHIFTER(plain ? 0 : static_cast<std::uint32_t>(random_.in(5, 20))));
        const auto out_offset = static_cast<std::int32_t>(random_.word()) >> random_.in(7, 31);
        put(r::D_DATOUT_OFFSET(plain ? 0 : static_cast<std::uint32_t>(out_offset) & 0x1FFFFFFu));
        put(r::D_DATOUT_SCALE(plain ? 1 : random_.word() & 0xFFFFu));
        const int out_shift = random_.chance(5) ? 0 : random_.in(4, plain ? 16 : 34);
        put(r::D_DATOUT_SHIFTER(static_cast<std::uint32_t>(out_shift)));
        put(r::D_PERF_ENABLE(random_.word() & 3u));
    }

    void make_cdp() {
        Cube in;
        if (!outputs_.empty() && random_.chance(50)) {
            in = outputs_.back();
            wait_layer(in.layer);
        } else {
            do {
                in = Cube{random_.low(1, 20), random_.low(1, random_.chance(10) ? 60 : 12),
                          random_.low(1, 6 * sizes_.atom_bytes)};
            } while (in.width * in.height * surfaces(in.channels) * sizes_.atom_bytes >
                     options_.max_elements);
            in = input_cube(in.width, in.height, in.channels);
        }
        auto& users = users_[kCdp];
        if (users.empty() || random_.chance(30)) {
            for (const int layer : users)
                wait_layer(layer);
            load_tables();
        }
        const Cube out = output_cube(in.width, in.height, in.channels);
        take(kCdpRdma);
        const int group = take(kCdp);
        cdp_registers(in, out);
        outputs_.push_back(out);
        expect("CDP", 2, group);
        const bool rdma_first = random_.chance(50);
        enable(rdma_first ? kCdpRdma : kCdp);
        enable(rdma_first ? kCdp : kCdpRdma);
        out_.layers.push_back("cdp " + std::to_string(in.width) + "x" + std::to_string(in.height) +
                              "x" + std::to_string(in.channels));
    }

    // ---- end

    void finish() {
        for (int i = 0; i < layer_; ++i)
            wait_layer(i);
        for (int u = 0; u < kUnits; ++u) {
            if (!users_[static_cast<std::size_t>(u)].empty()) {
                poll(std::string(kUnitNames[static_cast<std::size_t>(u)]) + ".S_STATUS", 0,
                     0xFFFFFFFFu);
            }
        }
        if (random_.chance(20)) read_constants();
        // Everything declared has come when the status has no unmasked bit; masked ones stay.
        read("GLB.S_INTR_STATUS");
        read("GLB.S_INTR_MASK");
        for (int u = 0; u < kUnits; ++u) {
            if (users_[static_cast<std::size_t>(u)].empty()) continue;
            const std::string unit = kUnitNames[static_cast<std::size_t>(u)];
            for (std::uint32_t group = 0; group < 2; ++group) {
                write(unit + ".S_POINTER", group);
                for (const trace::RegisterInfo& info : table().all()) {
                    if (info.unit != unit || info.name.find("LUT_ACCESS") != std::string::npos)
                        continue;
                    read(unit + "." + info.name);
                }
            }
        }
    }
    /// The capability words, the version, addresses between and behind them, memory interfaces.
    void read_constants() {
        constexpr std::uint32_t kWords = 0x70;
        const auto at = [this](std::uint32_t base, std::uint32_t words) {
            for (std::uint32_t i = 0; i < words; ++i) {
                out_.program.commands.push_back(command(trace::Op::read, base + 4 * i, 0));
            }
        };
        at(regs::cfgrom::kBase, kWords);
        at(regs::glb::kBase, 5);
        at(regs::mcif::kBase, 6);  // weights and limits
        if (sizes_.secondary) at(regs::cvif::kBase, 6);
    }
    void read(const std::string& name) {
        out_.program.commands.push_back(command(trace::Op::read, table().find(name)->addr, 0));
    }

    const DeviceSizes sizes_;
    const RandomOptions options_;
    Random random_;
    RandomProgram out_;
    std::uint64_t next_addr_ = 0, high_ = 0;
    int layer_ = 0, pace_ = 0;
    bool unwritten_ = false;  // outputs_.back() is of a compare layer
    bool only_sdp_ = true, rdma_used_ = false, have_prev_ = false;
    std::uint32_t pad_value_ = 0;
    std::string sdp_text_;
    Conv prev_;
    std::vector<bool> conv_layer_, cdp_layer_, waited_;
    std::vector<bool> pdp_layer_;  // its results come from PDP
    std::vector<Cube> outputs_;
    std::array<std::vector<int>, kUnits> users_;  // layers, per unit
};

}  // namespace

RandomProgram random_layers(const model::dla::DeviceSizes& sizes, const RandomOptions& options) {
    return Maker(sizes, options).make();
}

trace::Program random_program(const model::dla::DeviceSizes& sizes, std::uint64_t seed) {
    RandomOptions options;
    options.seed = seed;
    return random_layers(sizes, options).program;
}

std::vector<std::string> compare_devices(const trace::Program& program, Side a, Side b,
                                         const trace::PlayOptions& options) {
    constexpr std::size_t kMaxMessages = 20;
    std::vector<std::string> out;
    std::vector<trace::RegisterRead> reads[2];
    int side_number = 0;
    for (const Side* side : {&a, &b}) {
        side->primary.log_writes(true);
        side->secondary.log_writes(true);
        trace::PlayResult result =
            trace::play(program, side->device, side->primary, side->secondary, options);
        for (const std::string& f : result.failures)
            out.push_back(side->name + ": " + f);
        reads[side_number++] = std::move(result.reads);
    }
    if (reads[0].size() != reads[1].size()) out.push_back("different numbers of register reads");
    for (std::size_t i = 0; i < std::min(reads[0].size(), reads[1].size()); ++i) {
        const std::string& name = reads[0][i].name;
        const bool timing =
            name.find("STALL") != std::string::npos || name.find("LATENCY") != std::string::npos;
        if (timing || reads[0][i].value == reads[1][i].value || out.size() >= kMaxMessages) {
            continue;
        }
        out.push_back("read " + std::to_string(i) + ", " + reads[0][i].name + ": " + a.name + " " +
                      std::to_string(reads[0][i].value) + ", " + b.name + " " +
                      std::to_string(reads[1][i].value));
    }
    for (const auto& [left, right] :
         {std::pair(&a.primary, &b.primary), std::pair(&a.secondary, &b.secondary)}) {
        for (const tb::Memory* memory : {left, right}) {
            for (const tb::MemoryRange& range : memory->written()) {
                for (std::uint64_t i = 0; i < range.size && out.size() < kMaxMessages; ++i) {
                    const std::uint64_t addr = range.addr + i;
                    if (left->was_written(addr) && right->was_written(addr) &&
                        left->peek(addr) == right->peek(addr)) {
                        continue;
                    }
                    const auto value = [addr](const tb::Memory& m) {
                        return std::to_string(m.peek(addr)) +
                               (m.was_written(addr) ? "" : " (not written)");
                    };
                    out.push_back("byte at " + std::to_string(addr) + ": " + a.name + " " +
                                  value(*left) + ", " + b.name + " " + value(*right));
                }
            }
        }
    }
    return out;
}

}  // namespace macrame::stimulus
