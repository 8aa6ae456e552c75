#include "verif/tcu/run/simulate.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/run/coverage_file.hpp"
#include "verif/common/run/report.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/conformance.hpp"
#include "verif/tcu/run/job.hpp"
#include "verif/tcu/run/networks.hpp"
#include "verif/tcu/stimulus/coverage.hpp"
#include "verif/tcu/stimulus/random_program.hpp"

namespace macrame::tcu::run {

namespace {

using verif::run::ProgramRun;
using verif::run::Turn;

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

class Session {
public:
    Session(const SimulateOptions& options, const Platform& platform)
        : options_(options), platform_(platform) {}

    int run() {
        std::vector<std::string> errors = mistakes();
        std::vector<ProgramRun> programs;
        if (errors.empty() && !options_.coverage.empty()) {
            platform_.coverage = std::make_shared<stimulus::Coverage>(platform_.architecture);
            verif::run::read_coverage(options_.coverage, platform_.coverage->bins(), errors);
        }
        if (errors.empty()) programs = find_programs(errors);
        for (const std::string& error : errors)
            verif::run::complain(platform_.program, error);
        if (!errors.empty()) return verif::run::kUserError;
        verif::run::Setup setup;
        setup.program = platform_.program;
        setup.title = platform_.name;
        const double size = platform_.architecture.array_size;
        setup.macs_per_cycle = size * size;
        const int status = verif::run::run_programs(options_, setup, programs);
        const bool written = !platform_.coverage ||
                             verif::run::write_coverage(
                                 options_.coverage, platform_.coverage->bins(), platform_.program);
        return written ? status : verif::run::kUserError;
    }

private:
    /// What this build and these options cannot do.
    std::vector<std::string> mistakes() const {
        SimulateOptions options = options_;
        std::vector<std::string> errors = verif::run::check_outputs(option_rows(options));
        if (!options_.wave.empty() && !platform_.has_waves) {
            errors.push_back("--wave = " + options_.wave +
                             ": this build has no waves: want one made with make WAVES=1");
        }
        if (!options_.counts.empty() && !platform_.has_counts) {
            errors.push_back("--counts = " + options_.counts +
                             ": this build counts nothing: want one made with make COVERAGE=1");
        }
        if ((options_.sample_interval > 0 || !options_.samples.empty()) &&
            platform_.sample_block == 0) {
            errors.push_back(
                "--sample-interval, --samples: this configuration has no sample stream: want "
                "sample-block-size of at least 1");
        }
        if (!options_.program.empty()) check_program_options(errors);
        return errors;
    }

    /// Which options go with a network, which with a program.
    void check_program_options(std::vector<std::string>& errors) const {
        const bool network = ends_with(options_.program, ".tmodel");
        if (!network && !ends_with(options_.program, ".tprog") &&
            !ends_with(options_.program, ".tasm")) {
            errors.push_back("--program = " + options_.program +
                             ": want a .tmodel, .tprog or .tasm file");
            return;
        }
        const auto only = [&](std::string_view option, bool given, std::string_view with) {
            if (given)
                errors.push_back("--" + std::string(option) + ": want it with a " +
                                 std::string(with) + " file only");
        };
        if (network) {
            if (options_.input.empty())
                errors.push_back("--program = " + options_.program + ": want --input, too");
            only("dram0", !options_.dram0.empty(), ".tprog");
            only("dram1", !options_.dram1.empty(), ".tprog");
            only("dump-dram0", !options_.dump_dram0.empty(), ".tprog");
            only("dump-dram1", !options_.dump_dram1.empty(), ".tprog");
            only("write-tasm", !options_.write_tasm.empty(), ".tprog");
            only("write-tprog", !options_.write_tprog.empty(), ".tprog");
        } else {
            only("input", !options_.input.empty(), ".tmodel");
            only("output", !options_.output.empty(), ".tmodel");
            only("count", options_.count != 0, ".tmodel");
        }
    }

    std::vector<ProgramRun> find_programs(std::vector<std::string>& errors) const {
        if (options_.random_layers > 0) return random_programs();
        if (!options_.conformance.empty())
            return conformance_programs(options_.conformance, options_, platform_, errors);
        if (ends_with(options_.program, ".tmodel"))
            return network_programs(options_, platform_, errors);
        return single_program(errors);
    }

    std::vector<ProgramRun> random_programs() const {
        std::vector<ProgramRun> out;
        for (int i = 0; i < options_.random_layers; ++i) {
            const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(i);
            const std::string name = "random seed " + verif::text::shortest(seed);
            out.push_back({name, [this, name, seed](const Turn& turn) {
                               SimulateOptions options = options_;
                               options.seed = seed;
                               return run_job(random_job(name, seed), options, platform_, turn);
                           }});
        }
        return out;
    }

    Job random_job(const std::string& name, std::uint64_t seed) const {
        stimulus::RandomProgram random =
            stimulus::random_program(platform_.architecture, seed, options_.compat);
        Job job;
        job.name = name;
        job.stream = std::move(random.program);
        job.before.push_back(
            {0, random.dram0_at, std::make_shared<const Bytes>(std::move(random.dram0))});
        job.before.push_back(
            {1, random.dram1_at, std::make_shared<const Bytes>(std::move(random.dram1))});
        return job;
    }

    /// A program on images of the banks.
    std::vector<ProgramRun> single_program(std::vector<std::string>& errors) const {
        const Layout layout = layout_of(platform_.architecture);
        Job job;
        job.name = options_.program.substr(options_.program.rfind('/') + 1);
        job.stream = files::read_program(options_.program, layout, errors).value_or(Bytes());
        const std::uint64_t image0 = load_image("dram0", options_.dram0, 0, job, errors);
        const std::uint64_t image1 = load_image("dram1", options_.dram1, 1, job, errors);
        job.finish = [=](Memories& memory, std::vector<std::string>& problems) {
            dump(options_.dump_dram0, 0, image0, memory, problems);
            dump(options_.dump_dram1, 1, image1, memory, problems);
        };
        if (!errors.empty()) return {};
        if (!options_.write_tprog.empty())
            files::write_bytes(options_.write_tprog, job.stream, errors);
        if (!options_.write_tasm.empty()) {
            const std::string text = disassemble(layout, job.stream);
            files::write_bytes(options_.write_tasm, {text.begin(), text.end()}, errors);
        }
        return {{job.name, [this, job](const Turn& turn) {
                     return run_job(job, options_, platform_, turn);
                 }}};
    }

    /// What a bank holds before. Returns its bytes.
    std::uint64_t load_image(std::string_view option, const std::string& path, int bank, Job& job,
                             std::vector<std::string>& errors) const {
        if (path.empty()) return 0;
        const auto bytes = files::read_bytes(path, errors);
        if (!bytes) return 0;
        const std::uint64_t most = bank_bytes(platform_.architecture, bank);
        if (bytes->size() > most) {
            errors.push_back("--" + std::string(option) + " = " + path + ": found " +
                             verif::text::shortest(bytes->size()) + " bytes: want at most " +
                             verif::text::shortest(most) + ", those of the bank");
        }
        job.before.push_back({bank, 0, std::make_shared<const Bytes>(*bytes)});
        return bytes->size();
    }

    void dump(const std::string& path, int bank, std::uint64_t image, Memories& memory,
              std::vector<std::string>& problems) const {
        if (path.empty()) return;
        const verif::Memory& bytes = memory.bank(bank);
        const std::uint64_t size = dump_bytes(platform_.architecture, bank, image, bytes);
        files::write_bytes(path, bytes.dump(0, size), problems);
    }

    const SimulateOptions& options_;
    Platform platform_;
};

}  // namespace

int simulate(const SimulateOptions& options, const Platform& platform) {
    try {
        return Session(options, platform).run();
    } catch (const std::exception& error) {
        verif::run::complain(platform.program, std::string("internal error: ") + error.what());
        return verif::run::kInternalError;
    }
}

}  // namespace macrame::tcu::run
