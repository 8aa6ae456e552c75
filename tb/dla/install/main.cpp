/// Runs a register access on the installed golden model.

#include <cstdio>

#include "dla_regs.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/trace/player.hpp"

int main() {
    macrame::verif::Memory memory("primary");
    macrame::dla::model::Device device(macrame::dla::model::Architecture{}, memory);
    device.reset();
    device.csb_write(dla_regs::cdma::D_BANK::kAddress, 0x50003);
    const bool good = device.csb_read(dla_regs::cdma::D_BANK::kAddress) == 0x50003;
    std::puts(good ? "the installed golden model answers" : "FAILED");
    return good ? 0 : 1;
}
