#include "verif/tcu/stimulus/coverage.hpp"

#include <algorithm>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/rules.hpp"

namespace macrame::tcu::stimulus {

namespace {

using Labels = verif::Bins::Labels;

constexpr std::size_t kRemembered = 8;  // instructions between which dependences are seen

constexpr std::uint64_t kPage = 4096;  // no burst crosses such a boundary

/// Kinds of instructions by what of the machine they use.
enum Kind {
    kNone,
    kArray,
    kWeights,
    kLoad0,
    kLoad1,
    kStore0,
    kStore1,
    kToAcc,
    kToLocal,
    kSimdUnit,
    kLut,
    kOffset,
    kOther,
    kKinds
};
const Labels kKindNames = {"nothing",        "MatMul",         "LoadWeights",
                           "DRAM0 to local", "DRAM1 to local", "local to DRAM0",
                           "local to DRAM1", "local to acc",   "acc to local",
                           "SIMD",           "LoadLUT",        "Configure of a bank",
                           "Configure"};

const Labels kSpaces = {"none", "local", "accumulators", "DRAM0", "DRAM1"};

std::string name_of(int kind) { return std::string(kKindNames[static_cast<std::size_t>(kind)]); }

bool is_bank_register(int number) {
    return number == kDram0Offset || number == kDram0Cache || number == kDram1Offset ||
           number == kDram1Cache;
}

bool accumulates(const Instruction& i) {
    return (i.is(kMatMul) && i.has(kMatMulAccumulate)) ||
           (i.is(kDataMove) && i.flags == kLocalToAccumulatorAdd) ||
           (i.is(kSimd) && i.has(kSimdWrite) && i.has(kSimdAccumulate));
}

std::vector<Access> move_accesses(const Instruction& i) {
    Access local{Space::local, moves_to_local(i.flags), i.address0, std::uint64_t{1} << i.stride0,
                 i.size};
    Access other{move_space(i.flags), !local.write, i.address1, std::uint64_t{1} << i.stride1,
                 i.size};
    return {local, other};
}

}  // namespace

bool Access::overlaps(const Access& other) const {
    if (space != other.space || count == 0 || other.count == 0) return false;
    const auto last = [](const Access& a) { return a.first + (a.count - 1) * a.step; };
    if (last(*this) < other.first || last(other) < first) return false;
    // Steps are powers of two: the larger one decides what is met.
    const Access& coarse = step >= other.step ? *this : other;
    const Access& fine = step >= other.step ? other : *this;
    for (std::uint64_t n = 0; n < coarse.count; ++n) {
        const std::uint64_t at = coarse.first + n * coarse.step;
        if (at >= fine.first && at <= last(fine) && (at - fine.first) % fine.step == 0) return true;
    }
    return false;
}

std::vector<Access> accesses(const Architecture& a, const Instruction& i) {
    if (is_ignored(a, i)) return {};
    const std::uint64_t step0 = std::uint64_t{1} << i.stride0;
    switch (i.opcode) {
        case kMatMul: {
            std::vector<Access> out = {
                {Space::accumulators, true, i.address1, std::uint64_t{1} << i.stride1, i.size}};
            if (!i.has(kMatMulZeroes))
                out.push_back({Space::local, false, i.address0, step0, i.size});
            return out;
        }
        case kDataMove:
            return move_accesses(i);
        case kLoadWeights:
            if (i.has(kLoadWeightsZeroes)) return {};
            return {{Space::local, false, i.address0, step0, i.size}};
        case kLoadLut:
            return {
                {Space::local, false, i.address0, step0, static_cast<std::uint64_t>(a.lut_depth)}};
        case kSimd: {
            std::vector<Access> out;
            if (i.has(kSimdRead)) out.push_back({Space::accumulators, false, i.address1, 1, 1});
            if (i.has(kSimdWrite)) out.push_back({Space::accumulators, true, i.address0, 1, 1});
            return out;
        }
        default:
            return {};
    }
}

Coverage::Coverage(const Architecture& architecture)
    : architecture_(architecture), layout_(layout_of(architecture)) {
    bins_.count(false);
    make_bins();
    bins_.count(true);
}

/// One instruction of every kind, not counted.
void Coverage::make_bins() {
    for (int opcode = 0; opcode < 16; ++opcode) {
        Instruction i;
        i.opcode = opcode;
        for (int flags = 0; flags < 16; ++flags) {
            i.flags = flags;
            sample(i);
        }
    }
    Instruction simd;
    simd.opcode = kSimd;
    for (simd.simd_op = 0; simd.simd_op <= (architecture_.lut_tables > 0 ? 16 : 15); ++simd.simd_op)
        sample(simd);
    Instruction set;
    set.opcode = kConfigure;
    for (set.config_register = 0; set.config_register < 16; ++set.config_register)
        sample(set);
    bins_.group("order");
    for (int before = 1; before < kKinds; ++before) {
        for (int now = 1; now < kKinds; ++now) {
            if (architecture_.lut_tables == 0 && (before == kLut || now == kLut)) continue;
            bins_.hit(name_of(before) + ", " + name_of(now), false);
        }
    }
    for (const std::string_view space : kSpaces) {
        if (space == "none") continue;
        for (const char* what : {"read behind write", "write behind read", "write behind write"})
            bins_.hit(std::string(space) + " " + what, false);
    }
    if (architecture_.lut_tables > 0) {
        for (const char* what : {"LoadLUT, lookup", "lookup, LoadLUT", "lookup, lookup"})
            bins_.hit(what, false);
    }
    bins_.group("data");
    data({});
    done_.clear();
    written_.clear();
    offset_[0] = offset_[1] = looked_ = false;
}

void Coverage::play(const std::vector<std::uint8_t>& program) {
    done_.clear();
    written_.clear();
    offset_[0] = offset_[1] = looked_ = false;
    const auto bytes = static_cast<std::size_t>(layout_.bytes);
    for (std::size_t at = 0; at + bytes <= program.size(); at += bytes) {
        const Instruction i = decode(layout_, program.data() + at);
        sample(i);
        sample_order(i);
        sample_accumulators(i);
    }
}

void Coverage::data(const model::Saturations& s) {
    bins_.group("data");
    bins_.hit("the array saturates", s.array > 0);
    bins_.hit("accumulators saturate", s.accumulators > 0);
    bins_.hit("SIMD saturates", s.simd > 0);
}

void Coverage::sample(const Instruction& i) {
    bins_.group("opcode");
    bins_.hit(std::to_string(i.opcode), true);
    bins_.hit("bits of no field",
              std::any_of(i.stray.begin(), i.stray.end(), [](std::uint64_t x) { return x != 0; }));
    switch (i.opcode) {
        case kMatMul:
            return sample_matmul(i);
        case kDataMove:
            return sample_move(i);
        case kLoadWeights:
            return sample_weights(i);
        case kSimd:
            return sample_simd(i);
        case kConfigure:
            return sample_configure(i);
        case kLoadLut:
            return sample_lut(i);
        default:
            return;
    }
}

void Coverage::size_bins(std::uint64_t size) {
    const auto array = static_cast<std::uint64_t>(architecture_.array_size);
    bins_.hit("size 1", size == 1);
    bins_.hit("size 2", size == 2);
    if (array > 3) bins_.hit("size below the array", size > 2 && size < array);
    bins_.hit("size from the array on", size > 2 && size >= array);
}

void Coverage::stride_bins(std::string_view name, int code, int depth) {
    for (int c = 0; c < depth; ++c)
        bins_.hit(std::string(name) + " " + std::to_string(c), c == code);
}

void Coverage::sample_matmul(const Instruction& i) {
    bins_.group("MatMul");
    bins_.cross("flags", {"overwrite", "accumulate"}, i.has(kMatMulAccumulate) ? 1 : 0,
                {"vectors", "zeroes"}, i.has(kMatMulZeroes) ? 1 : 0);
    bins_.hit("ignored flags", (i.flags & 12) != 0);
    size_bins(i.size);
    stride_bins("stride code 0", i.stride0, architecture_.stride0_depth);
    stride_bins("stride code 1", i.stride1, architecture_.stride1_depth);
}

void Coverage::sample_move(const Instruction& i) {
    const Space space = move_space(i.flags);
    bins_.group("DataMove");
    bins_.hit("kind " + std::to_string(i.flags), true);
    if (space == Space::none) return;
    const std::string group = "DataMove " + std::to_string(i.flags);
    bins_.group(group);
    size_bins(i.size);
    const bool strided0 = i.stride0 != 0 && i.size > 1;
    const bool strided1 = i.stride1 != 0 && i.size > 1;
    bins_.hit("contiguous", !strided0 && !strided1);
    if (architecture_.stride0_depth > 1) bins_.hit("strided in local memory", strided0);
    if (architecture_.stride1_depth > 1) bins_.hit("strided on the other side", strided1);
    if (space == Space::accumulators) return;
    const int bank = space == Space::dram0 ? 0 : 1;
    const auto unit = static_cast<std::uint64_t>(architecture_.vector_bytes());
    const std::uint64_t first = i.address1 * unit;
    const std::uint64_t last = (i.address1 + ((i.size - 1) << i.stride1) + 1) * unit - 1;
    const std::int64_t depth = bank == 0 ? architecture_.dram0_depth : architecture_.dram1_depth;
    if (static_cast<std::uint64_t>(depth) * unit > kPage)
        bins_.hit("across 4 KiB", first / kPage != last / kPage);
    bins_.choice("offset", {"zero", "not zero"}, offset_[bank] ? 1 : 0);
}

void Coverage::sample_weights(const Instruction& i) {
    const auto rows = static_cast<std::uint64_t>(architecture_.array_size) + 1;
    bins_.group("LoadWeights");
    bins_.cross("rows", {"vectors", "zeroes"}, i.has(kLoadWeightsZeroes) ? 1 : 0,
                {"1", "less than a set", "a set", "more"},
                i.size == 1      ? 0
                : i.size < rows  ? 1
                : i.size == rows ? 2
                                 : 3);
    bins_.hit("ignored flags", (i.flags & 14) != 0);
    stride_bins("stride code", i.stride0, architecture_.stride0_depth);
}

void Coverage::sample_simd(const Instruction& i) {
    const bool has_registers = architecture_.simd_registers_depth > 0;
    const std::string_view known = simd_name(i.simd_op);
    if (known.empty()) return;
    const std::string op(known);
    const int sources = simd_sources(i.simd_op);
    bins_.group("SIMD");
    bins_.hit(op, true);
    const int accumulate = i.has(kSimdWrite) && i.has(kSimdAccumulate) ? 1 : 0;
    bins_.choice(op + " output", {"kept", "stored", "added"},
                 i.has(kSimdWrite) ? 1 + accumulate : 0);
    if (has_registers) {
        bins_.choice(op + " to", {"output", "register"}, i.simd_dest != 0 ? 1 : 0);
        if (sources > 0)
            bins_.choice(op + " left", {"input", "register"}, i.simd_left != 0 ? 1 : 0);
        if (sources > 1)
            bins_.choice(op + " right", {"input", "register"}, i.simd_right != 0 ? 1 : 0);
        if (sources == 1)
            bins_.hit("unary on a register, right source 0", i.simd_left != 0 && i.simd_right == 0);
    }
    const bool input = (sources > 0 && i.simd_left == 0) || (sources > 1 && i.simd_right == 0);
    bins_.choice("input",
                 {"not needed, not read", "not needed, read", "needed, not read", "needed, read"},
                 2 * (input ? 1 : 0) + (i.has(kSimdRead) ? 1 : 0));
    bins_.hit("reads and writes one address",
              i.has(kSimdRead) && i.has(kSimdWrite) && i.address0 == i.address1);
    bins_.hit("ignored flag", i.has(8));
}

void Coverage::sample_lut(const Instruction& i) {
    if (architecture_.lut_tables == 0) return;
    bins_.group("LoadLUT");
    for (int table = 0; table <= architecture_.lut_tables; ++table)
        bins_.hit("table " + std::to_string(table), i.address1 == static_cast<unsigned>(table));
    // Larger steps go past the end of local memory.
    int codes = 1;
    while (codes < architecture_.stride0_depth &&
           (std::int64_t{architecture_.lut_depth - 1} << codes) < architecture_.local_depth - 1)
        ++codes;
    stride_bins("stride code", i.stride0, codes);
}

void Coverage::sample_configure(const Instruction& i) {
    const std::string_view name = configure_name(i.config_register);
    bins_.group("Configure");
    bins_.hit(name.empty() ? "register " + std::to_string(i.config_register) : std::string(name),
              true);
    if (i.config_register == kDram0Offset) offset_[0] = i.config_value % 65536 != 0;
    if (i.config_register == kDram1Offset) offset_[1] = i.config_value % 65536 != 0;
}

int Coverage::kind_of(const Instruction& i) const {
    if (is_ignored(architecture_, i)) return kNone;
    switch (i.opcode) {
        case kMatMul:
            return kArray;
        case kLoadWeights:
            return kWeights;
        case kSimd:
            return kSimdUnit;
        case kLoadLut:
            return kLut;
        case kConfigure:
            return is_bank_register(i.config_register) ? kOffset : kOther;
        case kDataMove:
            break;
        default:
            return kNone;
    }
    switch (i.flags) {
        case kDram0ToLocal:
            return kLoad0;
        case kDram1ToLocal:
            return kLoad1;
        case kLocalToDram0:
            return kStore0;
        case kLocalToDram1:
            return kStore1;
        case kAccumulatorToLocal:
            return kToLocal;
        default:
            return kToAcc;
    }
}

/// Pairs of neighbours, and dependences between neighbours at some distance.
void Coverage::sample_order(const Instruction& i) {
    const int kind = kind_of(i);
    if (kind == kNone) return;
    bins_.group("order");
    if (!done_.empty()) bins_.hit(name_of(done_.front().kind) + ", " + name_of(kind), true);
    if (architecture_.lut_tables > 0) {
        const bool looks = i.is(kSimd) && i.simd_op == kSimdLookup;
        const auto before = [&](int last) { return !done_.empty() && done_.front().kind == last; };
        bins_.hit("LoadLUT, lookup", looks && before(kLut));
        bins_.hit("lookup, LoadLUT", looked_ && kind == kLut);
        bins_.hit("lookup, lookup", looked_ && looks);
        looked_ = looks;
    }
    const std::vector<Access> now = accesses(architecture_, i);
    for (const Done& before : done_) {
        for (const Access& a : before.accesses) {
            for (const Access& b : now) {
                if ((!a.write && !b.write) || !a.overlaps(b)) continue;
                bins_.hit(std::string(kSpaces[static_cast<std::size_t>(b.space)]) +
                              (a.write ? b.write ? " write behind write" : " read behind write"
                                       : " write behind read"),
                          true);
            }
        }
    }
    done_.push_front({kind, now});
    if (done_.size() > kRemembered) done_.pop_back();
}

/// Accumulates close behind writes to the same address, at which the original loses data.
void Coverage::sample_accumulators(const Instruction& i) {
    bins_.group("accumulators");
    for (const Access& a : accesses(architecture_, i)) {
        if (a.space != Space::accumulators || !a.write) continue;
        const auto same = [&](std::size_t n) {
            return written_.size() > n && written_[n] == a.first;
        };
        bins_.hit("accumulate 1 behind a write", accumulates(i) && same(0));
        bins_.hit("accumulate 2 behind a write", accumulates(i) && !same(0) && same(1));
        bins_.hit("accumulate 3 behind a write", accumulates(i) && !same(0) && !same(1) && same(2));
        bins_.hit("write, write, accumulate", accumulates(i) && same(0) && same(1));
        for (std::uint64_t n = a.count > 3 ? a.count - 3 : 0; n < a.count; ++n)
            written_.push_front(a.first + n * a.step);
        while (written_.size() > 3)
            written_.pop_back();
    }
}

}  // namespace macrame::tcu::stimulus
