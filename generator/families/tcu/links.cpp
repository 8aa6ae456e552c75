#include <string>
#include <vector>

#include "families/tcu/units.hpp"

namespace macrame::tcu {
namespace {

/// Of a channel of a memory bank, in the order of the units' pins.
std::string axi_reads(const std::string& bank) {
    const std::string m = "m_axi_dram" + bank + "_";
    return "|" + m + "arid " + m + "araddr ||" + m + "a* " + m + "rid ||" + m + "rdata " + m +
           "rresp ||" + m + "r* ";
}

std::string axi_writes(const std::string& bank) {
    const std::string m = "m_axi_dram" + bank + "_";
    return "|" + m + "awid " + m + "awaddr ||" + m + "a* " + m + "wid ||" + m + "wdata " + m +
           "wstrb ||" + m + "w* " + m + "bid ||" + m + "b* ";
}

/// What load writes to local memory: a port for both banks, or one for each.
std::string load_ports(const Config& config) {
    const auto port = [](const std::string& n) {
        return "|load2local_write" + n + " load2local_addr" + n + " load2local_data" + n +
               " local2load_wgrant" + n + " ";
    };
    return config.array_vectors == 2 ? port("0") + port("1") : port("");
}

Joint joint(const std::string& name, const Patterns& pins) {
    return {name, "tcu_" + name, "clk rst_n " + pins, {{"clk", "clock"}}};
}

Joint control() {
    return {"control",
            "tcu_control",
            "clk rst_n ||s_axi_* |program_counter idle timeout_flag tracepoint_flag irq drop "
            "|error_flag ||load2control_*0 ||load2control_*1 |store2control_fault "
            "store2control_bank store2control_decode store2control_addr *_quiet "
            "control2all_stop core_rst_n |bus_error",
            {{"clk", "clock"}, {"rst_n", "pins_rst_n"}, {"core_rst_n", "rst_n"}}};
}

Joint fetch() {
    return {"fetch",
            "tcu_fetch",
            "clk rst_n control2all_stop instruction_tdata |instruction_* *",
            {{"clk", "clock"}, {"instruction_tready", "fetch_ready"}}};
}

/// Nets that a unit drives, and its links of a second vector.
std::vector<JointGroup> links() {
    const auto from = [](const std::string& unit, const Patterns& nets) {
        return JointGroup{"links", "from " + unit, nets, {}};
    };
    const auto second = [](const Patterns& nets) { return JointGroup{"links", "", nets, {}}; };
    return {
        from("fetch", "fetch2decode_valid fetch2decode_data fetch_busy fetch_ready"),
        from("control", "control2all_stop drop"),
        from("decode",
             "-decode2load_ready -decode2store_ready -decode2issue_ready fetch2decode_ready "
             "decode2load* decode2store* decode2issue* decode2status* decode2all* "
             "sample_interval timeout_flag tracepoint_flag error_flag decode_busy"),
        from("issue",
             "-issue2*_ready issue_busy decode2issue_ready issue2weights* issue2feed* "
             "issue2acc*"),
        from("load",
             "decode2load_ready load2all* load2local* load_busy load2control_quiet "
             "load2control*"),
        from("store",
             "decode2store_ready store2all* store2local* store_busy store2control_quiet "
             "store2control*"),
        from("local",
             "-local2feed_*1 -local2weights_*1 local2feed* local2weights* local2store* "
             "local2load* local2acc*"),
        second("local2feed_grant1 local2weights_*1 local2feed_*1"),
        from("weights", "-*1 weights_busy issue2weights_ready weights2*"),
        from("feed",
             "-*1 feed_busy issue2feed_ready feed2all* feed2weights* feed2local* feed2array* "
             "feed2acc*"),
        second("weights2*1 feed2*1"),
        from("array", "array2acc_valid array2acc_y"),
        second("array2acc_*1"),
        from("acc", "acc2feed_taken1 acc_busy issue2acc_ready acc2all* acc2feed* acc2local*"),
    };
}

/// fetch to acc, and the samples of what they do.
std::vector<Joint> pipeline(const Config& config) {
    return {
        fetch(),
        joint("decode", "|decode2status_* |error_flag |fetch2decode_* *"),
        joint("issue", "*"),
        joint("load", axi_reads("0") + axi_reads("1") + "|decode2load_* * " + load_ports(config) +
                          "||load2control_*0 ||load2control_*1 |control2all_stop *_quiet *_busy"),
        joint("store", axi_writes("0") + axi_writes("1") +
                           "|decode2store_* load2all_* acc2all_* store2all_* decode2all_* "
                           "store2local_* local2store_* store2control_fault store2control_bank "
                           "store2control_decode store2control_addr *"),
        joint("local",
              "|feed2local_*1 local2feed_*1 weights2local_*1 local2weights_*1 "
              "|feed2local_read |feed2local_addr *"),
        joint("weights", "|*1 |weights_busy |issue2weights_valid *"),
        joint("feed", "|*1 |feed_busy *"),
        joint("array",
              "|feed2array_*1 array2acc_*1 weights2array_*1 |weights2array_shift "
              "|weights2array_row *"),
        joint("acc", "|*1 |acc_busy issue2acc_valid |issue2acc_ready *"),
        joint("sample", "sample_interval program_counter *"),
    };
}

}  // namespace

Wiring top_wiring(const Config& config, const Derived&) {
    Wiring wiring{links(), 98};
    wiring.groups.push_back({"control", "", "", {control()}});
    wiring.groups.push_back({"pipeline", "", "", pipeline(config)});
    return wiring;
}

}  // namespace macrame::tcu
