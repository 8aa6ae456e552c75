#include "verif/tcu/model/machine.hpp"

#include <algorithm>

#include "verif/common/random.hpp"
#include "verif/tcu/model/arithmetic.hpp"
#include "verif/tcu/model/array.hpp"
#include "verif/tcu/model/lookup.hpp"
#include "verif/tcu/model/simd.hpp"
#include "verif/tcu/model/vectors.hpp"

namespace macrame::tcu::model {

namespace {

/// A DRAM bank: vectors at 32-bit byte addresses.
template <class F>
class Bank {
public:
    using Code = typename F::Code;

    Bank(verif::Memory& memory, std::int64_t depth, int lanes, int storage_bytes)
        : memory_(memory),
          mask_((std::uint64_t{1} << clog2(depth)) - 1),
          lanes_(lanes),
          storage_(static_cast<std::size_t>(storage_bytes)),
          bytes_(static_cast<std::size_t>(lanes) * storage_) {}

    void set_offset(std::uint32_t units) { offset_ = units << 16; }

    void read(std::uint64_t address, Code* to) {
        transfer(address, [&](std::uint32_t at, std::size_t done, std::size_t size) {
            memory_.read(at, bytes_.data() + done, size);
        });
        const std::uint8_t* from = bytes_.data();
        for (int lane = 0; lane < lanes_; ++lane) {
            std::uint32_t word = 0;
            for (std::size_t i = 0; i < storage_; ++i)
                word |= std::uint32_t{*from++} << 8 * i;
            to[lane] = F::from_bits(word);
        }
    }
    void write(std::uint64_t address, const Code* from) {
        std::uint8_t* to = bytes_.data();
        for (int lane = 0; lane < lanes_; ++lane) {
            const std::uint32_t word = F::to_bits(from[lane]);
            for (std::size_t i = 0; i < storage_; ++i)
                *to++ = static_cast<std::uint8_t>(word >> 8 * i);
        }
        transfer(address, [&](std::uint32_t at, std::size_t done, std::size_t size) {
            memory_.write(at, bytes_.data() + done, size);
        });
    }

private:
    /// Addresses wrap at 32 bits, within a vector as well.
    template <class Do>
    void transfer(std::uint64_t address, Do&& with) {
        const std::uint64_t start = (address & mask_) * bytes_.size() + offset_;
        const auto at = static_cast<std::uint32_t>(start);
        const std::uint64_t left = (std::uint64_t{1} << 32) - at;
        const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(bytes_.size(), left));
        with(at, std::size_t{0}, first);
        if (first < bytes_.size()) with(0u, first, bytes_.size() - first);
    }

    verif::Memory& memory_;
    std::uint64_t mask_;
    int lanes_;
    std::size_t storage_;
    std::vector<std::uint8_t> bytes_;
    std::uint32_t offset_ = 0;
};

template <class F>
class TypedMachine : public Machine {
public:
    using Code = typename F::Code;
    using Wide = typename F::Wide;

    TypedMachine(const Architecture& a, verif::Memory& dram0, verif::Memory& dram1)
        : lanes_(a.array_size),
          pitch_(padded_lanes(a.array_size)),
          registers_count_(a.simd_registers_depth),
          local_(a.local_depth, a.array_size),
          accumulators_(a.accumulator_depth, a.array_size),
          registers_(a.simd_registers_depth + 1, a.array_size),
          dram0_(dram0, a.dram0_depth, a.array_size, info(a.data_type).storage_bytes),
          dram1_(dram1, a.dram1_depth, a.array_size, info(a.data_type).storage_bytes),
          array_(a.array_size),
          tables_(a),
          zeros_(static_cast<std::size_t>(pitch_)),
          vector_(zeros_),
          input_(zeros_) {}

    void reset(std::optional<std::uint64_t> noise) override {
        array_.clear();
        registers_.clear();
        local_.clear();
        accumulators_.clear();
        tables_.clear();
        dram0_.set_offset(0);
        dram1_.set_offset(0);
        saturations_ = {};
        if (!noise) return;
        verif::Random random(*noise);
        local_.template randomise<F>(random);
        accumulators_.template randomise<F>(random);
    }

    void execute(const Instruction& i) override {
        switch (i.opcode) {
            case kMatMul:
                return matmul(i);
            case kDataMove:
                return move(i);
            case kLoadWeights:
                return load_weights(i);
            case kSimd:
                return i.simd_op == kSimdLookup ? lookup(i) : simd_instruction(i);
            case kLoadLut:
                return load_lut(i);
            case kConfigure:
                return configure(i);
            default:
                return;
        }
    }

    const Saturations& saturations() const override { return saturations_; }
    std::vector<std::int32_t> local(int address) const override {
        return local_.values(static_cast<std::uint64_t>(address));
    }
    std::vector<std::int32_t> accumulators(int address) const override {
        return accumulators_.values(static_cast<std::uint64_t>(address));
    }
    std::vector<std::int32_t> simd_register(int number) const override {
        return registers_.values(static_cast<std::uint64_t>(number));
    }
    std::vector<std::int32_t> weights(int row) const override {
        return {array_.row(row), array_.row(row) + lanes_};
    }

private:
    /// Stores or adds a vector.
    void accumulate(std::uint64_t address, const Code* from, bool add) {
        Code* const to = accumulators_.row(address);
        if (!add) {
            std::copy_n(from, pitch_, to);
            return;
        }
        saturated<F>(pitch_, to, saturations_.accumulators,
                     [&](int i) { return Wide{to[i]} + Wide{from[i]}; });
    }

    void matmul(const Instruction& i) {
        for (std::uint64_t n = 0; n < i.size; ++n) {
            const Code* x =
                i.has(kMatMulZeroes) ? zeros_.data() : local_.row(i.address0 + (n << i.stride0));
            array_.multiply(x, vector_.data(), saturations_.array);
            accumulate(i.address1 + (n << i.stride1), vector_.data(), i.has(kMatMulAccumulate));
        }
    }

    /// The highest address first: the lowest one becomes the bias.
    void load_weights(const Instruction& i) {
        for (std::uint64_t n = i.size; n-- > 0;) {
            array_.shift(i.has(kLoadWeightsZeroes) ? nullptr
                                                   : local_.row(i.address0 + (n << i.stride0)));
        }
    }

    void move(const Instruction& i) {
        for (std::uint64_t n = 0; n < i.size; ++n) {
            Code* const local = local_.row(i.address0 + (n << i.stride0));
            const std::uint64_t other = i.address1 + (n << i.stride1);
            switch (i.flags) {
                case kDram0ToLocal:
                    dram0_.read(other, local);
                    break;
                case kLocalToDram0:
                    dram0_.write(other, local);
                    break;
                case kDram1ToLocal:
                    dram1_.read(other, local);
                    break;
                case kLocalToDram1:
                    dram1_.write(other, local);
                    break;
                case kAccumulatorToLocal:
                    std::copy_n(accumulators_.row(other), pitch_, local);
                    break;
                case kLocalToAccumulator:
                    accumulate(other, local, false);
                    break;
                case kLocalToAccumulatorAdd:
                    accumulate(other, local, true);
                    break;
                default:
                    return;
            }
        }
    }

    /// The vector that a source code means; `input` is the one read.
    const Code* source(int code, const Code* input) const {
        if (code == 0) return input;
        return code <= registers_count_ ? registers_.row(static_cast<std::uint64_t>(code))
                                        : zeros_.data();
    }
    void write_register(int code, const Code* from) {
        if (code == 0 || code > registers_count_) return;
        std::copy_n(from, pitch_, registers_.row(static_cast<std::uint64_t>(code)));
    }
    /// The input of a SIMD instruction, in case it is used.
    const Code* input_of(const Instruction& i) const {
        return i.has(kSimdRead) ? accumulators_.row(i.address1) : zeros_.data();
    }
    void write_output(const Instruction& i) {
        if (i.has(kSimdWrite)) {
            accumulate(i.address0, vector_.data(), i.has(kSimdAccumulate));
        }
    }

    void simd_instruction(const Instruction& i) {
        if (i.simd_op == kSimdNoOp || i.simd_op > kSimdLookup) return;
        const Code* const input = input_of(i);
        simd<F>(i.simd_op, lanes_, source(i.simd_left, input), source(i.simd_right, input),
                vector_.data(), saturations_.simd);
        write_register(i.simd_dest, vector_.data());
        write_output(i);
    }

    void lookup(const Instruction& i) {
        if (tables_.count() == 0) return;
        std::copy_n(source(i.simd_left, input_of(i)), pitch_, input_.data());
        std::vector<int> entries(static_cast<std::size_t>(lanes_));
        for (int lane = 0; lane < lanes_; ++lane)
            entries[static_cast<std::size_t>(lane)] =
                tables_.closest(input_[static_cast<std::size_t>(lane)], lane);
        for (int table = 1; table <= tables_.count(); ++table) {
            for (int lane = 0; lane < lanes_; ++lane) {
                vector_[static_cast<std::size_t>(lane)] =
                    tables_.value(table, entries[static_cast<std::size_t>(lane)], lane);
            }
            write_register(i.simd_dest + table, vector_.data());
        }
        saturated<F>(lanes_, vector_.data(), saturations_.simd, [&](int lane) {
            const auto at = static_cast<std::size_t>(lane);
            return tables_.difference(input_[at], entries[at], lane);
        });
        write_register(i.simd_dest, vector_.data());
        write_output(i);
    }

    void load_lut(const Instruction& i) {
        if (tables_.count() == 0 || i.address1 > static_cast<std::uint64_t>(tables_.count()))
            return;
        Vectors<Code>& table = tables_.table(static_cast<int>(i.address1));
        for (int n = 0; n < tables_.depth(); ++n) {
            const auto entry = static_cast<std::uint64_t>(n);
            std::copy_n(local_.row(i.address0 + (entry << i.stride0)), pitch_, table.row(entry));
        }
    }

    void configure(const Instruction& i) {
        if (i.config_register == kDram0Offset) dram0_.set_offset(i.config_value);
        if (i.config_register == kDram1Offset) dram1_.set_offset(i.config_value);
    }

    int lanes_;
    int pitch_;
    int registers_count_;
    Vectors<Code> local_;
    Vectors<Code> accumulators_;
    Vectors<Code> registers_;  ///< row 0 is not used
    Bank<F> dram0_;
    Bank<F> dram1_;
    Array<F> array_;
    LookupTables<F> tables_;
    std::vector<Code> zeros_;
    std::vector<Code> vector_;  ///< what an operation makes
    std::vector<Code> input_;
    Saturations saturations_;
};

}  // namespace

std::unique_ptr<Machine> make_machine(const Architecture& architecture, verif::Memory& dram0,
                                      verif::Memory& dram1) {
    return for_type(architecture.data_type, [&](auto type) -> std::unique_ptr<Machine> {
        return std::make_unique<TypedMachine<decltype(type)>>(architecture, dram0, dram1);
    });
}

}  // namespace macrame::tcu::model
