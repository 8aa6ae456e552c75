#include "layer_checker.hpp"

#include <algorithm>
#include <map>

#include "layer_rules.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::model {

namespace {

const dla_regs::RegisterInfo* register_at(std::uint32_t address) {
    static const std::map<std::uint32_t, const dla_regs::RegisterInfo*> by_address = [] {
        std::map<std::uint32_t, const dla_regs::RegisterInfo*> out;
        const dla_regs::RegisterTable table = dla_regs::table();
        for (std::size_t i = 0; i < table.register_count; ++i)
            out[table.registers[i].address] = &table.registers[i];
        return out;
    }();
    const auto it = by_address.find(address);
    return it == by_address.end() ? nullptr : it->second;
}

/// A unit with what its registers are behind a reset.
struct UnitReset {
    std::string_view name;
    RegisterWords words;
};

/// In the order of the table of registers.
const std::vector<UnitReset>& unit_resets() {
    static const std::vector<UnitReset> kResets = [] {
        std::vector<UnitReset> out;
        const dla_regs::RegisterTable table = dla_regs::table();
        for (std::size_t i = 0; i < table.register_count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            auto unit = std::find_if(out.begin(), out.end(),
                                     [&](const UnitReset& known) { return known.name == r.unit; });
            if (unit == out.end()) unit = out.insert(out.end(), {r.unit, {}});
            unit->words.set(r.address, r.reset);
        }
        return out;
    }();
    return kResets;
}

/// A bit for each unit; 0: there is none of that name.
std::uint32_t unit_bit(std::string_view name) {
    const std::vector<UnitReset>& units = unit_resets();
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i].name == name) return std::uint32_t{1} << i;
    return 0;
}

/// A rule that the unit of its register has.
struct UnitRule {
    const LayerRule* rule;
    std::uint32_t unit;  ///< its bit; 0: no layer has it
};

const std::vector<UnitRule>& unit_rules() {
    static const std::vector<UnitRule> kRules = [] {
        std::vector<UnitRule> out;
        for (const LayerRule& rule : layer_rules()) {
            const dla_regs::RegisterInfo* info = register_at(rule.address);
            out.push_back({&rule, info == nullptr ? 0 : unit_bit(info->unit)});
        }
        return out;
    }();
    return kRules;
}

}  // namespace

Finding rules::finding(const LayerRule& rule, std::uint32_t value, const std::string& want) {
    const dla_regs::RegisterInfo* info = register_at(rule.address);
    Finding out;
    out.level = rule.level;
    out.rule = rule.name;
    out.unit = info != nullptr ? std::string(info->unit) : "";
    out.reg = info != nullptr ? std::string(info->name) : "";
    out.value = value;
    out.want = want;
    out.source = rule.source;
    return out;
}

std::string Finding::text() const {
    return rule + ": " + unit + "." + reg + " = " + verif::text::hex(value) + ": want " + want +
           "  (" + source + ")";
}

void LayerRegisters::add(std::string_view name) {
    const std::uint32_t bit = unit_bit(name);
    units_ |= bit;
    for (std::size_t i = 0; bit >> i != 0; ++i)
        if (bit >> i == 1) set_all(unit_resets()[i].words);
}

void LayerRegisters::add(const LayerRegisters& other) {
    units_ |= other.units_;
    set_all(other);
}

bool LayerRegisters::has(std::string_view unit) const { return has_any(unit_bit(unit)); }

const std::vector<LayerRule>& layer_rules() {
    static const std::vector<LayerRule> kRules = [] {
        std::vector<LayerRule> out;
        rules::add_conv_units(out);
        rules::add_conv_memory(out);
        rules::add_conv_sizes(out);
        rules::add_conv_weights(out);
        rules::add_conv_buffer(out);
        rules::add_image(out);
        rules::add_winograd(out);
        rules::add_batch(out);
        rules::add_compression(out);
        rules::add_sdp(out);
        rules::add_sdp_rdma(out);
        rules::add_pdp(out);
        rules::add_pdp_rdma(out);
        rules::add_cdp(out);
        rules::add_row(out);
        rules::add_rubik(out);
        rules::add_bdma(out);
        rules::add_ends(out);
        rules::add_overlap(out);
        rules::add_original(out);
        return out;
    }();
    return kRules;
}

static std::vector<Finding> check(const Architecture& sizes, const LayerRegisters& registers,
                                  bool only_stops) {
    std::vector<Finding> out;
    LayerRegisters layer = registers;
    layer.sizes = sizes;
    for (const auto& [own, unit] : unit_rules()) {
        const LayerRule& rule = *own;
        if ((only_stops && !rule.stops) || !layer.has_any(unit)) continue;
        if (const auto text = rule.broken(sizes, layer)) {
            out.push_back(rules::finding(rule, layer.word(rule.address), *text));
        }
    }
    return out;
}

std::vector<Finding> check_layer(const Architecture& sizes, const LayerRegisters& layer) {
    return check(sizes, layer, false);
}

std::vector<Finding> stops_model(const Architecture& sizes, const LayerRegisters& layer) {
    return check(sizes, layer, true);
}

KeptInBuffer kept_after(const Architecture& sizes, const LayerRegisters& registers) {
    LayerRegisters layer = registers;
    layer.sizes = sizes;
    const rules::Conv c(layer);
    const auto misc = layer.get<dla_regs::csc::D_MISC_CFG>();
    KeptInBuffer out;
    out.data_banks = static_cast<int>(c.data_banks);
    out.weight_banks = static_cast<int>(c.weight_banks);
    out.pixels = c.pixels;
    out.winograd = c.winograd;
    if (c.compressed) out.mask_bytes = layer.get<dla_regs::cdma::D_WMB_BYTES>().raw;
    out.skip_data_release = misc.SKIP_DATA_RLS() != 0;
    out.skip_weight_release = misc.SKIP_WEIGHT_RLS() != 0;
    out.weight_bytes = layer.get<dla_regs::cdma::D_WEIGHT_BYTES>().raw;
    const auto released = rules::plus1(layer.get<dla_regs::csc::D_RELEASE>().RLS_SLICES());
    const std::int64_t slices = c.in.height - (out.skip_data_release ? 0 : released);
    out.slices = static_cast<int>(std::max<std::int64_t>(slices, 0) * c.batches);
    out.entries_per_slice =
        static_cast<int>(rules::plus1(layer.get<dla_regs::csc::D_ENTRY_PER_SLICE>().ENTRIES()));
    out.weights = layer.before.weights;
    out.weights.run(rules::weight_use(sizes, layer));
    return out;
}

}  // namespace macrame::dla::model
