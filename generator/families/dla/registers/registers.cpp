#include "registers.hpp"

#include "regs/text.hpp"

namespace macrame::dla {

const std::vector<const regs::RegisterMap*>& all_register_maps() {
    static const std::vector<const regs::RegisterMap*> maps = {
        &cfgrom_registers(),   &glb_registers(),    &mcif_registers(),     &cdma_registers(),
        &csc_registers(),      &cmac_a_registers(), &cmac_b_registers(),   &cacc_registers(),
        &sdp_rdma_registers(), &sdp_registers(),    &pdp_rdma_registers(), &pdp_registers(),
        &cdp_rdma_registers(), &cdp_registers(),    &cvif_registers(),     &bdma_registers(),
        &rubik_registers(),    &row_registers(),    &sysctl_registers(),
    };
    return maps;
}

const regs::RegisterSet& registers() {
    static const regs::RegisterSet set{
        "dla",
        all_register_maps(),
        "A register that exists once per group is read and written in group S_POINTER.PRODUCER; "
        "the unit uses group CONSUMER. Writes to a group whose OP_EN is 1 are dropped.",
        "NVDLA_",
        "_0",
        {kV1},
    };
    return set;
}

const regs::RegisterSet& registers(std::string_view variant) {
    static const std::vector<regs::RegisterMap> v1_maps = registers().present(kV1);
    static const regs::RegisterSet v1 = [] {
        regs::RegisterSet set = registers();
        set.variants.clear();
        set.maps.clear();
        for (const regs::RegisterMap& map : v1_maps)
            set.maps.push_back(&map);
        return set;
    }();
    return variant == kV1 ? v1 : registers();
}

const regs::RegisterMap* find_register_map(std::string_view unit, std::string_view variant) {
    if (unit == "cmac") unit = "cmac_a";  // both halves have one register file
    return registers(variant).find(unit);
}

}  // namespace macrame::dla
