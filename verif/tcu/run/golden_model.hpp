#pragma once
/// The golden model behind the device interface.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verif/tcu/isa/layout.hpp"
#include "verif/tcu/model/machine.hpp"
#include "verif/tcu/run/device.hpp"

namespace macrame::tcu::run {

class GoldenModel : public Device {
public:
    /// `noise`: seed of what local memory and accumulators hold after reset; nothing: zeros.
    GoldenModel(const Architecture& architecture, Banks banks,
                std::optional<std::uint64_t> noise = {});

    void reset() override;
    void send(const std::vector<std::uint8_t>& bytes) override;
    bool run(std::uint64_t most_cycles) override;
    std::uint64_t cycle() const override { return 0; }
    /// As with instruction validation; there is never a timeout.
    Status status() const override { return status_; }
    const std::vector<std::uint64_t>& samples() const override { return none_; }
    const std::vector<std::uint64_t>& consumed() const override { return none_; }
    const std::vector<std::uint64_t>& moved() const override { return none_; }
    verif::AxiCounts counts(int bank) const override;
    std::vector<std::string> violations() const override { return {}; }

    const model::Machine& machine() const { return *machine_; }

private:
    void step(const Instruction& instruction);

    Architecture architecture_;
    Layout layout_;
    Banks banks_;
    std::optional<std::uint64_t> noise_;
    std::unique_ptr<model::Machine> machine_;
    std::vector<std::uint8_t> stream_;
    Status status_;
    std::uint32_t tracepoint_ = 0;
    verif::AxiCounts before_[2];  ///< at reset
    std::vector<std::uint64_t> none_;
};

}  // namespace macrame::tcu::run
