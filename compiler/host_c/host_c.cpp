#include "compiler/host_c/host_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/host_c/header.hpp"
#include "compiler/host_c/images.hpp"
#include "compiler/host_c/names.hpp"
#include "compiler/host_c/share.hpp"

namespace macrame::compiler::host_c {

using graph::TensorId;

namespace {

/// Functions that need those of math.h.
const std::set<std::string> kMath = {"real_softmax", "norm",       "power",      "real_l2_norm",
                                     "local_norm",   "detections", "suppression"};

class Writer {
public:
    Writer(const graph::Graph& graph, const std::vector<Part>& parts, const std::string& name)
        : graph_(graph),
          file_(name),
          name_(c_name(name)),
          upper_(upper(name_)),
          constants_(name_ + "_"),
          share_(share_of(graph, parts, constants_)) {
        for (const Step& step : share_.steps)
            if (step.part != nullptr) programs_.push_back(&step);
    }

    Written run() {
        Written out;
        out.problem = share_.problem;
        if (!out.problem.empty()) return out;
        out.memory_bytes = share_.arena_bytes;
        const std::string source = this->source();  // before what it needs is told
        out.files[file_ + "_host.c"] = source;
        out.files[file_ + "_host.h"] = header_text(
            {graph_, file_, name_, upper_, programs_.size(), share_.arena_bytes, driver()});
        out.files[file_ + "_host.mk"] = makefile();
        return out;
    }

private:
    Driver driver() const {
        if (registers()) return Driver::registers;
        if (codes()) return Driver::codes;
        return images() ? Driver::images : Driver::callers;
    }

    /// Programs are run by runtime/macrame.h; else by a function of the caller.
    bool registers() const {
        return std::all_of(programs_.begin(), programs_.end(),
                           [](const Step* step) { return step->part->compiled.own == nullptr; });
    }

    /// By runtime/tcu/.
    bool codes() const {
        return !programs_.empty() &&
               std::all_of(programs_.begin(), programs_.end(), [](const Step* step) {
                   return !step->encoded.empty() && !step->decoded.empty();
               });
    }

    /// By runtime/systolic/.
    bool images() const {
        return !programs_.empty() &&
               std::all_of(programs_.begin(), programs_.end(), [](const Step* step) {
                   const auto& own = step->part->compiled.own;
                   return own != nullptr && own->image();
               });
    }

    std::string makefile() const {
        std::string text = fmt::format(
            "# What {}_host.c needs: MACRAME_RUNTIME is the folder runtime/ of macrame.\n"
            "{}_HOST_SOURCES = $(dir $(lastword $(MAKEFILE_LIST))){}_host.c",
            file_, upper_, file_);
        bool math = uses_math_ || uses_functions_;
        for (const std::string& function : functions_) {
            const bool in_math = kMath.count(function) != 0;
            math = math || in_math;
            text += fmt::format(" \\\n    $(MACRAME_RUNTIME)/host/{}{}.c", in_math ? "math/" : "",
                                function);
        }
        if (!programs_.empty() && registers())
            text +=
                " \\\n    $(MACRAME_RUNTIME)/macrame.c \\\n    $(MACRAME_RUNTIME)/macrame_open.c";
        if (!share_.residents.empty()) text += " \\\n    $(MACRAME_RUNTIME)/macrame_rows.c";
        if (codes()) {
            for (const char* file : {"", "_control", "_open", "_program", "_tensor"})
                text += fmt::format(" \\\n    $(MACRAME_RUNTIME)/tcu/macrame_tcu{}.c", file);
        }
        if (images()) text += " \\\n    $(MACRAME_RUNTIME)/systolic/macrame_systolic.c";
        text += fmt::format("\n{}_HOST_CFLAGS = -std=c99 -ffp-contract=off -I$(MACRAME_RUNTIME)\n",
                            upper_);
        text += fmt::format("{}_HOST_LIBS ={}\n", upper_, math ? " -lm" : "");
        return text;
    }

    // ---------------------------------------------------------------- source

    std::string text_of(const Place& place) const {
        switch (place.kind) {
            case Place::Kind::input:
                return fmt::format("net->inputs[{}]", place.number);
            case Place::Kind::output:
                return fmt::format("net->outputs[{}]", place.number);
            case Place::Kind::arena:
                return fmt::format("AT({})", place.number);
            case Place::Kind::constant:
                break;
        }
        return place.name;
    }
    std::string text_of(TensorId id) const { return text_of(share_.places.at(id)); }

    void add_copy(std::string& text, const Copy& copy) {
        functions_.insert("move");
        text += fmt::format("    macrame_host_move({}, {}, &{});\n", text_of(copy.to),
                            text_of(copy.from),
                            parameters("move", fmt::format("{{.size = {}}}", copy.bytes)));
    }

    /// Name of a constant struct.
    std::string parameters(const std::string& of, const std::string& with) {
        const std::string type = "struct macrame_host_" + of;
        const auto [found, added] =
            parameters_.try_emplace(type + with, fmt::format("{}_p{}", name_, parameters_.size()));
        if (added)
            definitions_ +=
                fmt::format("static const {} {} = {};\n", type, found->second, broken(with));
        return found->second;
    }

    /// Long text in lines.
    static std::string broken(const std::string& text) {
        constexpr std::size_t kColumns = 90;
        std::string out;
        std::size_t column = 0;
        for (const char c : text) {
            out += c;
            ++column;
            if (c == ' ' && column > kColumns - 20) {
                out.back() = '\n';
                out += "    ";
                column = 4;
            }
        }
        return out;
    }

    void add_calls(std::string& text, const Operation& operation) {
        const std::string& where = graph_.nodes[at(operation.node)].where;
        text += fmt::format("    net->failed = {};\n", quoted(where));
        add_calls(text, operation.calls, operation.scratch);
    }

    void add_calls(std::string& text, const std::vector<Call>& calls,
                   const std::vector<std::uint64_t>& scratch) {
        for (const Call& call : calls) {
            functions_.insert(call.function);
            std::string operands;
            for (const Operand& operand : call.operands)
                operands +=
                    (operand.scratch < 0 ? text_of(operand.id)
                                         : fmt::format("AT({})", scratch[at(operand.scratch)])) +
                    ", ";
            const std::string made =
                fmt::format("macrame_host_{}({}&{})", call.function, operands,
                            parameters(call.type.empty() ? call.function : call.type, call.with));
            if (call.can_fail)
                text += fmt::format("    if ({} != 0) return MACRAME_HOST_BAD_VALUE;\n", made);
            else
                text += fmt::format("    {};\n", made);
        }
    }

    /// Name of a struct macrame_tensor.
    std::string tensor_text(const program::Tensor& t) {
        const std::string fields = fmt::format(
            "{{.name = {}, .element = {}, .height = {}, .width = {}, .channels = {}, .offset = "
            "{}u, "
            ".group = {}, .surface_stride = {}u, .line_stride = {}u, .pixel_stride = {}u, "
            ".scale = {}, .zero_point = {}, .filler = {}}}",
            quoted(t.name), static_cast<int>(t.element), t.height, t.width, t.channels, t.offset,
            t.group, t.surface_stride, t.line_stride, t.pixel_stride, c_text(t.scale), t.zero_point,
            int{t.filler});
        const auto [found, added] =
            parameters_.try_emplace(fields, fmt::format("{}_t{}", name_, parameters_.size()));
        if (added)
            definitions_ += fmt::format("static const struct macrame_tensor {} = {};\n",
                                        found->second, broken(fields));
        return found->second;
    }

    void add_transfer(std::string& text, const Transfer& transfer, bool is_read) {
        if (is_read && share_.places.at(transfer.id).kind == Place::Kind::input) return;
        text += fmt::format(
            "    error = macrame_{}_tensor(machine, &{}, {}, {});\n"
            "    if (error != MACRAME_OK) return error;\n",
            is_read ? "read" : "write", tensor_text(transfer.place), text_of(transfer.id),
            graph_.tensor(transfer.id).bytes());
    }

    const Resident* resident_of(std::size_t step, int node) const {
        for (const Resident& one : share_.residents)
            if (one.step == step && one.node == node) return &one;
        return nullptr;
    }

    /// Rows go into the memory of the program.
    void add_rows(std::string& text, const Operation& operation, const Resident& resident) {
        const graph::Node& node = graph_.nodes[at(operation.node)];
        for (const Transfer& transfer : operation.reads)
            if (transfer.id != node.inputs[0]) add_transfer(text, transfer, true);
        const graph::Tensor& places = graph_.tensor(node.inputs[2]);
        text += fmt::format(
            "    net->failed = {};\n"
            "    error = macrame_put_rows(machine, &{}, {}, {}, {}, {}, {});\n",
            quoted(node.where), tensor_text(resident.place), resident.axis, places.elements(),
            text_of(node.inputs[1]), text_of(node.inputs[2]), graph::size_of(places.type));
    }

    std::string head(std::size_t number) const {
        return fmt::format("static int {1}_step_{0}(struct {1}* net) {{\n", number, name_);
    }

    /// A function for operators in a row.
    std::string host_step(std::size_t number, const Step& step) {
        std::string text = head(number);
        for (const Operation& operation : step.operations)
            add_calls(text, operation);
        return text + "    return 0;\n}\n\n";
    }

    /// Functions for the operators that a program calls, and one that finds them.
    std::string callbacks(std::size_t number, const Step& step) {
        std::string text, cases;
        std::set<int> seen;
        for (const Operation& operation : step.operations) {
            if (!seen.insert(operation.number).second) continue;
            text += fmt::format(
                "static int {2}_call_{0}_{1}(struct {2}* net, const struct macrame_machine* "
                "machine) {{\n    int error = MACRAME_OK;\n",
                number, operation.number, name_);
            const std::size_t begin = text.size();
            if (const Resident* resident = resident_of(number, operation.node)) {
                add_rows(text, operation, *resident);
            } else {
                for (const Transfer& transfer : operation.reads)
                    add_transfer(text, transfer, true);
                add_calls(text, operation);
                for (const Transfer& transfer : operation.writes)
                    add_transfer(text, transfer, false);
            }
            if (text.find("(machine, ", begin) == std::string::npos) text += "    (void)machine;\n";
            text += "    return error;\n}\n\n";
            cases +=
                fmt::format("        case {}:\n            return {}_call_{}_{}(net, machine);\n",
                            operation.number, name_, number, operation.number);
        }
        return text +
               fmt::format(
                   "static int {1}_call_{0}(void* user, const struct macrame_machine* machine,\n"
                   "                   uint32_t number) {{\n"
                   "    struct {1}* const net = (struct {1}*)user;\n"
                   "    switch (number) {{\n{2}        default:\n"
                   "            return MACRAME_BAD_ARGUMENT;\n    }}\n}}\n\n",
                   number, name_, cases);
    }

    std::string program_step(std::size_t number, const Step& step, std::size_t program) {
        std::string text;
        if (!step.operations.empty()) text += callbacks(number, step);
        text += head(number);
        text += fmt::format(
            "    const struct macrame_program* const program = &net->programs[{}];\n"
            "    const struct macrame_machine* const machine = &net->machines[{}];\n"
            "    struct macrame_runner run;\n    int error = macrame_begin(&run, program, "
            "machine);\n"
            "    if (net->reset) net->reset(machine);\n"
            "    net->failed = {};\n",
            program, program, quoted(fmt::format("program {}", program + 1)));
        if (!step.operations.empty())
            text += fmt::format("    run.host = {}_call_{};\n    run.user = net;\n", name_, number);
        const auto stays = [&](std::size_t Resident::*of, std::size_t i) {
            return std::any_of(
                share_.residents.begin(), share_.residents.end(),
                [&](const Resident& one) { return one.step == number && one.*of == i; });
        };
        for (std::size_t i = 0; i < step.inputs.size(); ++i)
            if (!stays(&Resident::input, i))
                text += fmt::format(
                    "    if (error == MACRAME_OK)\n"
                    "        error = macrame_write_input(program, machine, {}, {}, {});\n",
                    i, text_of(step.inputs[i]), graph_.tensor(step.inputs[i]).bytes());
        text += "    if (error == MACRAME_OK) error = macrame_finish(&run);\n";
        for (std::size_t i = 0; i < step.outputs.size(); ++i)
            if (!stays(&Resident::output, i))
                text += fmt::format(
                    "    if (error == MACRAME_OK)\n"
                    "        error = macrame_read_output(program, machine, {}, {}, {});\n",
                    i, text_of(step.outputs[i]), graph_.tensor(step.outputs[i]).bytes());
        return text + "    return error;\n}\n\n";
    }

    /// A program of runtime/tcu/.
    std::string coded_step(std::size_t number, const Step& step, std::size_t program) {
        std::string text = head(number);
        text += fmt::format(
            "    struct macrame_tcu_network* const program = &net->programs[{}];\n"
            "    int error = {};\n    net->failed = {};\n"
            "    if (error != MACRAME_TCU_OK) return error;\n",
            program,
            programs_.size() > 1 ? "macrame_tcu_load(program, net->machine)" : "MACRAME_TCU_OK",
            quoted(fmt::format("program {}", program + 1)));
        const auto transfer = [&](const char* function, std::size_t i, const Coding& coding) {
            text += fmt::format(
                "    error = macrame_tcu_{}_vectors(program, net->machine, {}, AT({}), {});\n"
                "    if (error != MACRAME_TCU_OK) return error;\n",
                function, i, coding.scratch[0], coding.vectors);
        };
        for (std::size_t i = 0; i < step.encoded.size(); ++i) {
            add_calls(text, step.encoded[i].calls, step.encoded[i].scratch);
            transfer("write", i, step.encoded[i]);
        }
        text +=
            "    error = macrame_tcu_run(program, net->machine);\n"
            "    if (error != MACRAME_TCU_OK) return error;\n";
        for (std::size_t i = 0; i < step.decoded.size(); ++i) {
            transfer("read", i, step.decoded[i]);
            add_calls(text, step.decoded[i].calls, step.decoded[i].scratch);
        }
        return text + "    return error;\n}\n\n";
    }

    /// A program of runtime/systolic/.
    std::string image_step(std::size_t number, const Step& step, std::size_t program) {
        std::string text = head(number);
        text += fmt::format(
            "    const struct macrame_systolic_program* const program = &{}_programs[{}];\n"
            "    const struct macrame_machine* const machine = &net->machines[{}];\n"
            "    int error = MACRAME_OK;\n    net->failed = {};\n",
            name_, program, program, quoted(fmt::format("program {}", program + 1)));
        const auto transfer = [&](const char* function, std::size_t i, TensorId id) {
            text += fmt::format(
                "    if (error == MACRAME_OK)\n"
                "        error = macrame_systolic_{}(program, machine, {}, {}, {});\n",
                function, i, text_of(id), graph_.tensor(id).bytes());
        };
        for (std::size_t i = 0; i < step.inputs.size(); ++i)
            transfer("write_input", i, step.inputs[i]);
        text += "    if (error == MACRAME_OK) error = macrame_systolic_run(program, machine);\n";
        for (std::size_t i = 0; i < step.outputs.size(); ++i)
            transfer("read_output", i, step.outputs[i]);
        return text + "    return error;\n}\n\n";
    }

    /// A program of another runtime.
    std::string foreign_step(std::size_t number, const Step& step, std::size_t program) {
        const auto list = [&](const std::vector<TensorId>& ids) {
            std::string text;
            for (const TensorId id : ids)
                text += (text.empty() ? "" : ", ") + text_of(id);
            return text;
        };
        return head(number) +
               fmt::format(
                   "    const void* const inputs[] = {{{}}};\n    void* const outputs[] = {{{}}};\n"
                   "    net->failed = {};\n"
                   "    return net->run_program(net->user, {}, inputs, outputs);\n}}\n\n",
                   list(step.inputs), list(step.outputs),
                   quoted(fmt::format("program {}", program + 1)), program);
    }

    /// Number of the program that a step is.
    std::size_t program_of(std::size_t step) const {
        return static_cast<std::size_t>(std::count_if(
            share_.steps.begin(), share_.steps.begin() + static_cast<std::ptrdiff_t>(step),
            [](const Step& one) { return one.part != nullptr; }));
    }

    std::string source() {
        std::string body, steps;
        std::size_t program = 0;
        if (images()) {
            std::vector<ImageProgram> all;
            for (const Step* step : programs_)
                all.push_back(*step->part->compiled.own->image());
            definitions_ += image_tables(all, name_, upper_);
        }
        for (std::size_t i = 0; i < share_.steps.size(); ++i) {
            const Step& step = share_.steps[i];
            if (step.part == nullptr)
                body += host_step(i, step);
            else if (registers())
                body += program_step(i, step, program++);
            else if (codes())
                body += coded_step(i, step, program++);
            else if (images())
                body += image_step(i, step, program++);
            else
                body += foreign_step(i, step, program++);
            steps += fmt::format("    if (error == 0) error = {}_step_{}(net);\n", name_, i);
        }
        std::string begin, behind;
        for (const Copy& copy : share_.states)
            add_copy(begin, copy);
        for (const Resident& one : share_.residents) {
            const std::size_t number = program_of(one.step);
            begin += fmt::format(
                "    macrame_write_input(&net->programs[{0}], &net->machines[{0}], {1}, {2}, "
                "{3});\n",
                number, one.input, text_of(one.first),
                graph_.tensor(share_.steps[one.step].inputs[one.input]).bytes());
        }
        for (const Copy& copy : share_.behind)
            add_copy(behind, copy);
        if (!behind.empty()) behind = "    if (error != 0) return error;\n" + behind;
        std::string text =
            fmt::format("/* {}: made by macrame compile. */\n#include \"{}_host.h\"\n\n",
                        comment(file_), file_);
        text += "#include \"host/macrame_host.h\"\n";
        uses_math_ = constants_.text().find("INFINITY") != std::string::npos ||
                     constants_.text().find("NAN") != std::string::npos;
        if (uses_math_) text += "#include <math.h>\n";
        uses_functions_ = definitions_.find("macrame_function_") != std::string::npos;
        if (uses_functions_) text += "#include \"host/math/macrame_functions.h\"\n";
        text += "\n#define AT(offset) ((void*)((uint8_t*)net->arena + (offset)))\n\n";
        text += constants_.text() + definitions_ + "\n" + body;
        text += fmt::format(
            "void {}_begin(struct {}* net) {{\n    net->failed = \"\";\n{}}}\n\n"
            "int {}_run(struct {}* net, const void* const* inputs, void* const* outputs) {{\n"
            "    int error = 0;\n    net->inputs = inputs;\n    net->outputs = outputs;\n{}{}"
            "    if (error == 0) net->failed = \"\";\n    return error;\n}}\n\n#undef AT\n",
            name_, name_, begin, name_, name_, steps, behind);
        return text;
    }

    const graph::Graph& graph_;
    std::string file_, name_, upper_;
    Constants constants_;
    Share share_;
    std::vector<const Step*> programs_;
    std::set<std::string> functions_;
    std::map<std::string, std::string> parameters_;
    std::string definitions_;
    bool uses_math_ = false, uses_functions_ = false;
};

}  // namespace

Written write(const graph::Graph& graph, const std::vector<Part>& parts, const std::string& name) {
    return Writer(graph, parts, name).run();
}

}  // namespace macrame::compiler::host_c
