#pragma once
/// Golden model of the whole accelerator behind the Device interface: register files, ping-pong
/// groups, interrupts, convolution buffer bookkeeping and the arithmetic of every built unit.
///
/// It has no clock. A layer runs when all units that it needs are enabled, in advance(); each call
/// makes one step: CDMA fills the buffer as far as there is room, or a convolution with its SDP
/// layer runs to its end, or an offline SDP layer does. Counters of cycles read 0.

#include <cstdint>
#include <string>
#include <vector>

#include "cdma.hpp"
#include "cdp.hpp"
#include "cfgrom.hpp"
#include "conv.hpp"
#include "glb.hpp"
#include "pdp.hpp"
#include "pdp_rdma.hpp"
#include "register_file.hpp"
#include "sdp.hpp"
#include "sdp_rdma.hpp"
#include "tb/common/device.hpp"
#include "tb/common/memory.hpp"

namespace macrame::model::dla {

/// Sizes and features of a configuration, named as in templates/dla/README.md. Defaults: nv_small
/// without the pooling and normalisation units.
struct DeviceSizes {
    int atomic_c = 8;        ///< channels per MAC operation
    int atomic_k = 8;        ///< kernels per group
    int atom_bytes = 8;      ///< memory atom
    int entry_bytes = 8;     ///< CBUF entry
    int cbuf_banks = 32;     ///< banks
    int cbuf_depth = 512;    ///< entries per bank
    int addr_w = 32;         ///< memory address bits
    bool image = true;       ///< CDMA and CSC take pixels
    bool sdp_bs = true;      ///< X1 stage exists
    bool sdp_bn = true;      ///< X2 stage exists
    bool sdp_ew = false;     ///< Y stage exists
    bool sdp_lut = false;    ///< and has a table
    bool pdp = false;        ///< PDP and PDP_RDMA exist
    bool cdp = false;        ///< CDP and CDP_RDMA exist
    bool secondary = false;  ///< second memory port exists
    CfgromSizes cfgrom{};    ///< what the configuration ROM speaks of

    CdmaSizes cdma() const { return {atom_bytes, entry_bytes, cbuf_banks, cbuf_depth}; }
};

class Device : public tb::Device {
public:
    /// `secondary` may be null where the configuration has one port.
    Device(const DeviceSizes& sizes, tb::Memory& primary, tb::Memory* secondary = nullptr);

    void reset() override;
    void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted = true) override;
    std::uint32_t csb_read(std::uint32_t byte_addr) override;
    bool interrupt() override;
    void advance(int n) override;
    std::uint64_t cycle() override { return cycle_; }

    /// Things that a correct program never makes: sides that disagree, waits without end.
    std::vector<std::string> violations() const override { return violations_; }

    const DeviceSizes& sizes() const { return sizes_; }

private:
    RegisterFile* page(std::uint32_t byte_addr);
    tb::Memory& memory(std::uint32_t ram_type);
    std::uint64_t address(std::uint32_t high, std::uint32_t low) const;
    void raise(int bit, int group);
    void violation(const std::string& what);

    CdmaLayer cdma_layer() const;
    ConvLayer conv_layer() const;
    SdpLayer sdp_registers() const;
    SdpEw ew_registers() const;
    Lut sdp_lut_registers() const;
    SdpRdmaLayer rdma_registers() const;
    PdpLayer pdp_registers() const;
    PdpRdmaLayer pdp_rdma_registers() const;
    CdpLayer cdp_registers() const;
    Lut cdp_lut() const;

    bool step();
    bool step_cdma();
    bool start_cdma();
    bool fetch();
    bool step_conv();
    bool begin_conv(const ConvLayer& layer);
    bool step_idle_rdma();
    bool step_offline_sdp();
    bool step_cdp();
    static bool needs_rdma(const SdpLayer& layer);
    bool rdma_ready(const SdpLayer& layer);
    bool sdp_ready(bool flying);
    void run_sdp(const SdpLayer& layer, const std::vector<std::int32_t>& flying);
    bool step_offline_pdp();
    bool pdp_takes(const SdpLayer& layer);
    void run_pdp(const PdpLayer& layer, const std::vector<std::int8_t>& input);
    void give_back(int data_entries, int weight_entries);

    DeviceSizes sizes_;
    tb::Memory& primary_;
    tb::Memory* secondary_;

    Cfgrom cfgrom_;
    Glb glb_;
    RegisterFile mcif_{"MCIF"}, cvif_{"CVIF"};
    RegisterFile cdma_regs_{"CDMA"}, csc_regs_{"CSC"};
    RegisterFile cmac_a_regs_{"CMAC_A"}, cmac_b_regs_{"CMAC_B"}, cacc_regs_{"CACC"};
    RegisterFile rdma_regs_{"SDP_RDMA"}, sdp_regs_{"SDP"};
    RegisterFile pdp_rdma_regs_{"PDP_RDMA"}, pdp_regs_{"PDP"};
    RegisterFile cdp_rdma_regs_{"CDP_RDMA"}, cdp_regs_{"CDP"};

    Lut sdp_lut_;  // the tables of SDP; the rest is in registers
    SdpLutAccess sdp_access_;

    std::uint64_t cycle_ = 0;
    std::vector<std::string> violations_;

    Cdma cdma_;
    CbufImage cbuf_;
    CscBook book_;
    Lut cdp_lut_;  // only the tables
    CdpLutAccess cdp_access_;
    int cdma_data_banks_ = 0, cdma_weight_banks_ = 0;  // of the layer before; 0: none
    std::uint64_t cdma_started_ = 0, cdma_done_ = 0, conv_done_ = 0;  // layers
    bool data_done_ = false, weight_done_ = false;  // events of CDMA's layer were raised
    bool conv_begun_ = false;                       // CSC took its layer over
};

}  // namespace macrame::model::dla
