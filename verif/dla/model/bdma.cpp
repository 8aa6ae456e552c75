#include "bdma.hpp"

#include <vector>

namespace macrame::dla::model {

namespace bdma = dla_regs::bdma;

void bdma_copy(const BdmaCopy& copy, const MemoryRead& read, const MemoryWrite& write) {
    std::vector<std::uint8_t> line(static_cast<std::size_t>(copy.units * kBdmaUnit));
    for_each_line(copy, [&](std::uint64_t from, std::uint64_t to) {
        read(from, line.data(), line.size());
        write(to, line.data(), line.size());
    });
}

// ---- registers

BdmaCopy BdmaUnit::described() const {
    BdmaCopy out;
    out.src_addr = address<bdma::CFG_SRC_ADDR_HIGH, bdma::CFG_SRC_ADDR_LOW>();
    out.dst_addr = address<bdma::CFG_DST_ADDR_HIGH, bdma::CFG_DST_ADDR_LOW>();
    out.src_ram_type = regs.get<bdma::CFG_CMD>().SRC_RAM_TYPE();
    out.dst_ram_type = regs.get<bdma::CFG_CMD>().DST_RAM_TYPE();
    out.units = plus1(regs.get<bdma::CFG_LINE>().SIZE());
    out.lines = plus1(regs.get<bdma::CFG_LINE_REPEAT>().NUMBER() & kBdmaRepeats);
    out.surfaces = plus1(regs.get<bdma::CFG_SURF_REPEAT>().NUMBER() & kBdmaRepeats);
    out.src_line = regs.get<bdma::CFG_SRC_LINE>().raw;
    out.src_surf = regs.get<bdma::CFG_SRC_SURF>().raw;
    out.dst_line = regs.get<bdma::CFG_DST_LINE>().raw;
    out.dst_surf = regs.get<bdma::CFG_DST_SURF>().raw;
    return out;
}

void BdmaUnit::write(std::uint32_t offset, std::uint32_t data) {
    regs.write(offset, data);
    if ((data & 1u) == 0) return;
    if (offset == bdma::CFG_OP::kOffset) push();
    if (offset == bdma::CFG_LAUNCH0::kOffset) launch(0);
    if (offset == bdma::CFG_LAUNCH1::kOffset) launch(1);
    show_status();
}

void BdmaUnit::show_status() {
    const auto free = static_cast<std::uint32_t>(kBdmaSlots - queue_.size());
    regs.set_status(bdma::STATUS::kOffset, bdma::STATUS(0)
                                               .FREE_SLOT(free)
                                               .IDLE(queue_.empty() ? 1 : 0)
                                               .GRP0_BUSY(busy_[0] ? 1 : 0)
                                               .GRP1_BUSY(busy_[1] ? 1 : 0)
                                               .raw);
}

// ---- the queue

void BdmaUnit::push() {
    if (queue_.size() == kBdmaSlots) {
        machine_.violation("BDMA: a copy is pushed into a full queue and lost");
        return;
    }
    stopped_ = machine_.refuses({"BDMA"}) || stopped_;
    queue_.push_back(described());
}

void BdmaUnit::launch(unsigned group) {
    std::size_t copies = queue_.size();
    for (const Group& older : groups_)
        copies -= older.copies;
    if (busy_[group] || copies == 0) {
        machine_.violation(busy_[group] ? "BDMA: a group is launched while it is busy: no effect"
                                        : "BDMA: a group without copies is launched: no effect");
        return;
    }
    busy_[group] = true;
    groups_.push_back({group, copies, machine_.time});
}

bool BdmaUnit::step() {
    if (groups_.empty() || stopped_) return false;
    const BdmaCopy now = queue_.front();
    queue_.pop_front();
    bdma_copy(now, machine_.reader(DmaClient::kBdma, now.src_ram_type),
              machine_.writer(DmaClient::kBdma, now.dst_ram_type));
    if (--groups_.front().copies == 0) {
        const unsigned group = groups_.front().number;
        groups_.pop_front();
        busy_[group] = false;
        machine_.glb.raise(1u << (kBdmaBit + static_cast<int>(group)));
    }
    show_status();
    return true;
}

}  // namespace macrame::dla::model
