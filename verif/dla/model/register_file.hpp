#pragma once
/// Golden model of the register file of one unit: storage, write masks, the two register groups and
/// the values that hardware owns. It works on the table of dla_regs.hpp, which is generated.
///
///     RegisterFile cdma("CDMA");
///     cdma.write(D_BANK::kOffset, 0x30003);             // CSB side: group PRODUCER
///     if (cdma.running()) auto bank = cdma.get<D_BANK>();   // hardware side: group CONSUMER
///     cdma.set_counter(offset, stalls);  cdma.op_done();

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dla_regs.hpp"

namespace macrame::dla::model {

class RegisterFile {
public:
    /// The registers of a unit as named in the table ("CDMA") of the map or of a variant of it.
    /// Throws if there is no such unit.
    explicit RegisterFile(std::string_view unit, std::string_view variant = {})
        : table_(dla_regs::table(variant)), unit_(table_.unit(unit)) {
        if (unit_ == nullptr) throw std::invalid_argument("no unit " + std::string(unit));
        reset();
    }

    /// All registers to their reset values.
    void reset() {
        for (auto& group : values_)
            group.assign(unit_->count, 0);
        live_.assign(unit_->count, 0);
        for (std::size_t i = 0; i < unit_->count; ++i) {
            const dla_regs::RegisterInfo& reg = row(i);
            values_[0][i] = values_[1][i] = reg.reset;
            if (!reg.grouped) live_[i] = reg.reset & reg.hw_mask;
        }
        producer_ = consumer_ = 0;
        op_en_ = {false, false};
    }

    /// CSB write of the register at a byte offset of the page.
    void write(std::uint32_t offset, std::uint32_t value) {
        const std::size_t i = index(offset);
        if (i == kNone) return;
        const dla_regs::RegisterInfo& reg = row(i);
        if (reg.grouped && op_en_[at(producer_)]) return;
        if (has_groups() && offset == 4) {
            producer_ = static_cast<int>(value & 1u);
        } else if (has_groups() && offset == unit_->boundary) {
            if ((value & 1u) == 0) return;
            enable_producer();
        } else {
            std::uint32_t& stored = values_[reg.grouped ? at(producer_) : 0][i];
            stored = (stored & ~reg.write_mask) | (value & reg.write_mask);
            live_[i] &= ~(value & reg.w1c_mask);
        }
    }

    /// CSB read; offsets without a register read 0.
    std::uint32_t read(std::uint32_t offset) const {
        const std::size_t i = index(offset);
        if (i == kNone) return 0;
        if (has_groups()) {
            if (offset == 0) return status(0) | (status(1) << 16);
            if (offset == 4) return pointers();
            if (offset == unit_->boundary) return op_en_[at(producer_)] ? 1u : 0u;
        }
        const dla_regs::RegisterInfo& reg = row(i);
        const std::uint32_t stored = values_[reg.grouped ? at(producer_) : 0][i];
        const std::uint32_t owned = reg.grouped ? stored : live_[i];
        return ((stored & ~reg.hw_mask) | (owned & reg.hw_mask)) & reg.read_mask;
    }

    /// What hardware sees: a single register, or the copy of the CONSUMER group.
    std::uint32_t value(std::uint32_t offset) const {
        const std::size_t i = index(offset);
        return i == kNone ? 0 : values_[row(i).grouped ? at(consumer_) : 0][i];
    }
    /// value() as an accessor of dla_regs.hpp: get<dla_regs::cdma::D_BANK>().DATA_BANK().
    /// `distance`: bytes to a register with the same fields.
    template <class Register>
    Register get(std::uint32_t distance = 0) const {
        return Register(value(Register::kOffset + distance));
    }

    /// Live value of the hardware-owned bits of a single register.
    void set_status(std::uint32_t offset, std::uint32_t value) { live_.at(index(offset)) = value; }
    /// Count of the running layer; read-back sees it after op_done().
    void set_counter(std::uint32_t offset, std::uint32_t count) { set_status(offset, count); }

    /// The layer of the CONSUMER group is done: its OP_EN falls, its counters are copied, the other
    /// group is next.
    void op_done() {
        for (std::size_t i = 0; i < unit_->count; ++i) {
            const dla_regs::RegisterInfo& reg = row(i);
            if (!reg.grouped || reg.offset == unit_->boundary) continue;
            std::uint32_t& stored = values_[at(consumer_)][i];
            stored = (stored & ~reg.hw_mask) | (live_[i] & reg.hw_mask);
            live_[i] = 0;
        }
        op_en_[at(consumer_)] = false;
        consumer_ ^= 1;
    }

    int consumer() const { return consumer_; }
    bool enabled(int group) const { return op_en_[at(group)]; }
    /// OP_EN of the CONSUMER group.
    bool running() const { return op_en_[at(consumer_)]; }
    std::string_view unit() const { return unit_->name; }
    /// Byte address of the page.
    std::uint32_t base() const { return unit_->base; }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    static std::size_t at(int group) { return static_cast<std::size_t>(group); }
    const dla_regs::RegisterInfo& row(std::size_t i) const {
        return table_.registers[unit_->first + i];
    }
    bool has_groups() const { return unit_->boundary < 0x1000u; }

    /// Row of a register. Offsets rise by 4 or more from row to row, so it is at offset / 4 or, as
    /// there are few gaps, a little before.
    std::size_t index(std::uint32_t offset) const {
        std::size_t i = std::min<std::size_t>(offset / 4, unit_->count - 1);
        while (i > 0 && row(i).offset > offset)
            --i;
        return row(i).offset == offset ? i : kNone;
    }

    std::uint32_t status(int group) const {
        if (!op_en_[at(group)]) return 0;
        return group == consumer_ ? 1 : 2;
    }

    std::uint32_t pointers() const {
        return static_cast<std::uint32_t>(producer_) |
               (static_cast<std::uint32_t>(consumer_) << 16);
    }

    /// OP_EN of the PRODUCER group becomes 1; its counters read 0 until the layer is done.
    void enable_producer() {
        for (std::size_t i = 0; i < unit_->count; ++i) {
            if (row(i).grouped) values_[at(producer_)][i] &= ~row(i).hw_mask;
        }
        op_en_[at(producer_)] = true;
    }

    dla_regs::RegisterTable table_;
    const dla_regs::UnitInfo* unit_;
    std::array<std::vector<std::uint32_t>, 2> values_;
    std::vector<std::uint32_t> live_;  ///< status of single registers, counts of the running layer
    int producer_ = 0, consumer_ = 0;
    std::array<bool, 2> op_en_{false, false};
};

}  // namespace macrame::dla::model
