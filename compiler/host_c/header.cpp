/// NAME_host.h.
#include "compiler/host_c/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "compiler/host_c/calls.hpp"
#include "compiler/host_c/names.hpp"

namespace macrame::compiler::host_c {

namespace {

void add_sizes(std::string& text, const HeaderFacts& of, std::string_view kind,
               const std::vector<graph::TensorId>& ids, std::size_t count) {
    text += fmt::format("#define {}_{}S {}\n", of.upper, kind, count);
    for (std::size_t i = 0; i < count; ++i) {
        const graph::Tensor& tensor = of.graph.tensor(ids[i]);
        text += fmt::format("#define {}_{}_{}_BYTES {} /* {} {}: {} */\n", of.upper, kind, i,
                            tensor.bytes(), graph::name_of(tensor.type),
                            fmt::join(tensor.shape, "x"), comment(tensor.name));
        const graph::Quantisation& q = tensor.quantisation;
        if (q.scale.size() != 1) continue;
        text += fmt::format("#define {0}_{1}_{2}_SCALE {3}\n#define {0}_{1}_{2}_ZERO ({4})\n",
                            of.upper, kind, i, c_text(q.scale[0]), q.zero_point[0]);
    }
}

}  // namespace

std::string header_text(const HeaderFacts& of) {
    const Driver driver = of.driver;
    std::string text = fmt::format(
        "/* {}: all of the network, hardware and host; made by macrame compile.\n"
        " * runtime/host/README.md tells how to use it. */\n"
        "#ifndef {}_HOST_H\n#define {}_HOST_H\n\n#include <stdint.h>\n\n"
        "{}#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
        comment(of.file), of.upper, of.upper,
        driver == Driver::registers ? "#include \"macrame.h\"\n\n"
        : driver == Driver::codes   ? "#include \"tcu/macrame_tcu.h\"\n\n"
        : driver == Driver::images  ? "#include \"systolic/macrame_systolic.h\"\n\n"
                                    : "");
    text += fmt::format("#define {}_PROGRAMS {}\n", of.upper, of.programs);
    add_sizes(text, of, "INPUT", of.graph.inputs, of.graph.own_inputs());
    add_sizes(text, of, "OUTPUT", of.graph.outputs, of.graph.own_outputs());
    text += fmt::format("#define {}_ARENA_BYTES {}\n\n", of.upper,
                        std::max<std::uint64_t>(of.arena_bytes, 1));
    if (driver == Driver::images)
        text += fmt::format(
            "/* Where what is in the images of the programs, {0}.bin or {0}.1.bin, {0}.2.bin, "
            "... "
            "*/\n"
            "extern const struct macrame_systolic_program {1}_programs[{2}_PROGRAMS];\n\n",
            comment(of.file), of.name, of.upper);
    text += fmt::format("struct {} {{\n", of.name);
    if (of.programs != 0 && driver == Driver::registers)
        text +=
            "    /* Opened, each with its machine, in whose block it is prepared. In the order "
            "of the files. */\n"
            "    const struct macrame_program* programs;\n"
            "    const struct macrame_machine* machines;\n"
            "    /* Resets the accelerator in front of each program; null: it is not needed, "
            "see\n"
            "     * runtime/README.md. */\n"
            "    void (*reset)(const struct macrame_machine* machine);\n";
    if (driver == Driver::codes)
        text +=
            "    /* Opened, with their files. One program is loaded, of several each before it "
            "runs. */\n"
            "    struct macrame_tcu_network* programs;\n"
            "    const struct macrame_tcu_machine* machine;\n";
    if (driver == Driver::images)
        text +=
            "    /* Each with the image of its program loaded, in the order of the files. */\n"
            "    const struct macrame_machine* machines;\n";
    if (driver == Driver::callers)
        text +=
            "    /* Runs a program: elements of its inputs to those of its outputs; 0: well. "
            "*/\n"
            "    int (*run_program)(void* user, uint32_t program, const void* const* inputs,\n"
            "                       void* const* outputs);\n"
            "    void* user;\n";
    text += fmt::format(
        "    void* arena; /* {}_ARENA_BYTES, aligned to 8 */\n"
        "    /* Behind an error: what failed. */\n"
        "    const char* failed;\n"
        "    /* Of a run. */\n"
        "    const void* const* inputs;\n"
        "    void* const* outputs;\n"
        "}};\n\n"
        "/* Once, and whenever what the network remembers is to begin anew. */\n"
        "void {}_begin(struct {}* net);\n\n"
        "/* Outputs for inputs, elements row by row, each aligned as its type wants it. 0, or "
        "what the\n * runtime or a function of the host returned. */\n"
        "int {}_run(struct {}* net, const void* const* inputs, void* const* outputs);\n\n"
        "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        of.upper, of.name, of.name, of.name, of.name);
    return text;
}

}  // namespace macrame::compiler::host_c
