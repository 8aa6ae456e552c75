/// Which parameters compiled programs depend on, and where software finds the identity.

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

}  // namespace
}  // namespace macrame::tcu
