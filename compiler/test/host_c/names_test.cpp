/// Networks whose names are words of C or C++, macros, types, or no names there at all.

#include "compiler/test/host_c/cases.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, AnyNameOfANetworkCompiles) {
    Builder b(Rounding::tflite);
    const TensorId x = b.input(Type::int8, {1, 4, 5}, 0.1F, 4);
    b.node(Softmax{}, {x}, {b.output(Type::int8, {1, 4, 5}, 1.0F / 256, -128)});
    const Folder folder;
    std::string headers, sources;
    for (const std::string name : {"int", "class", "and", "linux", "errno", "3net", "uint8_t", "_x",
                                   "macrame", "\xc3\xa9t\xc3\xa9", "my-net", "net"}) {
        const Written made = write(b.graph, on_host(b.graph), name);
        ASSERT_EQ(made.problem, "");
        for (const auto& [file, text] : made.files)
            write_text(folder.path / file, text);
        headers += "#include \"" + name + "_host.h\"\n";
        sources += "#include \"" + name + "_host.c\"\n";
    }
    headers = "#include <errno.h>\n#include <stdint.h>\n" + headers;
    write_text(folder.path / "nets.c", headers + sources);
    write_text(folder.path / "nets.cpp", headers);
    for (const std::string compiler : {"cc -std=gnu11 nets.c", "c++ -std=gnu++17 nets.cpp"}) {
        const std::string command = "cd " + folder.path.string() + " && " + compiler +
                                    " -fsyntax-only -Wall -Wextra -Werror -I" SOURCE_DIR "/runtime";
        EXPECT_EQ(std::system(command.c_str()), 0) << compiler;
    }
}

}  // namespace
}  // namespace macrame::compiler::host_c
