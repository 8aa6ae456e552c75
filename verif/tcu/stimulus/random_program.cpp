#include "verif/tcu/stimulus/random_program.hpp"

#include <algorithm>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/stimulus/random_data.hpp"

namespace macrame::tcu::stimulus {

namespace {

/// Addresses that a program uses.
struct Window {
    std::uint64_t base = 0;
    std::uint64_t count = 0;
};

int to_int(std::uint64_t value) { return static_cast<int>(value); }

class Maker {
public:
    Maker(const Architecture& a, std::uint64_t seed, bool compat)
        : a_(a), layout_(layout_of(a)), random_(seed), compat_(compat) {}

    RandomProgram make() {
        choose_windows();
        out_.dram0 = random_vectors(random_, a_, dram_[0].count);
        for (std::uint64_t set = 0; set < key_sets_; ++set)
            add_dram1(ascending_vectors(random_, a_, a_.lut_depth));
        add_dram1(random_vectors(random_, a_, dram_[1].count));
        out_.dram0_at = dram_[0].base * unit();
        out_.dram1_at = keys_.base * unit();
        load_tables();
        load_windows();
        // Long ones let every counter and queue of a design go round.
        const int body = random_.chance(5)    ? random_.in(600, 2500)
                         : random_.chance(10) ? random_.in(100, 400)
                                              : random_.in(15, 60);
        for (int i = 0; i < body; ++i)
            instruction();
        dump();
        return std::move(out_);
    }

private:
    std::uint64_t unit() const { return static_cast<std::uint64_t>(a_.vector_bytes()); }

    void add_dram1(const Bytes& bytes) {
        out_.dram1.insert(out_.dram1.end(), bytes.begin(), bytes.end());
    }

    // ---- places

    /// `count` vectors somewhere in 0 .. depth - 1: at an end, across the middle, or anywhere.
    Window place(std::uint64_t depth, std::uint64_t count) {
        const std::uint64_t slack = depth - count;
        const std::uint64_t middle = std::min(slack, depth / 2 - std::min(depth / 2, count / 2));
        switch (random_.in(0, 3)) {
            case 0:
                return {0, count};
            case 1:
                return {slack, count};
            case 2:
                return {middle, count};
            default:
                return {random_.bits() % (slack + 1), count};
        }
    }
    void choose_windows() {
        const auto depth = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
        // What the flush probe uses is left alone; addresses with an offset stay below 2^32.
        const std::uint64_t most = ((std::uint64_t{1} << 32) - 2 * 65536) / unit();
        const std::uint64_t depth0 = std::min(depth(a_.dram0_depth) - 2, most);
        const std::uint64_t depth1 = std::min(depth(a_.dram1_depth), most);
        const auto registers = static_cast<std::uint64_t>(a_.simd_registers_depth);
        const auto array = static_cast<std::uint64_t>(a_.array_size);
        std::uint64_t locals =
            array + static_cast<std::uint64_t>(random_.low(2, random_.chance(10) ? 1000 : 60));
        std::uint64_t accumulators =
            static_cast<std::uint64_t>(random_.low(2, random_.chance(10) ? 1000 : 40));
        const std::uint64_t work = std::min<std::uint64_t>(
            depth0 / 3, static_cast<std::uint64_t>(random_.low(4, random_.chance(20) ? 400 : 40)));
        const std::uint64_t room = depth0 - work;  // for the dump
        if (tables() > 0) locals = std::max(locals, entries() + 1);
        locals = std::min({locals, depth(a_.local_depth) - 1, room * 2 / 3});
        accumulators = std::min(
            {accumulators, depth(a_.accumulator_depth), room - std::min(room, locals + registers)});
        locals = std::max<std::uint64_t>(locals, 1);
        accumulators = std::max<std::uint64_t>(accumulators, 1);
        local_ = place(depth(a_.local_depth) - 1, locals);
        accumulators_ = place(depth(a_.accumulator_depth), accumulators);
        dump_.count = std::min(room, locals + accumulators + registers);
        const Window all = place(depth0, work + dump_.count);
        dram_[0] = {all.base, work};
        dump_.base = all.base + work;
        // Keys are not overwritten.
        if (tables() > 0) key_sets_ = std::min(kKeySets, (depth1 - 1) / entries());
        const std::uint64_t keys = key_sets_ * entries();
        const Window all1 = place(depth1, std::min(depth1, 40 + keys));
        keys_ = {all1.base, keys};
        dram_[1] = {all1.base + keys, all1.count - keys};
    }
    int tables() const { return compat_ ? 0 : a_.lut_tables; }
    std::uint64_t entries() const { return static_cast<std::uint64_t>(a_.lut_depth); }

    /// An address such that `size` vectors with this step lie in the window. Often one that was
    /// used before.
    std::uint64_t start(const Window& window, std::uint64_t size, int stride) {
        const std::uint64_t span = (size - 1) << stride;
        const std::uint64_t slack = window.count - 1 - span;
        if (random_.chance(40)) return window.base + std::min(slack, hot_ % window.count);
        return window.base + random_.bits() % (slack + 1);
    }
    int stride(int depth) { return random_.chance(60) ? 0 : random_.in(0, depth - 1); }
    static std::uint64_t longest(const Window& window, int stride) {
        return ((window.count - 1) >> stride) + 1;
    }

    // ---- instructions

    void put(const Instruction& i) {
        const auto bytes = static_cast<std::size_t>(layout_.bytes);
        out_.program.resize(out_.program.size() + bytes);
        encode(layout_, i, out_.program.data() + out_.program.size() - bytes);
    }
    void put_move(int kind, std::uint64_t local, std::uint64_t other, std::uint64_t size) {
        Instruction i;
        i.opcode = kDataMove;
        i.flags = kind;
        i.address0 = local;
        i.address1 = other;
        i.size = size;
        put(i);
        note_write(i);
    }
    void put_configure(int number, std::uint32_t value) {
        Instruction i;
        i.opcode = kConfigure;
        i.config_register = number;
        i.config_value = value & static_cast<std::uint32_t>(
                                     (std::uint64_t{1} << layout_.configure_value_bits) - 1);
        put(i);
    }

    /// Fills in strides, size and addresses in two windows.
    void two_runs(Instruction& i, const Window& window0, const Window& window1,
                  bool only1 = false) {
        i.stride0 = stride(a_.stride0_depth);
        i.stride1 = stride(a_.stride1_depth);
        std::uint64_t most = longest(window1, i.stride1);
        if (!only1) most = std::min(most, longest(window0, i.stride0));
        most = std::min(most, std::uint64_t{1} << layout_.operand2_bits);
        const int wanted = random_.chance(40) ? random_.in(1, 2) : random_.in(1, to_int(most));
        i.size = std::min(most, static_cast<std::uint64_t>(wanted));
        i.address1 = start(window1, i.size, i.stride1);
        i.address0 = only1 ? random_.bits() & ((std::uint64_t{1} << layout_.address0_bits) - 1)
                           : start(window0, i.size, i.stride0);
        if (random_.chance(50)) hot_ = random_.bits() % 1024;
    }

    void instruction() {
        const int kind = random_.in(1, 100);
        if (kind <= 22) return matmul();
        if (kind <= 32) return load_weights();
        if (kind <= 55) return move();
        if (kind <= 86) return simd();
        if (kind <= 93) return configure();
        if (kind <= 95 && tables() > 0 && tables_loaded_) return load_lut();
        without_effect();
    }

    void matmul() {
        Instruction i;
        i.opcode = kMatMul;
        i.flags = random_.in(0, 3) | (random_.chance(10) ? 4 * random_.in(0, 3) : 0);
        if (random_.chance(60)) i.flags &= ~kMatMulZeroes;
        two_runs(i, local_, accumulators_, i.has(kMatMulZeroes));
        checked(i);
    }
    void load_weights() {
        Instruction i;
        i.opcode = kLoadWeights;
        i.flags = (random_.chance(25) ? kLoadWeightsZeroes : 0) |
                  (random_.chance(10) ? 2 * random_.in(0, 7) : 0);
        i.stride0 = stride(a_.stride0_depth);
        const int rows = a_.array_size + 1;
        const int wanted = random_.chance(50) ? rows : random_.low(1, rows + 2);
        i.size = static_cast<std::uint64_t>(wanted);
        i.size = std::min(i.size, std::uint64_t{1} << std::min(layout_.operand1_bits, 32));
        if (!i.has(kLoadWeightsZeroes)) i.size = std::min(i.size, longest(local_, i.stride0));
        i.address0 = i.has(kLoadWeightsZeroes)
                         ? random_.bits() & ((std::uint64_t{1} << layout_.address0_bits) - 1)
                         : start(local_, i.size, i.stride0);
        if (random_.chance(10)) i.stray[2] = random_.in(0, 255);
        put(i);
    }
    void move() {
        Instruction i;
        i.opcode = kDataMove;
        i.flags = random_.pick({kDram0ToLocal, kDram0ToLocal, kLocalToDram0, kDram1ToLocal,
                                kLocalToDram1, kAccumulatorToLocal, kAccumulatorToLocal,
                                kLocalToAccumulator, kLocalToAccumulatorAdd});
        const Space space = move_space(i.flags);
        const Window& other = space == Space::accumulators ? accumulators_
                              : space == Space::dram0      ? dram_[0]
                                                           : dram_[1];
        if (other.count == 0) return;
        two_runs(i, local_, other);
        checked(i);
    }

    void simd() {
        Instruction i;
        i.opcode = kSimd;
        const int registers = a_.simd_registers_depth;
        const bool lookup = tables() > 0 && tables_loaded_ && registers >= tables();
        i.simd_op = random_.chance(20) ? kSimdMultiply : random_.in(0, kSimdMax);
        if (lookup && random_.chance(25)) i.simd_op = kSimdLookup;
        i.simd_left = random_.chance(50) ? 0 : random_.in(0, registers);
        i.simd_right = random_.chance(40) ? 0 : random_.in(0, registers);
        i.simd_dest = random_.in(0, i.simd_op == kSimdLookup ? registers - tables() : registers);
        i.flags = random_.in(0, 7) & ~kSimdRead;
        if (random_.chance(40)) i.flags &= ~kSimdAccumulate;
        if (random_.chance(5)) i.flags |= 8;
        const int sources = simd_sources(i.simd_op);
        if (compat_ && i.simd_op == kSimdNoOp) i.flags = 0;
        // The original takes a unary operation on a register for one that waits for an input.
        if (compat_ && sources == 1 && i.simd_left != 0) i.simd_right = i.simd_left;
        const bool input = (sources > 0 && i.simd_left == 0) || (sources > 1 && i.simd_right == 0);
        const bool odd = !compat_ && random_.chance(15);
        if (input != odd) i.flags |= kSimdRead;
        i.address0 = start(accumulators_, 1, 0);
        i.address1 = random_.chance(30) ? i.address0 : start(accumulators_, 1, 0);
        checked(i);
    }

    void configure() {
        const int number = random_.in(0, 15);
        switch (number) {
            case kDram0Offset:
            case kDram1Offset:
                return configure_bank(number, random_.chance(40) ? 1 : 0);
            case kDram0Cache:
            case kDram1Cache:
                return configure_bank(number, random_.word() & 15);
            case kTimeout:
                return put_configure(number, random_.in(20, 65535));
            case kTracepoint:
                return put_configure(number,
                                     random_.chance(50) ? random_.in(0, 100) : random_.word());
            case kSampleInterval:
                return put_configure(number, random_.in(0, 100));
            default:
                return put_configure(number, random_.word());
        }
    }
    /// On the original a write that is still under way would go to the new place: a read of the
    /// bank waits for it.
    void configure_bank(int number, std::uint32_t value) {
        const int bank = number < kDram1Offset ? 0 : 1;
        const Window& window = dram_[bank];
        if (compat_) {
            if (window.count == 0) return;
            put_move(bank == 0 ? kDram0ToLocal : kDram1ToLocal, local_.base, window.base, 1);
        }
        put_configure(number, value);
    }
    void put_configure(int number, int value) {
        put_configure(number, static_cast<std::uint32_t>(value));
    }

    void load_lut() {
        if (random_.chance(70)) return load_values(random_.in(1, a_.lut_tables));
        configure_bank(kDram1Offset, 0);
        load_keys();
    }

    /// NoOps and what does not exist, with any bits.
    void without_effect() {
        Instruction i;
        const int invalid = random_.in(tables() > 0 ? 6 : 5, 14);
        i.opcode = random_.pick({kNoOp, kDataMove, invalid});
        if (a_.lut_tables > 0 && i.opcode == kLoadLut) i.opcode = kNoOp;
        if (i.opcode == kNoOp && random_.chance(50)) return put(i);
        i.flags = i.opcode == kDataMove ? random_.pick({4, 5, 6, 7, 8, 9, 10, 11, 14})
                                        : random_.in(0, 15);
        for (int byte = 1; byte < layout_.bytes; ++byte)
            out_.program.push_back(static_cast<std::uint8_t>(random_.word()));
        out_.program.push_back(static_cast<std::uint8_t>(i.opcode << 4 | i.flags));
    }

    // ---- what the original loses

    /// Puts an instruction, in compat programs only if it keeps the original's rules.
    void checked(const Instruction& i) {
        if (compat_ && accumulates(i) && has_written_ && first_write(i) == last_written_) return;
        put(i);
        note_write(i);
    }
    static bool writes_accumulators(const Instruction& i) {
        return i.is(kMatMul) || (i.is(kSimd) && i.has(kSimdWrite)) ||
               (i.is(kDataMove) &&
                (i.flags == kLocalToAccumulator || i.flags == kLocalToAccumulatorAdd));
    }
    static bool accumulates(const Instruction& i) {
        return (i.is(kMatMul) && i.has(kMatMulAccumulate)) ||
               (i.is(kSimd) && i.has(kSimdWrite) && i.has(kSimdAccumulate)) ||
               (i.is(kDataMove) && i.flags == kLocalToAccumulatorAdd);
    }
    static std::uint64_t first_write(const Instruction& i) {
        return i.is(kSimd) ? i.address0 : i.address1;
    }
    void note_write(const Instruction& i) {
        if (!writes_accumulators(i)) return;
        has_written_ = true;
        last_written_ = first_write(i) + (i.is(kSimd) ? 0 : (i.size - 1) << i.stride1);
    }

    // ---- before and after

    /// Copies `count` vectors of a bank to local memory, again and again until it is full.
    void fill_local(std::uint64_t count) {
        std::uint64_t done = 0;
        while (done < count) {
            const int bank = dram_[0].count == 0 || random_.chance(50) ? 1 : 0;
            const Window& from = dram_[bank];
            const std::uint64_t most = std::min(from.count, count - done);
            const std::uint64_t size =
                random_.chance(50) ? most : static_cast<std::uint64_t>(random_.in(1, to_int(most)));
            put_move(bank == 0 ? kDram0ToLocal : kDram1ToLocal, local_.base + done,
                     from.base + random_.bits() % (from.count - size + 1), size);
            done += size;
        }
    }
    void load_windows() {
        fill_local(local_.count);
        for (std::uint64_t done = 0; done < accumulators_.count;) {
            const std::uint64_t size = std::min(local_.count, accumulators_.count - done);
            put_move(kLocalToAccumulator, local_.base, accumulators_.base + done, size);
            done += size;
        }
        if (random_.chance(50)) fill_local(local_.count);
    }
    void load_tables() {
        tables_loaded_ = key_sets_ > 0 && local_.count >= entries();
        if (!tables_loaded_) return;
        load_keys();
        fill_local(local_.count);
        for (int table = 1; table <= a_.lut_tables; ++table)
            load_values(table);
    }
    void load_keys() {
        const std::uint64_t set = random_.bits() % key_sets_;
        Instruction i;
        i.opcode = kLoadLut;
        i.address0 = start(local_, entries(), 0);
        put_move(kDram1ToLocal, i.address0, keys_.base + set * entries(), entries());
        put(i);
    }
    void load_values(int table) {
        Instruction i;
        i.opcode = kLoadLut;
        i.stride0 = stride(a_.stride0_depth);
        if (longest(local_, i.stride0) < entries()) i.stride0 = 0;
        i.address0 = start(local_, entries(), i.stride0);
        i.address1 = static_cast<std::uint64_t>(table);
        put(i);
    }

    /// To DRAM0, as long as there is room.
    void dump_local(std::uint64_t size) {
        size = std::min(size, dump_.count - dumped_);
        if (size > 0) put_move(kLocalToDram0, local_.base, dump_.base + dumped_, size);
        dumped_ += size;
    }
    void dump() {
        configure_bank(kDram0Offset, 0);
        configure_bank(kDram1Offset, 0);
        dump_local(local_.count);
        for (std::uint64_t done = 0; done < accumulators_.count;) {
            const std::uint64_t size = std::min(local_.count, accumulators_.count - done);
            put_move(kAccumulatorToLocal, local_.base, accumulators_.base + done, size);
            dump_local(size);
            done += size;
        }
        for (int number = 1; number <= a_.simd_registers_depth; ++number) {
            Instruction i;
            i.opcode = kSimd;
            i.flags = kSimdWrite;
            i.simd_op = kSimdMove;
            i.simd_left = i.simd_right = number;
            i.address0 = accumulators_.base;
            put(i);
            put_move(kAccumulatorToLocal, local_.base, accumulators_.base, 1);
            dump_local(1);
        }
    }

    const Architecture& a_;
    Layout layout_;
    verif::Random random_;
    bool compat_;
    RandomProgram out_;
    Window local_, accumulators_, dump_, keys_;
    Window dram_[2];
    static constexpr std::uint64_t kKeySets = 2;
    std::uint64_t key_sets_ = 0;
    bool tables_loaded_ = false;
    std::uint64_t hot_ = 0;     ///< place in windows that is used again
    std::uint64_t dumped_ = 0;  ///< vectors
    bool has_written_ = false;  ///< accumulators; the last address is:
    std::uint64_t last_written_ = 0;
};

}  // namespace

RandomProgram random_program(const Architecture& architecture, std::uint64_t seed, bool compat) {
    return Maker(architecture, seed, compat).make();
}

}  // namespace macrame::tcu::stimulus
