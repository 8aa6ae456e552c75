#include "verif/dla/run/platform.hpp"

#include <map>
#include <memory>
#include <set>

#include "verif/dla/model/device.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/run/program_follower.hpp"
#include "verif/dla/stimulus/coverage.hpp"
#include "verif/dla/stimulus/directed_layer.hpp"
#include "verif/dla/stimulus/random_layers.hpp"
#include "verif/dla/trace/dla_registers.hpp"

namespace macrame::dla::run {

namespace {

std::vector<BrokenRule> check_rules(const dla::model::Architecture& sizes,
                                    const trace::Trace& program) {
    ProgramFollower follower(sizes, program);
    std::vector<BrokenRule> out;
    std::set<std::string> seen;
    std::map<std::uint32_t, const std::string*> written;  // registers, and where
    const auto place = [&](const dla::model::Finding& finding) -> std::string {
        if (finding.rule != dla::model::kAddressWidth) return {};
        const auto* reg = dla_regs::table().find(finding.unit + "." + finding.reg);
        const auto at = reg == nullptr ? written.end() : written.find(reg->address);
        return at == written.end() ? "?" : *at->second;
    };
    const auto take = [&](const std::vector<dla::model::Finding>& findings) {
        for (const dla::model::Finding& finding : findings) {
            if (!seen.insert(finding.text()).second) continue;
            out.push_back({finding.level == dla::model::Level::warning,
                           finding.level == dla::model::Level::info, finding.text(),
                           place(finding)});
        }
    };
    for (const trace::Command& command : program.commands) {
        if (command.op == trace::Op::write) written[command.addr] = &command.where;
        take(follower.next());
    }
    take(follower.finish());
    return out;
}

}  // namespace

Platform make_platform(const std::string& name, const dla::model::Architecture& sizes) {
    Platform platform;
    platform.name = name;
    platform.sizes = sizes;
    platform.bus_bytes = sizes.bus_bytes;
    platform.max_burst = sizes.max_burst;
    platform.macs_per_cycle = sizes.atomic_c * sizes.atomic_k;
    platform.picture.atomic_c = sizes.atomic_c;
    platform.picture.atom_bytes = sizes.atom_bytes;
    platform.picture.cbuf_banks = sizes.cbuf_banks;
    platform.picture.cbuf_depth = sizes.cbuf_depth;
    const std::string_view variant = dla::model::register_variant(sizes.v1_map);
    platform.register_variant = variant;
    platform.registers = trace::dla_registers(variant);
    platform.random_program = [sizes, variant](std::uint64_t seed, bool original_safe) {
        return trace::in_map(stimulus::random_program(sizes, seed, original_safe), "", variant);
    };
    platform.mutated_program = [sizes, variant](const std::string& units, std::uint64_t seed) {
        stimulus::Mutation out = stimulus::mutated_program(sizes, units, seed);
        out.program = trace::in_map(std::move(out.program), "", variant);
        return out;
    };
    platform.layer_program = [sizes, variant](const std::string& shape, std::uint64_t seed) {
        return trace::in_map(stimulus::directed_layer(sizes, shape, seed), "", variant);
    };
    platform.check_rules = [sizes, variant](const trace::Trace& program) {
        return check_rules(sizes, trace::in_map(program, variant, ""));
    };
    platform.explain = [sizes, variant](const trace::Trace& program, const trace::Stuck& stuck,
                                        verif::Device& device) {
        return explain(sizes, program, variant, stuck, device);
    };
    platform.make_coverage = [sizes] { return std::make_shared<stimulus::Coverage>(sizes); };
    platform.make_model = [sizes](verif::Memory& primary, verif::Memory& secondary) {
        DeviceUnderTest dut;
        auto device = std::make_unique<dla::model::Device>(sizes, primary, &secondary);
        dut.warnings = [model = device.get()] { return model->warnings(); };
        dut.device = std::move(device);
        return dut;
    };
    return platform;
}

}  // namespace macrame::dla::run
