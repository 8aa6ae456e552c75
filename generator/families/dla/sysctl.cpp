#include <fmt/format.h>

#include "families/dla/registers/registers.hpp"
#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

text::Scope control_scope(const Config& config, const Derived&) {
    constexpr int kCorePages = 0x14;  // the documents reserve those behind
    const int own_page = static_cast<int>(*sysctl_registers().base >> 12);
    const int ports = config.secondary_memif_enable ? 2 : 1;
    return {
        {"core_pages", kCorePages},
        {"core_pages_hex", fmt::format("{:x}", kCorePages)},
        {"own_page", own_page},
        {"own_page_hex", fmt::format("{:x}", own_page)},
        {"error_sources", config.memory_bus == "native" ? 0 : 2 * ports},
    };
}

const Unit& sysctl_unit() {
    static const Unit unit{
        "sysctl",
        "register page of the system top: errors of the memory bus, reset of the core",
        [](const Config& c) { return has_system_top(c); },
        {"dla_sysctl.v"},
        {"fifo_sync"},
        {{"sysctl", {}, {"S_IDENTITY"}, {"S_RESET"}}},
        control_scope,
        {{[](const Config& c) { return c.memory_bus != "native"; },
          {"dla_sysctl_error.v"},
          {"S_INTR_MASK.ERROR"},
          {"S_ERROR_STATUS.ERROR", "S_ERROR_STATUS.WRITE", "S_ERROR_STATUS.DECODE",
           "S_ERROR_STATUS.PORT", "S_ERROR_STATUS.CLIENT", "S_ERROR_STATUS.COUNT",
           "S_ERROR_ADDR_LOW", "S_ERROR_ADDR_HIGH"},
          {"S_ERROR_CLEAR"}}},
    };
    return unit;
}

}  // namespace macrame::dla
