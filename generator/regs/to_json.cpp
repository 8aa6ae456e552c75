#include <nlohmann/json.hpp>

#include "regs/to_docs.hpp"

namespace macrame::regs {
namespace {

using Json = nlohmann::ordered_json;

Json field_of(const Field& field) {
    Json json = {{"name", field.name},        {"msb", field.msb},
                 {"lsb", field.lsb},          {"access", to_string(field.access)},
                 {"hw", to_string(field.hw)}, {"reset", field.reset},
                 {"doc", field.doc}};
    if (!field.values.empty()) json["values"] = field.values;
    return json;
}

Json register_of(const Register& reg) {
    Json fields = Json::array();
    for (const Field& field : reg.fields)
        fields.push_back(field_of(field));
    return {{"name", reg.name},
            {"offset", reg.offset},
            {"grouped", reg.kind == Kind::pingpong},
            {"fields", std::move(fields)}};
}

}  // namespace

std::string to_json(const RegisterSet& set, std::string_view variant) {
    Json units = Json::array();
    for (const RegisterMap& map : set.present(variant)) {
        Json registers = Json::array();
        for (const Register& reg : map.registers)
            registers.push_back(register_of(reg));
        units.push_back({{"unit", map.unit},
                         {"base", *map.base},
                         {"doc", map.doc},
                         {"registers", std::move(registers)}});
    }
    Json json = {{"family", set.family}};
    if (!variant.empty()) json["variant"] = variant;
    json["units"] = std::move(units);
    return json.dump(1) + "\n";
}

}  // namespace macrame::regs
