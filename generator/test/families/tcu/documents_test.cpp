#include "families/tcu/documents.hpp"

#include <algorithm>

#include "families/tcu/derived.hpp"
#include "support.hpp"
#include "verif/tcu/files/arch_file.hpp"

namespace macrame::tcu {
namespace {

std::map<std::string, std::string> documents_of(const std::string& name) {
    return documents(preset(name).design);
}

const Section& section(const Page& page, const std::string& heading) {
    const auto at = std::find_if(page.sections.begin(), page.sections.end(), [&](const Section& s) {
        return s.heading.compare(0, heading.size(), heading) == 0;
    });
    EXPECT_NE(at, page.sections.end()) << heading;
    return *at;
}

Page page_of(const Config& config) { return instruction_page(architecture_of(config), "x"); }

TEST(TcuDocuments, HeaderOfTheDriver) {
    const std::string header = documents_of("ultra96v2").at("include/architecture_params.h");
    for (const std::string line :
         {"DATA_TYPE TENSIL_DATA_TYPE_FP16BP8", "ARRAY_SIZE 16", "DRAM0_DEPTH 2097152",
          "DRAM1_DEPTH 2097152", "LOCAL_DEPTH 20480", "ACCUMULATOR_DEPTH 4096",
          "SIMD_REGISTERS_DEPTH 1", "STRIDE0_DEPTH 8", "STRIDE1_DEPTH 8"}) {
        EXPECT_NE(header.find("\n#define TENSIL_ARCHITECTURE_" + line + "\n"), header.npos) << line;
    }
    EXPECT_EQ(header.find('"'), header.npos);
}

/// What is written is read again, and generates the same.
TEST(TcuDocuments, ArchitectureFileIsReadAgain) {
    for (const char* name : {"artya7100t", "zcu104_uram", "custom_perf"}) {
        Request request;
        request.config_file =
            file_with("again.tarch", documents_of(name).at("include/architecture.tarch"));
        Diags diags;
        const Settings again = resolve(request, emit::Assets(), diags);
        EXPECT_EQ(texts(diags), std::vector<std::string>{});
        for (const Param& param : params()) {
            EXPECT_EQ(value_text(again.config(), param), value_text(preset(name).config(), param))
                << name << " " << param.key;
        }
    }
}

/// Encodings known from the original.
TEST(TcuDocuments, ExamplesAreKnownEncodings) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> known = {
        {"pynqz1",
         {"10 00 23 01 20 3f 00 22", "10 00 08 00 00 00 00 30", "00 00 00 00 00 00 00 31",
          "20 20 40 00 00 0f 00 11", "00 00 00 00 00 09 00 40", "05 00 06 00 00 7a 00 43",
          "30 00 40 00 30 01 00 2c", "30 00 40 00 00 00 00 2f", "40 23 01 00 00 00 00 f0"}},
        {"ultra96v2",
         {"10 00 00 23 01 40 3f 00 22", "10 00 00 10 00 00 00 00 30", "20 80 00 40 00 00 0f 00 11",
          "05 00 00 06 00 00 7a 00 43", "30 00 00 40 00 60 01 00 2c",
          "40 23 01 00 00 00 00 00 f0"}},
        {"zcu104", {"10 00 00 20 00 00 00 00 30", "20 40 00 40 00 00 0f 00 11"}},
        {"zcu104_uram", {"20 00 01 40 00 00 0f 00 11"}},
        {"cmoda7",
         {"10 00 23 01 01 3f 00 22", "10 00 04 00 00 00 00 30", "20 10 40 00 00 0f 00 11",
          "30 00 40 80 01 01 00 2c"}},
    };
    for (const auto& [name, encodings] : known) {
        const auto rows = section(page_of(config_of(preset(name))), "Examples").rows;
        for (const std::string& bytes : encodings) {
            EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                                    [&](const auto& row) { return row[1] == "`" + bytes + "`"; }))
                << name << " " << bytes;
        }
    }
}

TEST(TcuDocuments, FieldsOfInstructions) {
    const Page page = page_of(config_of(preset("zcu104")));
    const auto expect = [&](const std::string& instruction,
                            const std::vector<std::vector<std::string>>& fields) {
        const auto rows = section(page, instruction).rows;
        ASSERT_EQ(rows.size(), fields.size()) << instruction;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i][0], fields[i][0]) << instruction << " " << i;
            EXPECT_EQ(rows[i][1], fields[i][1]) << instruction << " " << i;
        }
    };
    expect("MatMul", {{"13:0", "address 0"},
                      {"16:14", "stride 0"},
                      {"44:24", "address 1"},
                      {"47:45", "stride 1"},
                      {"63:48", "size"},
                      {"64", "accumulate"},
                      {"65", "zeroes"},
                      {"71:68", "opcode"}});
    expect("SIMD", {{"23:0", "write address"},
                    {"47:24", "read address"},
                    {"48", "destination"},
                    {"49", "right"},
                    {"50", "left"},
                    {"54:51", "operation"},
                    {"64", "read"},
                    {"65", "write"},
                    {"66", "accumulate"},
                    {"71:68", "opcode"}});
    expect("Configure", {{"3:0", "register"}, {"31:4", "value"}, {"71:68", "opcode"}});
}

/// The pictures have every bit once, from bit 0 upward.
TEST(TcuDocuments, PicturesHaveAllBits) {
    Config small;
    small.array_size = 2;
    small.local_depth = small.accumulator_depth = small.dram0_depth = small.dram1_depth = 2;
    small.simd_registers_depth = 0;
    small.stride0_depth = small.stride1_depth = 1;
    for (const Config& config : {Config(), small, config_of(preset("ultra96v2"))}) {
        int pictures = 0;
        for (const Section& s : page_of(config).sections) {
            if (s.picture.empty()) continue;
            int next = 0;
            for (const BitField& field : s.picture) {
                EXPECT_EQ(field.lsb, next) << s.heading << " " << field.name;
                EXPECT_GT(field.bits, 0) << s.heading << " " << field.name;
                next += field.bits;
            }
            EXPECT_EQ(next, derive(config).instruction_w) << s.heading;
            ++pictures;
        }
        EXPECT_EQ(pictures, 6);
    }
}

/// LoadLUT and Lookup are there with tables only.
TEST(TcuDocuments, LookupTables) {
    Config config;
    EXPECT_EQ(section(page_of(config), "SIMD operations").rows.size(), 16u);
    EXPECT_EQ(to_markdown(page_of(config)).find("LoadLUT"), std::string::npos);
    config.simd_registers_depth = config.lut_tables = 2;
    config.lut_depth = 16;
    EXPECT_EQ(section(page_of(config), "SIMD operations").rows.back()[1], "Lookup");
    EXPECT_EQ(section(page_of(config), "LoadLUT").rows.back()[2], "0x5");
}

TEST(TcuDocuments, PageAsText) {
    const Page page{
        "A & B", "Code: `x < 1`.", {{"One", "", {{"f", 0, 2}, {"", 2, 1}}, {"h"}, {{"`c`"}}}}};
    EXPECT_EQ(to_markdown(page),
              "# A & B\n\nCode: `x < 1`.\n\n## One\n\n| h |\n| --- |\n| `c` |\n");
    const std::string html = to_html(page);
    for (const std::string part :
         {"<title>A &amp; B</title>", "<p>Code: <code>x &lt; 1</code>.</p>",
          "<span style=\"flex-grow: 1\" class=\"none\"><small>2</small></span>\n"
          "<span style=\"flex-grow: 2\">f<small>1:0</small></span>",
          "<tr><th>h</th></tr>\n<tr><td><code>c</code></td></tr>"}) {
        EXPECT_NE(html.find(part), html.npos) << part;
    }
}

}  // namespace
}  // namespace macrame::tcu
