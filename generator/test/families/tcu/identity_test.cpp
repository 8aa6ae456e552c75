/// Which parameters compiled programs depend on, and where software finds the identity.

#include "families/tcu/registers.hpp"
#include "support.hpp"
#include "test/identity_check.hpp"

namespace macrame::tcu {
namespace {

TEST(TcuIdentity, IsOfWhatProgramsDependOn) {
    expect_identity_of_all_but(
        family(), {"thread_queue_depth", "axi_data_width", "array_vectors", "weight_buffers",
                   "queue_depth", "order_blocks", "transfer_depth", "sample_block_size",
                   "decoder_timeout", "validate_instructions", "status_port", "control_port"});
}

TEST(TcuIdentity, IsReadAtThePortOfTheRegisters) {
    Config config;
    EXPECT_EQ((Design{family(), "mine", config}).identity_register(), 0u);
    config.control_port = true;
    EXPECT_EQ((Design{family(), "mine", config}).identity_register(), 0x14u);
}

/// The C driver has no headers of an output: runtime/tcu/macrame_tcu_internal.h has these numbers.
TEST(TcuRegisters, AreWhereTheDriverHasThem) {
    const auto offset = [](const char* name) { return control_registers().find(name)->offset; };
    EXPECT_EQ(offset("STATUS"), 0x00u);
    EXPECT_EQ(offset("BUS_ERROR_CAUSE"), 0x08u);
    EXPECT_EQ(offset("BUS_ERROR_ADDRESS"), 0x0cu);
    EXPECT_EQ(offset("RESET"), 0x10u);
    EXPECT_EQ(offset("IDENTITY"), 0x14u);
    const auto bit = [](const char* of, const char* name) {
        for (const regs::Field& field : control_registers().find(of)->fields)
            if (field.name == name) return field.lsb;
        return -1;
    };
    EXPECT_EQ(bit("STATUS", "IDLE"), 0);
    EXPECT_EQ(bit("STATUS", "BUS_ERROR"), 4);
    EXPECT_EQ(bit("STATUS", "IN_RESET"), 5);
    EXPECT_EQ(bit("BUS_ERROR_CAUSE", "WRITE"), 0);
    EXPECT_EQ(bit("BUS_ERROR_CAUSE", "BANK"), 1);
    EXPECT_EQ(bit("BUS_ERROR_CAUSE", "DECODE"), 2);
    EXPECT_EQ(bit("RESET", "SOFT"), 0);
}

}  // namespace
}  // namespace macrame::tcu
