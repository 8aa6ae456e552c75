#include "emit/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/version.hpp"
#include "emit/diagram.hpp"
#include "emit/fusesoc.hpp"
#include "emit/ip_xact.hpp"
#include "emit/manifest.hpp"
#include "emit/names.hpp"
#include "emit/project.hpp"
#include "emit/sizes.hpp"
#include "emit/testbench.hpp"
#include "emit/units.hpp"
#include "regs/to_cpp.hpp"
#include "regs/to_docs.hpp"

namespace macrame::emit {

namespace {

/// Paths of the Verilog files, one per line, for every tool.
std::string file_list(const OutputSet& set) {
    std::string list;
    for (const OutputFile& file : set.files())
        list += file.path + "\n";
    return list;
}

/// Register maps of the units that are built, in page order.
std::vector<const regs::RegisterMap*> built_maps(const Design& design) {
    const regs::RegisterSet& registers = design.registers();
    std::set<const regs::RegisterMap*> used;
    for (const Unit* unit : design.family.units) {
        if (!unit->is_in(design.config)) continue;
        for (const RegUse& use : unit->with_options(design.config).regs)
            used.insert(registers.find(use.map.empty() ? use.unit : use.map));
        for (const std::string_view name : unit->maps)
            used.insert(registers.find(name));
    }
    std::vector<const regs::RegisterMap*> maps;
    std::copy_if(registers.maps.begin(), registers.maps.end(), std::back_inserter(maps),
                 [&](const regs::RegisterMap* map) { return used.count(map) != 0; });
    return maps;
}

/// Headers and documentation for software. The headers name all registers of the family, the
/// documentation those of the units that are built.
void add_register_documents(OutputSet& set, const Design& design, const regs::RegisterSet& built) {
    const std::string_view name = design.family.name;
    if (design.family.registers.maps.empty()) return;
    const std::string before = design.names.prefix.value_or("");
    set.add(fmt::format("include/{}_regs.h", name), regs::to_c(design.registers(), "", before));
    set.add(fmt::format("include/{}_regs.hpp", name),
            regs::to_cpp(design.family.registers, before));
    if (built.maps.empty()) return;
    set.add("doc/registers.md", regs::to_markdown(built));
    set.add("doc/registers.html", regs::to_html(built));
    set.add("doc/registers.json", regs::to_json(built));
    set.add("doc/registers.rdl", regs::to_systemrdl(built));
}

}  // namespace

text::Scope base_scope(const Design& design) {
    text::Scope scope;
    for (const Param& param : design.family.params) {
        std::visit([&](const auto& value) { scope.set(param.key, value); },
                   param.get(design.config));
    }
    for (const Size& size : design.family.sizes(design.sizes()))
        scope.set(size.name, size.value);
    scope.set("version", kVersion);
    scope.set("family", design.family.name);
    scope.set("identity_hex", fmt::format("{:08x}", design.identity()));
    // The testbench knows the headers without the prefix.
    scope.set("testbench_include", design.names.prefix ? "-I../include " : "");
    scope.set("prefix", design.names.prefix.value_or(""));
    scope.set("top", emitted_name(design, top_module(design)));
    scope.set("model", fmt::format("V{}", module_name(design.family, "top")));
    return scope;
}

OutputSet generate(const Design& design, const Assets& assets, Diags& diags) {
    if (!design.family.lacks.empty()) {
        diags.push_back({fmt::format("family {}: {}", design.family.name, design.family.lacks)});
        return {};
    }
    const text::Scope base = base_scope(design);
    OutputSet set;
    for (const Unit* unit : design.family.units) {
        if (unit->is_in(design.config)) add_unit(set, *unit, design, assets, base, diags);
    }
    add_cells(set, assets, diags);
    rename_modules(set, design, diags);
    set.add("filelist.f", file_list(set));
    const std::string diagram = block_diagram(design, set);
    if (!diagram.empty()) set.add("doc/block_diagram.svg", diagram);
    set.add(fmt::format("include/{}_params.hpp", design.family.name), sizes_hpp(design));
    set.add(fmt::format("include/{}_params.h", design.family.name), sizes_h(design));
    regs::RegisterSet built = design.registers();
    built.maps = built_maps(design);
    add_register_documents(set, design, built);
    if (design.family.documents != nullptr) {
        for (const auto& [path, text] : design.family.documents(design))
            set.add(path, text);
    }
    set.add("component.xml", ip_xact(design, set, built));
    set.add(fusesoc_name(design), fusesoc_core(design, set));
    add_project(set, design, assets, built.maps, base, diags);
    if (design.names.prefix) add_plain_names(set, design);
    add_testbench(set, design.family, assets, base, diags);
    set.add(kManifest, manifest(design, set));
    return set;
}

}  // namespace macrame::emit
