#include "verif/dla/run/execution.hpp"

#include <stdexcept>
#include <utility>

namespace macrame::dla::run {

SimulateOptions options_of(const SimulateOptions& options, const verif::run::Turn& turn,
                           std::uint64_t seed) {
    SimulateOptions out = options;
    out.seed = seed;
    out.wave = turn.wave;
    out.counts = turn.counts;
    return out;
}

std::unique_ptr<Run> execute(const Platform& platform, const SimulateOptions& options,
                             const trace::Trace& program, const verif::run::Turn& turn,
                             std::uint64_t seed, bool rtl, trace::PlayOptions play) {
    auto out = std::make_unique<Run>();
    out->primary.log_writes(true);
    out->secondary.log_writes(true);
    const DeviceUnderTest dut =
        rtl ? platform.make_rtl(out->primary, out->secondary, options_of(options, turn, seed))
            : platform.make_model(out->primary, out->secondary);
    if (rtl) play.cycles = turn.cycles;
    if (platform.explain) {
        play.explain = [&](const trace::Stuck& stuck) {
            return platform.explain(program, stuck, *dut.device);
        };
    }
    std::uint64_t start = 0;
    try {
        if (dut.warm_up) dut.warm_up(program);
        start = dut.device->cycle();
        out->play = trace::play(program, *dut.device, out->primary, out->secondary, play);
    } catch (const std::runtime_error& error) {  // the device does not answer
        out->play.passed = false;
        out->play.failures.push_back(program.name + ": " + error.what());
    }
    out->violations = dut.device->violations();
    if (dut.warnings) out->warnings = dut.warnings();
    out->total_cycles = dut.device->cycle() - start;
    if (dut.counts) out->counts = dut.counts();
    return out;
}

}  // namespace macrame::dla::run
