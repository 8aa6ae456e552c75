#include "verif/tcu/run/golden_model.hpp"

#include "verif/tcu/isa/rules.hpp"

namespace macrame::tcu::run {

GoldenModel::GoldenModel(const Architecture& architecture, Banks banks,
                         std::optional<std::uint64_t> noise)
    : architecture_(architecture),
      layout_(layout_of(architecture)),
      banks_(banks),
      noise_(noise),
      machine_(model::make_machine(architecture, banks.dram0, banks.dram1)) {
    reset();
}

void GoldenModel::reset() {
    machine_->reset(noise_);
    stream_.clear();
    status_ = {};
    tracepoint_ = ~std::uint32_t{0};
    before_[0] = {banks_.dram0.device_reads(), banks_.dram0.device_writes(), 0, 0, 0};
    before_[1] = {banks_.dram1.device_reads(), banks_.dram1.device_writes(), 0, 0, 0};
}

void GoldenModel::send(const std::vector<std::uint8_t>& bytes) {
    stream_.insert(stream_.end(), bytes.begin(), bytes.end());
}

bool GoldenModel::run(std::uint64_t) {
    const auto bytes = static_cast<std::size_t>(layout_.bytes);
    std::size_t at = 0;
    for (; at + bytes <= stream_.size(); at += bytes)
        step(decode(layout_, stream_.data() + at));
    stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
}

void GoldenModel::step(const Instruction& instruction) {
    status_.error = status_.error || raises_error(architecture_, instruction);
    machine_->execute(instruction);
    ++status_.program_counter;
    if (instruction.is(kConfigure)) {
        if (instruction.config_register == kProgramCounter)
            status_.program_counter = instruction.config_value;
        if (instruction.config_register == kTracepoint) tracepoint_ = instruction.config_value;
    }
    status_.tracepoint = status_.tracepoint || status_.program_counter == tracepoint_;
}

verif::AxiCounts GoldenModel::counts(int bank) const {
    const verif::Memory& memory = bank == 0 ? banks_.dram0 : banks_.dram1;
    verif::AxiCounts out;
    out.read_bytes = memory.device_reads() - before_[bank].read_bytes;
    out.write_bytes = memory.device_writes() - before_[bank].write_bytes;
    return out;
}

}  // namespace macrame::tcu::run
