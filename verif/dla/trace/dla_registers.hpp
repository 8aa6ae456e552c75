#pragma once
/// The register table of the dla family for trace readers.

#include <string_view>
#include <utility>
#include <vector>

#include "dla_regs.hpp"
#include "register_table.hpp"

namespace macrame::dla::trace {

/// Copies the generated table of the map or of a variant, "v1".
inline RegisterTable dla_registers(std::string_view variant = {}) {
    const dla_regs::RegisterTable from = dla_regs::table(variant);
    std::vector<RegisterInfo> out;
    for (std::size_t i = 0; i < from.register_count; ++i) {
        const dla_regs::RegisterInfo& r = from.registers[i];
        RegisterInfo info;
        info.unit = std::string(r.unit);
        info.name = std::string(r.name);
        info.addr = r.address;
        info.reset = r.reset;
        info.write_mask = r.write_mask;
        info.grouped = r.grouped;
        out.push_back(std::move(info));
    }
    return RegisterTable(std::move(out));
}

}  // namespace macrame::dla::trace
