#pragma once
/// Cycle model of the whole machine: what systolic_top does, cycle for cycle, without data. It is
/// clocked with a memory on its three ports, as the design is.

#include <cstdint>
#include <optional>

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
    bool some_ended() const { return resolver_.some_ended(); }
    bool irq() const { return control_.irq(); }
    bool busy() const { return control_.busy(); }
    const Resolver::Progress& progress() const { return resolver_.progress(); }
    /// A module in a cycle, and which of its instructions, counted from the first, works or waits.
    struct Doing {
        Activity activity = Activity::none;
        std::optional<std::size_t> instruction;
    };
    Doing doing(Module module, const WriteAnswer& store) const;

    /// A rising edge.
    void clock(const Software& software, const ReadAnswer& fetch, const ReadAnswer& load,
               const WriteAnswer& store);

    /// Up to so many rising edges at which software and memory do nothing and only gemm and obuf
    /// work: as many calls of clock(). How many they were.
    std::uint32_t clock_gemm(const Software& software, std::uint32_t most);

private:
    bool is_still(const Software& software) const;
    void clock_fetch(const Control::Outputs& control, const Resolver::Outputs& resolver,
                     const ReadAnswer& memory);
    Doing gemm_doing() const;
    Doing waiting(std::size_t module) const;
    Activity working(Module module, const WriteAnswer& store) const;

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
