/// The driver of the tcu family without a unit: layouts, numbers, files and what it refuses.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "runtime/tcu/macrame_tcu_internal.h"
#include "runtime/test/tcu/sample_network.hpp"
#include "verif/common/random.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {
namespace {

TEST(TcuDriver, LayoutIsThatOfTheInstructionSet) {
    verif::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        Architecture a;
        a.data_type = static_cast<DataType>(random.in(0, 3));
        a.array_size = random.in(2, 256);
        a.dram0_depth = std::int64_t{2} << random.in(0, 31);
        a.dram1_depth = random.in(2, 1 << 30);
        a.local_depth = random.low(2, 65536);
        a.accumulator_depth = random.low(2, 65536);
        a.simd_registers_depth = random.in(0, 16);
        a.stride0_depth = random.in(1, 16);
        a.stride1_depth = random.in(1, 16);
        a.lut_tables = random.pick({0, 0, 1, 15});
        const Layout want = layout_of(a);
        const macrame_tcu_architecture c = to_c(a);
        macrame_tcu_layout found;
        macrame_tcu_layout_of(&c, &found);
        const std::string text = "array_size " + std::to_string(a.array_size);
        ASSERT_EQ(found.address0_bits, static_cast<std::uint32_t>(want.address0_bits)) << text;
        ASSERT_EQ(found.address1_bits, static_cast<std::uint32_t>(want.address1_bits)) << text;
        ASSERT_EQ(found.stride0_bits, static_cast<std::uint32_t>(want.stride0_bits)) << text;
        ASSERT_EQ(found.stride1_bits, static_cast<std::uint32_t>(want.stride1_bits)) << text;
        ASSERT_EQ(8 * found.operand0_bytes, static_cast<std::uint32_t>(want.operand0_bits));
        ASSERT_EQ(8 * found.operand1_bytes, static_cast<std::uint32_t>(want.operand1_bits));
        ASSERT_EQ(found.register_bits, static_cast<std::uint32_t>(want.register_bits)) << text;
        ASSERT_EQ(8 * found.operand2_bytes, static_cast<std::uint32_t>(want.operand2_bits));
        ASSERT_EQ(found.bytes, static_cast<std::uint32_t>(want.bytes)) << text;
        ASSERT_EQ(macrame_tcu_largest_value(&found),
                  (std::uint64_t{1} << want.configure_value_bits) - 1);
    }
}

/// floor(value * 2^B + 0.5), clamped.
std::int32_t reference_code(float value, const DataTypeInfo& type) {
    if (std::isnan(value)) return 0;
    const double limit = std::ldexp(1.0, type.width - 1);
    const double scaled = std::ldexp(static_cast<double>(value), type.binary_point);
    const double code = std::min(std::max(std::floor(scaled + 0.5), -limit), limit - 1);
    return static_cast<std::int32_t>(code);
}

TEST(TcuDriver, NumbersBecomeTheNearestCode) {
    verif::Random random(2);
    for (const DataTypeInfo& type : kDataTypes) {
        const auto check = [&](float value) {
            ASSERT_EQ(macrame_tcu_encode(static_cast<std::uint32_t>(type.type), value),
                      reference_code(value, type))
                << type.name << " " << value;
        };
        for (int i = 0; i < 200000; ++i) {
            const std::uint32_t bits = random.word();
            float value;
            std::memcpy(&value, &bits, sizeof value);
            check(value);
            // Around codes and their halves.
            check(std::ldexp(static_cast<float>(random.in(-70000, 70000)),
                             -type.binary_point - random.in(0, 3)));
        }
        for (const float value :
             {0.0f, -0.0f, 1e30f, -1e30f, std::numeric_limits<float>::infinity(),
              -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
              std::numeric_limits<float>::denorm_min(), 127.998f, 127.99804f, -128.01f, 32768.0f})
            check(value);
        EXPECT_EQ(macrame_tcu_decode(static_cast<std::uint32_t>(type.type), -3),
                  std::ldexp(-3.0f, -type.binary_point));
    }
    EXPECT_EQ(macrame_tcu_encode(MACRAME_TENSIL_DATA_TYPE_FP8BP4, 7.97f), 127);
    EXPECT_EQ(macrame_tcu_encode(MACRAME_TENSIL_DATA_TYPE_FP16BP8, -0.001953125f), 0);
    EXPECT_EQ(macrame_tcu_encode(MACRAME_TENSIL_DATA_TYPE_FP16BP8, 0.001953125f), 1);
}

struct BadModel {
    const char *from, *to;  ///< in the text of the sample
    int error;
    const char* what;
    std::uint64_t found, wanted;
};

TEST(TcuDriver, RefusesBadModels) {
    const Sample sample;
    const BadModel rows[] = {
        {"{\"name\"", "\"name\"", MACRAME_TCU_BAD_JSON, "{", 0, 0},
        {"\"prog\"", "\"program\"", MACRAME_TCU_BAD_MODEL, "a key that is not known", 0, 0},
        {"\"base\":4", "\"base\":-4", MACRAME_TCU_BAD_MODEL, "base", 0, 0},
        {"\"base\":4", "\"base\":4.5", MACRAME_TCU_BAD_MODEL, "base", 0, 0},
        {"\"base\":4", "\"base\":4,\"base\":4", MACRAME_TCU_BAD_MODEL, "base", 2, 1},
        {"\"base\":4", "\"base\":9999999999999999999999", MACRAME_TCU_BAD_MODEL, "base",
         9999999999999999u, std::uint64_t{1} << 32},
        {"\"base\":4,", "", MACRAME_TCU_BAD_MODEL, "base", 0, 1},
        {"\"base\":4", "\"base\":126", MACRAME_TCU_BAD_MODEL, "inputs", 129, 128},
        {"\"base\":8", "\"base\":126", MACRAME_TCU_BAD_MODEL, "outputs", 129, 128},
        {"\"base\":1,", "\"base\":63,", MACRAME_TCU_BAD_MODEL, "consts", 65, 32},
        {"FP16BP8", "FLOAT32", MACRAME_TCU_BAD_MODEL, "data_type", 0, 0},
        {"\"array_size\":4", "\"array_size\":1", MACRAME_TCU_BAD_MODEL, "array_size", 1, 2},
        {"\"array_size\":4", "\"array_size\":\"4\"", MACRAME_TCU_BAD_MODEL, "array_size", 0, 0},
        {"\"local_depth\":32,", "", MACRAME_TCU_BAD_MODEL, "local_depth", 0, 1},
        {"\"load_consts_to_local\":true", "\"load_consts_to_local\":1", MACRAME_TCU_BAD_MODEL,
         "load_consts_to_local", 0, 0},
        {"\"consts\":[", "\"consts\":[{\"file_name\":\"x\",\"base\":0,\"size\":1},",
         MACRAME_TCU_BAD_MODEL, "consts", 2, 1},
        {"\"in put\"", "\"in", MACRAME_TCU_BAD_JSON, ", or }", 0, 0},
        {"true}", "true} x", MACRAME_TCU_BAD_JSON, "the end of the file", 0, 0},
        {"true}", "true", MACRAME_TCU_BAD_JSON, ", or }", 0, 0},
    };
    for (const BadModel& row : rows) {
        std::string text = sample.text;
        const std::size_t at = text.find(row.from);
        ASSERT_NE(at, std::string::npos) << row.from;
        text.replace(at, std::strlen(row.from), row.to);
        macrame_tcu_network net;
        EXPECT_EQ(macrame_tcu_open(&net, text.data(), text.size()), row.error) << row.to;
        ASSERT_NE(net.problem.what, nullptr) << row.to;
        EXPECT_STREQ(net.problem.what, row.what) << row.to;
        EXPECT_EQ(net.problem.found, row.found) << row.to;
        EXPECT_EQ(net.problem.wanted, row.wanted) << row.to;
        // Who goes on all the same gets nowhere.
        EXPECT_EQ(macrame_tcu_attach(&net, "", 0, "", 0), MACRAME_TCU_BAD_ARGUMENT);
        macrame_tcu_tensor tensor;
        EXPECT_EQ(macrame_tcu_get_input(&net, 0, &tensor), MACRAME_TCU_BAD_ARGUMENT);
    }
}

TEST(TcuDriver, ReadsEveryBeginningOfAModelWithoutHarm) {
    const Sample sample;
    for (std::size_t size = 0; size < sample.text.size(); ++size) {
        const std::unique_ptr<char[]> copy(new char[size]);  // so that sanitizers see its end
        std::memcpy(copy.get(), sample.text.data(), size);
        macrame_tcu_network net;
        EXPECT_NE(macrame_tcu_open(&net, copy.get(), size), MACRAME_TCU_OK) << size;
    }
}

TEST(TcuDriver, ReadsBlanksAndAnyOrderOfKeys) {
    const Sample sample;
    std::string text = " \n\t";
    for (const char c : sample.text) {
        text += c;
        if (std::strchr("{}[],:", c) != nullptr) text += "\r\n  ";
    }
    macrame_tcu_network net;
    ASSERT_EQ(macrame_tcu_open(&net, text.data(), text.size()), MACRAME_TCU_OK) << text;
    EXPECT_EQ(std::string(net.name.text, net.name.bytes), "sample");
    EXPECT_EQ(std::string(net.program_name.text, net.program_name.bytes), "sample.tprog");
    EXPECT_EQ(std::string(net.constants_name.text, net.constants_name.bytes), "sample.tdata");
    ASSERT_EQ(net.input_count, 2u);
    ASSERT_EQ(net.output_count, 1u);
    macrame_tcu_tensor tensor;
    ASSERT_EQ(macrame_tcu_get_input(&net, 0, &tensor), MACRAME_TCU_OK);
    EXPECT_EQ(std::string(tensor.name.text, tensor.name.bytes), "in put");
    EXPECT_EQ(tensor.vectors, 3u);
    ASSERT_EQ(macrame_tcu_get_input(&net, 1, &tensor), MACRAME_TCU_OK);
    EXPECT_EQ(tensor.vectors, 2u);  // two pieces
    EXPECT_EQ(macrame_tcu_get_input(&net, 2, &tensor), MACRAME_TCU_BAD_ARGUMENT);
    ASSERT_EQ(macrame_tcu_get_output(&net, 0, &tensor), MACRAME_TCU_OK);
    EXPECT_EQ(tensor.vectors, 3u);
}

TEST(TcuDriver, RefusesFilesThatDoNotBelongToTheModel) {
    const Sample sample;
    macrame_tcu_network net;
    ASSERT_EQ(sample.open(net), MACRAME_TCU_OK);
    const auto attach = [&](const std::vector<std::uint8_t>& program, std::size_t constants) {
        const std::vector<std::uint8_t> data(constants);
        return macrame_tcu_attach(&net, program.data(), program.size(), data.data(), data.size());
    };
    std::vector<std::uint8_t> program = sample.program;
    EXPECT_EQ(attach(program, sample.constants.size() - 1), MACRAME_TCU_CONSTANTS_SIZE);
    EXPECT_EQ(net.problem.found, sample.constants.size() - 1);
    EXPECT_EQ(net.problem.wanted, sample.constants.size());
    program.pop_back();
    EXPECT_EQ(attach(program, sample.constants.size()), MACRAME_TCU_PROGRAM_SIZE);
    EXPECT_EQ(net.problem.found, program.size());

    struct {
        Instruction instruction;
        const char* what;
        std::uint64_t found, wanted;
    } rows[] = {{move(kDram0ToLocal, 0, 127, 2), "vector of DRAM0", 128, 127},
                {move(kLocalToDram1, 0, 60, 2, 2), "vector of DRAM1", 64, 63},
                {{}, "opcode", 9, 0},
                {{}, "Configure of an offset", 0, 0}};
    rows[2].instruction.opcode = 9;
    rows[3].instruction.opcode = kConfigure;
    rows[3].instruction.config_register = kDram1Offset;
    for (const auto& row : rows) {
        program = sample.program;
        encode(sample.layout, row.instruction, program.data() + 2 * sample.layout.bytes);
        EXPECT_EQ(attach(program, sample.constants.size()), MACRAME_TCU_BAD_INSTRUCTION);
        EXPECT_STREQ(net.problem.what, row.what);
        EXPECT_EQ(net.problem.place, 2u);
        EXPECT_EQ(net.problem.found, row.found);
        EXPECT_EQ(net.problem.wanted, row.wanted);
    }
    ASSERT_EQ(attach(sample.program, sample.constants.size()), MACRAME_TCU_OK);
    EXPECT_EQ(net.dram0_vectors, 41u);
    EXPECT_EQ(net.dram1_vectors, 3u);
}

TEST(TcuDriver, EveryErrorHasAText) {
    for (int error = 0; error <= MACRAME_TCU_RESET_FAILED; ++error)
        EXPECT_STRNE(macrame_tcu_error_text(error), "unknown error") << error;
    EXPECT_STREQ(macrame_tcu_error_text(MACRAME_TCU_RESET_FAILED + 1), "unknown error");
    EXPECT_STREQ(macrame_tcu_error_text(-1), "unknown error");
}

}  // namespace
}  // namespace macrame::tcu
