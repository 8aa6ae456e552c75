#include "mutation.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "dla_regs.hpp"
#include "random_layers.hpp"
#include "verif/common/random.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::stimulus {

namespace {

using dla_regs::FieldInfo;
using dla_regs::RegisterInfo;

/// Programs that are made until one has a field of the units asked for.
constexpr std::uint64_t kTries = 200;

/// The commands that write a field, by unit and field.
using Fields = std::map<const FieldInfo*, std::vector<std::size_t>>;
using Places = std::map<std::string_view, Fields>;

bool begins(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

/// Is the unit in the list "PDP,CDP"?
bool is_listed(std::string_view unit, std::string_view list) {
    if (list == "all") return true;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == unit) return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

/// Starts a layer or a copy with what was written before.
bool starts(const RegisterInfo& reg) { return reg.name == "D_OP_ENABLE" || reg.name == "CFG_OP"; }

/// Registers of layers and copies.
bool describes_layer(const RegisterInfo& reg) {
    const bool launches = begins(reg.name, "CFG_LAUNCH");
    return reg.grouped || (reg.unit == "BDMA" && !launches);
}

/// What layers, copies and tables are made of. A program also writes to groups that it does not
/// use.
Places places(const trace::Trace& program, const std::string& units) {
    const dla_regs::RegisterTable table = dla_regs::table();
    Places out;
    std::map<std::string_view, std::vector<std::size_t>> written;  // since the group was chosen
    const auto take = [&](const RegisterInfo& reg, std::size_t command) {
        for (std::size_t f = 0; f < table.field_count; ++f) {
            if (table.fields[f].address == program.commands[command].addr)
                out[reg.unit][&table.fields[f]].push_back(command);
        }
    };
    for (std::size_t i = 0; i < program.commands.size(); ++i) {
        const trace::Command& command = program.commands[i];
        if (command.op != trace::Op::write) continue;
        const RegisterInfo* reg = table.find(command.addr);
        if (reg == nullptr || !is_listed(reg->unit, units)) continue;
        std::vector<std::size_t>& here = written[reg->unit];
        if (reg->name == "S_POINTER") here.clear();
        if (starts(*reg)) {
            for (const std::size_t before : here)
                take(*reg, before);
            here.clear();
        } else if (begins(reg->name, "S_LUT")) {
            take(*reg, i);
        } else if (describes_layer(*reg)) {
            here.push_back(i);
        }
    }
    return out;
}

template <class Many>
auto any_of(const Many& many, verif::Random& random) {
    return std::next(many.begin(), random.in(0, static_cast<int>(many.size()) - 1));
}

std::uint32_t other_value(std::uint32_t value, std::uint32_t ones, int bits,
                          verif::Random& random) {
    switch (random.in(0, 6)) {
        case 0:
            return (value + 1) & ones;
        case 1:
            return (value - 1) & ones;
        case 2:
            return 0;
        case 3:
            return ones;
        case 4:
            return random.word() & ones;
        default:
            return value ^ 1u << random.in(0, bits - 1);
    }
}

/// Gives the field another value; the text says which.
std::string change(trace::Command& command, const FieldInfo& field, verif::Random& random) {
    const std::uint32_t ones = field.bits >= 32 ? ~0u : (1u << field.bits) - 1;
    const std::uint32_t value = command.value >> field.lsb & ones;
    std::uint32_t other = value;
    while (other == value)
        other = other_value(value, ones, field.bits, random);
    command.value = (command.value & ~(ones << field.lsb)) | other << field.lsb;
    return command.reg + "." + std::string(field.name) + " of " + verif::text::hex(value) + " is " +
           verif::text::hex(other);
}

}  // namespace

Mutation mutated_program(const dla::model::Architecture& sizes, const std::string& units,
                         std::uint64_t seed) {
    verif::Random random(seed);
    RandomOptions options;
    options.max_macs = 20'000;
    options.max_elements = 800;
    options.huge = false;
    Mutation out;
    for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
        options.seed = random.bits();
        options.layers = random.in(1, 3);
        out.program = random_layers(sizes, options).program;
        const Places found = places(out.program, units);
        if (found.empty()) continue;
        const auto& [field, commands] = *any_of(any_of(found, random)->second, random);
        out.text = change(out.program.commands[*any_of(commands, random)], *field, random);
        return out;
    }
    return out;
}

}  // namespace macrame::dla::stimulus
