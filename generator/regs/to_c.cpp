#include "regs/text.hpp"
#include "regs/to_docs.hpp"

namespace macrame::regs {
namespace {

/// Names of registers without what stands before them all.
class Defines {
public:
    Defines(std::string& out, std::string_view before) : out_(out), before_(before) {}
    void operator()(const std::string& name, const std::string& value) const {
        line(out_, "#define {}{:<62} {}", before_, name, value);
    }

private:
    std::string& out_;
    std::string_view before_;
};

void c_section(std::string& out, const RegisterSet& set, const RegisterMap& map,
               const Defines& define) {
    line(out, "");
    line(out, "/* {}: {}. */", map.unit, map.doc);
    for (const Register& reg : map.registers) {
        const std::string prefix =
            fmt::format("{}{}_{}{}", set.prefix, map.unit, reg.name, set.suffix);
        line(out, "");
        define(prefix, fmt::format("{:#07x}u", *map.base + reg.offset));
        if (reg.hw() == Hw::constant) continue;
        for (const Field& field : reg.fields) {
            const std::string name = fmt::format("{}_{}", prefix, field.name);
            define(name + "_SHIFT", fmt::format("{}", field.lsb));
            define(name + "_MASK", fmt::format("{:#010x}u", field.mask()));
            for (std::size_t i = 0; i < field.values.size(); ++i)
                define(fmt::format("{}_{}", name, field.values[i]), fmt::format("{}", i));
        }
    }
}

}  // namespace

std::string to_c(const RegisterSet& set, std::string_view variant, std::string_view before) {
    const std::string capitals = upper(before);
    const std::string guard = capitals + upper(set.family) + "_REGS_H";
    std::string out;
    line(out, "/* Registers of the {} family: byte addresses and fields. */", set.family);
    line(out, "#ifndef {}", guard);
    line(out, "#define {}", guard);
    for (const RegisterMap& map : set.present(variant))
        c_section(out, set, map, {out, capitals});
    line(out, "");
    line(out, "#endif");
    return out;
}

}  // namespace macrame::regs
