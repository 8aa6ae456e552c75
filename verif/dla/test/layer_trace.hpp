#pragma once
/// Layers as the text of a trace, and what comes of it on the golden model.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate.hpp"
#include "verif/dla/test/layer_cases.hpp"

namespace macrame::dla::layer_cases {

using Names = std::vector<std::string>;

/// Text of a trace.
class Trace {
public:
    Trace& line(const std::string& text) {
        text_ += text + ";\n";
        return *this;
    }
    Trace& write(const std::string& reg, std::uint32_t value) {
        return line("reg_write(NVDLA_" + reg + "_0, " + std::to_string(value) + ")");
    }
    /// Registers of a unit in a group, and its enable.
    Trace& unit(const std::string& name, const LayerRegisters& layer, std::uint32_t group = 0) {
        const dla_regs::RegisterTable table = dla_regs::table();
        write(name + ".S_POINTER", group);
        for (std::size_t i = 0; i < table.register_count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            if (r.unit != name || !r.grouped || r.name == "D_OP_ENABLE") continue;
            write(name + "." + std::string(r.name), layer.word(r.address));
        }
        return write(name + ".D_OP_ENABLE", 1);
    }
    Trace& units(const Names& names, const LayerRegisters& layer, const std::string& moved = "") {
        for (const std::string& name : names)
            unit(name, layer, name == moved ? 1 : 0);
        return *this;
    }
    Trace& wait(const std::string& interrupt, const std::string& id = "id") {
        line("intr_notify(" + interrupt + ", " + id + ")");
        return line("sync_wait(X, " + id + ")");
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// What a run on the golden model prints.
inline std::string run(const Trace& trace, bool strict = false,
                       const Architecture& sizes = full_sizes()) {
    const std::string path = testing::TempDir() + "layer_waits.cfg";
    std::ofstream(path) << trace.text();
    dla::run::SimulateOptions options;
    options.traces = {path};
    options.subject = dla::run::Subject::model;
    options.strict = strict;
    testing::internal::CaptureStdout();
    dla::run::simulate(options, dla::run::make_platform("test", sizes));
    return testing::internal::GetCapturedStdout();
}

/// The line with a text in it; empty if there is none.
inline std::string line_with(const std::string& text, const std::string& what) {
    const std::size_t at = text.find(what);
    if (at == text.npos) return "";
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

inline const Names kConv = {"SDP_RDMA", "SDP", "CACC", "CMAC_A", "CMAC_B", "CSC", "CDMA"};

inline LayerRegisters changed(LayerRegisters layer, const Values& values) {
    set(layer, values);
    return layer;
}

}  // namespace macrame::dla::layer_cases
