#include "verif/systolic/stimulus/random_program.hpp"

#include <algorithm>

#include "verif/systolic/check/token_placer.hpp"
#include "verif/systolic/isa/rules.hpp"
#include "verif/systolic/isa/sram_map.hpp"

namespace macrame::systolic::stimulus {

namespace {

using verif::Random;

constexpr int kMemoryBytes = 6144;  // bursts end at 4096
constexpr int kNarrow = 70;         // percent

/// Fields of one instruction; those of a size or address that does not fit are drawn again.
class Fields {
public:
    Fields(const Architecture& architecture, Random& random) : a_(architecture), random_(random) {}

    Instruction any() {
        for (;;) {
            Instruction out;
            out.module = kModules[static_cast<std::size_t>(random_.in(0, 3))];
            if (out.module == Module::gemm) {
                gemm(out.gemm);
            } else if (out.module == Module::alu) {
                alu(out.alu);
            } else {
                transfer(out.module, out.transfer);
            }
            if (fits(out)) return out;
        }
    }

private:
    bool fits(const Instruction& i) const {
        if (!problem(a_, i).empty()) return false;
        const auto memory = accesses(a_, i).memory;
        return memory.empty() || memory.back().end <= kMemoryBytes;
    }

    int entry(int entries) { return random_.in(0, entries - 1); }

    void transfer(Module module, Transfer& t) {
        Place place;
        place.buffer = module == Module::store || random_.chance(30) ? Buffer::obuf
                       : random_.chance(50)                          ? Buffer::ibuf
                                                                     : Buffer::wbuf;
        if (module == Module::load && a_.requantise && random_.chance(10))
            place.buffer = Buffer::scale;
        const bool any_width = place.buffer == Buffer::obuf && !random_.chance(kNarrow / 2);
        t.bitwidth = any_width || place.buffer == Buffer::scale ? 0 : 1;
        if (module == Module::store && t.bitwidth == 1 && a_.requantise && random_.chance(50)) {
            t.requantise = 1;
            t.scale_set = random_.in(0, kScaleSets - 1);
        }
        place.entry = entry(entries(a_, place.buffer));
        place.bank = random_.chance(70) ? 0 : entry(banks(a_, place.buffer));
        t.sram_address = sram_address(a_, place);
        t.dram_address =
            random_.chance(80) ? random_.in(0, kMemoryBytes - 1) : random_.in(4064, 4095);
        t.x_size = random_.low(1, 4);
        t.y_size = random_.low(1, 5);
        t.z_size = random_.in(1, banks(a_, place.buffer) - place.bank);
        t.z_stride = random_.chance(60) ? t.z_size : random_.in(0, 40);
        t.y_stride = random_.chance(60) ? t.z_stride : random_.low(0, 400);
    }

    void gemm(Gemm& g) {
        g.input_address = entry(a_.ibuf_entries);
        g.output_address = entry(a_.obuf_entries);
        g.weight_address = entry(a_.wbuf_entries);
        g.ofmap_height = random_.low(1, 5);
        g.ofmap_width = random_.low(1, 5);
        g.active_rows = random_.in(1, a_.rows);
        g.active_cols = random_.in(1, a_.columns);
        g.stride_h = random_.chance(90) ? random_.in(0, 15) : random_.in(16, 100);
        g.stride_w = random_.low(0, 4);
        for (std::int64_t* pad : {&g.pad_left, &g.pad_right, &g.pad_top, &g.pad_bottom})
            *pad = random_.chance(70) ? 0 : random_.low(0, 15);
        g.preload_output = random_.in(0, 1);
        const int highest = (1 << (std::min(a_.input_width, 8) - 1)) - 1;
        if (random_.chance(30)) g.pad_value = random_.in(-highest - 1, highest);
    }

    void alu(Alu& alu) {
        alu.alu_opcode = random_.in(0, 3);
        const bool shift = alu.alu_opcode == static_cast<int>(AluOp::shift);
        alu.input_address = entry(a_.obuf_entries);
        alu.output_address = entry(a_.obuf_entries);
        alu.output_height = random_.low(1, 5);
        alu.output_width = random_.low(1, 5);
        alu.window_height = shift ? 1 : random_.low(1, 3);
        alu.window_width = shift ? 1 : random_.low(1, 3);
        alu.mem_stride_ow = random_.low(0, 12);
        alu.mem_stride_r = random_.low(0, 3);
        alu.mem_stride_s = random_.low(0, 12);
        alu.num_active = random_.in(1, a_.columns);
        alu.use_immediate = shift ? 1 : random_.in(0, 1);
        const int most = random_.chance(70) ? 127 : 32767;
        alu.immediate_value =
            shift && random_.chance(85) ? random_.in(-8, 31) : random_.in(-most - 1, most);
        if (a_.requantise && random_.chance(20)) {
            alu.alu_opcode = static_cast<int>(AluOp::add);
            alu.use_immediate = 1;
            alu.multiply = 1;
        }
        if (alu.use_immediate == 0 || alu.multiply != 0)
            alu.accumulate = random_.chance(20) ? 1 : 0;
    }

    const Architecture& a_;
    Random& random_;
};

/// LOADs of all entries of all buffers: a design starts with anything in them.
std::vector<Instruction> fill(const Architecture& a) {
    std::vector<Instruction> loads;
    for (const Buffer buffer : {Buffer::ibuf, Buffer::wbuf, Buffer::obuf, Buffer::scale}) {
        const int count = entries(a, buffer);
        if (count == 0) continue;
        constexpr int kSlice = 128;  // entries, as all sizes are powers of two
        Instruction load;
        load.transfer.sram_address = sram_address(a, {buffer, 0, 0});
        load.transfer.y_size = std::min(count, kSlice);
        load.transfer.x_size = count / load.transfer.y_size;
        load.transfer.z_size = banks(a, buffer);
        load.transfer.bitwidth = buffer == Buffer::ibuf || buffer == Buffer::wbuf ? 1 : 0;
        load.transfer.z_stride = load.transfer.y_stride = count <= kSlice ? 1 : 0;
        loads.push_back(load);
    }
    return loads;
}

/// Words, a part of them small, and bytes that are the ends of their range more often than others.
std::vector<std::uint8_t> random_memory(Random& random) {
    std::vector<std::uint8_t> out;
    for (int i = 0; i < kMemoryBytes / 4; ++i) {
        const int small = random.in(-4096, 4095);
        const bool is_small = random.chance(30);
        for (int n = 0; n < 4; ++n)
            out.push_back(static_cast<std::uint8_t>(
                is_small            ? small >> 8 * n
                : random.chance(20) ? random.pick({0x80, 0x7f, 0x00, 0xff, 0x40})
                                    : random.in(0, 255)));
    }
    return out;
}

/// Half of the scales so that what STORE rounds away is small, often a tie, and no limit hides it:
/// a power of two as multiplier, a shift by a few bits more. They lie where fill() has them.
void plant_scales(const Architecture& a, Random& random, std::vector<std::uint8_t>& memory) {
    const int one = a.exact ? 30 : 14;  // log2 of the multiplier
    for (int set = 0; set < kScaleSets; ++set) {
        for (int lane = 0; lane < a.columns; ++lane) {
            if (random.chance(50)) continue;
            const std::uint32_t multiplier = std::uint32_t{1} << one;
            const int shift = one + random.in(1, 5);
            const std::uint32_t words[kScaleWords] = {
                static_cast<std::uint32_t>(random.in(-4, 4)),
                random.chance(50) ? multiplier : 0u - multiplier,
                static_cast<std::uint32_t>(shift) |
                    static_cast<std::uint32_t>(random.in(0, 3)) << 6 |
                    static_cast<std::uint32_t>(random.in(-9, 9)) << 16,
                0x7fff8000u};
            for (int n = 0; n < kScaleWords; ++n) {
                const auto at =
                    static_cast<std::size_t>(4 * ((set * kScaleWords + n) * a.columns + lane));
                if (at + 4 > memory.size()) return;
                for (std::size_t i = 0; i < 4; ++i)
                    memory[at + i] = static_cast<std::uint8_t>(words[n] >> 8 * i);
            }
        }
    }
}

}  // namespace

RandomProgram random_program(const Architecture& architecture, std::uint64_t seed, int length) {
    Random random(seed);
    RandomProgram out;
    out.memory = random_memory(random);
    if (architecture.requantise) plant_scales(architecture, random, out.memory);
    check::TokenPlacer placer(architecture, random.bits());
    for (const Instruction& load : fill(architecture))
        placer.add(load);
    Fields fields(architecture, random);
    for (int i = 0; i < length; ++i)
        placer.add(fields.any());
    out.program = placer.program();
    return out;
}

Architecture random_architecture(std::uint64_t seed) {
    Random random(seed);
    Architecture a;
    a.rows = random.in(1, 9);
    a.columns = random.in(1, 9);
    a.input_width = random.pick({8, 8, 8, 4, 16});
    a.weight_width = random.pick({8, 8, 8, 5, 16});
    a.accumulator_width = random.pick({32, 32, 16, 24});
    a.ibuf_entries = random.pick({8, 16, 32, 64});
    a.wbuf_entries = random.pick({16, 32, 64});
    a.obuf_entries = random.pick({16, 32, 64});
    a.queue_depth = random.in(1, 8);
    a.token_depth = random.in(1, 4);
    a.bus_bytes = random.pick({4, 8, 16, 32});
    a.requantise = a.accumulator_width == 32 && random.chance(70);
    a.exact = a.requantise && random.chance(50);
    return a;
}

}  // namespace macrame::systolic::stimulus
