#include "families/tcu/documents.hpp"

#include <fmt/format.h>

#include "core/version.hpp"
#include "families/tcu/derived.hpp"
#include "regs/text.hpp"
#include "verif/tcu/files/arch_file.hpp"

namespace macrame::tcu {

std::map<std::string, std::string> documents(const Design& design) {
    const Architecture a = architecture_of(std::any_cast<const Config&>(design.config));
    const Page page = instruction_page(a, design.name);
    return {{"include/architecture_params.h", driver_header(a, design.name, design.names.prefix.value_or(""))},
            {"include/architecture.tarch", files::architecture_text(a)},
            {"doc/instructions.md", to_markdown(page)},
            {"doc/instructions.html", to_html(page)}};
}

std::string driver_header(const Architecture& a, std::string_view name, std::string_view before) {
    const std::string capitals = regs::upper(before) + "TENSIL_ARCHITECTURE_";
    std::string out = fmt::format(
        "/* Architecture {0} for Tensil's C driver, made by macrame {1}.\n"
        " * In place of the header of this name that Tensil's generator writes. What it defines "
        "is\n"
        " * known - data type, array size, depths of memories, SIMD registers and strides - but "
        "not\n"
        " * that file itself: compare the names with the driver that you compile. */\n"
        "#ifndef {2}PARAMS_H\n#define {2}PARAMS_H\n\n",
        name, kVersion, capitals);
    const auto define = [&](std::string_view key, const auto& value) {
        out += fmt::format("#define {}{} {}\n", capitals, key, value);
    };
    define("DATA_TYPE", fmt::format("TENSIL_DATA_TYPE_{}", info(a.data_type).name));
    define("ARRAY_SIZE", a.array_size);
    define("DRAM0_DEPTH", a.dram0_depth);
    define("DRAM1_DEPTH", a.dram1_depth);
    define("LOCAL_DEPTH", a.local_depth);
    define("ACCUMULATOR_DEPTH", a.accumulator_depth);
    define("SIMD_REGISTERS_DEPTH", a.simd_registers_depth);
    define("STRIDE0_DEPTH", a.stride0_depth);
    define("STRIDE1_DEPTH", a.stride1_depth);
    return out + "\n#endif\n";
}

}  // namespace macrame::tcu
