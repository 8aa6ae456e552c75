#include "verif/mini/simulate.hpp"

#include "verif/common/random.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/common/text.hpp"

namespace macrame::mini {

namespace {

using verif::run::Outcome;
using verif::run::Subject;
using verif::run::Verdict;

constexpr int kAccesses = 200;

/// One random program; every register read must be what the model says.
Outcome run(const std::string& name, std::uint64_t seed, const Platform& platform,
            Subject subject) {
    Accumulator model(platform.lanes, platform.width);
    const std::unique_ptr<Device> rtl = subject == Subject::model ? nullptr : platform.make_rtl();
    verif::Random random(seed);
    Outcome out;
    out.row.name = name;
    for (int i = 0; i < kAccesses; ++i) {
        const std::uint32_t offset = random.chance(5) ? kClear : kOperand;
        const std::uint32_t value = random.word();
        model.write(offset, value);
        ++out.row.commands;
        if (!rtl) continue;
        rtl->write(offset, value);
        for (const std::uint32_t at : {kSum, kOperand}) {
            ++out.row.checks;
            const std::uint32_t got = rtl->read(at);
            if (got == model.read(at)) continue;
            out.row.verdict = Verdict::failed;
            out.row.failures.push_back("access " + verif::text::shortest(i) + ": design " +
                                       verif::text::hex(got) + ", model " +
                                       verif::text::hex(model.read(at)));
        }
    }
    out.row.checks += rtl ? 0 : 1;
    out.row.has_cycles = rtl != nullptr;
    if (rtl) out.row.cycles = out.row.total_cycles = rtl->cycle();
    return out;
}

}  // namespace

int simulate(const verif::run::Options& options, const Platform& platform) {
    std::vector<verif::run::ProgramRun> programs;
    for (int i = 0; i < options.random_layers; ++i) {
        const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
        const std::string name = "random seed " + verif::text::shortest(seed);
        programs.push_back({name, [=, &platform](const verif::run::Turn&) {
                                return run(name, seed, platform, options.subject);
                            }});
    }
    verif::run::Setup setup;
    setup.title = platform.name;
    return verif::run::run_programs(options, setup, programs);
}

}  // namespace macrame::mini
