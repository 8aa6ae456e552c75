#include "verif/systolic/stimulus/coverage.hpp"

#include <set>
#include <string_view>

namespace macrame::systolic::stimulus {

namespace {

constexpr std::size_t kRemembered = 8;  // instructions between which dependences are seen
constexpr std::int64_t kPage = 4096;    // no burst crosses such a boundary

/// What can conflict with what; the later one first.
struct Pair {
    Module later, earlier;
};
const std::vector<Pair> kInBuffer = {  // of inputs and of weights
    {Module::gemm, Module::load}, {Module::load, Module::gemm}, {Module::load, Module::load}};
const std::vector<Pair> kInScale = {
    {Module::store, Module::load}, {Module::load, Module::store}, {Module::load, Module::load}};
const std::vector<Pair> kInMemory = {
    {Module::store, Module::load}, {Module::load, Module::store}, {Module::store, Module::store}};

std::string pair_name(const Pair& pair) {
    return std::string(module_name(pair.later)) + " behind " +
           std::string(module_name(pair.earlier));
}

bool meet(const BufferAccess& a, const BufferAccess& b) {
    return a.buffer == b.buffer && (a.write || b.write) && a.banks.begin < b.banks.end &&
           b.banks.begin < a.banks.end && common_point(a.entries, b.entries) >= 0;
}

int index(bool yes) { return yes ? 1 : 0; }

}  // namespace

Coverage::Coverage(const Architecture& architecture) : architecture_(architecture) {
    bins_.count(false);
    make_bins();
    bins_.count(true);
}

/// One instruction of every kind, not counted.
void Coverage::make_bins() {
    for (const Module module : kModules) {
        Instruction i;
        i.module = module;
        sample_flags(i);
    }
    for (const Buffer buffer : {Buffer::ibuf, Buffer::wbuf, Buffer::obuf, Buffer::scale}) {
        if (entries(architecture_, buffer) == 0) continue;
        Instruction i;
        i.transfer.sram_address = sram_address(architecture_, {buffer, 0, 0});
        i.transfer.x_size = i.transfer.y_size = i.transfer.z_size = 1;
        i.transfer.bitwidth = index(buffer == Buffer::ibuf || buffer == Buffer::wbuf);
        sample_transfer(i);
        i.module = Module::store;
        if (buffer == Buffer::obuf) sample_transfer(i);
    }
    sample_gemm({});
    sample_alu({});
    const auto pairs = [&](const std::string& group, const std::vector<Pair>& list) {
        bins_.group(group);
        for (const Pair& pair : list)
            bins_.hit(pair_name(pair), false);
    };
    pairs("IBUF", kInBuffer);
    pairs("WBUF", kInBuffer);
    pairs("memory", kInMemory);
    if (architecture_.requantise) pairs("scale memory", kInScale);
    bins_.group("OBUF");
    for (const Module later : kModules) {
        for (const Module earlier : kModules) {
            if (later != Module::store || earlier != Module::store)
                bins_.hit(pair_name({later, earlier}), false);
        }
    }
}

void Coverage::play(const std::vector<Instruction>& program) {
    done_.clear();
    for (const Instruction& i : program) {
        sample(i);
        sample_order(i);
    }
}

void Coverage::sample(const Instruction& i) {
    sample_flags(i);
    if (is_nop(i)) return;
    switch (i.module) {
        case Module::load:
        case Module::store:
            return sample_transfer(i);
        case Module::gemm:
            return sample_gemm(i.gemm);
        case Module::alu:
            return sample_alu(i.alu);
    }
}

void Coverage::sample_flags(const Instruction& i) {
    bins_.group(module_name(i.module));
    bins_.hit("tokens only", is_nop(i));
    bins_.hit("no flag", flags_text(i.flags) == "0000");
    for (const FlagRow& row : kFlags) {
        if (is_legal(i.module, row.flag)) bins_.hit(std::string(row.name), i.flags.*row.flag);
    }
    if (i.module != Module::load && i.module != Module::store) {
        bins_.hit("waits for both", i.flags.pop_prev && i.flags.pop_next);
        bins_.hit("gives to both", i.flags.push_prev && i.flags.push_next);
    }
}

void Coverage::part_bins(const std::string& name, std::int64_t value, std::int64_t most) {
    if (most > 1) bins_.hit(name + " 1", value == 1);
    if (most > 2) bins_.hit(name + " some", value > 1 && value < most);
    bins_.hit(name + " all", value == most);
}

void Coverage::sample_transfer(const Instruction& i) {
    const Transfer& t = i.transfer;
    const Place place = *place_of(architecture_, t.sram_address);
    const bool narrow = t.bitwidth != 0;
    const bool store = i.module == Module::store;
    bins_.group(std::string(module_name(i.module)) + " " + std::string(buffer_name(place.buffer)));
    const int bytes = transfer_bytes(architecture_, place.buffer, narrow);
    const int places = banks(architecture_, place.buffer);
    if (place.buffer == Buffer::obuf) {
        bins_.choice("elements", {"wide", "narrow"}, index(narrow));
        bins_.choice("half", {"OBUF1", "OBUF2"},
                     index(place.entry >= architecture_.obuf_entries / 2));
    }
    if (store && architecture_.requantise) {
        for (int set = 0; set < kScaleSets; ++set)
            bins_.hit("scale set " + std::to_string(set), t.requantise != 0 && t.scale_set == set);
        bins_.hit("clamped", narrow && t.requantise == 0);
    }
    if (places > 1) bins_.choice("start bank", {"0", "another one"}, index(place.bank != 0));
    part_bins("elements of a vector:", t.z_size, places);
    const bool beat = t.dram_address % architecture_.bus_bytes == 0;
    const bool element = t.dram_address % bytes == 0;
    bins_.hit("address of a beat", beat);
    if (bytes < architecture_.bus_bytes) bins_.hit("address of an element", element && !beat);
    if (bytes > 1) bins_.hit("address of no element", !element);
    bins_.choice("vectors", {"1", "in a row", "in several rows"},
                 t.x_size * t.y_size == 1 ? 0 : t.x_size == 1 || t.y_size == 1 ? 1 : 2);
    bins_.choice("z_stride", {"less than a vector", "a vector", "more"},
                 t.y_size == 1             ? -1
                 : t.z_stride < t.z_size   ? 0
                 : t.z_stride == t.z_size ? 1
                                           : 2);
    bool crosses = false;
    for (const Interval& run : accesses(architecture_, i).memory)
        crosses = crosses || run.begin / kPage != (run.end - 1) / kPage;
    bins_.hit("across 4 KiB", crosses);
}

void Coverage::sample_gemm(const Gemm& g) {
    bins_.group("GEMM");
    part_bins("rows", g.active_rows, architecture_.rows);
    part_bins("columns", g.active_cols, architecture_.columns);
    const std::int64_t pixels = g.ofmap_height * g.ofmap_width;
    bins_.hit("pixels 1", pixels == 1);
    if (architecture_.columns > 1)
        bins_.hit("pixels up to the columns", pixels > 1 && pixels <= architecture_.columns);
    bins_.hit("pixels more", pixels > 1 && pixels > architecture_.columns);
    bins_.choice("output", {"new", "added to"}, index(g.preload_output != 0));
    bins_.range("stride_w", g.stride_w, {0, 1, 2, 3});
    bins_.hit("pad left", g.pad_left > 0);
    bins_.hit("pad right", g.pad_right > 0);
    bins_.hit("pad top", g.pad_top > 0);
    bins_.hit("pad bottom", g.pad_bottom > 0);
    bins_.hit("nothing padded", g.pad_left + g.pad_right + g.pad_top + g.pad_bottom == 0);
    const bool pads = g.pad_left + g.pad_right + g.pad_top + g.pad_bottom > 0;
    bins_.choice("pad value", {"below zero", "zero", "above zero"},
                 !pads ? -1 : g.pad_value < 0 ? 0 : g.pad_value == 0 ? 1 : 2);
}

void Coverage::sample_alu(const Alu& alu) {
    bins_.group("ALU");
    const bool shift = alu.alu_opcode == static_cast<int>(AluOp::shift);
    const int op = static_cast<int>(alu.alu_opcode);
    // A product is an ADD with a bit.
    bins_.choice("operation", {"max", "min", "add", "shift"}, alu.multiply != 0 ? -1 : op);
    if (architecture_.requantise) bins_.hit("operation multiply", alu.multiply != 0);
    bins_.cross("operand", {"max", "min", "add"}, shift || alu.multiply != 0 ? -1 : op,
                {"window", "window and output", "immediate"},
                alu.use_immediate != 0 ? 2 : alu.accumulate != 0 ? 1 : 0);
    if (architecture_.requantise)
        bins_.hit("products added to the output", alu.multiply != 0 && alu.accumulate != 0);
    bins_.choice("shift", {"left", "none", "right", "right by all bits"},
                 !shift                     ? -1
                 : alu.immediate_value < 0  ? 0
                 : alu.immediate_value == 0 ? 1
                 : alu.immediate_value < architecture_.accumulator_width - 1 ? 2
                                                                             : 3);
    bins_.choice("immediate", {"below zero", "not below zero"},
                 alu.use_immediate == 0 || shift ? -1 : index(alu.immediate_value >= 0));
    const bool window = alu.window_height * alu.window_width > 1;
    bins_.choice("window", {"1", "in a row", "in a column", "in both"},
                 !window ? 0 : alu.window_height == 1 ? 1 : alu.window_width == 1 ? 2 : 3);
    bins_.choice("outputs", {"1", "in a row", "in several rows"},
                 alu.output_height * alu.output_width == 1 ? 0 : alu.output_height == 1 ? 1 : 2);
    part_bins("lanes", alu.num_active, architecture_.columns);
    bins_.hit("in place", alu.input_address == alu.output_address);
}

void Coverage::sample_order(const Instruction& i) {
    if (is_nop(i)) return;
    const Accesses now = accesses(architecture_, i);
    for (const Done& before : done_) {
        std::set<std::string_view> groups;
        for (const BufferAccess& a : now.buffers) {
            for (const BufferAccess& b : before.accesses.buffers) {
                if (meet(a, b)) groups.insert(buffer_name(a.buffer));
            }
        }
        if ((now.memory_write || before.accesses.memory_write) &&
            common_point(now.memory, before.accesses.memory) >= 0)
            groups.insert("memory");
        for (const std::string_view group : groups) {
            bins_.group(group);
            bins_.hit(pair_name({i.module, before.module}), true);
        }
    }
    done_.push_front({i.module, now});
    if (done_.size() > kRemembered) done_.pop_back();
}

}  // namespace macrame::systolic::stimulus
