#include "verif/systolic/check/program_check.hpp"

#include <array>

#include "verif/common/text.hpp"
#include "verif/systolic/check/conflict.hpp"
#include "verif/systolic/check/order.hpp"
#include "verif/systolic/isa/rules.hpp"

namespace macrame::systolic::check {

namespace {

using verif::text::shortest;

std::string joined_text(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : "; ") + part;
    return out;
}

/// Queues of the architecture; any order of steps ends in the same place.
std::vector<std::string> bounded_waits(const Architecture& architecture,
                                       const std::vector<Instruction>& program) {
    Scheduler scheduler(architecture, program);
    for (auto steps = scheduler.steps(); !steps.empty(); steps = scheduler.steps())
        scheduler.take(steps.front());
    return scheduler.done() ? std::vector<std::string>() : scheduler.waits();
}

class Checker {
public:
    Checker(const Architecture& architecture, const std::vector<Instruction>& program)
        : architecture_(architecture), program_(program), order_(program) {}

    std::vector<Finding> run() {
        check_instructions();
        if (!order_.waits.empty()) {
            add(Kind::missing_token, 0, 0, joined_text(order_.waits));
        } else {
            const auto waits = bounded_waits(architecture_, program_);
            if (!waits.empty()) add(Kind::deadlock, 0, 0, joined_text(waits));
        }
        for (std::size_t q = 0; q < kTokenQueues; ++q) {
            if (order_.left[q] == 0) continue;
            add(Kind::unused_token, 0, 0,
                shortest(order_.left[q]) + " of " +
                    std::string(tokens_name(static_cast<Tokens>(q))));
        }
        check_hazards();
        return std::move(findings_);
    }

private:
    void add(Kind kind, std::size_t index, std::size_t other, std::string text) {
        findings_.push_back({kind, index, other, std::move(text)});
    }

    std::string name(std::size_t index) const {
        return std::string(module_name(program_[index].module)) + " (" + shortest(index) + ")";
    }

    void check_instructions() {
        for (std::size_t i = 0; i < program_.size(); ++i) {
            const std::string reason = problem(architecture_, program_[i]);
            if (!reason.empty()) add(Kind::illegal, i, i, name(i) + ": " + reason);
            accesses_.push_back(reason.empty() ? accesses(architecture_, program_[i])
                                               : Accesses());
        }
    }

    /// Of each instruction with those before it in the stream that need not have ended.
    void check_hazards() {
        std::array<std::vector<std::size_t>, kModuleCount> earlier;
        for (std::size_t i = 0; i < program_.size(); ++i) {
            const std::size_t own = number(program_[i].module);
            for (std::size_t m = 0; m < kModuleCount && order_.before[i]; ++m) {
                if (m == own) continue;
                for (std::size_t k = (*order_.before[i])[m]; k < earlier[m].size(); ++k)
                    check_pair(earlier[m][k], i);
            }
            earlier[own].push_back(i);
        }
    }

    void check_pair(std::size_t a, std::size_t b) {
        if (!order_.before[a]) return;
        const Conflict found = conflict(accesses_[a], accesses_[b]);
        if (!found) return;
        const Kind kind = !found.earlier_writes ? Kind::write_after_read
                          : found.later_writes  ? Kind::write_after_write
                                                : Kind::read_after_write;
        add(kind, b, a,
            name(b) + (found.later_writes ? " writes " : " reads ") + found.place + ", which " +
                name(a) + (found.earlier_writes ? " writes" : " reads") +
                ": no token orders them");
    }

    const Architecture& architecture_;
    const std::vector<Instruction>& program_;
    Order order_;
    std::vector<Accesses> accesses_;
    std::vector<Finding> findings_;
};

}  // namespace

std::string_view kind_name(Kind kind) {
    constexpr std::array<std::string_view, 7> kNames = {
        "illegal instruction", "missing token",    "deadlock",         "unused token",
        "read-after-write",    "write-after-read", "write-after-write"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Finding> check_program(const Architecture& architecture,
                                   const std::vector<Instruction>& program) {
    return Checker(architecture, program).run();
}

std::string finding_text(const Finding& finding) {
    return std::string(kind_name(finding.kind)) + ": " + finding.text;
}

}  // namespace macrame::systolic::check
