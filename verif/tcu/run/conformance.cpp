#include "verif/tcu/run/conformance.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "verif/common/text.hpp"
#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/rules.hpp"
#include "verif/tcu/run/networks.hpp"
#include "verif/tcu/run/stream.hpp"

namespace macrame::tcu::run {

namespace {

namespace fs = std::filesystem;
using verif::run::Outcome;
using verif::run::ProgramRun;
using verif::run::Turn;
using verif::run::Verdict;
using verif::text::shortest;

constexpr int kRecordedLatency = 20;

using CsvRow = std::map<std::string, std::string>;

/// Rows of a CSV file, fields by the names in its first line.
std::vector<CsvRow> read_table(const std::string& path, std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (!text) {
        errors.push_back(path + ": " + problem);
        return {};
    }
    const auto fields = [](std::string_view line) {
        std::vector<std::string> out;
        for (bool more = true; more;) {
            const std::size_t comma = line.find(',');
            out.emplace_back(verif::text::trim(line.substr(0, comma)));
            more = comma != line.npos;
            line.remove_prefix(more ? comma + 1 : line.size());
        }
        return out;
    };
    std::string_view rest = *text;
    const std::vector<std::string> names = fields(verif::text::next_line(rest));
    std::vector<CsvRow> out;
    for (int number = 2; !rest.empty(); ++number) {
        const std::vector<std::string> values = fields(verif::text::next_line(rest));
        if (values.size() != names.size()) {
            errors.push_back(path + ":" + shortest(number) + ": found " + shortest(values.size()) +
                             " fields: want " + shortest(names.size()));
            return {};
        }
        CsvRow row;
        for (std::size_t i = 0; i < names.size(); ++i)
            row[names[i]] = values[i];
        out.push_back(row);
    }
    return out;
}

std::string field(const CsvRow& row, const std::string& name) {
    const auto at = row.find(name);
    return at == row.end() ? std::string() : at->second;
}

/// The file of that extension in a folder, the first by name; empty if there is none.
std::string file_in(const fs::path& folder, const std::string& extension) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == extension) found.push_back(entry.path().string());
    std::sort(found.begin(), found.end());
    return found.empty() ? std::string() : found.front();
}

Outcome skipped(const std::string& name, const std::string& reason) {
    Outcome out;
    out.row.name = name;
    out.row.verdict = Verdict::skipped;
    out.row.reason = reason;
    return out;
}

Outcome not_run(const std::string& name, const std::vector<std::string>& errors) {
    Outcome out;
    out.row.name = name;
    out.row.verdict = Verdict::failed;
    out.row.reason = "not run";
    out.row.failures = out.bad_input = errors;
    return out;
}

class Finder {
public:
    Finder(const SimulateOptions& options, const Platform& platform,
           std::vector<std::string>& errors)
        : options_(options), platform_(platform), errors_(errors) {}

    std::vector<ProgramRun> find(const fs::path& folder) {
        if (const std::string model = file_in(folder, ".tmodel"); !model.empty()) {
            add_network(folder, model);
        } else if (fs::exists(folder / "index.csv")) {
            add_programs(folder);
        } else {
            std::vector<fs::path> inside;
            for (const fs::directory_entry& entry : fs::directory_iterator(folder))
                if (entry.is_directory()) inside.push_back(entry.path());
            std::sort(inside.begin(), inside.end());
            for (const fs::path& one : inside)
                find(one);
        }
        return programs_;
    }

private:
    /// True, with a line that says so, if the architecture in a file is not this one.
    bool other_architecture(const fs::path& folder, const std::string& file) {
        const auto architecture = files::read_architecture(file, errors_);
        if (!architecture) return true;
        const std::string other = misfit(*architecture, platform_.architecture);
        if (other.empty()) return false;
        const std::string name = folder.filename().string();
        programs_.push_back(
            {name, [=](const Turn&) { return skipped(name, "other architecture, " + other); }});
        return true;
    }

    void add_network(const fs::path& folder, const std::string& model) {
        if (other_architecture(folder, model)) return;
        const auto loaded = load_network(model, platform_.architecture, errors_);
        const auto inputs = files::read_bytes((folder / "inputs.bin").string(), errors_);
        const auto outputs = files::read_bytes((folder / "outputs.bin").string(), errors_);
        const auto first = files::read_bytes((folder / "d0_final_0.bin").string(), errors_);
        const std::vector<CsvRow> rows = read_table((folder / "expected.csv").string(), errors_);
        if (!loaded || !inputs || !outputs || !first) return;
        const auto network = std::make_shared<const Network>(*loaded);
        const auto unit = static_cast<std::size_t>(network->model.architecture.vector_bytes());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto part = [&](const Bytes& all, std::uint64_t vectors) {
                const std::size_t size = static_cast<std::size_t>(vectors) * unit;
                const std::size_t start = std::min(all.size(), i * size);
                const std::size_t end = std::min(all.size(), start + size);
                return Bytes(all.begin() + static_cast<std::ptrdiff_t>(start),
                             all.begin() + static_cast<std::ptrdiff_t>(end));
            };
            const Bytes input = part(*inputs, network->model.input_vectors());
            const Bytes output = part(*outputs, network->model.output_vectors());
            const auto used = verif::text::number(field(rows[i], "d0_used_vectors"));
            if (input.size() != network->model.input_vectors() * unit ||
                output.size() != network->model.output_vectors() * unit || !used) {
                errors_.push_back(folder.string() + ": expected.csv with " + shortest(rows.size()) +
                                  " inputs: want as many in inputs.bin and outputs.bin");
                return;
            }
            Job job =
                network_job(*network, folder.filename().string() + " input " + shortest(i), input);
            job.after = output_pieces(*network, output);
            if (i == 0) job.after.push_back({0, 0, std::make_shared<const Bytes>(*first)});
            job.digest = Digest{*used * unit, field(rows[i], "d0_sha256")};
            drive_network(job, network, input, options_, platform_);
            programs_.push_back(
                {job.name, [&options = options_, &platform = platform_, job](const Turn& turn) {
                     return run_job(job, options, platform, turn);
                 }});
        }
    }

    void add_programs(const fs::path& folder) {
        const std::string arch = file_in(folder, ".tarch");
        if (arch.empty()) {
            errors_.push_back(folder.string() + ": found no .tarch: want one beside index.csv");
            return;
        }
        if (other_architecture(folder, arch)) return;
        for (const CsvRow& row : read_table((folder / "index.csv").string(), errors_)) {
            const std::string name =
                folder.filename().string() + " " + field(row, "name") + " " + field(row, "class");
            programs_.push_back({name, [&options = options_, &platform = platform_, name, folder,
                                        row](const Turn& turn) {
                                     std::vector<std::string> errors;
                                     const Job job =
                                         load(folder, row, name, options, platform, errors);
                                     return errors.empty() ? run_job(job, options, platform, turn)
                                                           : not_run(name, errors);
                                 }});
        }
    }

    static Job load(const fs::path& folder, const CsvRow& row, const std::string& name,
                    const SimulateOptions& options, const Platform& platform,
                    std::vector<std::string>& errors) {
        const Layout layout = layout_of(platform.architecture);
        const auto image = [&](const fs::path& file) {
            const auto bytes = files::read_bytes((folder / file).string(), errors);
            return std::make_shared<const Bytes>(bytes.value_or(Bytes()));
        };
        Job job;
        job.name = name;
        const std::string program = field(row, "name") + ".tprog";
        job.stream = files::read_program((folder / "prog" / program).string(), layout, errors)
                         .value_or(Bytes());
        const Bytes probe = flush_probe(platform.architecture);
        job.stream.insert(job.stream.end(), probe.begin(), probe.end());
        for (const int bank : {0, 1}) {
            const std::string extension = bank == 0 ? ".d0" : ".d1";
            const std::string last = field(row, bank == 0 ? "final_d0" : "final_d1");
            job.before.push_back(
                {bank, 0, image(fs::path("init") / (field(row, "init") + extension))});
            job.after.push_back(
                {bank, 0,
                 last == "unchanged" ? job.before.back().bytes : image(fs::path("final") / last)});
        }
        const auto cycles = verif::text::number(field(row, "cycles"));
        if (cycles && options.latency == kRecordedLatency && options.stall == 0.0)
            job.most_cycles = *cycles;
        return job;
    }

    const SimulateOptions& options_;
    const Platform& platform_;
    std::vector<std::string>& errors_;
    std::vector<ProgramRun> programs_;
};

}  // namespace

std::vector<ProgramRun> conformance_programs(const std::string& folder,
                                             const SimulateOptions& options,
                                             const Platform& platform,
                                             std::vector<std::string>& errors) {
    std::error_code code;
    if (!fs::is_directory(folder, code)) {
        errors.push_back("--conformance = " + folder + ": want a folder");
        return {};
    }
    std::vector<ProgramRun> out = Finder(options, platform, errors).find(folder);
    if (out.empty() && errors.empty()) {
        errors.push_back("--conformance = " + folder +
                         ": found no .tmodel and no index.csv: want folders with these");
    }
    return out;
}

}  // namespace macrame::tcu::run
