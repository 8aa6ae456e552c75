#pragma once
/// Cycle model of the whole machine: what systolic_top does, cycle for cycle, without data. It is
/// clocked with a memory on its three ports, as the design is.

#include <cstdint>

#include "verif/systolic/cycles/alu.hpp"
#include "verif/systolic/cycles/control.hpp"
#include "verif/systolic/cycles/fetch.hpp"
#include "verif/systolic/cycles/gemm.hpp"
#include "verif/systolic/cycles/load.hpp"
#include "verif/systolic/cycles/obuf.hpp"
#include "verif/systolic/cycles/resolver.hpp"
#include "verif/systolic/cycles/store.hpp"

namespace macrame::systolic::cycles {

/// What a port that reads sees of memory in a cycle.
struct ReadAnswer {
    bool arready = false, rvalid = false, rlast = false;
    std::uint32_t rresp = 0;
    const std::uint8_t* rdata = nullptr;  ///< a beat, if rvalid; of fetch only
};
struct WriteAnswer {
    bool awready = false, wready = false, bvalid = false;
    std::uint32_t bresp = 0;
};

/// What software's port drives in a cycle; as Control::Inputs, other members do not matter.
using Software = Control::Inputs;

class Top {
public:
    /// `config_address`: where the registers begin.
    Top(const Architecture& architecture, std::uint32_t config_address);

    // Pins in this cycle.
    Control::Outputs control() const { return control_.outputs(); }
    Fetch::Outputs fetch() const { return fetch_.outputs(); }
    Load::Outputs load() const { return load_.outputs(); }
    Store::Outputs store() const { return store_.outputs(); }

    /// An instruction of the module has left its queue.
    bool ended(Module module) const { return resolver_.ended(number(module)); }

    /// A rising edge.
    void clock(const Software& software, const ReadAnswer& fetch, const ReadAnswer& load,
               const WriteAnswer& store);

private:
    Control control_;
    Fetch fetch_;
    Resolver resolver_;
    Load load_;
    Gemm gemm_;
    Obuf obuf_;
    Alu alu_;
    Store store_;
};

}  // namespace macrame::systolic::cycles
